"""Finds answers that cannot all be true, and answers that were found wrong.

What a row claims, whatever its task and however it ended, is of three kinds: *these grids are solutions*
(verified when the row was made), *there is no other* (``unsat``, ``unique``, or a count that ended below its
bound), and *every solution has these cells* (the partial grid of an incomplete backend). Two rows about one
puzzle contradict each other if one has a solution that the other excludes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nonocsp.backends.base import Answer, Task, Termination
from nonocsp.bench.store import Row
from nonocsp.model import UNKNOWN_CHAR

Cells = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two rows about one puzzle that cannot both be true.

    Parameters
    ----------
    claim
        The row that excludes something.
    evidence
        The row with a solution that `claim` excludes.
    solution
        That solution, one string a row.
    """

    claim: Row
    evidence: Row
    solution: Cells

    def __str__(self) -> str:
        claim, answer = self.claim, self.claim["answer"]
        match answer:
            case Answer.UNSAT:
                said, against = "answered unsat", "has a solution"
            case Answer.PARTIAL:
                said, against = "painted cells", "has a solution with others"
            case Answer.UNIQUE:
                said, against = "answered unique", "has another solution"
            case _:
                said, against = f"counted {len(claim['solutions'])} solutions", "has another"
        return f"{claim['puzzle']}: {claim['backend']} {said}, {self.evidence['backend']} {against}"


def disagreements(rows: Iterable[Row]) -> list[Disagreement]:
    """Return every contradiction between two backends, one for each pair of backends and puzzle."""
    by_puzzle: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        by_puzzle.setdefault((row["puzzle"], row["puzzle_hash"]), []).append(row)
    found: dict[tuple[str, str, str], Disagreement] = {}
    for (puzzle, _), group in by_puzzle.items():
        for disagreement in _within(group):
            pair = sorted((disagreement.claim["backend"], disagreement.evidence["backend"]))
            found.setdefault((puzzle, *pair), disagreement)
    return list(found.values())


def wrong_answers(rows: Iterable[Row]) -> list[Row]:
    """Return the rows whose backend returned a grid that failed verification."""
    return [row for row in rows if is_wrong(row)]


def is_wrong(row: Row) -> bool:
    """Return whether the run ended because a grid failed verification."""
    return bool(row.get("wrong"))


def _within(rows: list[Row]) -> Iterator[Disagreement]:
    """Compare every two rows about one puzzle."""
    claiming = [row for row in rows if _excludes_something(row)]
    known = {row["run"]: _solutions(row) for row in rows}
    for claim in claiming:
        for evidence in rows:
            excluded = next((grid for grid in known[evidence["run"]] if _excludes(claim, grid)), None)
            if excluded is not None:
                yield Disagreement(claim, evidence, excluded)


def _solutions(row: Row) -> list[Cells]:
    return [tuple(grid) for grid in row["solutions"]]


def _is_exhaustive(row: Row) -> bool:
    """Return whether the row claims that there is no other solution than its own."""
    if row["answer"] in {Answer.UNSAT, Answer.UNIQUE}:
        return True
    counted = row["task"] == Task.COUNT and row["termination"] == Termination.OK
    return counted and row["answer"] == Answer.MULTIPLE and bool(len(row["solutions"]) < row["bound"])


def _excludes_something(row: Row) -> bool:
    return "partial" in row or _is_exhaustive(row)


def _excludes(claim: Row, solution: Cells) -> bool:
    if _is_exhaustive(claim) and solution not in _solutions(claim):
        return True
    painted = claim.get("partial", ())
    return any(
        char not in (cell, UNKNOWN_CHAR)
        for line, solved in zip(painted, solution, strict=False)  # most rows have painted nothing
        for char, cell in zip(line, solved, strict=True)
    )
