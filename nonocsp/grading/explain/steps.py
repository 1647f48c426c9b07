"""The steps of an explanation: each with its changes, its reason and its conclusion, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from nonocsp.engine import LineSolver, grading
from nonocsp.engine.lines import as_cells
from nonocsp.grading.explain.catalogue import Technique
from nonocsp.grading.explain.texts import Words
from nonocsp.model import Clue, Grid, Line, Palette, Puzzle, PuzzleError
from nonocsp.model.puzzle import checked_puzzle


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
        cells = change_records(self.changes, palette)
        about = {"step": self.number, "technique": str(self.technique), "grade": self.grade}
        return about | where | {"cells": cells, "text": self.text}


def change_records(changes: Iterable[Change], palette: Palette) -> list[dict[str, Any]]:
    """Return changed cells as plain JSON values, counted from 1, with the characters of what is left."""
    return [
        {
            "row": row + 1,
            "column": column + 1,
            "candidates": "".join(char for i, char in enumerate(palette.chars) if left >> i & 1),
        }
        for row, column, _, left in changes
    ]


def after(grid: Grid, steps: Sequence[Step]) -> Grid:
    """Return the grid after some steps."""
    candidates = grid.candidates.copy()
    for change in (change for step in steps for change in step.changes):
        candidates[change.row, change.column] = change.after
    return Grid(candidates)


def checked_start(puzzle: Puzzle, grid: Grid) -> Grid:
    """Return the grid; an error if it is none of this puzzle."""
    if not isinstance(grid, Grid):
        what = f"expected a Grid, not {type(grid).__name__}"
        raise TypeError(f"{what}; Grid.from_strings and Grid.from_cells make one")
    if grid.shape != checked_puzzle(puzzle).shape:
        (rows, columns), (wanted_rows, wanted_columns) = grid.shape, puzzle.shape
        raise PuzzleError(f"the grid is {rows}x{columns}, the puzzle {wanted_rows}x{wanted_columns}")
    known = np.uint64(2 ** len(puzzle.palette) - 1)
    for row, column in np.argwhere((grid.candidates & ~known != 0) | (grid.candidates == 0))[:1].tolist():
        names = ", ".join(colour.name for colour in puzzle.palette.colours)
        place = Words(puzzle.palette).place(row, column)
        raise PuzzleError(f"{place} has a colour that the puzzle lacks; expected {names}")
    return grid


def walked(puzzle: Puzzle, start: Grid, *, asks: bool = True) -> grading.Record:
    """Return the records of all steps from a grid on, and the line that contradicts itself, or None."""
    return grading.walk(LineSolver(puzzle).compiled, as_cells(start.candidates), asks=asks)


def named_line(record: Sequence[Any] | None) -> Line | None:
    """Return the line of a record."""
    return Line(*record) if record else None


def steps_of(puzzle: Puzzle, records: Iterable[Mapping[str, Any]], language: str = "en") -> Iterator[Step]:
    """Yield the steps that the core tells of, in words."""
    words = Words(puzzle.palette, language)
    for number, record in enumerate(records, start=1):
        line, technique = named_line(record["line"]), Technique(record["technique"])
        changes = tuple(
            Change(row, column, sum(1 << colour for colour in before), sum(1 << colour for colour in left))
            for row, column, before, left in record["changes"]
        )
        trail = tuple(Line(*one) for one in record["trail"])
        values: dict[str, str] = {}
        if technique is Technique.PROBE and line:
            place = words.place(*changes[0][:2])
            values = {"place": place, "line": words.line(line), "trail": words.trail(trail)}
        clue = puzzle.line_clue(line) if line else Clue(())
        length = puzzle.shape[line.axis == "row"] if line else 0
        reasons = [words.reason(reason, clue, length, **values) for reason in record["reasons"]]
        reasons += [words.more(record["more"])] * (record["more"] > 0)
        yield Step(
            number,
            technique,
            line,
            changes,
            tuple(record["blocks"]),
            "; ".join(reasons),
            _conclusion(words, technique, line, changes),
            trail,
        )


def _conclusion(words: Words, technique: Technique, line: Line | None, changes: Sequence[Change]) -> str:
    """Return what cells are now, or can no longer be, without the full stop."""
    if line is None:
        decided = sum(change.decides for change in changes)
        return words.shared(decided, len(changes) - decided)
    if technique is Technique.PROBE:
        [change] = changes
        place = words.place(change.row, change.column)
        return words.predicate(place, 1, change.colours, decides=change.decides)
    return told_cells(words, line, changes)


def told_cells(words: Words, line: Line, changes: Sequence[Change]) -> str:
    """Return what cells of a line are now, or can no longer be, without the full stop."""
    groups: dict[tuple[bool, int], list[Change]] = {}
    for change in changes:
        groups.setdefault((change.decides, change.news), []).append(change)
    clauses = [
        words.predicate(
            words.cells(change.place(line) for change in group),
            len(group),
            group[0].colours,
            decides=group[0].decides,
        )
        for group in groups.values()
    ]
    return words.listed(clauses)
