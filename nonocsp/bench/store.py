"""Where rows are kept: ``runs.jsonl``, which survives being killed (`nonocsp.json_lines`).

A run that is done again is appended; its last row counts. Reading 100 000 rows of 2 KB takes about 4 s: what
many rows share (versions, limits, names, grids) is in memory once.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from nonocsp.bench.sessions import Info, read_info
from nonocsp.json_lines import JsonLines, read_json_lines
from nonocsp.model import FormatError, UsageError

Row = dict[str, Any]

FILE = "runs.jsonl"

_NEEDED = {
    "run", "campaign", "puzzle", "index", "puzzle_hash", "rows", "columns", "backend", "task", "bound",
    "seed", "repeat", "limits", "answer", "termination", "wall_s", "cpu_s", "solutions", "stats",
    "peak_rss_bytes", "executor", "reliable", "versions", "machine",
}  # fmt: skip
"""Keys of a row that some table or plot is about."""


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

    @property
    def backends(self) -> list[str]:
        """Return the specs that have run, in the order of the configs; what no config names comes last."""
        sessions = self.info.get("sessions", ())
        named = [spec for session in sessions for spec in session["config"].get("backends", ())]
        ran = dict.fromkeys(row["backend"] for row in self.rows)
        return [spec for spec in dict.fromkeys([*named, *ran]) if spec in ran]


def read_campaign(folder: str | Path) -> Campaign:
    """Return what is stored of a campaign, complete or not, even while its driver is writing.

    Raises
    ------
    UsageError
        If the folder holds no campaign.
    FormatError
        At a line that is no row, and for a ``campaign.json`` that is none (`nonocsp.bench.rows`).
    """
    folder = Path(folder)
    if not (folder / FILE).is_file():
        raise UsageError(f"{folder} holds no campaign: there is no {FILE} in it")
    info = read_info(folder)
    rows = last_rows(read_rows(folder / FILE))
    name = info.get("name") or (rows[0].get("campaign") if rows else "") or folder.name
    return Campaign(folder, name, info, rows)


def refuse_incomplete(campaign: Campaign) -> None:
    """Raise FormatError if a row lacks what a report needs."""
    for row in campaign.rows:
        if not row.keys() >= _NEEDED:
            lacking = ", ".join(sorted(_NEEDED - row.keys()))
            raise FormatError(
                f"the run {row['run']} lacks {lacking}",
                file=str(campaign.folder / FILE),
                expected="the rows of a campaign",
            )


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


class Store(JsonLines):
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
        super().__init__(folder / FILE)
        self.folder = folder

    def rows(self) -> list[Row]:
        """Return the last row of each run that is there."""
        return last_rows(read_rows(self.path))


def read_rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a file of runs, oldest first; a torn last line is passed over.

    Equal parts of rows are the same object: do not change rows in place.

    Raises
    ------
    FormatError
        At a line that is no JSON object, or none that describes a run.
    """
    from nonocsp.bench.rows import fault_of_row  # brings pydantic along

    share = _Sharing()
    for line, row in enumerate(read_json_lines(path), start=1):
        if fault := fault_of_row(row):
            raise FormatError(fault, file=str(path), line=line, expected="a row as nonocsp writes them")
        yield share.row(row)


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
