"""*Mend*: find which clue of a puzzle is wrong.

The core tries every single change that undoes a typing error, the likeliest first, and keeps those that leave
exactly one solution; ``judging/mend.hpp`` says how. Several such changes cannot be told apart. Beside them it
finds one minimal set of lines that contradict each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from nonocsp.backends.base import Answer
from nonocsp.engine.searches import mend as search
from nonocsp.formats import load
from nonocsp.model import Block, Clue, ClueDraft, FlatClues, Grid, Line, Puzzle, PuzzleError
from nonocsp.model.numbers import PlainClues

LIMIT = 2.0
"""Seconds, enough for nearly every puzzle of 30x30."""
_SHOWN = 3
"""The most changes that one sentence names."""
_ANSWERS = (Answer.UNKNOWN, Answer.UNSAT, Answer.UNIQUE, Answer.MULTIPLE)
_CHANGES = {
    "number": "change of a number",
    "extra": "change of a number",
    "missing": "change of a number",
    "colour": "change of a colour",
    "swap": "exchange",
    "exchange": "exchange",
    "sizes": "change",
}
"""What a sentence calls a kind of change."""
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


@dataclass(frozen=True, eq=False)
class Mend:
    """A change of clues that leaves exactly one solution.

    Parameters
    ----------
    kind
        ``"number"`` (another number), ``"swap"`` (two neighbouring numbers change places), ``"extra"`` (a
        number is left out), ``"missing"`` (one is put in), ``"colour"`` (a block gets another colour),
        ``"exchange"`` (the clues of two lines change places), ``"sizes"`` (as many of the clues, in their
        order, are rows as were columns).
    lines
        The lines whose clues change; of ``"sizes"``, none.
    before, after
        Their clues.
    puzzle
        The mended puzzle. Its goal is its only solution.
    """

    kind: str
    lines: tuple[Line, ...]
    before: tuple[Clue, ...]
    after: tuple[Clue, ...]
    puzzle: Puzzle

    def __str__(self) -> str:
        """Return what should be changed, in words: ``row 7: 4 should be 3``."""
        if self.kind == "sizes":
            rows, columns = self.puzzle.shape
            return f"the first {_counted(rows, 'clue')} should be rows and the other {columns} columns"
        if self.kind == "exchange":
            return f"{named_lines(self.lines)} should change places"
        before, after, palette = self.before[0], self.after[0], self.puzzle.palette
        at = next((i for i, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), -1)
        if self.kind == "swap":
            old, new = (Clue(clue[at : at + 2]).named(palette) for clue in (before, after))
        elif self.kind in ("extra", "missing"):
            old, new = before.named(palette), after.named(palette)
        else:
            old, new = (
                _place(before, at) + Clue(before[at:][:1]).named(palette),
                Clue(after[at:][:1]).named(palette),
            )
        return f"{self.lines[0]}: {old} should be {new}"

    def record(self) -> dict[str, Any]:
        """Return the JSON record; blocks of several colours are pairs of length and colour."""
        goal, palette = self.puzzle.goal, self.puzzle.palette
        assert goal is not None
        return {
            "kind": self.kind,
            "lines": [str(line) for line in self.lines],
            "from": [self._plain(clue) for clue in self.before],
            "to": [self._plain(clue) for clue in self.after],
            "solutions": [goal.strings(palette)],
        }

    def _plain(self, clue: Clue) -> list[Any]:
        is_plain = self.puzzle.palette.is_one_colour
        return [block.length if is_plain else list(block) for block in clue]


@dataclass(frozen=True, eq=False)
class Mends:
    """What is wrong with the clues of a puzzle, and what would mend them.

    `print` shows it as a sentence.

    Parameters
    ----------
    draft
        The clues.
    answer
        Whether they have one solution, several, or none; ``unknown`` if that takes too long.
    found
        The changes that leave exactly one solution, the likeliest typing error first.
    contradiction
        Lines that contradict each other, none of which can be left out; empty if none are known.
    is_complete
        Whether every change was tried and decided.
    """

    draft: ClueDraft
    answer: Answer
    found: tuple[Mend, ...]
    contradiction: tuple[Line, ...]
    is_complete: bool

    def __str__(self) -> str:
        """Return the finding in one sentence."""
        if self.answer is Answer.UNIQUE:
            return "the puzzle has exactly one solution: nothing to mend"
        early = "" if self.is_complete else "; the search stopped early"
        if not self.found:
            several = "several clues may be wrong: compare them all with where they come from"
            return f"no single change that was tried gives exactly one solution; {several}{early}"
        first, kind = self.found[0], _CHANGES[self.found[0].kind]
        if len(self.found) == 1:
            return f"{first}; no other single {kind} gives exactly one solution{early}"
        likeliest = ", the likeliest" if len(self.found) > _SHOWN else ""
        told = "; ".join(map(str, self.found[:_SHOWN]))
        return f"{len(self.found)} changes give exactly one solution each{likeliest}: {told}{early}"

    def contradiction_text(self) -> str:
        """Return which lines contradict each other, in words; empty if none are known."""
        if len(self.contradiction) == 1:
            return f"{self.contradiction[0]} alone has no solution"
        return f"{named_lines(self.contradiction)} contradict each other" if self.contradiction else ""

    def record(self) -> dict[str, Any]:
        """Return the JSON record."""
        return {
            "rows": len(self.draft.rows),
            "columns": len(self.draft.columns),
            "answer": str(self.answer),
            "complete": self.is_complete,
            "mends": [mend.record() for mend in self.found],
            "contradiction": [str(line) for line in self.contradiction],
        }


def mend(
    puzzle: Puzzle | ClueDraft | str | PathLike[str] | tuple[PlainClues, PlainClues],
    *,
    limit: float | None = LIMIT,
) -> Mends:
    """Find which clue of a puzzle is wrong: the single changes that leave exactly one solution.

    Parameters
    ----------
    puzzle
        A puzzle; the path of a file, whose first puzzle is taken; or the clues of rows and columns, as for
        `Puzzle.from_clues`. Clues may be too long for their lines, and sums of rows and columns may differ.
    limit
        Seconds for everything; None for as long as it takes. What is found until then is true.

    Returns
    -------
    Mends
        Each change is proved by a search, and its solution verified without it.

    Raises
    ------
    PuzzleError
        If a block has no cells, or there are no clues.
    """
    draft = _draft_of(puzzle)
    rows, columns, palette = draft
    flat = FlatClues.of(rows), FlatClues.of(columns)
    solutions, is_complete, found, lines, is_minimal = search(*flat, len(palette), None, limit)
    mends = tuple(_mend(draft, *one) for one in found)
    contradiction = tuple(Line(("row", "column")[axis], i) for axis, i in lines) if is_minimal else ()
    return Mends(draft, _ANSWERS[solutions], mends, contradiction, is_complete)


def _draft_of(puzzle: Any) -> ClueDraft:
    """Return the clues of whatever `mend` takes."""
    if isinstance(puzzle, ClueDraft):
        return puzzle
    try:
        if isinstance(puzzle, (str, PathLike)):
            puzzle = load(Path(puzzle) if isinstance(puzzle, PathLike) else puzzle)
        elif not isinstance(puzzle, Puzzle):
            puzzle = Puzzle.from_clues(*puzzle)
    except PuzzleError as error:
        if not isinstance(error.draft, ClueDraft):
            raise
        return error.draft
    return ClueDraft(puzzle.rows, puzzle.columns, puzzle.palette)


def _mend(draft: ClueDraft, kind: str, changed: Any, cells: Any) -> Mend:
    """Return a change that the core found; making the puzzle verifies its solution."""
    clues = {"row": list(draft.rows), "column": list(draft.columns)}
    lines, before, after = [], [], []
    for (axis, position), blocks in changed:
        line = Line("column" if axis else "row", position)
        lines.append(line)
        before.append(clues[line.axis][position])
        after.append(Clue(Block(*block) for block in blocks))
        clues[line.axis][position] = after[-1]
    if kind == "sizes":
        every, rows = [*draft.rows, *draft.columns], len(draft.columns)
        clues = {"row": every[:rows], "column": every[rows:]}
    puzzle = Puzzle(tuple(clues["row"]), tuple(clues["column"]), draft.palette, goal=Grid.from_cells(cells))
    return Mend(kind, tuple(lines), tuple(before), tuple(after), puzzle)


def named_lines(lines: Sequence[Line]) -> str:
    """Return lines for people: ``rows 2 and 5, column 3``."""
    parts = []
    for axis in ("row", "column"):
        numbers = [str(line.position + 1) for line in sorted(lines) if line.axis == axis]
        if numbers:
            many = f"s {', '.join(numbers[:-1])} and {numbers[-1]}" if numbers[1:] else f" {numbers[0]}"
            parts.append(axis + many)
    return ", ".join(parts)


def _place(clue: Clue, at: int) -> str:
    """Return which of several equal blocks it is, in words; empty if there is only one."""
    if clue.count(clue[at]) == 1:
        return ""
    number = clue[: at + 1].count(clue[at])
    return f"the {_ORDINALS[number - 1]} " if number <= len(_ORDINALS) else f"number {at + 1}, "


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
