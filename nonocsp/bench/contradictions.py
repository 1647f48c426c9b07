"""Find answers that cannot all be true, and answers that were found wrong.

A row claims up to three things, whatever its task and however it ended:

- *these grids are solutions*: they were verified when the row was made;
- *there is no other*: ``unsat``, ``unique``, or a count that ended below its bound;
- *every solution has these cells*: the partial grid of an incomplete backend.

Two rows about one puzzle, of any backends, seeds and repeats, contradict each other if one has a solution
that the other excludes. Rows with equal claims are compared once: 100 000 rows take a third of a second.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from nonocsp.backends.base import Answer, Task, Termination
from nonocsp.model import UNKNOWN_CHAR

if TYPE_CHECKING:
    from nonocsp.bench.rows import AnswerRow, RunRow

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

    claim: AnswerRow
    evidence: AnswerRow
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
        return f"{claim['puzzle']}: {self._who(claim)} {said}, {self._who(self.evidence)} {against}"

    @property
    def backends(self) -> frozenset[str]:
        """The two backends, or the one that contradicts itself."""
        return frozenset((self.claim["backend"], self.evidence["backend"]))

    def _who(self, row: AnswerRow) -> str:
        """Name the backend, and which of its runs it was if it contradicts itself."""
        backend = row["backend"]
        itself = self.claim["backend"] == self.evidence["backend"]
        return f"{backend} (seed {row['seed']}, repeat {row['repeat']})" if itself else backend


def disagreements(rows: Iterable[AnswerRow]) -> list[Disagreement]:
    """Return a contradiction for each puzzle and pair of backends that has one.

    A backend can contradict itself, in another run.
    """
    by_puzzle: dict[tuple[str, str], list[AnswerRow]] = {}
    for row in rows:
        by_puzzle.setdefault((row["puzzle"], row["puzzle_hash"]), []).append(row)
    return [found for group in by_puzzle.values() for found in _within(group)]


class CrossCheck:
    """Takes the rows of a campaign one by one and finds the contradictions that each brings.

    A row costs next to nothing if its backend has said the same of the puzzle before.

    Parameters
    ----------
    rows
        Rows that are there already; contradictions among them are not reported.
    """

    def __init__(self, rows: Iterable[AnswerRow] = ()) -> None:
        self._by_puzzle: dict[tuple[str, str], dict[str, AnswerRow]] = {}
        for row in rows:
            self._group(row).setdefault(_said(row), row)

    def add(self, row: AnswerRow) -> list[Disagreement]:
        """Return the contradictions that this row brings, for pairs of backends that had none before."""
        group, said = self._group(row), _said(row)
        if said in group:
            return []
        before = {found.backends for found in _within([*group.values()])}
        group[said] = row
        return [found for found in _within([*group.values()]) if found.backends not in before]

    def _group(self, row: AnswerRow) -> dict[str, AnswerRow]:
        return self._by_puzzle.setdefault((row["puzzle"], row["puzzle_hash"]), {})


def _said(row: AnswerRow) -> str:
    """Return a text that is equal for rows in which a backend says the same."""
    answer = (row["backend"], row["task"], row["bound"], row["answer"], row["termination"], row["solutions"])
    return repr((answer, row.get("partial")))


def wrong_answers(rows: Iterable[RunRow]) -> list[RunRow]:
    """Return the rows whose backend returned a grid that failed verification."""
    return [row for row in rows if row.get("wrong")]


def _within(rows: list[AnswerRow]) -> Iterable[Disagreement]:
    """Compare the claims of rows about one puzzle; return one disagreement for each pair of backends."""
    holders: dict[Cells, _ByBackend] = {}
    claimants: dict[_Claim, _ByBackend] = {}
    for row in rows:
        grids = [tuple(grid) for grid in row["solutions"]]
        for grid in grids:
            holders.setdefault(grid, {}).setdefault(row["backend"], row)
        claims: list[_Claim] = []
        is_count = row["task"] == Task.COUNT and row["termination"] == Termination.OK
        if row["answer"] in (Answer.UNSAT, Answer.UNIQUE) or (
            is_count and row["answer"] == Answer.MULTIPLE and len(grids) < row["bound"]
        ):
            claims.append(_NoOther(frozenset(grids)))
        if "partial" in row:
            claims.append(_Painted(tuple(row["partial"])))
        for claim in claims:
            claimants.setdefault(claim, {}).setdefault(row["backend"], row)
    found: dict[frozenset[str], Disagreement] = {}
    for claim, by_backend in claimants.items():
        for grid in filter(claim.excludes, holders):
            for one, other in product(by_backend.values(), holders[grid].values()):
                disagreement = Disagreement(one, other, grid)
                found.setdefault(disagreement.backends, disagreement)
    return found.values()


@dataclass(frozen=True, slots=True)
class _NoOther:
    """These are all solutions."""

    solutions: frozenset[Cells]

    def excludes(self, grid: Cells) -> bool:
        return grid not in self.solutions


@dataclass(frozen=True, slots=True)
class _Painted:
    """Every solution has the cells of this partial grid that are not unknown."""

    partial: Cells

    def excludes(self, grid: Cells) -> bool:
        cells = zip("".join(self.partial), "".join(grid), strict=True)
        return any(painted not in (cell, UNKNOWN_CHAR) for painted, cell in cells)


_Claim = _NoOther | _Painted
_ByBackend = dict[str, "AnswerRow"]
"""The first row of each backend with a certain claim."""
