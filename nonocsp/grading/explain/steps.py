"""The steps of an explanation: each with its changes, its reason and its conclusion, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from nonocsp.grading.explain.catalogue import Technique
from nonocsp.grading.explain.texts import Words, filled, table
from nonocsp.model import Grid, Line, Palette, Puzzle

if TYPE_CHECKING:
    from nonocsp.grading.levels import Effort

PATIENCE = 10.0
"""Seconds for the level of a puzzle."""


class Change(NamedTuple):
    """A cell that loses candidates; `before` and `after` are candidate sets."""

    row: int
    column: int
    before: int
    after: int

    @property
    def decides(self) -> bool:
        """Whether the cell is decided by it."""
        return self.after.bit_count() == 1

    @property
    def news(self) -> int:
        """The colour of a decided cell; for another cell, the colours that it loses."""
        return self.after if self.decides else self.before & ~self.after

    @property
    def colours(self) -> list[int]:
        """The same as indices of colours."""
        return [colour for colour in range(self.news.bit_length()) if self.news >> colour & 1]

    def place(self, line: Line) -> int:
        """Return the position of the cell in a line."""
        return self.column if line.axis == "row" else self.row


@dataclass(frozen=True, slots=True)
class Step:
    """One deduction.

    Parameters
    ----------
    number
        Counted from 1.
    technique
        The technique that finds it.
    line
        The line that shows it; for a probe the contradicting line, None for the colours.
    changes
        The cells that it decides or, in several colours, narrows.
    blocks
        The blocks of the line's clue that the reason names, by their index.
    reason, conclusion
        Why, and what follows, without the full stop.
    trail
        For a probe, the lines to settle one after the other until the contradicting one.
    """

    number: int
    technique: Technique
    line: Line | None
    changes: tuple[Change, ...]
    blocks: tuple[int, ...]
    reason: str
    conclusion: str
    trail: tuple[Line, ...] = ()

    @property
    def grade(self) -> int:
        """How hard its technique is for people, 1 to 5."""
        return self.technique.grade

    @property
    def decided(self) -> int:
        """The number of cells that it decides."""
        return sum(change.decides for change in self.changes)

    @property
    def title(self) -> str:
        """The technique and where it is applied."""
        if self.line is None:
            return str(self.technique)
        return f"{self.technique}{' against' if self.technique is Technique.PROBE else ' in'} {self.line}"

    @property
    def text(self) -> str:
        """The reason and the conclusion as sentences."""
        return " ".join(f"{part[:1].upper()}{part[1:]}." for part in (self.reason, self.conclusion))

    def record(self, palette: Palette) -> dict[str, Any]:
        """Return the step as plain JSON values; rows, columns and blocks counted from 1 as in the text."""
        where: dict[str, Any] = {"line": str(self.line)} if self.line else {}
        if self.blocks:
            where["blocks"] = [block + 1 for block in self.blocks]
        chars = [colour.char for colour in palette.colours]
        cells = [
            {
                "row": row + 1,
                "column": column + 1,
                "candidates": "".join(char for i, char in enumerate(chars) if candidates >> i & 1),
            }
            for row, column, _, candidates in self.changes
        ]
        about = {"step": self.number, "technique": str(self.technique), "grade": self.grade}
        return about | where | {"cells": cells, "text": self.text}


class Verdict(StrEnum):
    """The end of an explanation."""

    SOLVED = "solved"
    """The grid is full, and it is the only solution from the start."""
    STUCK = "stuck"
    """No technique finds anything more."""
    CONTRADICTION = "contradiction"
    """No placement fits some line: there is no solution."""


@dataclass(frozen=True, repr=False)
class Explanation:
    """The steps from a grid to the end of what the techniques find.

    `print` tells all steps, and a notebook shows the page to step through.

    Parameters
    ----------
    puzzle
        The puzzle.
    start
        The grid before the first step.
    steps
        In order.
    contradiction
        The line that no placement fits after the last step, if there is one.
    """

    puzzle: Puzzle
    start: Grid
    steps: tuple[Step, ...]
    contradiction: Line | None = None

    def __str__(self) -> str:
        from nonocsp.grading.explain.paragraphs import ending_text, steps_text

        return "\n\n".join([*steps_text(self), ending_text(self)])

    def __repr__(self) -> str:
        return f"<Explanation: {self.summary}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the page to step through, in a frame of its own."""
        from nonocsp.grading.explain.html import framed

        return framed(self)

    @property
    def verdict(self) -> Verdict:
        """How it ends."""
        if self.contradiction is not None:
            return Verdict.CONTRADICTION
        return Verdict.SOLVED if self.end.is_full else Verdict.STUCK

    @property
    def grade(self) -> int:
        """The highest grade of a step; 0 without any."""
        return max((step.grade for step in self.steps), default=0)

    @property
    def techniques(self) -> Mapping[Technique, int]:
        """How often each technique is used, in their order."""
        counts = Counter(step.technique for step in self.steps)
        return {technique: counts[technique] for technique in Technique if counts[technique]}

    @cached_property
    def end(self) -> Grid:
        """The grid after the last step."""
        return after(self.start, self.steps)

    @cached_property
    def effort(self) -> Effort:
        """What the puzzle asks of a person from the empty grid on, and its level."""
        from nonocsp.grading.levels import effort

        proves = self.verdict is Verdict.SOLVED and not self.start.decided.any()
        return effort(self.puzzle, is_unique=proves, wall=PATIENCE)

    def grids(self) -> Iterator[Grid]:
        """Yield the grid at the start and after each step."""
        yield (grid := self.start)
        for step in self.steps:
            yield (grid := after(grid, [step]))

    @property
    def summary(self) -> str:
        """How it ends, as a sentence."""
        return self.ending()

    def ending(self, language: str = "en") -> str:
        """Return how it ends, as a sentence in English or German (``de``)."""
        ends = table(language)["ends"]
        steps = filled(ends["steps"], len(self.steps))
        left = filled(ends["open"], self.end.unknown_cells)
        line = self.contradiction and Words(self.puzzle.palette, language).line(self.contradiction)
        return filled(ends[self.verdict], steps=steps, grade=self.grade, line=line, open=left)

    def record(self) -> dict[str, Any]:
        """Return how it ends as plain JSON values."""
        ends = {"line": str(self.contradiction)} if self.contradiction is not None else {}
        return {
            "rows": self.puzzle.shape[0],
            "columns": self.puzzle.shape[1],
            "verdict": str(self.verdict),
            **ends,
            "steps": len(self.steps),
            "grade": self.grade,
            "techniques": {str(technique): count for technique, count in self.techniques.items()},
            "level": self.effort.level and str(self.effort.level),
            "unknown": self.end.unknown_cells,
            "grid": self.end.strings(self.puzzle.palette),
            "text": self.summary,
        }


def stay_open(cells: int) -> str:
    """Return ``4 cells stay open; the puzzle may have several solutions``."""
    return filled(table()["ends"]["open"], cells)


def after(grid: Grid, steps: Sequence[Step]) -> Grid:
    """Return the grid after some steps."""
    candidates = grid.candidates.copy()
    for change in (change for step in steps for change in step.changes):
        candidates[change.row, change.column] = change.after
    return Grid(candidates)
