"""Write the rows of a campaign: `Store`."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from nonocsp.bench.rows import crashed_row, storable
from nonocsp.bench.store.campaign import Campaign, snapshot
from nonocsp.bench.store.contents import Contents
from nonocsp.bench.store.index import Index
from nonocsp.bench.store.segments import (
    FILE,
    LOCK,
    MOST_BYTES,
    SEGMENT_BYTES,
    WRITTEN,
    Members,
    Segment,
    close_live,
    closed_segments,
    compress,
    pinned,
    refuse_last_number,
    sync_folder,
)
from nonocsp.bench.store.solutions import put_aside
from nonocsp.formats.target import refuse_link
from nonocsp.full_disk import once_there_is_room
from nonocsp.json_lines import MAX_BYTES, MOST_VALUES, JsonLines, encode_line, is_too_long
from nonocsp.model import FormatError

if TYPE_CHECKING:
    from nonocsp.bench.rows import RunRow


class Store:
    """The rows of one campaign, open for appending. A context manager.

    Parameters
    ----------
    folder
        Made if missing; holds ``runs.jsonl`` and closed segments.
    segment_bytes
        The size at which ``runs.jsonl`` becomes a segment.

    Raises
    ------
    UsageError
        On entering, if another process is writing here.
    FormatError
        On entering, if the folder has lines, but not a single row, or ``runs.jsonl`` cannot be read to its
        end.
    """

    def __init__(self, folder: Path, *, segment_bytes: int = SEGMENT_BYTES) -> None:
        self.folder = folder
        self._lines = JsonLines(folder / FILE, folder / LOCK)
        self._segment_bytes = segment_bytes
        self._index: Index
        self._live: Contents
        self._size = 0

    def __enter__(self) -> Self:
        """Complete what an earlier writer left half done, and read ``runs.jsonl``."""
        for name in WRITTEN:
            refuse_link(self.folder / name)
        live = self.folder / FILE
        if live.exists() and live.stat().st_size > MOST_BYTES:
            raise FormatError("too large", file=str(live), expected=f"at most {MOST_BYTES >> 20} MiB")
        self._lines.__enter__()
        try:
            self._read()
        except BaseException:
            self._lines.__exit__()
            raise
        return self

    def __exit__(self, *arguments: object) -> None:
        self._lines.__exit__(*arguments)

    def append(self, row: RunRow) -> RunRow:
        """Store a row; return it as it is stored.

        A row that no reader would accept becomes that of a crash, and many solutions go to a file.
        """
        row = storable(row)
        try:
            stored = once_there_is_room(partial(put_aside, row, self.folder))
            line = encode_line(stored)
            if is_too_long(line):
                most = f"{MAX_BYTES >> 20} MiB and {MOST_VALUES >> 20} million values"
                raise FormatError(f"it has {len(line) >> 20} MiB; expected at most {most}")
        except (
            FormatError,
            ValueError,
            RecursionError,
        ) as error:  # a key that nobody knows can hold anything
            stored = crashed_row(row, f"the row cannot be stored: {getattr(error, 'message', error)}")
            line = encode_line(stored)
        self._lines.write(line)
        self._live.add(stored, self._size)
        self._size += len(line)
        if self._size >= self._segment_bytes:
            self._begin_segment()
        return stored

    def campaign(self) -> Campaign:
        """Return what is stored now; it stays readable when the store is closed or goes on."""
        return snapshot(self.folder, self._index, pinned(self._lines.path), self._live)

    def _read(self) -> None:
        for segment in closed_segments(self.folder):
            _compressed(segment)
        segments = closed_segments(self.folder)
        refuse_last_number(self.folder, segments)
        self._index = Index.of_writer(self.folder, segments) if segments else Index.empty()
        self._live = Contents()
        with self._lines.path.open("rb") as file:
            self._live.read(file, str(self._lines.path))
        faults = self._live.faults
        if not len(self._live) and faults.first and not segments:
            raise FormatError(f"{faults.first}; no line here is a row")
        if faults.ends:  # rows that are appended would be lost, too
            raise FormatError(f"{faults.ends[0]}; remove the lines that are no rows, or name another output")
        self._size = self._lines.path.stat().st_size

    def _begin_segment(self) -> None:
        """Make ``runs.jsonl`` a closed segment, and begin a new one."""
        self._lines.close()
        segment = close_live(self.folder)
        self._lines.open()
        sync_folder(self.folder)
        segment, members = _compressed(segment)
        if not self._index.segments:
            self._index = Index.of_writer(self.folder, ())
        try:
            self._index.add(segment, self._live, members)
        except sqlite3.Error:  # such as a full disk
            self._index = Index.of_writer(self.folder, closed_segments(self.folder))
        self._live, self._size = Contents(), 0


def _compressed(segment: Segment) -> tuple[Segment, Members]:
    """Compress a segment, unless it is compressed already, too large to be read, or there is no room."""
    if segment.path.suffix != ".gz" and segment.path.stat().st_size <= MOST_BYTES:
        with suppress(OSError):
            return compress(segment)
    return segment, ()
