"""Keep the rows of a campaign in ``runs.jsonl``, which survives being killed, and read them back.

One pass over the file checks every line and makes columns; whole rows are read from the file again each time.
Of a run that is done again the last row counts. Rows of earlier code stay in the file, but do not count.
"""

from __future__ import annotations

import os
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from itertools import count, islice
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from nonocsp.bench.backend_entry import labels
from nonocsp.bench.rows import RunRow, crashed_row, decode_line, decode_row, encode_row
from nonocsp.bench.sessions import FILE as INFO
from nonocsp.bench.sessions import CampaignInfo, distinct_configs, read_info
from nonocsp.bench.solutions import FOLDER as SOLUTIONS
from nonocsp.bench.solutions import put_aside, with_all_solutions
from nonocsp.bench.table import Column, Columns, RunTable
from nonocsp.formats.target import refuse_link
from nonocsp.json_lines import ADVICE, MAX_BYTES, JsonLines, locked, read_lines
from nonocsp.model import FormatError, UsageError, bounds

FILE = "runs.jsonl"
WRITTEN = (FILE, INFO, SOLUTIONS, "failures")
"""What a driver writes in a campaign's folder. None of it may be a link: a folder that comes from somebody
else could lead to any file of the user's, or to one without an end."""
NO_ROW = -1
_FAULTS_NAMED, _MOST_FAULTS = 20, 20_000
"""Lines that are no rows: how many are named, and after how many reading ends."""

Codes = Mapping[str, Collection[str]]
"""The hashes of code whose rows count, by backend; of other backends all rows do."""


class Rows:
    """Rows of a campaign, in the order in which the runs ended: a stream that can be read again."""

    def __init__(
        self, folder: Path, offsets: NDArray[np.int64], runs: NDArray[np.int64], table: RunTable
    ) -> None:
        self._folder, self._runs, self.table = folder, runs, table  # row n of it is row n of the stream
        self.offsets = offsets  # of the rows in the file
        self._is_complete = False

    def __len__(self) -> int:
        return len(self.offsets)

    def __iter__(self) -> Iterator[RunRow]:
        """Yield the rows. One with many solutions names a file that has all of them."""
        rows = _rows_at(self._folder, self.offsets.tolist())
        return (with_all_solutions(row, self._folder) for row in rows) if self._is_complete else rows

    def complete(self) -> Rows:
        """Return the same rows with all their solutions, as far as the files of these can be read."""
        rows = copy(self)
        rows._is_complete = True
        return rows

    def at(self, numbers: Iterable[int]) -> Iterator[RunRow]:
        """Yield some rows, given by their numbers from 0, with all their solutions."""
        rows = _rows_at(self._folder, (int(self.offsets[number]) for number in numbers))
        return (with_all_solutions(row, self._folder) for row in rows)

    def select(self, chosen: NDArray[np.bool_]) -> Rows:
        """Return some of the rows, given by a mask."""
        if chosen.all():
            return self
        return Rows(self._folder, self.offsets[chosen], self._runs[chosen], self.table.only(chosen))

    def numbers(self, runs: Sequence[str]) -> NDArray[np.int64]:
        """Return the numbers of the rows of runs, given by their ids; `NO_ROW` for those without."""
        return self._find(np.fromiter(map(hash, runs), np.int64, len(runs)))

    def numbers_like(self, others: Rows) -> NDArray[np.int64]:
        """Return the number of the row of each run that another campaign has; `NO_ROW` if there is none."""
        return self._find(others._runs)

    def _find(self, runs: NDArray[np.int64]) -> NDArray[np.int64]:
        order, known = self._sorted
        if not len(known):
            return np.full(len(runs), NO_ROW)
        at = np.minimum(np.searchsorted(known, runs), len(known) - 1)
        return np.where(known[at] == runs, order[at], NO_ROW)

    @cached_property
    def _sorted(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        order = np.argsort(self._runs)
        return order, self._runs[order]


def _rows_at(folder: Path, offsets: Iterable[int]) -> Iterator[RunRow]:
    """Yield the rows at some offsets of a campaign's file."""
    with (folder / FILE).open("rb", buffering=1 << 16) as file:
        for offset in offsets:
            file.seek(offset)
            yield decode_row(file.readline())


@dataclass(frozen=True)
class Campaign:
    """What a folder of results holds: the last row of each run, of the code that counts."""

    folder: Path
    name: str
    info: CampaignInfo
    rows: Rows
    faults: Sequence[str] = ()  # lines that were skipped, rows of other code
    is_done: bool = False  # all planned runs are there

    @property
    def table(self) -> RunTable:
        """The columns of the rows."""
        return self.rows.table

    @property
    def backends(self) -> list[str]:
        """The backends that have run, in the order of the configs; those of no config come last."""
        configs, _ = distinct_configs(self.info["sessions"])
        named = [label for config in configs for label in labels(config["config"])]
        ran = self.table.backends
        return [backend for backend in dict.fromkeys([*named, *ran]) if backend in ran]


def rows_at(campaigns: Iterable[Campaign], runs: Column) -> Iterator[RunRow]:
    """Yield the rows of some runs of several campaigns, by their numbers in the joined table, ascending."""
    for campaign in campaigns:
        here = runs < len(campaign.table)
        yield from campaign.rows.at(runs[here].tolist())
        runs = runs[~here] - len(campaign.table)


class Contents:
    """All rows of a campaign's file, also those that a later one replaces."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.columns, self.end = folder, Columns(), ""  # why reading ended before the file
        self.offsets, self._runs = array("q"), array("q")
        self._faults: list[str] = []
        self._skipped = 0

    def read(self) -> None:
        """Add the rows of the file; raise FormatError if it has lines, and not one is a row."""
        offset, path = 0, self.folder / FILE
        try:
            for number, line in enumerate(read_lines(path), start=1):
                try:
                    self.add(line, offset)
                except FormatError as error:
                    if line.endswith(b"\n"):  # or it is torn
                        self._skip(f"{path}:{number}: {error.message}")
                offset += len(line)
        except OSError as error:
            self.end = f"{path}: {error.strerror or error}; what follows is lost"
        if not len(self.columns) and (fault := next(iter([*self._faults, self.end]), "")):
            raise FormatError(f"{fault}; no line here is a row")

    def add(self, line: bytes, offset: int) -> None:
        """Add a row; raise FormatError if the line is none."""
        row = decode_line(line)
        self.columns.add(row)
        self.offsets.append(offset)
        self._runs.append(hash(row.run))

    def _skip(self, fault: str) -> None:
        self._skipped += 1
        if len(self._faults) < _FAULTS_NAMED:
            self._faults.append(fault)
        if self._skipped == _MOST_FAULTS:
            raise OSError(f"{_MOST_FAULTS} lines are no rows")

    def campaign(self, codes: Codes | None = None) -> Campaign:
        """Return the campaign with the last row of each run, of the code that counts (`read_campaign`)."""
        info, table = read_info(self.folder), self.columns.table()
        counts, old = _counting(table, info["codes"] if codes is None else codes)
        runs, numbers = np.array(self._runs, np.int64), np.flatnonzero(counts)
        _, last = np.unique(runs[numbers][::-1], return_index=True)
        kept = np.zeros(len(table), bool)
        kept[numbers[len(numbers) - 1 - last]] = True
        rows = Rows(self.folder, np.array(self.offsets, np.int64), runs, table).select(kept)
        name = info["name"] or next((row["campaign"] for row in islice(rows, 1)), "") or self.folder.name
        more = self._skipped - len(self._faults)
        faults = [
            *([self.end] if self.end else []),
            *(f"{fault}; the line is skipped, and its run counts as not done" for fault in self._faults),
            *([f"{more} more lines are skipped"] if more else []),
            *([_superseded(old)] if old else []),
        ]
        return Campaign(self.folder, name[: bounds.NAME_CHARS], info, rows, faults)


def _counting(table: RunTable, codes: Codes) -> tuple[NDArray[np.bool_], Counter[str]]:
    """Return which rows are of the code that counts, and how many are not, by backend."""
    counts, old = np.ones(len(table), bool), Counter[str]()
    for backend in codes.keys() & {*table.backends}:
        others = [setting.code not in codes[backend] for setting in table.settings]
        is_old = (table["backend"] == table.backends.index(backend)) & np.array(others)[table["setting"]]
        counts &= ~is_old
        old.update({backend: int(is_old.sum())})
    return counts, +old


def _superseded(old: Counter[str]) -> str:
    """Say that rows of other code do not count."""
    named = ", ".join(f"{backend:.60} ({rows})" for backend, rows in old.most_common(5))
    rest = f" and {len(old) - 5} more backends" if len(old) > 5 else ""
    what = f"{old.total()} rows were made by other code: {named}{rest}"
    return f"{what}; they are kept, but not scored; nonocsp bench --keep-old scores them"


class Store:
    """The rows of one campaign, open for appending by this process alone; its folder is made if missing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lines = JsonLines(folder / FILE)
        self._contents = Contents(folder)

    def __enter__(self) -> Self:
        """Read the rows that are there."""
        for name in WRITTEN:
            refuse_link(self.folder / name)
        self._lines.__enter__()
        try:
            self._contents.read()
            if self._contents.end:  # rows that are appended would be lost, too
                advice = "remove the lines that are no rows, or name another output"
                raise FormatError(f"{self._contents.end}; {advice}")
        except BaseException:
            self._lines.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, *arguments: object) -> None:
        self._lines.__exit__(*arguments)

    def append(self, row: RunRow) -> RunRow:
        """Store a row and return it as it is stored; UsageError if it cannot be written."""
        offset = self._lines.size
        try:
            stored = put_aside(row, self.folder)
            line = encode_row(stored)
            if len(line) > MAX_BYTES:
                raise FormatError(f"it has {len(line) >> 20} MiB; expected at most {MAX_BYTES >> 20} MiB")
            self._contents.add(line, offset)
        except FormatError as error:  # no reader would accept it
            stored = crashed_row(row, f"the row cannot be stored: {error.message}")
            line = encode_row(stored)
            self._contents.add(line, offset)
        except OSError as error:
            cannot = f"the solutions of {row['run']} cannot be written: {error.strerror}"
            raise UsageError(f"{cannot}. {ADVICE}") from None
        self._lines.write(line)
        return stored

    @property
    def last(self) -> tuple[int, tuple[int, int], int]:
        """The key of the puzzle of the last row, its digests of what it found and excludes, and its place."""
        return (*self._contents.columns.said, self._contents.offsets[-1])

    def read(self, place: int) -> RunRow:
        """Return the row at a place, with all its solutions."""
        return with_all_solutions(next(_rows_at(self.folder, [place])), self.folder)

    def campaign(self, codes: Codes | None = None) -> Campaign:
        """Return what is stored now, as `read_campaign` does."""
        return self._contents.campaign(codes)


def holds_rows(folder: Path) -> bool:
    """Return whether a folder holds a campaign."""
    return (folder / FILE).exists()


def read_campaign(folder: str | Path, codes: Codes | None = None) -> Campaign:
    """Return what is stored of a campaign, complete or not, even while its driver is writing.

    `codes` says whose rows count, by default what the last call of ``nonocsp bench`` took. UsageError if the
    folder holds no campaign, FormatError if not one line is a row, and for an invalid ``campaign.json``.
    """
    folder = Path(folder)
    for name in (FILE, INFO):
        refuse_link(folder / name)
    if not holds_rows(folder):
        why = f"there is no {FILE} in it" if folder.is_dir() else "there is no such folder"
        raise UsageError(f"{folder} holds no campaign: {why}")
    contents = Contents(folder)
    contents.read()
    return contents.campaign(codes)


def set_aside(folder: Path) -> Path | None:
    """Rename a campaign's folder to the first free name such as ``NAME.1``; None if it holds no campaign."""
    if not holds_rows(folder):
        return None
    if Path.cwd().is_relative_to(folder.resolve()):
        raise UsageError(f"{folder} is to be renamed, and this process runs in it: start from another folder")
    folder = folder if folder.name not in ("", "..") else folder.resolve()
    refuse_link(folder / FILE)
    with locked(folder / FILE):  # so that no driver is writing
        numbered = (folder.with_name(f"{folder.name}.{number}") for number in count(1))
        free = next(path for path in numbered if not os.path.lexists(path))
        try:
            return folder.rename(free)
        except OSError as error:
            cannot = f"{folder} cannot be renamed to {free.name}: {error.strerror}"
            raise UsageError(f"{cannot}; choose another folder for the new results, or move these") from None
