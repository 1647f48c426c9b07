"""Draw what fills a slot of a sheet: a puzzle or its solution, with heading, caption and names of colours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nonocsp.model import Colour, Grid, Puzzle
from nonocsp.render.drawing import FAINT, Box, Drawing, Label, Layout, Stroke, draw
from nonocsp.render.fonts import width_of

HEADING, CAPTION = 11.0, 8.0
"""Sizes of the text, in points."""
HEAD = 30.0
"""Height of heading and caption together."""
MAX_CELL = 26.0
"""The largest cell, in points: 9 mm."""
SOFT = "#555555"
_LEGEND_LINE, _CHIP = 12.0, 8.0
_SPARE = 1.08
"""Room for the fonts of SVG viewers, some of which are wider."""
_MOST_CHARS = 300

Slot = tuple[float, float]
"""(width, height) in points."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """A puzzle to print.

    Parameters
    ----------
    puzzle
        The puzzle.
    heading
        The line above it.
    caption
        The line below the heading: size, class, difficulty.
    solution
        For the last pages; None if none is known.
    fault
        Why nobody can solve it: ``"several solutions"`` or ``"no solution"``; empty if it has one, or if that
        is not known.
    """

    puzzle: Puzzle
    heading: str
    caption: str
    solution: Grid | None
    fault: str = ""


def caption(shape: tuple[int, int], class_: str = "", sweeps: int = 0) -> str:
    """Return the caption of a puzzle: size, class, and the difficulty if line solving solves it.

    Parameters
    ----------
    shape
        (rows, columns).
    class_
        As the meter says, such as ``"simple"``; empty or ``"unknown"`` for the size alone.
    sweeps
        The difficulty, of a trivial or simple puzzle.
    """
    size = f"{shape[0]}x{shape[1]}"
    match class_:
        case "" | "unknown":
            return size
        case "trivial" | "simple":
            return f"{size}, {class_}, difficulty {sweeps}"
        case "multiple":
            return f"{size}, several solutions"
        case "unsat":
            return f"{size}, no solution"
    return f"{size}, {class_}"


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture to be scaled to its slot, with its heading, caption and legend.

    Parameters
    ----------
    heading, caption
        The lines above the picture.
    picture
        In units of its own.
    cell
        The side of a cell of the picture.
    colours
        The colours of the legend; empty for none.
    is_monochrome
        Whether the legend gives the character of a colour instead of showing it.
    """

    heading: str
    caption: str
    picture: Drawing
    cell: float
    colours: tuple[Colour, ...] = ()
    is_monochrome: bool = False

    def scale(self, slot: Slot) -> float:
        """Return the factor that fits the picture into a slot."""
        width, height = slot
        room = height - HEAD - _LEGEND_LINE * len(self._legend(width))
        fits = min(width / self.picture.width, room / self.picture.height)
        return min(fits, MAX_CELL / self.cell)

    def drawn(self, slot: Slot) -> Drawing:
        """Return the figure on a sheet of the slot's size."""
        width, height = slot
        scale = self.scale(slot)
        picture = self.picture.placed((width - scale * self.picture.width) / 2, HEAD, scale)
        heading, caption = cut(self.heading, width, HEADING), cut(self.caption, width, CAPTION)
        labels = [
            *picture.labels,
            Label(width / 2, HEADING / 2, heading, HEADING, is_bold=True),
            Label(width / 2, HEADING + CAPTION, caption, CAPTION, SOFT),
        ]
        chips, names = list[Box](), list[Label]()
        for number, line in enumerate(self._legend(width)):
            x = (width - sum(map(_entry_width, line))) / 2
            y = HEAD + picture.height + (number + 0.5) * _LEGEND_LINE
            for colour in line:
                if self.is_monochrome:
                    labels.append(Label(x + _CHIP / 2, y, colour.char, CAPTION, is_bold=True))
                else:
                    chips.append(Box(x, y - _CHIP / 2, _CHIP, _CHIP, colour.rgb))
                name = cut(colour.name, width, CAPTION)
                names.append(Label(x + 1.5 * _CHIP, y, name, CAPTION, SOFT, "start"))
                x += _entry_width(colour)
        strokes = (*picture.strokes, *(side for chip in chips for side in _frame(chip)))
        return Drawing(width, height, self.heading, (*picture.boxes, *chips), strokes, (*labels, *names))

    def _legend(self, width: float) -> list[list[Colour]]:
        """Break the legend into lines."""
        lines: list[list[Colour]] = []
        for colour in self.colours:
            if not lines or sum(map(_entry_width, [*lines[-1], colour])) > width:
                lines.append([])
            lines[-1].append(colour)
        return lines


def puzzle_figure(exercise: Exercise, number: str, *, is_monochrome: bool) -> Figure:
    """Return the figure of the empty puzzle.

    Parameters
    ----------
    exercise
        The puzzle and its texts.
    number
        Before the heading, such as ``"3. "``.
    is_monochrome
        Whether characters stand for colours.
    """
    puzzle = exercise.puzzle
    used = {*puzzle.flat_rows.colours.tolist()}
    colours = [colour for i, colour in enumerate(puzzle.palette.colours) if i == 0 or i in used]
    legend = () if puzzle.palette.is_one_colour else tuple(colours)
    heading = f"{number}{exercise.heading}"
    picture = draw(puzzle, is_monochrome=is_monochrome)
    return Figure(heading, exercise.caption, picture, Layout.of(puzzle).cell, legend, is_monochrome)


def solution_figure(exercise: Exercise, number: str, *, is_monochrome: bool) -> Figure | None:
    """Return the figure of the solution without clues; None if it is unknown.

    Parameters
    ----------
    exercise, number, is_monochrome
        As for `puzzle_figure`.
    """
    if exercise.solution is None:
        return None
    puzzle = exercise.puzzle
    picture = draw(puzzle, exercise.solution, has_clues=False, is_monochrome=is_monochrome)
    return Figure(f"{number}{exercise.heading}", "solution", picture, Layout.of(puzzle).cell)


def _entry_width(colour: Colour) -> float:
    return 3 * _CHIP + _SPARE * width_of(colour.name, CAPTION)


def cut(text: str, width: float, size: float) -> str:
    """Return a text without control characters, cut so that it fits in a line.

    Parameters
    ----------
    text
        Any text.
    width
        Of the line.
    size
        Of the font, in the same unit.
    """
    line = "".join(char if char.isprintable() else " " for char in text[:_MOST_CHARS])
    if _SPARE * width_of(line, size, is_bold=True) <= width and len(text) <= _MOST_CHARS:
        return line
    while line and _SPARE * width_of(f"{line}…", size, is_bold=True) > width:
        line = line[:-1]
    return f"{line.rstrip()}…"


def _frame(box: Box) -> Iterator[Stroke]:
    """Yield the sides of a chip; without them, a white one would not show."""
    right, bottom = box.x + box.width, box.y + box.height
    yield Stroke(box.x, box.y, right, box.y, 0.5, FAINT)
    yield Stroke(right, box.y, right, bottom, 0.5, FAINT)
    yield Stroke(right, bottom, box.x, bottom, 0.5, FAINT)
    yield Stroke(box.x, bottom, box.x, box.y, 0.5, FAINT)
