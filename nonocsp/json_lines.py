"""Append-only files of JSON objects, one a line, that survive being killed.

A row is written and flushed as a whole; the disk is asked to keep it at most `SYNC_S` later, so that a power
failure costs the rows of a second. A writer that dies in the middle of a row leaves a torn last line, which
readers pass over and the next writer drops. What a reader does about any other line that is no row is its
caller's choice: an error, or one row less. A lock keeps two writers off one file. Lines are parsed a thousand
at a time, which takes half the time of one by one.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO, NoReturn, Self

from nonocsp.full_disk import once_there_is_room
from nonocsp.model import FormatError, UsageError, bounds

Row = dict[str, Any]
OnFault = Callable[[FormatError], None]

SYNC_S = 1.0
"""Seconds between two requests to the disk to keep what was written."""
MAX_BYTES = 16 << 20
"""The longest line, with its line feed."""
SHORT_BYTES = 1 << 18
"""The same where a row holds no grids."""
MOST_VALUES = bounds.JSON_MARKS[","]
"""Of a row."""
_LONG_BYTES = 1 << 17
"""A line is looked through for millions of values only if it is longer."""
_TEXT = re.compile(rb'"(?:[^"\\]+|\\.)*"?', re.DOTALL)
_DEEP = 64
"""The most lists and objects in each other."""
_NO_BRACKETS = bytes({*range(256)} - {*b"[]{}"})
_BATCH = 1000
"""Lines that are parsed at a time."""
_BETWEEN = secrets.randbits(60)
"""Stands between such lines: no file can hold it, so two halves of a row are not taken for two rows."""
_BATCH_BYTES = 8 << 20
"""Bytes of such lines, more or less by one line."""


class JsonLines:
    """A file of rows, open for appending. A context manager.

    Parameters
    ----------
    path
        Made if missing, with its folder.
    lock
        The file that is locked while this one is open; by default the file itself.

    Raises
    ------
    UsageError
        On entering, if another process is writing to it.
    """

    def __init__(self, path: Path, lock: Path | None = None) -> None:
        self.path = path
        self._lock = locked(lock or path, path)
        self._file: FileIO
        self._synced = 0.0

    def __enter__(self) -> Self:
        self._lock.__enter__()
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self._lock.__exit__(None, None, None)

    def open(self) -> None:
        """Open the file, and drop a torn last line."""
        self._file = self.path.open("a+b", buffering=0)
        _mend_last_line(self._file)

    def close(self) -> None:
        """Ask the disk to keep all rows, and close the file, unless it is closed."""
        if not self._file.closed:
            self._sync()
            self._file.close()

    def append(self, row: Mapping[str, Any]) -> None:
        """Add a row."""
        self.write(encode_line(row))

    def write(self, line: bytes) -> None:
        """Add a line; if the disk is full, as soon as there is room."""
        rest = memoryview(line)
        while rest:
            rest = rest[once_there_is_room(partial(self._file.write, rest)) :]
        if time.monotonic() - self._synced > SYNC_S:
            self._sync()

    def _sync(self) -> None:
        os.fsync(self._file.fileno())
        self._synced = time.monotonic()


@contextmanager
def locked(lock: Path, path: Path) -> Iterator[None]:
    """Keep other processes from writing.

    Parameters
    ----------
    lock
        The file that is locked; made if missing, with its folder.
    path
        What the lock is for, as the error names it.

    Raises
    ------
    UsageError
        If another process holds the lock.
    """
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not os.path.samestat(os.fstat(file.fileno()), lock.stat()):
                raise FileNotFoundError
        except BlockingIOError:
            raise UsageError(f"another process is writing to {path}") from None
        except FileNotFoundError:
            raise UsageError(f"another process has just moved {path}: give the same command again") from None
        yield


def encode_line(row: Mapping[str, Any]) -> bytes:
    """Return a row as a line."""
    return _encode(row).encode() + b"\n"


_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def is_too_long(line: bytes, most: int = MAX_BYTES) -> bool:
    """Return whether a line is longer than any row, or holds more values; a comma in a grid is none."""
    if len(line) <= min(most, _LONG_BYTES):
        return False
    has_many = bounds.has_too_many_marks
    return len(line) > most or (has_many(line) and has_many(_TEXT.sub(b"", line)))


def read_json_lines(path: Path) -> Iterator[Row]:
    """Yield the short rows of a file, oldest first; a torn last line is passed over.

    Raises
    ------
    FormatError
        At a line that is no JSON object.
    """

    def refuse(fault: FormatError) -> NoReturn:
        fault.expected += "; without the line it is done again"
        raise fault

    with path.open("rb") as file:
        yield from (row for _, _, row in parse_lines(file, str(path), refuse, SHORT_BYTES))


def parse_lines(
    file: BinaryIO, name: str, on_fault: OnFault, most: int = MAX_BYTES
) -> Iterator[tuple[int, int, Row]]:
    """Yield line number, offset and content of each line that holds a JSON object.

    Parameters
    ----------
    file
        At the start of its first line; its end may be torn.
    name
        Of the file, for faults.
    on_fault
        Called at a line that holds anything else. If it returns, the line is skipped.
    most
        Bytes of the longest line.
    """
    number, offset = 1, 0
    for lines in _batches(file, most):
        last = lines[-1]
        if isinstance(last, bytes) and not last.endswith(b"\n") and _parse_line(last) is None:
            del lines[-1]
        for line, row in zip(lines, _parse(lines), strict=True):
            if row is not None:
                yield number, offset, row
            elif isinstance(line, int):
                expected = f"at most {most / (1 << 20):g} MiB and {MOST_VALUES >> 20} million values"
                on_fault(FormatError("a line is too long", file=name, line=number, expected=expected))
            else:
                on_fault(FormatError("not a row", file=name, line=number, expected="one JSON object a line"))
            number += 1
            offset += line if isinstance(line, int) else len(line)


def _batches(file: BinaryIO, most: int) -> Iterator[list[bytes | int]]:
    """Yield up to `_BATCH` lines at a time, of about `_BATCH_BYTES` at most; for a too long line its size."""
    lines, size = list[bytes | int](), 0
    try:
        for line in iter(partial(file.readline, most + 1), b""):
            lines.append(len(line) + _skip_line(file, line) if is_too_long(line, most) else line)
            size += len(line)
            if size > _BATCH_BYTES or len(lines) == _BATCH:
                yield lines
                lines, size = [], 0
    except OSError:  # the file is damaged further on
        if lines:
            yield lines
        raise
    if lines:
        yield lines


def _skip_line(file: BinaryIO, piece: bytes) -> int:
    """Read on to the end of a line whose last piece is given; return the number of bytes."""
    length = 0
    while piece and not piece.endswith(b"\n"):
        piece = file.readline(_BATCH_BYTES)
        length += len(piece)
    return length


def _parse(lines: list[bytes | int]) -> list[Row | None]:
    """Return the row in each line; None where there is none."""
    if any(isinstance(line, int) or _is_deep(line) for line in lines):
        found = []
    else:
        try:
            found = json.loads(b"[%s]" % (b",%d," % _BETWEEN).join(lines))  # type: ignore[arg-type]
        except (ValueError, RecursionError):
            found = []
    rows, between = found[::2], found[1::2]
    if len(rows) == len(lines) and between.count(_BETWEEN) == len(between):
        return [row if isinstance(row, dict) else None for row in rows]
    return [None if isinstance(line, int) else _parse_line(line) for line in lines]


def _parse_line(line: bytes) -> Row | None:
    """Return the row in a line; None if it holds none."""
    if line.lstrip()[:1] != b"{":  # a file can hold millions of such lines
        return None
    try:
        row = None if _is_deep(line) else json.loads(line)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None


def _is_deep(line: bytes) -> bool:
    """Return whether lists and objects lie deeper in each other than in any row.

    Python reads some 1000 of them, fewer where the caller is deep itself: some lines now and then not.
    """
    if line.count(b"[") + line.count(b"{") <= _DEEP:
        return False
    left = _TEXT.sub(b"", line).translate(None, _NO_BRACKETS)
    for _ in range(_DEEP):
        left = left.replace(b"[]", b"").replace(b"{}", b"")
    return bool(left)


def _mend_last_line(file: FileIO) -> None:
    """End a last line that lacks only its line feed; drop one that is torn."""
    end = file.seek(0, os.SEEK_END)
    start = end
    while start:  # the last line is short: look for its start from the end
        step = min(1 << 16, start)
        file.seek(start - step)
        found = file.read(step).rfind(b"\n")
        if found >= 0:
            start += found + 1 - step
            break
        start -= step
    if start < end:
        file.seek(start)
        if end - start <= MAX_BYTES and _parse_line(file.read()) is not None:
            file.write(b"\n")  # appends
        else:
            file.truncate(start)
