"""Where rows are kept: an append-only file of JSON lines that survives being killed.

A row is written and flushed as a whole; the disk is asked to keep it at most `SYNC_S` later, so that a power
failure costs the rows of a second. A driver that dies in the middle of a row leaves a torn last line, which
readers pass over and the next start drops; a line that is no row anywhere else is an error. A lock keeps two
drivers off one file. A run that is done again is appended; its last row counts.

Reading 100 000 rows of 2 KB takes about 3 s: lines are parsed a thousand at a time, and what many rows share
(versions, limits, names, grids) is in memory once.
"""

from __future__ import annotations

import fcntl
import gc
import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, NoReturn, Self

from nonocsp.bench.sessions import Info, read_info
from nonocsp.model import FormatError, UsageError

Row = dict[str, Any]

FILE = "runs.jsonl"
SYNC_S = 1.0
_BATCH = 1000
"""Lines that are parsed at a time."""


@dataclass(frozen=True, slots=True)
class Campaign:
    """What a folder of results holds.

    Parameters
    ----------
    info
        The content of ``campaign.json`` (`nonocsp.bench.sessions`); empty for a folder of nonocsp 0.1.
    rows
        One a run, the last of each, in the order in which they first ended.
    """

    folder: Path
    name: str
    info: Info
    rows: list[Row]


def read_campaign(folder: str | Path) -> Campaign:
    """Return what is stored of a campaign, complete or not, even while its driver is writing.

    Raises
    ------
    UsageError
        If the folder holds no campaign.
    FormatError
        At a line that is no row, and for a ``campaign.json`` that is none.
    """
    folder = Path(folder)
    if not (folder / FILE).is_file():
        raise UsageError(f"{folder} holds no campaign: there is no {FILE} in it")
    info = read_info(folder)
    rows = last_rows(read_rows(folder / FILE))
    name = info.get("name") or (rows[0]["campaign"] if rows else folder.name)
    return Campaign(folder, name, info, rows)


def last_rows(rows: Iterator[Row]) -> list[Row]:
    """Return the last row of each run, in the order in which the runs first appear."""
    with _no_collection():
        return list({row["run"]: row for row in rows}.values())


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keep the garbage collector from walking again and again through what is only being built up."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def set_aside(folder: Path) -> Path | None:
    """Give a campaign's folder the first free name of the kind ``NAME.1``; None if it holds no campaign.

    Raises
    ------
    UsageError
        If a driver is writing there.
    """
    if not (folder / FILE).exists():
        return None
    with Store(folder):  # nobody else is
        numbered = (folder.with_name(f"{folder.name}.{number}") for number in count(1))
        return folder.rename(next(path for path in numbered if not path.exists()))


class Store:
    """The rows of one campaign, open for appending. A context manager.

    Parameters
    ----------
    folder
        Made if missing; holds ``runs.jsonl``.

    Raises
    ------
    UsageError
        On entering, if another process is writing here.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path = folder / FILE
        self._file: BinaryIO
        self._synced = 0.0

    def __enter__(self) -> Self:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._file = self._path.open("a+b")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise UsageError(f"another campaign is writing to {self._path}") from None
        _mend_last_line(self._file)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._sync()
        self._file.close()

    def rows(self) -> list[Row]:
        """Return the last row of each run that is there."""
        return last_rows(read_rows(self._path))

    def append(self, row: Row) -> None:
        """Add a row."""
        self._file.write(json.dumps(row, separators=(",", ":")).encode() + b"\n")
        self._file.flush()
        if time.monotonic() - self._synced > SYNC_S:
            self._sync()

    def _sync(self) -> None:
        os.fsync(self._file.fileno())
        self._synced = time.monotonic()


def read_rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a file of runs, oldest first; a torn last line is passed over.

    Equal parts of rows are the same object: do not change rows in place.

    Raises
    ------
    FormatError
        At a line that is no JSON object.
    """
    share = _Sharing()
    with path.open("rb") as file:
        number = 1
        while lines := list(islice(file, _BATCH)):
            for row in _parse(lines, path, number):
                yield share.row(row)
            number += len(lines)


def _parse(lines: list[bytes], path: Path, number: int) -> list[Row]:
    """Return the rows of some lines, the first of which has this number in the file."""
    if not lines[-1].endswith(b"\n") and _parse_line(lines[-1]) is None:
        del lines[-1]
    try:
        rows = json.loads(b"[%s]" % b",".join(lines))
    except ValueError:
        rows = []
    if len(rows) == len(lines) and all(isinstance(row, dict) for row in rows):
        return list(rows)
    return [_parse_line(line) or _refuse(path, number + i) for i, line in enumerate(lines)]


def _refuse(path: Path, number: int) -> NoReturn:
    advice = "one JSON object a line; without the line its run is done again"
    raise FormatError("not a row", file=str(path), line=number, expected=advice)


def _parse_line(line: bytes) -> Row | None:
    """Return the row in a line; None if it holds none."""
    try:
        row = json.loads(line)
    except ValueError:
        return None
    return row if isinstance(row, dict) else None


def _mend_last_line(file: BinaryIO) -> None:
    """End a last line that lacks only its line feed; drop one that is torn."""
    file.seek(0)
    whole = 0
    for line in file:
        if line.endswith(b"\n"):
            whole += len(line)
        elif _parse_line(line) is not None:
            file.write(b"\n")  # appends
            return
    file.truncate(whole)


class _Sharing:
    """Lets equal parts of many rows be one object, which saves most of their memory."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._grids: dict[tuple[str, ...], Sequence[str]] = {}
        self._records: dict[tuple[tuple[str, Any], ...], dict[str, Any]] = {}

    def row(self, row: Row) -> Row:
        """Return the row with its parts replaced by equal ones of earlier rows."""
        for key, value in row.items():
            if isinstance(value, str):
                row[key] = self._texts.setdefault(value, value)
        for key in ("limits", "versions"):
            if isinstance(record := row.get(key), dict):
                row[key] = self._records.setdefault(tuple(record.items()), record)
        if solutions := row.get("solutions"):
            row["solutions"] = [self._grids.setdefault(tuple(grid), grid) for grid in solutions]
        return row
