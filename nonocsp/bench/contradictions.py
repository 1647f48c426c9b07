"""Find answers that cannot all be true, and answers that were found wrong.

A row claims up to four things, whatever its task and however it ended:

- *these grids are solutions*: they were verified when the row was made;
- *there is no other*: ``unsat``, ``unique``, or a count that listed all it counted;
- *there are exactly n*, or *at least n*: an exact count, or a lower bound from a run that was cut off;
- *every solution has these cells*: the partial grid of an incomplete backend.

Two rows about one puzzle, of any backends, seeds and repeats, contradict each other if one has a solution
that the other excludes, or more solutions than the other counted. Rows with equal claims are compared once:
100 000 rows take a third of a second.

Of stored campaigns only few rows are read (`cross_check`): the digests in their tables tell which puzzles can
have a contradiction at all, and there one row for each distinct claim is enough to see whether they do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from nonocsp.backends.base import Answer
from nonocsp.bench.table import NO_OTHER, Column, RunTable, Stored, by_first, is_closed, joined, rows_at
from nonocsp.model import UNKNOWN_CHAR

if TYPE_CHECKING:
    from nonocsp.bench.rows import AnswerRow, RunRow

Cells = tuple[str, ...]

KEPT = 1000
"""The most contradictions, or rows with a wrong answer, that are held in full; all others are counted."""
_ROWS_AT_ONCE = 20_000
_ODD = np.uint64(0x9E3779B97F4A7C15)
"""Mixes two digests into one."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two rows about one puzzle that cannot both be true.

    Parameters
    ----------
    claim
        The row that excludes something.
    evidence
        The row with a solution that `claim` excludes, or with more solutions than it counted.
    solution
        That solution, one string a row; None if only the numbers differ.
    """

    claim: AnswerRow
    evidence: AnswerRow
    solution: Cells | None

    def __str__(self) -> str:
        claim, answer = self.claim, self.claim["answer"]
        if self.solution is None:
            _, most = _numbers(claim)
            least, exact = _numbers(self.evidence)
            more = f"counted {shortened(least)}" if exact == least else f"proved at least {shortened(least)}"
            pair = f"{self._who(claim)} counted {shortened(most or 0)} solutions, {self._who(self.evidence)}"
            return f"{claim['puzzle']}: {pair} {more}"
        match answer:
            case Answer.UNSAT:
                said, against = "answered unsat", "has a solution"
            case Answer.PARTIAL:
                said, against = "painted cells", "has a solution that differs"
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


@dataclass(slots=True)
class Findings:
    """What a cross-check found.

    Parameters
    ----------
    disagreements
        The first `KEPT` contradictions.
    runs
        For each of these the numbers of its two rows, claim and evidence, in the joined table.
    count
        How many contradictions there are in all.
    """

    disagreements: list[Disagreement] = field(default_factory=list)
    runs: list[tuple[int, int]] = field(default_factory=list)
    count: int = 0


def cross_check(campaigns: Sequence[Stored]) -> Findings:
    """Find the contradictions within and between stored campaigns: one for each puzzle and pair of backends.

    Its memory does not grow with the number of rows, and it reads no row of a puzzle on which all agree.
    """
    table, findings = joined([campaign.table for campaign in campaigns]), Findings()

    def read(runs: Column) -> Iterator[list[tuple[int, RunRow]]]:
        """Yield the rows of each puzzle, a bounded number of rows at a time."""
        runs = runs[np.argsort(table["puzzle"][runs], kind="stable")]
        while len(runs):
            last = table["puzzle"][runs[min(_ROWS_AT_ONCE, len(runs)) - 1]]
            end = int(np.searchsorted(table["puzzle"][runs], last, side="right"))
            group, runs = np.sort(runs[:end]), runs[end:]
            by_puzzle: dict[int, list[tuple[int, RunRow]]] = {}
            for run, row in zip(group.tolist(), rows_at(campaigns, group), strict=True):
                by_puzzle.setdefault(int(table["puzzle"][run]), []).append((run, row))
            yield from (by_puzzle[puzzle] for puzzle in sorted(by_puzzle))

    claiming = np.flatnonzero(((table["found"] != 0) | (table["claim"] != 0)) & _may_contradict(table))
    _, kind_of = by_first(table["found"][claiming] ^ (table["claim"][claiming] * _ODD))
    firsts, _ = by_first(table["puzzle"][claiming] * np.int64(len(claiming)) + kind_of)
    doubtful = [
        table["puzzle"][rows[0][0]]
        for rows in read(claiming[firsts])
        if next(iter(_within([row for _, row in rows])), None)
    ]
    for rows in read(claiming[np.isin(table["puzzle"][claiming], doubtful)]):
        number_of = {id(row): run for run, row in rows}
        for found in _within([row for _, row in rows]):
            findings.count += 1
            if findings.count <= KEPT:
                findings.disagreements.append(found)
                findings.runs.append((number_of[id(found.claim)], number_of[id(found.evidence)]))
    return findings


Said = tuple[int, int]
"""The digests of what a row found and of what it excludes."""


class CrossCheck:
    """Takes the rows of a campaign one by one and finds the contradictions that each brings.

    Parameters
    ----------
    table, offsets
        Rows that are there already, and their places; contradictions among them are not reported.
    read
        Returns the row at a place.
    """

    def __init__(self, table: RunTable, offsets: Column, read: Callable[[int], RunRow]) -> None:
        self._read = read
        self._sound: set[int] = set()  # puzzles on which all rows so far agree
        self._places: dict[int, dict[tuple[str, Said], int]] = {}  # of what each backend said of each puzzle
        says = np.flatnonzero((table["found"] != 0) | (table["claim"] != 0))
        keys = table.puzzles.key[table["puzzle"][says]]
        columns = (keys, table["backend"][says], table["found"][says], table["claim"][says], offsets[says])
        for key, backend, found, claim, place in zip(*(it.tolist() for it in columns), strict=True):
            self._places.setdefault(key, {}).setdefault((table.backends[backend], (found, claim)), place)

    def add(self, row: RunRow, puzzle: int, said: Said, place: int) -> list[Disagreement]:
        """Return the contradictions that this row brings, for pairs of backends that had none before.

        Parameters
        ----------
        row
            With all its solutions.
        puzzle, said, place
            The key of its puzzle, its digests, and where it is stored.
        """
        places = self._places.setdefault(puzzle, {})
        if said == (0, 0) or (row["backend"], said) in places:
            return []
        is_new = all(other != said for _, other in places)
        earlier = [*places.values()]
        places[row["backend"], said] = place
        if not may_contradict([other for _, other in places]) or (not is_new and puzzle in self._sound):
            return []
        rows = [*map(self._read, earlier)]
        before = {one.backends for one in disagreements(rows)}
        new = [one for one in disagreements([*rows, row]) if one.backends not in before]
        (self._sound.discard if new or before else self._sound.add)(puzzle)
        return new


def may_contradict(said: Sequence[Said]) -> bool:
    """Return whether rows about one puzzle may contradict each other, as far as their digests tell."""
    return any(
        (claim == NO_OTHER and found != other) or claim not in (0, NO_OTHER)
        for found, claim in said
        if claim
        for other, _ in said
        if other
    )


def _may_contradict(table: RunTable) -> Column:
    """Return for each run whether its puzzle can have a contradiction, as far as digests tell."""
    puzzle, found, claim = table["puzzle"], table["found"], table["claim"]
    is_painted, has_solution, is_closed = np.zeros((3, len(table.puzzles)), bool)
    is_painted[puzzle[claim > NO_OTHER]] = True
    is_closed[puzzle[claim == NO_OTHER]] = True
    has_solution[puzzle[found != 0]] = True
    least, most = np.full(len(table.puzzles), np.iinfo("u8").max, "u8"), np.zeros(len(table.puzzles), "u8")
    tells = (claim == NO_OTHER) | (found != 0)
    np.minimum.at(least, puzzle[tells], found[tells])
    np.maximum.at(most, puzzle[tells], found[tells])
    return np.asarray((has_solution & (is_painted | (is_closed & (least != most))))[puzzle])


def _within(rows: list[AnswerRow]) -> Iterable[Disagreement]:
    """Compare the claims of rows about one puzzle; return one disagreement for each pair of backends."""
    holders: dict[Cells, _ByBackend] = {}
    claimants: dict[_Claim, _ByBackend] = {}
    for row in rows:
        grids = [tuple(grid) for grid in row["solutions"]]
        for grid in grids:
            holders.setdefault(grid, {}).setdefault(row["backend"], row)
        claims: list[_Claim] = []
        is_whole = row.get("solution_count", len(grids)) == len(grids)
        if is_whole and _is_closed(row):
            claims.append(_NoOther(frozenset(grids)))
        if "partial" in row:
            claims.append(_Painted(tuple(row["partial"])))
        for claim in claims:
            claimants.setdefault(claim, {}).setdefault(row["backend"], row)
    found: dict[frozenset[str], Disagreement] = {}
    holding_any = {backend for holding in holders.values() for backend in holding}
    for claim, by_backend in claimants.items():
        if all(frozenset(pair) in found for pair in product(by_backend, holding_any)):
            continue  # there is a disagreement of each pair already
        for grid, holding in holders.items():
            if not claim.excludes(grid):
                continue
            for one, other in product(by_backend.values(), holding.values()):
                disagreement = Disagreement(one, other, grid)
                found.setdefault(disagreement.backends, disagreement)
    for one, other in _miscounted(rows):
        disagreement = Disagreement(one, other, None)
        found.setdefault(disagreement.backends, disagreement)
    return found.values()


def _numbers(row: AnswerRow) -> tuple[int, int | None]:
    """Return the fewest and most solutions that a row claims; None for no upper limit."""
    listed = row.get("solution_count", len(row["solutions"]))
    least = max(listed, row.get("count", 0), row.get("count_at_least", 0))
    return least, listed if _is_closed(row) else row.get("count")


def _is_closed(row: AnswerRow) -> bool:
    listed = row.get("solution_count", len(row["solutions"]))
    said = row["answer"], row["termination"], row["task"]
    return is_closed(*said, bound=row["bound"], count=row.get("count"), listed=listed)


def _miscounted(rows: list[AnswerRow]) -> Iterator[tuple[AnswerRow, AnswerRow]]:
    """Yield the rows about one puzzle that counted too few solutions, each with a row that has more."""
    counted: dict[int, _ByBackend] = {}  # the rows that say that there are at most so many
    largest: dict[str, tuple[int, AnswerRow]] = {}  # of each backend, the row with the largest lower bound
    for row in rows:
        least, most = _numbers(row)
        if most is not None:
            counted.setdefault(most, {}).setdefault(row["backend"], row)
        if least > largest.get(row["backend"], (0, row))[0]:
            largest[row["backend"]] = least, row
    for most, by_backend in counted.items():
        yield from product(by_backend.values(), [row for least, row in largest.values() if least > most])


def shortened(number: int) -> str:
    """Return a number, or its first and last digits and how many there are."""
    text = str(number)
    return text if len(text) <= 60 else f"{text[:20]}…{text[-20:]} ({len(text)} digits)"


@dataclass(frozen=True, slots=True)
class _NoOther:
    """These are all solutions."""

    solutions: frozenset[Cells]

    def excludes(self, grid: Cells) -> bool:
        return grid not in self.solutions


@dataclass(frozen=True)
class _Painted:
    """Every solution has the cells of this partial grid that are not unknown."""

    partial: Cells

    @cached_property
    def _agreeing(self) -> re.Pattern[str]:
        cells = ("." if char == UNKNOWN_CHAR else re.escape(char) for char in "".join(self.partial))
        return re.compile("".join(cells), re.DOTALL)

    def excludes(self, grid: Cells) -> bool:
        return not self._agreeing.fullmatch("".join(grid))


_Claim = _NoOther | _Painted
_ByBackend = dict[str, "AnswerRow"]
"""The first row of each backend with a certain claim."""
