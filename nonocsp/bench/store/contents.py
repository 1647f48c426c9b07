"""Read the rows of one file of a campaign, and say what it holds: `Contents`."""

from __future__ import annotations

import io
import os
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from nonocsp.bench.rows import RunRow, check_row
from nonocsp.bench.store.segments import MEMBER_BYTES, MOST_BYTES, Opener
from nonocsp.bench.table import RunTable, joined
from nonocsp.json_lines import MAX_BYTES, Row, parse_lines
from nonocsp.model import FormatError

FAULTS_KEPT = 20
"""The most faults of a file that are named."""
MOST_FAULTS = 20_000
"""A file with so many lines that are no rows is not read on: they take two seconds, in 500 bytes of gzip."""
DENSE = 8
"""If at least one row of so many is wanted, all are parsed, a thousand at a time."""
_AT_ONCE, _AT_ONCE_BYTES = 200, 8 << 20
"""The most rows, and about the most bytes of them, that are added to the table at a time."""


@dataclass(slots=True)
class Faults:
    """What was not read.

    Parameters
    ----------
    texts, count
        The lines that were skipped: the first few in words, and how many there are.
    ends
        Why files were not read to their ends.
    """

    texts: list[str] = field(default_factory=list)
    count: int = 0
    ends: list[str] = field(default_factory=list)

    def add(self, fault: FormatError | OSError) -> None:
        """Take note of a line that was skipped, or of where reading ended."""
        if isinstance(fault, OSError):
            self.ends.append(str(fault))
            return
        self.count += 1
        if len(self.texts) < FAULTS_KEPT:
            self.texts.append(str(fault))

    def extend(self, other: Faults) -> None:
        """Take note of the faults of another file."""
        self.texts += other.texts[: FAULTS_KEPT - len(self.texts)]
        self.count += other.count
        self.ends += other.ends[: FAULTS_KEPT - len(self.ends)]

    @property
    def first(self) -> str:
        """The first thing that was not read; empty if there is none."""
        return next(iter([*self.texts, *self.ends]), "")

    def warnings(self) -> Iterator[str]:
        """Yield a sentence for each fault that was kept, and one for all others."""
        yield from self.ends
        for text in self.texts:
            yield f"{text}; the line is skipped, and its run counts as not done"
        if (more := self.count - len(self.texts)) > 0:
            yield f"{more} more lines are skipped"


@dataclass
class Contents:
    """The rows of one file: their places, their runs, and their columns.

    Parameters
    ----------
    offsets
        Where in the text each row starts.
    last
        The number of the last row of each run.
    repeated
        The numbers of rows whose run has a later row here.
    faults
        What was skipped.
    """

    offsets: array[int] = field(default_factory=lambda: array("q"))
    last: dict[str, int] = field(default_factory=dict)
    repeated: list[int] = field(default_factory=list)
    faults: Faults = field(default_factory=Faults)
    _tables: list[RunTable] = field(default_factory=list)
    _pending: list[RunRow] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.offsets)

    def add(self, row: RunRow, offset: int) -> None:
        """Append a row.

        Parameters
        ----------
        row
            Valid.
        offset
            Where its line starts.
        """
        if self._pending and offset - self.offsets[-len(self._pending)] > _AT_ONCE_BYTES:
            self._flush()
        run, number = row["run"], len(self.offsets)
        self.offsets.append(offset)
        if (earlier := self.last.get(run)) is not None:
            self.repeated.append(earlier)
        self.last[run] = number
        self._pending.append(row)
        if len(self._pending) == _AT_ONCE or (row["solutions"] and len(row["solutions"]) > 2):
            self._flush()

    def read(self, file: BinaryIO, name: str) -> None:
        """Append the rows of a file.

        Parameters
        ----------
        file, name
            At the start of its text, and its name for faults.
        """
        for row, offset in valid_rows(file, name, self.faults.add):
            self.add(row, offset)

    @property
    def kept(self) -> NDArray[np.bool_]:
        """Whether each row is the last one of its run."""
        kept = np.ones(len(self), bool)
        kept[self.repeated] = False
        return kept

    @property
    def table(self) -> RunTable:
        """The columns of all rows."""
        self._flush()
        if len(self._tables) != 1:
            self._tables = [joined(self._tables) if self._tables else RunTable.of(())]
        return self._tables[0]

    def _flush(self) -> None:
        if self._pending:
            self._tables.append(RunTable.of(self._pending))
            self._pending.clear()


def valid_rows(
    file: BinaryIO, name: str, on_fault: Callable[[FormatError | OSError], None]
) -> Iterator[tuple[RunRow, int]]:
    """Yield the valid rows of a file, and where they start.

    Parameters
    ----------
    file, name
        At the start of its text, and its name for faults.
    on_fault
        Called for each line that holds no row, and with OSError where reading ends early: the file is damaged
        or too large, or has too many such lines.
    """
    faults = 0

    def skip(fault: FormatError) -> None:
        nonlocal faults
        faults += 1
        on_fault(fault)
        if faults == MOST_FAULTS:
            raise OSError(f"{faults} lines are no rows")

    try:
        _refuse_large(file)
        for line, offset, record in parse_lines(file, name, skip):
            try:
                yield check_row(record, file=name, line=line), offset
            except FormatError as fault:
                skip(fault)
    except OSError as error:
        on_fault(OSError(f"{name}: {error.strerror or error}; what follows is lost"))


def _refuse_large(file: BinaryIO) -> None:
    """Raise OSError if a file that is not compressed is larger than any that nonocsp writes."""
    try:
        size = os.fstat(file.fileno()).st_size
    except io.UnsupportedOperation:
        return
    if size > MOST_BYTES:
        raise OSError(f"it has {size >> 20} MiB, and at most {MOST_BYTES >> 20} MiB are read")


def rows_at(open_at: Opener, offsets: Sequence[int], rows: int) -> Iterator[Row]:
    """Yield the rows at some places of a file that was read before.

    Parameters
    ----------
    open_at
        Opens the file's text at a place.
    offsets
        Ascending.
    rows
        How many rows the file has: if few of them are wanted, the others are not parsed.
    """
    if not offsets:  # so that a file of faults is not read again
        return
    if DENSE * len(offsets) >= rows:
        with open_at(0) as text:
            yield from _among(parse_lines(text, "", lambda _: None), offsets)
        return
    file: BinaryIO | None = None
    here = 0
    try:
        for offset in offsets:
            if file is None or offset - here > MEMBER_BYTES:
                if file:
                    file.close()
                file, here = open_at(offset), offset
            file.read(offset - here)
            line = file.readline(MAX_BYTES)
            here = offset + len(line)
            yield from (row for _, _, row in parse_lines(io.BytesIO(line), "", lambda _: None))
    finally:
        if file:
            file.close()


def _among(lines: Iterator[tuple[int, int, Row]], offsets: Sequence[int]) -> Iterator[Row]:
    wanted = iter(offsets)
    next_one = next(wanted, None)
    for _, offset, record in lines:
        while next_one is not None and next_one < offset:
            next_one = next(wanted, None)
        if offset == next_one:
            yield record
            next_one = next(wanted, None)
        if next_one is None:
            return
