"""Draw what fills a slot of a sheet: a puzzle or its solution, with heading, caption and names of colours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from nonocsp.model import Colour, Grid, Puzzle
from nonocsp.render.drawing import FAINT, HATCHES, Box, Drawing, DrawingLayout, Label, Stroke, draw
from nonocsp.render.fonts import width_of

HEADING, CAPTION = 11.0, 8.0
"""Sizes of the text, in points."""
HEAD = 30.0
"""Height of heading and caption together."""
MAX_CELL = 26.0
"""The largest cell, in points: 9 mm."""
SOFT = "#555555"
_LEGEND_LINE, _CHIP = 13.0, 9.0
_SPARE = 1.08
"""Room for the fonts of SVG viewers, some of which are wider."""
_MOST_CHARS = 300

Slot = tuple[float, float]
"""(width, height) in points."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """A puzzle to print."""

    puzzle: Puzzle
    heading: str  # the line above it
    caption: str  # the line below the heading: size and level
    solution: Grid | None  # for the last pages; None if none is known
    fault: str = ""  # ``several solutions`` or ``no solution``; empty if neither is known
    level: str = ""  # how hard it is for people, such as ``"easy"``; empty if that is not known


def caption(shape: tuple[int, int], said: str = "") -> str:
    """Return the caption of a puzzle: its size, and what else is to be said."""
    size = f"{shape[0]}x{shape[1]}"
    return f"{size}, {said}" if said else size


class LegendEntry(NamedTuple):
    """An entry of a legend: a colour, and the number of its hatching."""

    colour: Colour
    pattern: int

    @property
    def width(self) -> float:
        """The room that it takes, in points."""
        return 3 * _CHIP + _SPARE * width_of(self.colour.name, CAPTION)


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture to be scaled to its slot, with its heading, caption and legend."""

    heading: str
    caption: str  # the lines above the picture
    picture: Drawing  # in units of its own
    cell: float  # the side of a cell of the picture
    legend: tuple[LegendEntry, ...] = ()  # the colours to name; empty for no legend

    def scale(self, slot: Slot) -> float:
        """Return the factor that fits the picture into a slot."""
        width, height = slot
        room = height - HEAD - _LEGEND_LINE * len(self._legend_lines(width))
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
        for number, line in enumerate(self._legend_lines(width)):
            x = (width - sum(entry.width for entry in line)) / 2
            y = HEAD + picture.height + (number + 0.5) * _LEGEND_LINE
            for entry in line:
                rgb = entry.colour.rgb
                chips.append(Box(x, y - _CHIP / 2, _CHIP, _CHIP, rgb, entry.pattern, _CHIP / HATCHES))
                name = cut(entry.colour.name, width, CAPTION)
                names.append(Label(x + 1.5 * _CHIP, y, name, CAPTION, SOFT, "start"))
                x += entry.width
        strokes = (*picture.strokes, *(side for chip in chips for side in _frame(chip)))
        return Drawing(width, height, self.heading, (*picture.boxes, *chips), strokes, (*labels, *names))

    def _legend_lines(self, width: float) -> list[list[LegendEntry]]:
        lines: list[list[LegendEntry]] = []
        for entry in self.legend:
            if not lines or sum(each.width for each in [*lines[-1], entry]) > width:
                lines.append([])
            lines[-1].append(entry)
        return lines


def puzzle_figure(exercise: Exercise, number: str, *, has_patterns: bool) -> Figure:
    """Return the figure of the empty puzzle."""
    puzzle = exercise.puzzle
    used = puzzle.flat_rows.colours_used
    entries = [
        LegendEntry(colour, i * has_patterns)
        for i, colour in enumerate(puzzle.palette.colours)
        if i == 0 or i in used
    ]
    picture = draw(puzzle, has_patterns=has_patterns)
    legend = () if puzzle.palette.is_one_colour else tuple(entries)
    return Figure(
        f"{number}{exercise.heading}", exercise.caption, picture, DrawingLayout.of(puzzle).cell, legend
    )


def solution_figure(exercise: Exercise, number: str, *, has_patterns: bool) -> Figure | None:
    """Return the figure of the solution without clues; None if it is unknown."""
    if exercise.solution is None:
        return None
    puzzle = exercise.puzzle
    picture = draw(puzzle, exercise.solution, has_clues=False, has_patterns=has_patterns)
    return Figure(f"{number}{exercise.heading}", "solution", picture, DrawingLayout.of(puzzle).cell)


def cut(text: str, width: float, size: float) -> str:
    """Return a text without control characters, cut so that it fits in a line."""
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
