"""Index the closed segments of a campaign in ``index.sqlite``: their runs, places and columns.

The index is a cache: it says only what the segments say. If you delete it, you lose only the time to make it
again (a minute for a million rows). It is believed only as long as each segment is the very file
that was indexed: same inode, size and times of change. So an index that came with a copied folder, or whose
segments somebody edited, is made anew, and nobody can plant one.

SQLite believes the files beside a database without such a check: a planted journal makes it delete any file
that the journal names. So an index with such files is never opened. A driver that was killed may have left
them; its index is made anew, too.

Table ``runs`` finds the last row of a run; ``segments`` holds, for each segment, the places of its rows and
their columns (`nonocsp.bench.table.RunTable`) as arrays. ``runs.jsonl`` is not indexed: whoever opens the
folder reads it.
"""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
import time
import weakref
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from nonocsp.bench.rows import KEYS
from nonocsp.bench.store.contents import Contents, Faults
from nonocsp.bench.store.segments import Members, Segment, Unpacked
from nonocsp.bench.table import TYPES, Puzzles, Request, RunTable, Setting
from nonocsp.formats.source import is_plain
from nonocsp.model import UsageError, bounds

FILE = "index.sqlite"
_BESIDE = ("-journal", "-wal", "-shm")
"""Endings of the files from which SQLite completes what another process began."""
_TABLES = (
    "CREATE TABLE about (code INTEGER NOT NULL) STRICT",
    "CREATE TABLE segments (number INTEGER PRIMARY KEY, stamp TEXT NOT NULL, facts TEXT NOT NULL,"
    " offsets BLOB NOT NULL, columns BLOB NOT NULL) STRICT",
    "CREATE TABLE runs (run TEXT PRIMARY KEY, segment INTEGER NOT NULL, row INTEGER NOT NULL)"
    " STRICT, WITHOUT ROWID",
    "CREATE TABLE repeated (segment INTEGER NOT NULL, row INTEGER NOT NULL) STRICT",
)
_FIELDS = (*Request._fields, *Setting._fields)
_CODE = zlib.crc32(repr((1, KEYS, sorted(TYPES.items()), _TABLES, _FIELDS)).encode())
"""Changes with everything that an index depends on."""
_ASKED = 500
"""Runs that are looked up at a time."""
_TRANSACTION_S = 1.0
"""How long segments are added before the disk has them."""
_FETCHED = 10_000
"""Runs that are fetched at a time when all are."""
ID_BYTES = 20
"""The length of the ids that nonocsp gives to runs, all of ASCII."""
_BUSY_S = 60.0
_NUMBERS = ("key", "hash", "index", "rows", "columns")

_BROKEN = (sqlite3.Error, OSError, ValueError, KeyError, TypeError)
"""Errors of an index that something else than this module has changed."""

Loaded = TypeVar("Loaded")
Place = tuple[int, int]
"""A segment's number, and the number of a row among its valid rows."""


@dataclass(frozen=True, slots=True)
class Indexed:
    """What the index holds of a segment, but for the places and the columns of its rows.

    Parameters
    ----------
    kept
        Whether each row is the last one of its run in all segments.
    members
        Places where reading can start.
    """

    kept: NDArray[np.bool_]
    members: Members
    faults: Faults


class Index:
    """The index of some closed segments, up to date.

    Parameters
    ----------
    database
        Open.
    segments
        All closed segments of the campaign.
    """

    def __init__(self, database: sqlite3.Connection, segments: Sequence[Segment]) -> None:
        self._database = database
        weakref.finalize(self, database.close)
        self.segments = [*segments]
        self._update()

    @classmethod
    def of_writer(cls, folder: Path, segments: Sequence[Segment]) -> Self:
        """Open the index of a folder whose lock this process holds, and bring it up to date.

        Parameters
        ----------
        folder
            The campaign's.
        segments
            Its closed segments.
        """
        path = folder / FILE
        for _ in range(2):
            with suppress(*_BROKEN):
                if beside := _beside(path):
                    for each in (path, *beside):  # the index first: without its journal, it may be torn
                        each.unlink(missing_ok=True)
                if is_plain(path) or not os.path.lexists(path):
                    return cls(_connect(str(path)), segments)
            with suppress(OSError):
                path.unlink()
        return cls.temporary(segments)

    @classmethod
    def of_reader(cls, folder: Path, segments: Sequence[Segment]) -> Self:
        """Open the index of a folder; where it is out of date make one that nobody else sees.

        Parameters
        ----------
        folder
            The campaign's.
        segments
            Its closed segments.
        """
        path, own = folder / FILE, _connect("")
        with suppress(*_BROKEN):
            if segments and is_plain(path) and not _beside(path):
                with ExitStack() as stack:
                    stored = _connect(f"{path.absolute().as_uri()}?mode=ro")
                    stack.callback(stored.close)
                    if _stamps(stored).items() >= {one.number: one.stamp for one in segments}.items():
                        stack.pop_all()
                        own.close()
                        return cls(stored, segments)
                    stored.backup(own)
                return cls(own, segments)
        own.close()
        return cls.temporary(segments)

    @classmethod
    def temporary(cls, segments: Sequence[Segment]) -> Self:
        """Make an index in a temporary file."""
        with temporary_room():
            return cls(_connect(""), segments)

    @classmethod
    def empty(cls) -> Self:
        """Return the index of no segments, which needs no file."""
        return cls(_connect(""), ())

    @property
    def is_ahead(self) -> bool:
        """Whether a driver has added segments to the file meanwhile: then rows of these are missing here."""
        return _stamps(self._database).keys() > {segment.number for segment in self.segments}

    def add(self, segment: Segment, contents: Contents, members: Members) -> None:
        """Add a segment behind all others.

        Parameters
        ----------
        segment, contents
            The segment and what it holds.
        members
            Where its members start.
        """
        with self._transaction():
            self._store(segment, contents, members)
        self.segments.append(segment)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._database:
            self._database.execute("BEGIN")
            yield

    def _store(self, segment: Segment, contents: Contents, members: Members) -> None:
        number, runs, database = segment.number, sorted(contents.last.items()), self._database
        facts = json.dumps({"members": [*members], "faults": asdict(contents.faults)})
        record = (number, segment.stamp, facts, contents.offsets.tobytes(), _packed(contents.table))
        database.execute("INSERT INTO segments VALUES (?, ?, ?, ?, ?)", record)
        earlier = [(number, row) for row in contents.repeated]
        earlier += self.find([run for run, _ in runs]).values()
        database.executemany("INSERT INTO repeated VALUES (?, ?)", earlier)
        database.executemany(
            "INSERT OR REPLACE INTO runs VALUES (?, ?, ?)", ((run, number, row) for run, row in runs)
        )

    def find(self, runs: Sequence[str]) -> dict[str, Place]:
        """Return the places of the last rows of those runs that have one."""
        found: dict[str, Place] = {}
        for start in range(0, len(runs), _ASKED):
            asked = runs[start : start + _ASKED]
            query = f"SELECT run, segment, row FROM runs WHERE run IN ({','.join('?' * len(asked))})"
            found.update((run, (segment, row)) for run, segment, row in self._database.execute(query, asked))
        return found

    def every(self) -> tuple[NDArray[np.bytes_], NDArray[np.int32], NDArray[np.int32]]:
        """Return the ids of `ID_BYTES` bytes, sorted, with the segments and rows of their last rows."""
        usual = "length(run) = ? AND length(CAST(run AS BLOB)) = ?"
        query = f"SELECT run, segment, row FROM runs WHERE {usual} ORDER BY run"
        cursor = self._database.execute(query, (ID_BYTES, ID_BYTES))
        ids, segments, rows = [np.zeros(0, f"S{ID_BYTES}")], [np.zeros(0, np.int32)], [np.zeros(0, np.int32)]
        while batch := cursor.fetchmany(_FETCHED):
            for parts, column in zip((ids, segments, rows), zip(*batch, strict=True), strict=True):
                parts.append(np.array(column, parts[0].dtype))
        return np.concatenate(ids), np.concatenate(segments), np.concatenate(rows)

    def segment(self, number: int) -> Indexed:
        """Return what is known of a segment."""
        return self._unbroken(self._load, number)

    def offsets(self, number: int) -> NDArray[np.int64]:
        """Return where the rows of a segment start."""
        return self._unbroken(lambda one: np.frombuffer(self._of(one, "offsets")[0], np.int64), number)

    def table(self, number: int) -> RunTable:
        """Return the columns of the rows of a segment."""
        return self._unbroken(lambda one: _unpacked(*self._of(one, "columns")), number)

    def _load(self, number: int) -> Indexed:
        facts, size = self._of(number, "facts, length(offsets)")
        facts = json.loads(facts)
        kept = np.ones(size // np.dtype(np.int64).itemsize, bool)
        repeated = self._database.execute("SELECT row FROM repeated WHERE segment = ?", (number,)).fetchall()
        kept[[row for (row,) in repeated]] = False
        members = [(start, position) for start, position in facts["members"]]
        return Indexed(kept, members, Faults(**facts["faults"]))

    def _of(self, number: int, what: str) -> tuple[Any, ...]:
        """Return columns of the record of a segment; TypeError if there is none."""
        query = f"SELECT {what} FROM segments WHERE number = ?"
        return (*self._database.execute(query, (number,)).fetchone(),)

    def _unbroken(self, load: Callable[[int], Loaded], number: int) -> Loaded:
        """Load something of a segment; if the index is broken, make one that nobody else sees."""
        try:
            return load(number)
        except (*_BROKEN, zlib.error, IndexError):
            self._database = _connect("")
            weakref.finalize(self, self._database.close)
            self._update()
            return load(number)

    def _update(self) -> None:
        """Index what is new. If a file is gone or was changed, all segments are indexed again."""
        known = _stamps(self._database)
        have = {segment.number: segment.stamp for segment in self.segments}
        new = [segment for segment in self.segments if segment.number not in known]
        is_behind = not known or all(segment.number > max(known) for segment in new)
        if not known.items() <= have.items() or not is_behind:
            _make_anew(self._database)
            new = self.segments
        todo = deque(new)
        while todo:
            with self._transaction():  # each waits for the disk; while it lasts, others may have to wait
                end = time.monotonic() + _TRANSACTION_S
                self._index(todo.popleft())
                while todo and time.monotonic() < end:
                    self._index(todo.popleft())

    def _index(self, segment: Segment) -> None:
        contents = Contents()
        with segment.open() as file:
            contents.read(file, str(segment.path))
            raw = getattr(file, "raw", None)
            self._store(segment, contents, raw.members if isinstance(raw, Unpacked) else ())


def _beside(path: Path) -> list[Path]:
    """Return the files beside a database that SQLite would read with it; links that lead nowhere, too."""
    files = (path.with_name(path.name + ending) for ending in _BESIDE)
    return [file for file in files if os.path.lexists(file)]


@contextmanager
def temporary_room() -> Iterator[None]:
    """Say what to do if a temporary database takes no more."""
    try:
        yield
    except sqlite3.OperationalError as error:
        folder = os.environ.get("SQLITE_TMPDIR") or tempfile.gettempdir()
        raise UsageError(
            f"the folder for temporary files, such as {folder}, takes no more ({error}); "
            "set TMPDIR to one with room and give the same command again: all rows are stored"
        ) from None


def _connect(path: str) -> sqlite3.Connection:
    """Open a database and make its tables, unless it has exactly these."""
    database = sqlite3.connect(
        path,
        timeout=_BUSY_S,
        isolation_level=None,
        uri=path.startswith("file:"),
        check_same_thread=False,  # garbage collection may close it in any thread
    )
    try:
        database.execute("PRAGMA trusted_schema = OFF")
        database.execute("PRAGMA cache_size = -65536")
        if not path.startswith("file:") and not _is_ours(database):
            _make_anew(database)
    except sqlite3.Error:
        database.close()
        raise
    return database


def _is_ours(database: sqlite3.Connection) -> bool:
    """Return whether a database has the tables of an index, and was made by this version of the code."""
    made = {text for (text,) in database.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
    return made == {*_TABLES} and database.execute("SELECT code FROM about LIMIT 2").fetchall() == [(_CODE,)]


def _stamps(database: sqlite3.Connection) -> dict[int, str]:
    """Return the stamps of the indexed segments; raise ValueError if it is no index."""
    if not _is_ours(database):
        raise ValueError("this is no index")
    return dict(database.execute("SELECT number, stamp FROM segments LIMIT ?", (bounds.ENTRIES,)))


def _make_anew(database: sqlite3.Connection) -> None:
    """Drop everything and make the tables."""
    with database:
        database.execute("BEGIN IMMEDIATE")
        made = "SELECT type, name FROM sqlite_master WHERE sql IS NOT NULL"
        for kind, name in database.execute(made).fetchall():
            quoted = name.replace('"', '""')
            database.execute(f'DROP {kind} IF EXISTS "{quoted}"')
        for table in _TABLES:
            database.execute(table)
        database.execute("INSERT INTO about VALUES (?)", (_CODE,))


def _packed(table: RunTable) -> bytes:
    """Return a table as bytes."""
    arrays = {name: table[name] for name in TYPES}
    arrays |= {f"puzzles.{name}": getattr(table.puzzles, name) for name in _NUMBERS}
    head = {
        "arrays": [(name, array.dtype.str, len(array)) for name, array in arrays.items()],
        "names": table.puzzles.names.tolist(),
        "backends": table.backends,
        "requests": table.requests,
        "settings": [setting._asdict() for setting in table.settings],
        "sessions": table.sessions,
    }
    text = json.dumps(head).encode()
    content = [len(text).to_bytes(8, "little"), text, *(array.tobytes() for array in arrays.values())]
    return zlib.compress(b"".join(content), 1)


def _unpacked(packed: bytes) -> RunTable:
    """Return the table that `_packed` made."""
    content = memoryview(zlib.decompress(packed))
    end = 8 + int.from_bytes(content[:8], "little")
    head = json.loads(bytes(content[8:end]))
    arrays: dict[str, NDArray[np.generic]] = {}
    for name, kind, length in head["arrays"]:
        arrays[name] = np.frombuffer(content, kind, length, end)
        end += arrays[name].nbytes
    names = np.array(head["names"], np.dtypes.StringDType())
    puzzles = Puzzles(names, *(arrays.pop(f"puzzles.{name}") for name in _NUMBERS))
    values = {
        "backends": tuple(head["backends"]),
        "requests": tuple(Request(*request) for request in head["requests"]),
        "settings": tuple(
            Setting(**{**setting, "versions": tuple(map(tuple, setting["versions"]))})
            for setting in head["settings"]
        ),
        "sessions": tuple(head["sessions"]),
    }
    return RunTable(arrays, puzzles, **values)
