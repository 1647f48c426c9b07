"""What the animations of an explanation show: the puzzle after each step, what it is about, and a caption."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from nonocsp.grading.explain.steps import Change, Explanation, Step
from nonocsp.model import UNKNOWN_CHAR, Grid, Line, Puzzle
from nonocsp.render.drawing import INK, Box, Drawing, Label, Layout, Stroke, draw

LINE_COLOUR, CELL_COLOUR = "#e8590c", "#1c7ed6"
"""Of the frames around the line that a step looks at and around the cells that it changes."""
_CAPTION = 14
"""The size of a caption's letters."""


def sheet(puzzle: Puzzle, grid: Grid, caption: str = "") -> Drawing:
    """Return the picture of a puzzle with room for a caption below; open cells are grey, without a mark."""
    picture = draw(puzzle, grid)
    labels = tuple(label for label in picture.labels if label.text != UNKNOWN_CHAR)
    height = picture.height + 2 * _CAPTION
    framed = replace(picture, labels=labels, height=height, width=max(picture.width, 20 * _CAPTION))
    return replace(framed, labels=(*labels, caption_label(framed, caption))) if caption else framed


def caption_label(picture: Drawing, caption: str) -> Label:
    """Place a caption at the foot of a sheet, in letters that fit."""
    size = min(_CAPTION, 1.7 * picture.width / len(caption))
    return Label(picture.width / 2, picture.height - 1.2 * _CAPTION, caption, size, INK)


def caption_of(step: Step, total: int) -> str:
    """Return what stands below a step's picture."""
    return f"{step.number}/{total}  {step.title}"


def marks(puzzle: Puzzle, step: Step) -> tuple[Stroke, ...]:
    """Return the frames around the line and the cells of a step."""
    layout = Layout.of(puzzle)
    frames = [_frame(_cell_box(layout, change, ""), 3, CELL_COLOUR) for change in step.changes]
    if step.line:
        frames.insert(0, _frame(_line_box(layout, step.line), 3, LINE_COLOUR))
    return tuple(stroke for frame in frames for stroke in frame)


def cell_boxes(puzzle: Puzzle, changes: Iterable[Change]) -> Iterator[Box]:
    """Yield the cells that are decided, in their colours, the background's too."""
    layout = Layout.of(puzzle)
    for change in changes:
        if change.decides:
            yield _cell_box(layout, change, puzzle.palette[change.after.bit_length() - 1].rgb)


def frames(explanation: Explanation, every: int = 1) -> Iterator[Drawing]:
    """Yield the start, the picture after each step, or after `every` so many of them, and the end."""
    puzzle, total = explanation.puzzle, len(explanation.steps)
    grids = explanation.grids()
    yield sheet(puzzle, next(grids), f"{total} steps")
    for step, grid in zip(explanation.steps, grids, strict=True):
        if step.number % every == 0:
            picture = sheet(puzzle, grid, caption_of(step, total))
            yield replace(picture, strokes=(*picture.strokes, *marks(puzzle, step)))
    yield sheet(puzzle, explanation.end, explanation.summary)


def _line_box(layout: Layout, line: Line) -> Box:
    """Return the rectangle of a line with its clue."""
    width, height = layout.right - layout.edge, layout.bottom - layout.edge
    if line.axis == "row":
        return Box(layout.edge, layout.top + line.position * layout.cell, width, layout.cell, "")
    return Box(layout.left + line.position * layout.cell, layout.edge, layout.cell, height, "")


def _cell_box(layout: Layout, change: Change, fill: str) -> Box:
    x, y = layout.left + change.column * layout.cell, layout.top + change.row * layout.cell
    return Box(x, y, layout.cell, layout.cell, fill)


def _frame(box: Box, width: float, colour: str) -> tuple[Stroke, ...]:
    left, top, right, bottom = box.x, box.y, box.x + box.width, box.y + box.height
    corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
    return tuple(Stroke(*start, *end, width, colour) for start, end in pairwise(corners))
