"""Append-only files of JSON objects, one a line, that survive being killed.

The disk is asked to keep a row at most `SYNC_S` later. A writer that dies leaves a torn last line, which
readers pass over and the next writer drops. A lock keeps two writers off one file.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from io import FileIO
from pathlib import Path
from typing import Any, Self, TypeVar

import msgspec

from nonocsp.model import FormatError, UsageError, bounds

Row = dict[str, Any]
T = TypeVar("T")

SYNC_S = 1.0
"""Seconds between two requests to the disk to keep what was written."""
PATIENCE_S, _PAUSE_S = 10.0, 0.01
"""How long a full disk is waited for, and between two tries."""
MAX_BYTES = 16 << 20
"""The longest line, with its line feed."""
ADVICE = "All rows before are kept: free some space, and give the same command again"
_LONG_BYTES = 1 << 17
"""A line is looked through for millions of values only if it is longer."""
_TEXT = re.compile(rb'"(?:[^"\\]+|\\.)*"?', re.DOTALL)

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder().decode


class JsonLines:
    """A file of rows, open for appending by this process alone; made if missing, with its folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = locked(path)
        self._file: FileIO
        self._synced = 0.0
        self.size = 0
        """Bytes of the file, all of them whole lines."""

    def __enter__(self) -> Self:
        self._lock.__enter__()
        self._file = self.path.open("a+b", buffering=0)
        self.size = _end_last_line(self._file)
        return self

    def __exit__(self, *error: Any) -> None:
        try:
            with self._file, _advice(self.path):
                os.fsync(self._file.fileno())
        finally:
            self._lock.__exit__(*error)

    def append(self, row: Mapping[str, Any]) -> None:
        """Add a row."""
        self.write(encode(row) + b"\n")

    def write(self, line: bytes) -> None:
        """Add a line; if that fails, no part of it stays in the file."""
        with _advice(self.path):
            once_there_is_room(lambda: self._try_to_write(line))
            self.size += len(line)
            if time.monotonic() - self._synced > SYNC_S:
                os.fsync(self._file.fileno())
                self._synced = time.monotonic()

    def _try_to_write(self, line: bytes) -> None:
        try:
            rest = memoryview(line)
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError:
            with suppress(OSError):
                self._file.truncate(self.size)
            raise


def once_there_is_room(write: Callable[[], T]) -> T:
    """Write something; while the disk is full, perhaps because of a run, try again for `PATIENCE_S`."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            return write()
        except (OSError, UsageError) as error:
            cause = error if isinstance(error, OSError) else error.__context__
            if getattr(cause, "errno", None) != errno.ENOSPC or time.monotonic() > deadline:
                raise
        time.sleep(_PAUSE_S)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other processes from writing to a file, which is made if missing; UsageError if one does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not os.path.samestat(os.fstat(file.fileno()), path.stat()):
                raise FileNotFoundError
        except BlockingIOError:
            raise UsageError(f"another process is writing to {path}") from None
        except FileNotFoundError:
            raise UsageError(f"another process has just moved {path}: give the same command again") from None
        yield


def read_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file; the last one may be torn. OSError at one that nonocsp would not write."""
    has_many = bounds.has_too_many_marks
    with path.open("rb", buffering=1 << 20) as file:
        for line in iter(partial(file.readline, MAX_BYTES + 1), b""):
            is_large = len(line) > _LONG_BYTES and has_many(line) and has_many(_TEXT.sub(b"", line))
            if is_large or len(line) > MAX_BYTES:
                raise OSError(f"a line has more than {MAX_BYTES >> 20} MiB, or millions of values")
            yield line


def read_json_lines(path: Path) -> Iterator[Row]:
    """Yield the rows of a file, oldest first, without a torn last line; FormatError at any other non-row."""
    number, line = 1, b""
    try:
        for line in read_lines(path):
            row = decode(line)
            if not isinstance(row, dict):
                raise ValueError
            yield row
            number += 1
    except (OSError, ValueError, RecursionError) as error:
        if isinstance(error, OSError) or line.endswith(b"\n"):
            expected = "one JSON object a line; without the line it is done again"
            raise FormatError("not a row", file=str(path), line=number, expected=expected) from None


@contextmanager
def _advice(path: Path) -> Iterator[None]:
    """Say what to do if a file cannot be written."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}. {ADVICE}") from None


def _end_last_line(file: FileIO) -> int:
    """End a last line that lacks only its line feed, drop one that is torn, and return the file's size."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - MAX_BYTES))
    tail = (file.read() or b"").rpartition(b"\n")[2]
    with suppress(ValueError, RecursionError):
        if tail and isinstance(decode(tail), dict):
            return size + (file.write(b"\n") or 0)
    return file.truncate(size - len(tail)) if tail else size
