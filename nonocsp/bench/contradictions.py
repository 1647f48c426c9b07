"""Find answers that cannot all be true, and answers that were found wrong.

A row claims up to four things: its grids are solutions; there is no other (``unsat``, ``unique``, or a count
that listed all); there are exactly, or at least, n; every solution has the cells of a partial grid. Two rows
about one puzzle contradict each other if one has a solution that the other excludes, or more solutions than
the other counted. Of stored campaigns only few rows are read (`cross_check`): the digests in their tables
tell which puzzles can have a contradiction at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Self

import numpy as np

from nonocsp.backends.base import Answer
from nonocsp.bench.rows import AnswerRow, RunRow
from nonocsp.bench.store import Campaign, rows_at
from nonocsp.bench.table import NO_OTHER, Column, RunTable, by_first, is_closed, joined
from nonocsp.model import UNKNOWN_CHAR

Cells = tuple[str, ...]
Digests = tuple[int, int]
"""Of what a row found and of what it excludes."""

KEPT = 1000
"""The most contradictions, or rows with a wrong answer, that are held in full; all others are counted."""
_ROWS_AT_ONCE = 20_000
_ODD = np.uint64(0x9E3779B97F4A7C15)
"""Mixes two digests into one."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two rows about one puzzle that cannot both be true."""

    claim: AnswerRow
    evidence: AnswerRow
    solution: Cells | None  # that the claim excludes; None: it counted too few

    def __str__(self) -> str:
        claim, answer = self.claim, self.claim["answer"]
        if self.solution is None:
            most, evidence = _Said.of(claim).most, _Said.of(self.evidence)
            more = "counted" if evidence.least == evidence.most else "proved at least"
            pair = f"{self._who(claim)} counted {shortened(most or 0)} solutions, {self._who(self.evidence)}"
            return f"{claim['puzzle']}: {pair} {more} {shortened(evidence.least)}"
        said, against = {
            Answer.UNSAT: ("answered unsat", "has a solution"),
            Answer.PARTIAL: ("painted cells", "has a solution that differs"),
            Answer.UNIQUE: ("answered unique", "has another solution"),
        }.get(Answer(answer), (f"counted {len(claim.get('solutions', ()))} solutions", "has another"))
        return f"{claim['puzzle']}: {self._who(claim)} {said}, {self._who(self.evidence)} {against}"

    @property
    def backends(self) -> frozenset[str]:
        """The two backends, or the one that contradicts itself."""
        return frozenset((self.claim["backend"], self.evidence["backend"]))

    def _who(self, row: AnswerRow) -> str:
        """Name the backend, and which of its runs it was if it contradicts itself."""
        run = f" (seed {row['seed']}, repeat {row['repeat']})" if len(self.backends) == 1 else ""
        return f"{row['backend']}{run}"


def disagreements(rows: Iterable[AnswerRow]) -> list[Disagreement]:
    """Return a contradiction for each puzzle and pair of backends, or single backend, that has one."""
    by_puzzle: dict[tuple[str, str], list[AnswerRow]] = {}
    for row in rows:
        by_puzzle.setdefault((row["puzzle"], row["puzzle_hash"]), []).append(row)
    return [found for group in by_puzzle.values() for found in _within(group)]


@dataclass(slots=True)
class Findings:
    """The contradictions of a cross-check."""

    disagreements: list[Disagreement] = field(default_factory=list)  # the first `KEPT`
    runs: list[tuple[int, int]] = field(default_factory=list)  # their claim and evidence in the joined table
    count: int = 0  # of all


def cross_check(campaigns: Sequence[Campaign]) -> Findings:
    """Find the contradictions in stored campaigns, one a puzzle and pair of backends, in bounded memory."""
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
    said = read(claiming[firsts])
    doubtful = [table["puzzle"][rows[0][0]] for rows in said if _within([row for _, row in rows])]
    for rows in read(claiming[np.isin(table["puzzle"][claiming], doubtful)]):
        number_of = {id(row): run for run, row in rows}
        for found in _within([row for _, row in rows]):
            findings.count += 1
            if findings.count <= KEPT:
                findings.disagreements.append(found)
                findings.runs.append((number_of[id(found.claim)], number_of[id(found.evidence)]))
    return findings


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


class CrossCheck:
    """Takes the rows of a running campaign one by one and finds contradictions with earlier ones."""

    def __init__(self, table: RunTable, places: Column, read: Callable[[int], RunRow]) -> None:
        self._read = read
        self._places: dict[int, dict[Digests, int]] = {}  # of the first row that said it of a puzzle
        says = np.flatnonzero((table["found"] != 0) | (table["claim"] != 0))
        keys = table.puzzles.key[table["puzzle"]]
        columns = (column[says].tolist() for column in (keys, table["found"], table["claim"], places))
        for key, found, claim, place in zip(*columns, strict=True):
            self._places.setdefault(key, {}).setdefault((found, claim), place)

    def add(self, row: RunRow, puzzle: int, said: Digests, place: int) -> list[Disagreement]:
        """Return the contradictions that a row brings, given the key of its puzzle and its digests."""
        places = self._places.setdefault(puzzle, {})
        if said in places or said == (0, 0):
            return []
        earlier = [*map(self._read, places.values())]
        places[said] = place
        return [found for found in _within([*earlier, row]) if row in (found.claim, found.evidence)]


@dataclass(frozen=True, slots=True)
class _Said:
    """What a row says of its puzzle: solutions, whether there is no other, and the cells that all have."""

    grids: frozenset[Cells]
    is_whole: bool
    painted: Cells
    least: int  # number of solutions
    most: int | None  # None for no upper limit

    @classmethod
    def of(cls, row: AnswerRow) -> Self:
        grids, count = frozenset(map(tuple, row["solutions"])), row.get("count")
        listed = row.get("solution_count", len(grids))
        said = row["answer"], row["termination"], row["task"]
        closed = is_closed(*said, bound=row["bound"], count=count, listed=listed)
        least = max(listed, count or 0, row.get("count_at_least", 0))
        is_whole = closed and listed == len(grids)
        return cls(grids, is_whole, tuple(row.get("partial", ())), least, listed if closed else count)

    def excluded(self, other: _Said) -> Iterator[Cells | None]:
        """Yield the solutions of another row that this one excludes; None if that has too many."""
        if self.is_whole:
            yield from sorted(other.grids - self.grids)
        if self.painted and other.grids:
            cells = ("." if char == UNKNOWN_CHAR else re.escape(char) for char in "".join(self.painted))
            agreeing = re.compile("".join(cells), re.DOTALL)
            yield from (grid for grid in sorted(other.grids) if not agreeing.fullmatch("".join(grid)))
        if self.most is not None and other.least > self.most:
            yield None


def _within(rows: Iterable[AnswerRow]) -> list[Disagreement]:
    """Return one disagreement for each pair of backends that has one, of rows about one puzzle."""
    first: dict[tuple[str, _Said], AnswerRow] = {}
    for row in rows:
        first.setdefault((row["backend"], _Said.of(row)), row)
    found: dict[frozenset[str], Disagreement] = {}
    for ((backend, one), claim), ((against, other), evidence) in permutations(first.items(), 2):
        pair = frozenset((backend, against))
        if pair not in found and (excluded := [*one.excluded(other)][:1]):
            found[pair] = Disagreement(claim, evidence, excluded[0])
    return [*found.values()]


def shortened(number: int) -> str:
    """Return a number, or its first and last digits and how many there are."""
    text = str(number)
    return text if len(text) <= 60 else f"{text[:20]}…{text[-20:]} ({len(text)} digits)"
