"""Read what a folder of results holds: `read_campaign`.

Opening a campaign reads ``runs.jsonl`` once and takes the closed segments from the index. After that its
columns are in memory, some 100 bytes a run, and its rows are read from the files again each time somebody
asks for them. A campaign stays as it was when it was opened, even if a driver is writing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count, islice
from pathlib import Path
from typing import BinaryIO, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from nonocsp.bench.backend_entry import labels
from nonocsp.bench.rows import RunRow, check_row
from nonocsp.bench.sessions import CampaignInfo, read_info
from nonocsp.bench.store.contents import Contents, Faults, rows_at
from nonocsp.bench.store.index import Index, Place
from nonocsp.bench.store.segments import (
    FILE,
    LOCK,
    Members,
    Opener,
    Segment,
    closed_segments,
    holds_rows,
    pinned,
)
from nonocsp.bench.store.solutions import with_all_solutions
from nonocsp.bench.table import RunTable, joined
from nonocsp.json_lines import locked
from nonocsp.model import FormatError, UsageError

_ASKED = 2000
"""Runs that are looked up at a time."""


class HasId(Protocol):
    """A planned run."""

    @property
    def id(self) -> str:
        """Its id."""


AnyRun = TypeVar("AnyRun", bound=HasId)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """The rows of one file of a campaign.

    Parameters
    ----------
    number, name
        Of the segment, 0 for ``runs.jsonl``; and of its file.
    open_at
        Opens its text at a place.
    offsets, kept
        Where its rows start, and which of them belong to the campaign.
    table
        Their columns.
    is_checked
        Whether the file is known to be the one whose rows were checked.
    """

    number: int
    name: str
    open_at: Opener
    offsets: NDArray[np.int64]
    kept: NDArray[np.bool_]
    table: RunTable
    is_checked: bool

    def read(self, chosen: NDArray[np.bool_]) -> Iterator[RunRow]:
        """Yield the chosen rows."""
        for record in rows_at(self.open_at, self.offsets[chosen].tolist(), len(self.offsets)):
            if self.is_checked:
                yield cast("RunRow", record)
            else:
                yield check_row(record, file=self.name, line=0)


class Rows:
    """The last row of each run of a campaign, in the order in which the runs ended.

    A stream that can be read again: each pass reads the files, and no row stays in memory.

    Parameters
    ----------
    folder
        The campaign's.
    parts
        Its files, oldest first.
    find
        Finds the places of runs.
    """

    def __init__(
        self, folder: Path, parts: Sequence[Part], find: Callable[[Sequence[str]], dict[str, Place]]
    ) -> None:
        self._folder = folder
        self._parts = parts
        self._find = find
        self._is_complete = False

    def __len__(self) -> int:
        return sum(int(part.kept.sum()) for part in self._parts)

    def __iter__(self) -> Iterator[RunRow]:
        """Yield the rows. One with many solutions names a file that has all of them."""
        for part in self._parts:
            for row in part.read(part.kept):
                yield with_all_solutions(row, self._folder) if self._is_complete else row

    def complete(self) -> Rows:
        """Return the same rows with all their solutions, as far as the files of these can be read."""
        rows = copy(self)
        rows._is_complete = True
        return rows

    def at(self, numbers: Iterable[int]) -> Iterator[RunRow]:
        """Yield some rows, with all their solutions.

        Parameters
        ----------
        numbers
            Of the rows, from 0, ascending.
        """
        wanted = np.zeros(len(self), bool)
        wanted[np.fromiter(numbers, np.int64)] = True
        return iter(self.select(wanted).complete())

    def select(self, chosen: NDArray[np.bool_]) -> Rows:
        """Return some of the rows, given by a mask."""
        parts, start = [], 0
        for part in self._parts:
            kept = part.kept.copy()
            end = start + int(kept.sum())
            kept[kept] = chosen[start:end]
            parts.append(replace(part, kept=kept))
            start = end
        return Rows(self._folder, parts, self._find)

    def numbered(self, runs: Iterable[AnyRun]) -> Iterator[tuple[AnyRun, int | None]]:
        """Yield planned runs, each with the number of its row, or None if it has none."""
        stream = iter(runs)
        while batch := list(islice(stream, _ASKED)):
            places = self._find([run.id for run in batch])
            for run in batch:
                place = places.get(run.id)
                yield run, None if place is None else self._number(*place)

    def _number(self, segment: int, row: int) -> int | None:
        """Return the number of a row, given by its place; None if it is not among these."""
        start, ranks = self._ranks[segment]
        if row >= len(ranks) or (row and ranks[row] == ranks[row - 1]) or not ranks[row]:
            return None
        return start + int(ranks[row]) - 1

    @cached_property
    def _ranks(self) -> dict[int, tuple[int, NDArray[np.int64]]]:
        """How many rows come before those of each file, and in it up to each row."""
        found, start = {}, 0
        for part in self._parts:
            found[part.number] = start, np.cumsum(part.kept, dtype=np.int64)
            start += int(part.kept.sum())
        return found

    @cached_property
    def table(self) -> RunTable:
        """The columns of the rows: row n of the table is row n of the stream."""
        tables = [
            part.table if part.kept.all() else part.table.take(part.kept)
            for part in self._parts
            if part.kept.any()
        ]
        return joined(tables) if tables else RunTable.of(())


@dataclass(frozen=True)
class Campaign:
    """What a folder of results holds.

    Parameters
    ----------
    folder, name
        Where it is, and what its config calls it.
    info
        The content of ``campaign.json`` (`nonocsp.bench.sessions`); without sessions if there is no such
        file.
    rows
        The last row of each run.
    faults
        A sentence for each line that was skipped.
    """

    folder: Path
    name: str
    info: CampaignInfo
    rows: Rows
    faults: Sequence[str] = ()

    @property
    def table(self) -> RunTable:
        """The columns of the rows."""
        return self.rows.table

    @property
    def backends(self) -> list[str]:
        """Return the backends that have run, in the order of the configs; those of no config come last."""
        named = [label for session in self.info["sessions"] for label in labels(session["config"])]
        ran = self.table.backends
        return [backend for backend in dict.fromkeys([*named, *ran]) if backend in ran]

    def rows_at(self, numbers: Iterable[int]) -> Iterator[RunRow]:
        """Yield the rows of some runs of the table, with all their solutions; the numbers ascend."""
        return self.rows.at(numbers)


def read_campaign(folder: str | Path) -> Campaign:
    """Return what is stored of a campaign, complete or not, even while its driver is writing.

    Raises
    ------
    UsageError
        If the folder holds no campaign.
    FormatError
        If not one line of the folder is a row, and for an invalid ``campaign.json``.
    """
    folder = Path(folder)
    if not holds_rows(folder):
        raise UsageError(f"{folder} holds no campaign: there is no {FILE} in it")
    live = _open_live(folder)  # before the segments are listed: a driver may close one meanwhile
    segments = closed_segments(folder)
    contents = Contents()
    contents.read(live(0), str(folder / FILE))
    return snapshot(folder, _index(folder, segments), live, contents)


def snapshot(folder: Path, index: Index, live: Opener, contents: Contents) -> Campaign:
    """Return a campaign as it is stored now.

    Parameters
    ----------
    folder, index
        The campaign's, and the index of its closed segments.
    live, contents
        ``runs.jsonl``, and what it holds.

    Raises
    ------
    FormatError
        If not one line is a row.
    """
    info, faults, parts = read_info(folder), Faults(), list[Part]()
    known = {segment.number: index.segment(segment.number) for segment in index.segments}
    for number, row in index.find([*contents.last]).values():
        known[number].kept[row] = False
    for segment in index.segments:
        own = known[segment.number]
        faults.extend(own.faults)
        opener = _opener(segment, own.members)
        place = segment.number, str(segment.path)
        parts.append(Part(*place, opener, own.offsets, own.kept, own.table, is_checked=True))
    faults.extend(contents.faults)
    offsets = np.array(contents.offsets, np.int64)
    rest = Part(
        number=0,
        name=str(folder / FILE),
        open_at=live,
        offsets=offsets,
        kept=contents.kept,
        table=contents.table,
        is_checked=False,
    )

    def find(runs: Sequence[str]) -> dict[str, Place]:
        here = {run: (0, contents.last[run]) for run in runs if run in contents.last}
        return here | index.find([run for run in runs if run not in here])

    rows = Rows(folder, [*parts, rest], find)
    if not len(rows) and faults.count:
        raise FormatError(f"{faults.texts[0]}; no line here is a row")
    name = info["name"] or next((row["campaign"] for row in islice(rows, 1)), "") or folder.name
    return Campaign(folder, name, info, rows, tuple(faults.warnings()))


def set_aside(folder: Path) -> Path | None:
    """Rename a campaign's folder to the first free name such as ``NAME.1``.

    Returns
    -------
    Path | None
        The new folder; None if `folder` holds no campaign.

    Raises
    ------
    UsageError
        If a driver is writing there.
    """
    if not holds_rows(folder):
        return None
    with locked(folder / LOCK, folder / FILE):  # so that no driver is
        numbered = (folder.with_name(f"{folder.name}.{number}") for number in count(1))
        return folder.rename(next(path for path in numbered if not path.exists()))


def _index(folder: Path, segments: Sequence[Segment]) -> Index:
    """Return the index of a folder, stored there for the next reader if no driver is writing."""
    if segments:
        try:
            with locked(folder / LOCK, folder / FILE):
                return Index.of_writer(folder, segments)
        except (UsageError, OSError):  # a driver is writing, or nobody can
            pass
    return Index.of_reader(folder, segments)


def _open_live(folder: Path) -> Opener:
    """Open ``runs.jsonl``; an empty file if a driver is just about to make a new one."""
    try:
        return pinned(folder / FILE)
    except FileNotFoundError:
        return pinned(Path(os.devnull))


def _opener(segment: Segment, members: Members) -> Opener:
    """Return a function that opens the text of a segment at a place, even if it gets compressed meanwhile."""

    def open_at(offset: int) -> BinaryIO:
        try:
            return segment.open(members, offset)
        except FileNotFoundError:
            packed = Segment(segment.number, segment.path.with_suffix(".jsonl.gz"))
            return packed.open((), offset)

    return open_at
