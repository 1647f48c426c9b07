"""Keep the rows of a campaign: ``runs.jsonl``, which survives being killed (`nonocsp.json_lines`).

A run that is done again is appended; its last row counts. Reading 100 000 rows of 2 KB takes about 4 s. What
many rows share (versions, limits, names, grids) is in memory once.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any

from nonocsp.bench.backend_entry import labels
from nonocsp.bench.rows import RunRow, check_row
from nonocsp.bench.sessions import CampaignInfo, read_info
from nonocsp.bench.table import RunTable
from nonocsp.json_lines import JsonLines, read_json_lines
from nonocsp.model import UsageError

FILE = "runs.jsonl"


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
        The last row of each run, in the order in which the runs first ended.
    """

    folder: Path
    name: str
    info: CampaignInfo
    rows: list[RunRow]

    @property
    def backends(self) -> list[str]:
        """Return the backends that have run, in the order of the configs; those of no config come last."""
        named = [label for session in self.info["sessions"] for label in labels(session["config"])]
        ran = self.table.backends
        return [backend for backend in dict.fromkeys([*named, *ran]) if backend in ran]

    @cached_property
    def table(self) -> RunTable:
        """The columns of the rows."""
        return RunTable.of(self.rows)

    def rows_at(self, numbers: Iterable[int]) -> Iterator[RunRow]:
        """Yield the rows of some runs of the table, whose numbers ascend."""
        return (self.rows[number] for number in numbers)


def read_campaign(folder: str | Path) -> Campaign:
    """Return what is stored of a campaign, complete or not, even while its driver is writing.

    Raises
    ------
    UsageError
        If the folder holds no campaign.
    FormatError
        At an invalid row, and for an invalid ``campaign.json``.
    """
    folder = Path(folder)
    if not (folder / FILE).is_file():
        raise UsageError(f"{folder} holds no campaign: there is no {FILE} in it")
    info = read_info(folder)
    rows = last_rows(read_rows(folder / FILE))
    name = info["name"] or (rows[0]["campaign"] if rows else "") or folder.name
    return Campaign(folder, name, info, rows)


def last_rows(rows: Iterator[RunRow]) -> list[RunRow]:
    """Return the last row of each run, in the order in which the runs first appear."""
    was_enabled = gc.isenabled()
    gc.disable()  # or it would walk again and again through rows that are only added
    try:
        return list({row["run"]: row for row in rows}.values())
    finally:
        if was_enabled:
            gc.enable()


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
    if not (folder / FILE).exists():
        return None
    with Store(folder):  # so that no driver is
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

    def rows(self) -> list[RunRow]:
        """Return the last row of each run that is stored."""
        return last_rows(read_rows(self.path))


def read_rows(path: Path) -> Iterator[RunRow]:
    """Yield the rows of a file of runs, oldest first; a torn last line is passed over.

    Equal parts of rows are the same object: do not change rows in place.

    Raises
    ------
    FormatError
        At a line that is no JSON object, or no row (`nonocsp.bench.rows.check_row`).
    """
    sharing, file = _Sharing(), str(path)
    for line, record in enumerate(read_json_lines(path), start=1):
        row = check_row(record, file=file, line=line)
        sharing.share(record)  # the same object
        yield row


class _Sharing:
    """Makes equal parts of many rows one object, which saves most of their memory."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._grids: dict[tuple[str, ...], list[str]] = {}
        self._mappings: dict[tuple[tuple[str, Any], ...], dict[str, Any]] = {}

    def share(self, record: dict[str, Any]) -> None:
        """Replace parts of a record by equal parts of earlier records."""
        for key, value in record.items():
            if isinstance(value, str):
                record[key] = self._texts.setdefault(value, value)
            elif key == "solutions":
                record[key] = [self._grids.setdefault(tuple(grid), grid) for grid in value]
            elif key in ("limits", "versions"):
                record[key] = self._mappings.setdefault(tuple(value.items()), value)
