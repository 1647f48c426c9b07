"""Append-only files of JSON objects, one a line, that survive being killed.

A row is written and flushed as a whole; the disk is asked to keep it at most `SYNC_S` later, so that a power
failure costs the rows of a second. A writer that dies in the middle of a row leaves a torn last line, which
readers pass over and the next writer drops; a line that is no row anywhere else is an error. A lock keeps two
writers off one file. Lines are parsed a thousand at a time, which takes half the time of one by one.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Self

from nonocsp.model import FormatError, UsageError

Row = dict[str, Any]

SYNC_S = 1.0
"""Seconds between two requests to the disk to keep what was written."""
_BATCH = 1000
"""Lines that are parsed at a time."""
_BATCH_BYTES = 8 << 20
"""Bytes of such lines, more or less by one line."""
MAX_BYTES = 16 << 20
"""The longest line."""


class JsonLines:
    """A file of rows, open for appending. A context manager.

    Parameters
    ----------
    path
        Made if missing, with its folder.

    Raises
    ------
    UsageError
        On entering, if another process is writing to it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: BinaryIO
        self._synced = 0.0

    def __enter__(self) -> Self:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self.path.open("a+b")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise UsageError(f"another process is writing to {self.path}") from None
        _mend_last_line(self._file)
        return self

    def __exit__(self, *_: object) -> None:
        self._sync()
        self._file.close()

    def append(self, row: Mapping[str, Any]) -> None:
        """Add a row."""
        self._file.write(json.dumps(row, separators=(",", ":")).encode() + b"\n")
        self._file.flush()
        if time.monotonic() - self._synced > SYNC_S:
            self._sync()

    def _sync(self) -> None:
        os.fsync(self._file.fileno())
        self._synced = time.monotonic()


def read_json_lines(path: Path) -> Iterator[Row]:
    """Yield the rows of a file, oldest first, row n from line n; a torn last line is passed over.

    Raises
    ------
    FormatError
        At a line that is no JSON object.
    """
    with path.open("rb") as file:
        number = 1
        for lines in _batches(file, path):
            if not lines[-1].endswith(b"\n") and _parse_line(lines[-1]) is None:
                del lines[-1]
            try:
                rows = json.loads(b"[%s]" % b",".join(lines))
            except (ValueError, RecursionError):
                rows = []
            if len(rows) != len(lines) or not all(isinstance(row, dict) for row in rows):
                rows = [_parse_line(line) for line in lines]
            if None in rows:
                advice = "one JSON object a line; without the line it is done again"
                raise FormatError(
                    "not a row", file=str(path), line=number + rows.index(None), expected=advice
                )
            yield from rows
            number += len(lines)


def _batches(file: BinaryIO, path: Path) -> Iterator[list[bytes]]:
    """Yield up to `_BATCH` lines at a time, of about `_BATCH_BYTES` at most."""
    lines, size = list[bytes](), 0
    for number, line in enumerate(iter(partial(file.readline, MAX_BYTES + 1), b""), start=1):
        if len(line) > MAX_BYTES:
            expected = f"at most {MAX_BYTES >> 20} MiB"
            raise FormatError("a line is too long", file=str(path), line=number, expected=expected)
        lines.append(line)
        size += len(line)
        if size > _BATCH_BYTES or len(lines) == _BATCH:
            yield lines
            lines, size = [], 0
    if lines:
        yield lines


def _parse_line(line: bytes) -> Row | None:
    """Return the row in a line; None if it holds none."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
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
