"""Walk through a puzzle as people do: always the cheapest deduction, until there is none.

The core walks: line techniques go first, in the order of `nonocsp.grading.explain.catalogue`; probes start
only at the line fixpoint. Without probes the steps together are exactly line solving: they end at the
fixpoint of settle, whatever the order. `steps` puts them into words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

from nonocsp.grading.explain.catalogue import Technique
from nonocsp.grading.explain.steps import Step, after, checked_start, named_line, steps_of, walked
from nonocsp.grading.explain.texts import Words, filled, table
from nonocsp.model import Grid, Line, Puzzle
from nonocsp.model.puzzle import checked_puzzle

if TYPE_CHECKING:
    from nonocsp.grading.levels import Effort

PATIENCE = 10.0
"""Seconds for the level of a puzzle."""


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

    def steps_in(self, language: str) -> tuple[Step, ...]:
        """Return the steps in English or German (``de``)."""
        if language == "en":
            return self.steps
        probes = any(step.technique is Technique.PROBE for step in self.steps)
        return explain(self.puzzle, self.start, probes=probes, language=language).steps

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


def explain(
    puzzle: Puzzle, grid: Grid | None = None, *, probes: bool = True, language: str = "en"
) -> Explanation:
    """Explain how people solve a puzzle, step by step.

    Parameters
    ----------
    puzzle
        The puzzle.
    grid
        Where to start; None: the empty grid.
    probes
        Whether to ask what-if questions where line solving ends.
    language
        Of the reasons, ``en`` or ``de``.

    Raises
    ------
    PuzzleError
        If the grid has another shape or other colours than the puzzle.
    TypeError
        If the puzzle is not a `Puzzle` or the grid not a `Grid`.
    """
    checked_puzzle(puzzle)
    start = Grid.unknown(*puzzle.shape, puzzle.palette) if grid is None else checked_start(puzzle, grid)
    record = walked(puzzle, start, asks=probes)
    return Explanation(
        puzzle, start, tuple(steps_of(puzzle, record["steps"], language)), named_line(record["contradiction"])
    )
