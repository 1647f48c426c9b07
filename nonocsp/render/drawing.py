"""Lay out the picture of a puzzle as boxes, strokes and labels, once for SVG, PNG and PDF.

The clues stand outside the grid, each block in a slot as large as a cell. Every fifth line is thicker. In
several colours a clue's number stands on its colour, which may have a pattern beside. Undecided cells have a
question mark. Lengths are in pixels (SVG user units).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nonocsp.model import UNKNOWN_CHAR, Grid, Puzzle

CELL = 20
"""The side of a cell, unless the puzzle is too large for it."""
MAX_GRID_SIDE = 8192
"""The longest side of a grid: cells shrink instead."""
LEGIBLE = 8
"""Where cells are smaller, numbers are left out, and so are four of five strokes."""
HATCHES = 3
"""Lines of a hatching across a cell."""
PAPER, INK, FAINT, UNDECIDED, MARK = "#ffffff", "#222222", "#a0a0a0", "#e4e4e4", "#e6007e"


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle; (x, y) is its upper left corner."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    pattern: int = 0  # number of the hatching on it (`nonocsp.render.hatching`); 0: none
    pitch: float = 0  # distance of the lines of the hatching


@dataclass(frozen=True, slots=True)
class Label:
    """A text centred on (x, y), or starting or ending there; y is the middle of its line."""

    x: float
    y: float
    text: str
    size: float
    fill: str = INK
    anchor: Literal["middle", "start", "end"] = "middle"
    is_bold: bool = False


@dataclass(frozen=True, slots=True)
class Stroke:
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float
    colour: str


class Link(NamedTuple):
    """A rectangle of a page that leads to another page of the same document, counted from 0."""

    x: float
    y: float
    width: float
    height: float
    page: int


class Bookmark(NamedTuple):
    """An entry of the outline of a document that leads to its page; level 0 is the highest."""

    title: str
    level: int = 0


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture on white: boxes lie under strokes, strokes under labels."""

    width: float
    height: float
    title: str
    boxes: tuple[Box, ...]
    strokes: tuple[Stroke, ...]
    labels: tuple[Label, ...]
    links: tuple[Link, ...] = ()
    bookmarks: tuple[Bookmark, ...] = ()  # of a page of a PDF; SVG and PNG leave them out

    def placed(self, x: float, y: float, scale: float) -> Drawing:
        """Return the drawing scaled and moved, to be part of a sheet."""
        boxes = [
            replace(
                box,
                x=x + scale * box.x,
                y=y + scale * box.y,
                width=scale * box.width,
                height=scale * box.height,
                pitch=scale * box.pitch,
            )
            for box in self.boxes
        ]
        strokes = [
            Stroke(
                x + scale * stroke.x1,
                y + scale * stroke.y1,
                x + scale * stroke.x2,
                y + scale * stroke.y2,
                scale * stroke.width,
                stroke.colour,
            )
            for stroke in self.strokes
        ]
        labels = [
            replace(label, x=x + scale * label.x, y=y + scale * label.y, size=scale * label.size)
            for label in self.labels
        ]
        width, height = scale * self.width, scale * self.height
        return Drawing(width, height, self.title, tuple(boxes), tuple(strokes), tuple(labels))


@dataclass(frozen=True, slots=True)
class DrawingLayout:
    """The side of a cell, the margin around everything (`edge`), and the grid's upper left corner."""

    rows: int
    columns: int
    cell: int
    edge: int
    left: int
    top: int

    @classmethod
    def of(cls, puzzle: Puzzle, *, has_clues: bool = True) -> DrawingLayout:
        """Return the layout of a puzzle."""
        rows, columns = puzzle.shape
        cell = max(1, min(CELL, MAX_GRID_SIDE // max(rows, columns)))
        edge = max(4, cell // 2)
        if cell < LEGIBLE or not has_clues:
            return cls(rows, columns, cell, edge, edge, edge)
        slots = [max(1, *map(len, clues)) for clues in ((*puzzle.rows, ()), (*puzzle.columns, ()))]
        return cls(rows, columns, cell, edge, edge + slots[0] * cell, edge + slots[1] * cell)

    @property
    def right(self) -> int:
        """The grid's right side."""
        return self.left + self.columns * self.cell

    @property
    def bottom(self) -> int:
        """The grid's lower side."""
        return self.top + self.rows * self.cell


def draw(
    puzzle: Puzzle,
    grid: Grid | None = None,
    *,
    has_clues: bool = True,
    has_patterns: bool = False,
    marked: NDArray[np.bool_] | None = None,
    numbers: NDArray[np.int32] | None = None,
) -> Drawing:
    """Return the picture of a puzzle."""
    fills = [*(colour.rgb for colour in puzzle.palette.colours), UNDECIDED]
    patterned = has_patterns and not puzzle.palette.is_one_colour
    layout = DrawingLayout.of(puzzle, has_clues=has_clues)
    boxes = [Box(layout.left, layout.top, layout.right - layout.left, layout.bottom - layout.top, fills[0])]
    labels: list[Label] = []
    if grid is not None:
        boxes += _runs(layout, grid, fills, patterned)
        labels += _question_marks(layout, grid)
        if numbers is not None:
            labels += _numbers(layout, grid, fills, numbers)
    if layout.cell >= LEGIBLE and has_clues:
        for chips, label in _clues(layout, puzzle, patterned):
            boxes += chips
            labels.append(label)
    width, height = layout.right + layout.edge, layout.bottom + layout.edge
    strokes = [*_strokes(layout), *(_frames(layout, marked) if marked is not None else ())]
    return Drawing(width, height, puzzle.title, tuple(boxes), tuple(strokes), tuple(labels))


def _runs(layout: DrawingLayout, grid: Grid, fills: list[str], patterned: bool) -> Iterator[Box]:
    """Yield a box for each run of equal cells of a row, except the background."""
    for r, row in enumerate(grid.colours(unknown=len(fills) - 1).astype(int)):
        ends = np.flatnonzero(np.diff(row, append=-1)) + 1
        for start, end in zip([0, *ends[:-1]], ends, strict=True):
            if row[start] != 0:
                x, y = layout.left + int(start) * layout.cell, layout.top + r * layout.cell
                width, colour = int(end - start) * layout.cell, int(row[start])
                pattern = colour if patterned and colour < len(fills) - 1 and layout.cell >= LEGIBLE else 0
                yield Box(x, y, width, layout.cell, fills[colour], pattern, layout.cell / HATCHES)


def _frames(layout: DrawingLayout, marked: NDArray[np.bool_]) -> Iterator[Stroke]:
    """Yield the four sides of each marked cell."""
    for r, c in np.argwhere(marked).tolist():
        left, top = layout.left + c * layout.cell, layout.top + r * layout.cell
        right, bottom, width = left + layout.cell, top + layout.cell, max(1.0, layout.cell / 7)
        for x1, y1, x2, y2 in (
            *((left, top, right, top), (left, bottom, right, bottom)),
            *((left, top, left, bottom), (right, top, right, bottom)),
        ):
            yield Stroke(x1, y1, x2, y2, width, MARK)


def _question_marks(layout: DrawingLayout, grid: Grid) -> Iterator[Label]:
    if layout.cell >= LEGIBLE:
        for r, c in np.argwhere(~grid.decided).tolist():
            x, y = layout.left + (c + 0.5) * layout.cell, layout.top + (r + 0.5) * layout.cell
            yield Label(x, y, UNKNOWN_CHAR, 0.6 * layout.cell, FAINT)


def _numbers(
    layout: DrawingLayout, grid: Grid, fills: list[str], numbers: NDArray[np.int32]
) -> Iterator[Label]:
    """Yield the number of each cell that has one; the larger ones are written smaller."""
    if layout.cell >= LEGIBLE:
        colours = grid.colours(unknown=len(fills) - 1)
        for r, c in np.argwhere(numbers).tolist():
            x, y = layout.left + (c + 0.5) * layout.cell, layout.top + (r + 0.5) * layout.cell
            text = str(numbers[r, c])
            size = layout.cell * min(0.5, 1.4 / len(text))
            yield Label(x, y, text, size, contrasting(fills[int(colours[r, c])]))


def _clues(layout: DrawingLayout, puzzle: Puzzle, patterned: bool) -> Iterator[tuple[list[Box], Label]]:
    """Yield the number of each block, and the boxes of its colour below it if there are several colours."""
    cell, palette = layout.cell, puzzle.palette
    rows = [(layout.left, layout.top + r * cell, cell, 0, clue) for r, clue in enumerate(puzzle.rows)]
    columns = [(layout.left + c * cell, layout.top, 0, cell, clue) for c, clue in enumerate(puzzle.columns)]
    for left, top, step_x, step_y, clue in rows + columns:
        blocks = clue or (None,)
        for slot, block in enumerate(blocks, start=-len(blocks)):
            x, y = left + slot * step_x, top + slot * step_y
            text = str(block.length) if block else "0"
            size = cell * min(0.6, 1.5 / len(text))
            label = Label(x + cell / 2, y + cell / 2, text, size)
            if block is None or palette.is_one_colour:
                yield [], label
                continue
            fill = palette[block.colour].rgb
            pattern = block.colour if patterned else 0
            chips = [Box(x + 1, y + 1, cell - 2, cell - 2, fill, pattern, cell / HATCHES)]
            label = replace(label, fill=contrasting(fill))
            if patterned:  # the number stands on paper, and the hatching around it
                size *= 0.9
                width, height = min(cell - 5, (0.6 * len(text) + 0.2) * size), 0.95 * size
                chips.append(Box(x + (cell - width) / 2, y + (cell - height) / 2, width, height, PAPER))
                label = replace(label, size=size, fill=INK)
            yield chips, label


def side_by_side(left: Drawing, right: Drawing) -> Drawing:
    """Return one drawing of two, a cell apart, with the title of the first."""
    moved = right.placed(left.width + CELL, 0, 1)
    return Drawing(
        left.width + CELL + right.width,
        max(left.height, right.height),
        left.title,
        left.boxes + moved.boxes,
        left.strokes + moved.strokes,
        left.labels + moved.labels,
    )


def contrasting(rgb: str) -> str:
    """Return black or white, whichever is easier to read on a colour ``#rrggbb`` (ITU-R BT.601 luma)."""
    red, green, blue = (int(rgb[i : i + 2], 16) for i in (1, 3, 5))
    return "#000000" if 299 * red + 587 * green + 114 * blue > 140_000 else "#ffffff"


def _strokes(layout: DrawingLayout) -> Iterator[Stroke]:
    """Yield the lines of the grid, thin ones first, so that the thick ones lie above them."""
    thin: list[tuple[float, float, float, float]] = []
    thick: list[tuple[float, float, float, float]] = []
    for c in range(layout.columns + 1):
        x = layout.left + c * layout.cell
        (thick if c % 5 == 0 or c == layout.columns else thin).append((x, layout.top, x, layout.bottom))
    for r in range(layout.rows + 1):
        y = layout.top + r * layout.cell
        (thick if r % 5 == 0 or r == layout.rows else thin).append((layout.left, y, layout.right, y))
    if layout.cell < LEGIBLE:
        return (Stroke(*ends, 1, FAINT) for ends in thick)
    return chain((Stroke(*ends, 1, FAINT) for ends in thin), (Stroke(*ends, 2, INK) for ends in thick))
