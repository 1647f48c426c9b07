"""Finds answers that cannot all be true, and answers that were found wrong.

What a row claims, whatever its task and however it ended, is of three kinds: *these grids are solutions*
(verified when the row was made), *there is no other* (``unsat``, ``unique``, or a count that ended below its
bound), and *every solution has these cells* (the partial grid of an incomplete backend). Two rows about one
puzzle, of whatever backends, seeds and repeats, contradict each other if one has a solution that the other
excludes. Rows that claim the same are looked at once: 100 000 of them take a third of a second.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

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
        return f"{claim['puzzle']}: {self._who(claim)} {said}, {self._who(self.evidence)} {against}"

    @property
    def backends(self) -> frozenset[str]:
        """The two backends, or the one that contradicts itself."""
        return frozenset((self.claim["backend"], self.evidence["backend"]))

    def _who(self, row: Row) -> str:
        """Name the backend, and which of its runs it was if it contradicts itself."""
        backend = str(row["backend"])
        itself = self.claim["backend"] == self.evidence["backend"]
        return f"{backend} (seed {row['seed']}, repeat {row['repeat']})" if itself else backend


def disagreements(rows: Iterable[Row]) -> list[Disagreement]:
    """Return every contradiction, one for each puzzle and pair of backends.

    A backend can contradict itself, in another run.
    """
    by_puzzle: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        by_puzzle.setdefault((row["puzzle"], row["puzzle_hash"]), []).append(row)
    return [found for group in by_puzzle.values() for found in _within(group)]


class CrossCheck:
    """Takes the rows of a campaign one by one and says which contradictions each brings.

    A row that says what its backend said of the puzzle before costs next to nothing.

    Parameters
    ----------
    rows
        Those that are there already; nothing is said of them.
    """

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self._by_puzzle: dict[tuple[str, str], dict[str, Row]] = {}
        for row in rows:
            self._group(row).setdefault(_said(row), row)

    def add(self, row: Row) -> list[Disagreement]:
        """Return the contradictions between two backends that there were not before this row."""
        group, said = self._group(row), _said(row)
        if said in group:
            return []
        before = {found.backends for found in _within([*group.values()])}
        group[said] = row
        return [found for found in _within([*group.values()]) if found.backends not in before]

    def _group(self, row: Row) -> dict[str, Row]:
        return self._by_puzzle.setdefault((row["puzzle"], row["puzzle_hash"]), {})


def _said(row: Row) -> str:
    """Return what a backend said, such that the same is equal."""
    keys = ("backend", "task", "bound", "answer", "termination", "solutions", "partial")
    return repr([row.get(key) for key in keys])


def wrong_answers(rows: Iterable[Row]) -> list[Row]:
    """Return the rows whose backend returned a grid that failed verification."""
    return [row for row in rows if is_wrong(row)]


def is_wrong(row: Row) -> bool:
    """Return whether the run ended because a grid failed verification."""
    return bool(row.get("wrong"))


def _within(rows: list[Row]) -> Iterable[Disagreement]:
    """Compare what the rows about one puzzle claim, and return one disagreement for each pair of backends."""
    holders: dict[Cells, _ByBackend] = {}
    claimants: dict[_Claim, _ByBackend] = {}
    for row in rows:
        grids = [tuple(grid) for grid in row["solutions"]]
        for grid in grids:
            holders.setdefault(grid, {}).setdefault(row["backend"], row)
        for claim in _claims(row, grids):
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
_ByBackend = dict[str, Row]
"""The first row of each backend that claims a thing."""


def _claims(row: Row, grids: list[Cells]) -> Iterator[_Claim]:
    """Yield what the row excludes."""
    if _is_exhaustive(row):
        yield _NoOther(frozenset(grids))
    if "partial" in row:
        yield _Painted(tuple(row["partial"]))


def _is_exhaustive(row: Row) -> bool:
    """Return whether the row claims that there is no other solution than its own."""
    if row["answer"] in {Answer.UNSAT, Answer.UNIQUE}:
        return True
    counted = row["task"] == Task.COUNT and row["termination"] == Termination.OK
    return counted and row["answer"] == Answer.MULTIPLE and bool(len(row["solutions"]) < row["bound"])
