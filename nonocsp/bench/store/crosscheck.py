"""Find contradictions while a campaign runs, in memory that does not grow with it: `CrossCheck`.

What a row says is known by two digests (`nonocsp.bench.table`): of the solutions that it found, and of what
it excludes. A temporary database holds each thing that a backend said of a puzzle once. Whole rows are
compared only where the digests tell that two of them may contradict each other.
"""

from __future__ import annotations

import json
import sqlite3
import weakref
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from nonocsp.bench.contradictions import Disagreement, disagreements
from nonocsp.bench.table import NO_OTHER, claim_digest, found_digest, puzzle_key

if TYPE_CHECKING:
    from nonocsp.bench.rows import AnswerRow
    from nonocsp.bench.store.campaign import Rows

_LEFT_OUT = ("stats", "message", "palette")
"""Keys of a row that no contradiction depends on."""
Said = tuple[int, int]
"""The digests of what a row found and of what it excludes, as signed numbers."""


class CrossCheck:
    """Takes the rows of a campaign one by one and finds the contradictions that each brings.

    Parameters
    ----------
    rows
        Rows that are there already; contradictions among them are not reported.
    """

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._contradictory: set[int] = set()
        self._database = sqlite3.connect("", isolation_level=None)  # a temporary file
        weakref.finalize(self, self._database.close)
        self._database.execute(
            "CREATE TABLE said (puzzle INTEGER, backend TEXT, found INTEGER, claim INTEGER, row,"
            " PRIMARY KEY (puzzle, backend, found, claim)) WITHOUT ROWID"
        )
        self._database.execute("BEGIN")
        table = rows.table
        digests = table.puzzles.key[table["puzzle"]], table["found"], table["claim"]
        puzzle, found, claim = (column.view(np.int64) for column in digests)
        says = np.flatnonzero((found != 0) | (claim != 0))
        columns = (column[says].tolist() for column in (puzzle, table["backend"], found, claim))
        known = zip(*columns, says.tolist(), strict=True)
        self._database.executemany(
            "INSERT OR IGNORE INTO said VALUES (?, ?, ?, ?, ?)",
            ((one, table.backends[backend], *said) for one, backend, *said in known),
        )

    def add(self, row: AnswerRow) -> list[Disagreement]:
        """Return the contradictions that this row brings, for pairs of backends that had none before."""
        found, claim = _signed(found_digest(row)), _signed(claim_digest(row))
        if not found and not claim:
            return []
        puzzle = _signed(puzzle_key(row))
        kept = {key: value for key, value in row.items() if key not in _LEFT_OUT}
        packed = zlib.compress(json.dumps(kept).encode(), 1)
        one = (puzzle, row["backend"], found, claim, packed)
        insert = "INSERT OR IGNORE INTO said VALUES (?, ?, ?, ?, ?)"
        if not self._database.execute(insert, one).rowcount:
            return []
        select = "SELECT backend, found, claim, row FROM said WHERE puzzle = ?"
        said = self._database.execute(select, (puzzle,)).fetchall()
        others = [entry for entry in said if entry[:3] != one[1:4]]
        is_new = (found, claim) not in {entry[1:3] for entry in others}
        if puzzle not in self._contradictory and not (is_new and may_contradict([e[1:3] for e in said])):
            return []
        earlier = [self._row(entry[3]) for entry in others]
        before = {one.backends for one in disagreements(earlier)}
        new = [one for one in disagreements([*earlier, row]) if one.backends not in before]
        if new or before:
            self._contradictory.add(puzzle)
        return new

    def _row(self, stored: int | bytes) -> AnswerRow:
        """Return a row: unpacked, or read by its number."""
        if isinstance(stored, int):
            return next(self._rows.at([stored]))
        return cast("AnswerRow", json.loads(zlib.decompress(stored)))


def may_contradict(said: Sequence[Said]) -> bool:
    """Return whether rows about one puzzle may contradict each other, as far as their digests tell."""
    return any(
        (claim == NO_OTHER and found != other) or claim not in (0, NO_OTHER)
        for found, claim in said
        if claim
        for other, _ in said
        if other
    )


def _signed(number: int) -> int:
    """Return unsigned 64 bits as a signed number, as the database holds them."""
    return number - (1 << 64) if number >> 63 else number
