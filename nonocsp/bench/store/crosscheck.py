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
from typing import TYPE_CHECKING, cast, get_type_hints

import numpy as np

from nonocsp.bench.contradictions import Disagreement, disagreements
from nonocsp.bench.rows import AnswerRow
from nonocsp.bench.store.index import temporary_room
from nonocsp.bench.table import NO_OTHER, claim_digest, found_digest, puzzle_key

if TYPE_CHECKING:
    from nonocsp.bench.store.campaign import Rows

_KEPT = tuple(get_type_hints(AnswerRow).keys() - {"stats", "message", "palette"})
"""The keys of a row that a contradiction depends on."""
_SHORT = 1 << 12
"""The longest text that is not worth the time of compressing it."""
_Entry = tuple[str, int, int, str | None, int | str | bytes | None]
Said = tuple[int, int]
"""The digests of what a row found and of what it excludes, as signed numbers."""


class CrossCheck:
    """Takes the rows of a campaign one by one and finds the contradictions that each brings.

    Parameters
    ----------
    rows
        Rows that are there already; contradictions among them are not reported.

    Raises
    ------
    UsageError
        Here and in `add`, if the temporary file takes no more.
    """

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._sound: set[int] = set()  # puzzles on which all rows so far agree
        # a temporary file; garbage collection may close it in any thread
        self._database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        weakref.finalize(self, self._database.close)
        self._database.execute(
            "CREATE TABLE said (puzzle INTEGER, backend TEXT, found INTEGER, claim INTEGER, about TEXT, row,"
            " PRIMARY KEY (puzzle, backend, found, claim)) WITHOUT ROWID"
        )
        self._database.execute("BEGIN")
        table = rows.table
        digests = table.puzzles.key[table["puzzle"]], table["found"], table["claim"]
        puzzle, found, claim = (column.view(np.int64) for column in digests)
        says = np.flatnonzero((found != 0) | (claim != 0))
        columns = (column[says].tolist() for column in (puzzle, table["backend"], found, claim))
        known = zip(*columns, says.tolist(), strict=True)
        with temporary_room():
            self._database.executemany(
                "INSERT OR IGNORE INTO said VALUES (?, ?, ?, ?, NULL, ?)",
                ((one, table.backends[backend], *said) for one, backend, *said in known),
            )

    def add(self, row: AnswerRow) -> list[Disagreement]:
        """Return the contradictions that this row brings, for pairs of backends that had none before."""
        found, claim = _signed(found_digest(row)), _signed(claim_digest(row))
        if not found and not claim:
            return []
        puzzle, backend = _signed(puzzle_key(row)), row["backend"]
        select = "SELECT backend, found, claim, about, row FROM said WHERE puzzle = ?"
        with temporary_room():
            others = self._database.execute(select, (puzzle,)).fetchall()
        if any(entry[:3] == (backend, found, claim) for entry in others):
            return []
        is_new = all(entry[1:3] != (found, claim) for entry in others)
        about = f'{{"seed":{row["seed"]},"repeat":{row["repeat"]}}}'
        entry = (puzzle, backend, found, claim, about, _packed(row) if is_new else None)
        with temporary_room():
            self._database.execute("INSERT INTO said VALUES (?, ?, ?, ?, ?, ?)", entry)
        said = [(found, claim), *(entry[1:3] for entry in others)]
        if not may_contradict(said) or (not is_new and puzzle in self._sound):
            return []
        earlier = self._rows_of(others)
        before = {one.backends for one in disagreements(earlier)}
        new = [one for one in disagreements([*earlier, row]) if one.backends not in before]
        (self._sound.discard if new or before else self._sound.add)(puzzle)
        return new

    def _rows_of(self, entries: Sequence[_Entry]) -> list[AnswerRow]:
        """Return the rows of what was said; what several backends said is kept once."""
        whole: dict[Said, AnswerRow] = {}
        for _, found, claim, _, stored in entries:
            if (found, claim) in whole:
                continue
            if isinstance(stored, int):
                whole[found, claim] = next(self._rows.at([stored]))
            elif stored is not None:
                text = stored if isinstance(stored, str) else zlib.decompress(stored)
                whole[found, claim] = json.loads(text)
        return [
            cast("AnswerRow", {**whole[found, claim], **json.loads(about or "{}"), "backend": backend})
            for backend, found, claim, about, _ in entries
        ]


def _packed(row: AnswerRow) -> str | bytes:
    """Return what contradictions depend on, in few bytes."""
    text = _encode({key: row[key] for key in _KEPT if key in row})  # type: ignore[literal-required]
    return text if len(text) <= _SHORT else zlib.compress(text.encode(), 1)


_encode = json.JSONEncoder(separators=(",", ":")).encode


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
