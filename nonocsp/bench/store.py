"""Where rows are kept: an append-only file of JSON lines that survives being killed.

A row is written and flushed as a whole; the disk is asked to keep it at most `SYNC_S` later. A driver that
dies in the middle of a row leaves a torn last line, which the next start drops. A lock keeps two drivers off
one file.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from nonocsp.model import FormatError, UsageError

Row = dict[str, Any]

SYNC_S = 1.0


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
        self._path = folder / "runs.jsonl"
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
        _drop_torn_line(self._file)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._sync()
        self._file.close()

    def rows(self) -> Iterator[Row]:
        """Yield the rows that are there, oldest first."""
        return read_rows(self._path)

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
    """Yield the rows of a file of runs.

    Raises
    ------
    FormatError
        At a line that is no JSON object.
    """
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                row = json.loads(line)
            except ValueError:
                row = None
            if not isinstance(row, dict):
                raise FormatError("not a row", file=str(path), line=number, expected="one JSON object a line")
            yield row


def _drop_torn_line(file: BinaryIO) -> None:
    """Truncate the file after its last line feed."""
    file.seek(0)
    file.truncate(sum(len(line) for line in file if line.endswith(b"\n")))
