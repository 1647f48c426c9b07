"""Read what a folder of results holds: `read_campaign`.

Opening a campaign reads ``runs.jsonl`` once and takes the closed segments from the index, a byte a run. Its
columns, some 100 bytes a run, are read when somebody asks for them; its rows are read from the files each
time. A campaign stays as it was when it was opened, even if a driver is writing.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import accumulate, count, islice
from pathlib import Path
from typing import Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from nonocsp.bench.backend_entry import labels
from nonocsp.bench.rows import RunRow, check_row
from nonocsp.bench.sessions import CampaignInfo, distinct_configs, read_info
from nonocsp.bench.store.contents import Contents, Faults, rows_at
from nonocsp.bench.store.index import Index
from nonocsp.bench.store.places import NO_ROW, Places
from nonocsp.bench.store.segments import (
    FILE,
    LOCK,
    READ,
    Opener,
    Segment,
    closed_segments,
    holds_rows,
    pinned,
)
from nonocsp.bench.store.solutions import with_all_solutions
from nonocsp.bench.table import Column, RunTable, joined
from nonocsp.formats.target import refuse_link
from nonocsp.json_lines import locked
from nonocsp.model import FormatError, UsageError, bounds

_ASKED = 2000
"""Runs that are looked up at a time."""


_TRIES = 5
"""How often a campaign is opened whose driver closes a segment meanwhile, before all segments are read."""
_FILES_KEPT = 64
"""Files whose digests stay in memory, 16 bytes a row."""


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
    kept
        Which of its rows belong to the campaign.
    load_offsets, load_table
        Return where its rows start, and their columns.
    is_checked
        Whether the file is known to be the one whose rows were checked.
    """

    number: int
    name: str
    open_at: Opener
    kept: NDArray[np.bool_]
    load_offsets: Callable[[], NDArray[np.int64]]
    load_table: Callable[[], RunTable]
    is_checked: bool

    def read(self, chosen: NDArray[np.bool_]) -> Iterator[RunRow]:
        """Yield the chosen rows."""
        for record in rows_at(self.open_at, self.load_offsets()[chosen].tolist(), len(chosen)):
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
    places
        Finds the places of runs.
    """

    def __init__(self, folder: Path, parts: Sequence[Part], places: Places) -> None:
        self._folder = folder
        self._parts = parts
        self._places = places
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
        return Rows(self._folder, parts, self._places)

    def numbered(self, runs: Iterable[AnyRun]) -> Iterator[tuple[AnyRun, int | None]]:
        """Yield planned runs, each with the number of its row, or None if it has none."""
        stream = iter(runs)
        while batch := list(islice(stream, _ASKED)):
            numbers = self._at(*self._places.of([run.id for run in batch])).tolist()
            yield from zip(batch, (None if number == NO_ROW else number for number in numbers), strict=True)

    def numbers(self, runs: Sequence[str]) -> NDArray[np.int64]:
        """Return the numbers of the rows of most runs, given by their ids; `NO_ROW` for those without."""
        return self._at(*self._places.of_many(runs))

    def _at(self, segments: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the numbers of the rows at some places."""
        numbers = np.full(len(rows), NO_ROW)
        for segment in np.unique(segments[rows != NO_ROW]).tolist():
            here = np.flatnonzero((segments == segment) & (rows != NO_ROW))
            start, ranks = self._ranks.get(segment, (0, np.zeros(0, np.int32)))
            here = here[rows[here] < len(ranks)]
            at = rows[here]
            is_kept = ranks[at] > np.where(at > 0, ranks[at - 1], 0)
            numbers[here[is_kept]] = start + ranks[at[is_kept]] - 1
        return numbers

    @cached_property
    def _ranks(self) -> dict[int, tuple[int, NDArray[np.int32]]]:
        """How many rows come before those of each file, and in it up to each row."""
        parts = zip(self._parts, self._starts, strict=True)
        return {part.number: (start, np.cumsum(part.kept, dtype=np.int32)) for part, start in parts}

    @cached_property
    def table(self) -> RunTable:
        """The columns of the rows: row n of the table is row n of the stream."""
        return joined([*self.tables()] or [RunTable.of(())])

    def tables(self) -> Iterator[RunTable]:
        """Yield the columns of one file after the other."""
        for part in self._parts:
            if part.kept.any():
                yield part.load_table() if part.kept.all() else part.load_table().only(part.kept)

    def said(self, number: int) -> tuple[int, int]:
        """Return the digests of what a row found and of what it excludes (`nonocsp.bench.table`)."""
        place = bisect_right(self._starts, number) - 1
        found, claim = self._said(place)
        at = number - self._starts[place]
        return int(found[at]), int(claim[at])

    @cached_property
    def _starts(self) -> list[int]:
        """How many rows come before those of each file."""
        return [0, *accumulate(int(part.kept.sum()) for part in self._parts)][:-1]

    @cached_property
    def _said(self) -> Callable[[int], tuple[Column, Column]]:
        """Return the digests of the rows of a file; those of the last files stay in memory."""

        @lru_cache(maxsize=_FILES_KEPT)
        def said(place: int) -> tuple[Column, Column]:
            table, kept = self._parts[place].load_table(), self._parts[place].kept
            return table["found"][kept], table["claim"][kept]

        return said


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
    is_done
        Whether `rows` are known to be those of all planned runs.
    """

    folder: Path
    name: str
    info: CampaignInfo
    rows: Rows
    faults: Sequence[str] = ()
    is_done: bool = False

    @property
    def table(self) -> RunTable:
        """The columns of the rows."""
        return self.rows.table

    @property
    def backends(self) -> list[str]:
        """Return the backends that have run, in the order of the configs; those of no config come last."""
        configs, _ = distinct_configs(self.info["sessions"])
        named = [label for config in configs for label in labels(config["config"])]
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
    for name in READ:
        refuse_link(folder / name)
    if not holds_rows(folder):
        raise UsageError(f"{folder} holds no campaign: there is no {FILE} in it")
    for is_last in (*[False] * _TRIES, True):
        live = _open_live(folder)  # before the segments are listed: a driver may close one meanwhile
        segments = closed_segments(folder)
        contents = Contents()
        contents.read(live(0), str(folder / FILE))
        index = Index.temporary(segments) if is_last else _index(folder, segments)
        campaign = snapshot(folder, index, live, contents)
        if is_last or not index.is_ahead:
            break
    return campaign


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
        if number in known:
            known[number].kept[row] = False
    for segment in index.segments:
        own = known[segment.number]
        faults.extend(own.faults)
        opener = partial(segment.open, own.members)
        place = segment.number, str(segment.path)
        loaded = partial(index.offsets, segment.number), partial(index.table, segment.number)
        parts.append(Part(*place, opener, own.kept, *loaded, is_checked=True))
    faults.extend(contents.faults)
    offsets, table = np.array(contents.offsets, np.int64), contents.table
    rest = Part(
        number=0,
        name=str(folder / FILE),
        open_at=live,
        kept=contents.kept,
        load_offsets=lambda: offsets,
        load_table=lambda: table,
        is_checked=False,
    )

    rows = Rows(folder, [*parts, rest], Places(index, contents.last))
    if not len(rows) and faults.first:
        raise FormatError(f"{faults.first}; no line here is a row")
    name = info["name"] or next((row["campaign"] for row in islice(rows, 1)), "") or folder.name
    return Campaign(folder, name[: bounds.NAME_CHARS], info, rows, tuple(faults.warnings()))


def set_aside(folder: Path) -> Path | None:
    """Rename a campaign's folder to the first free name such as ``NAME.1``.

    Returns
    -------
    Path | None
        The new folder; None if `folder` holds no campaign.

    Raises
    ------
    UsageError
        If a driver is writing there, or the current folder lies in it: relative paths would lead elsewhere.
        If it cannot be renamed, as where a file system is mounted.
    """
    if not holds_rows(folder):
        return None
    if Path.cwd().is_relative_to(folder.resolve()):
        raise UsageError(f"{folder} is to be renamed, and this process runs in it: start from another folder")
    folder = folder if folder.name not in ("", "..") else folder.resolve()
    with _locked(folder):  # so that no driver is
        numbered = (folder.with_name(f"{folder.name}.{number}") for number in count(1))
        free = next(path for path in numbered if not os.path.lexists(path))
        try:
            return folder.rename(free)
        except OSError as error:
            cannot = f"{folder} cannot be renamed to {free.name}: {error.strerror}"
            raise UsageError(f"{cannot}; choose another folder for the new results, or move these") from None


def _index(folder: Path, segments: Sequence[Segment]) -> Index:
    """Return the index of a folder, stored there for the next reader if no driver is writing."""
    if segments:
        try:
            with _locked(folder):
                return Index.of_writer(folder, segments)
        except (UsageError, OSError):  # a driver is writing, or nobody can
            pass
    return Index.of_reader(folder, segments)


def _locked(folder: Path) -> AbstractContextManager[None]:
    """Keep drivers from writing to a folder, which may come from somebody else."""
    refuse_link(folder / LOCK)
    return locked(folder / LOCK, folder / FILE)


def _open_live(folder: Path) -> Opener:
    """Open ``runs.jsonl``; an empty file if a driver is just about to make a new one."""
    try:
        return pinned(folder / FILE)
    except FileNotFoundError:
        return pinned(Path(os.devnull))
