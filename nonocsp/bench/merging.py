"""One campaign from several folders: pieces that were run on different machines, or at different times.

The merged folder holds the union of the rows by run, and all sessions in the order of their start, so that it
can be reported, resumed and merged again. A run that several folders hold is taken from the first of them;
what the others say of it is still compared with that.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from nonocsp.bench.caveats import caveats
from nonocsp.bench.contradictions import CrossCheck, Disagreement
from nonocsp.bench.sessions import Info, write_info
from nonocsp.bench.store import FILE, Campaign, Row, Store, read_campaign, refuse_incomplete
from nonocsp.model import UsageError


@dataclass(frozen=True, slots=True)
class Merged:
    """What came of a merger.

    Parameters
    ----------
    doubled
        How many rows were left out, because an earlier folder holds their run.
    disagreements
        Rows of one run that contradict each other.
    warnings
        What makes the rows hard to compare, and what seems to be missing.
    """

    campaign: Campaign
    doubled: int
    disagreements: list[Disagreement]
    warnings: list[str]


def merge(folders: Sequence[Path], output: Path, *, name: str = "") -> Merged:
    """Merge campaigns into a new folder.

    Parameters
    ----------
    name
        Of the merged campaign; needed if those of the folders differ.

    Raises
    ------
    UsageError
        If a folder holds no campaign, `output` holds one already, or the names differ and none is given.
    FormatError
        If a folder holds something else than nonocsp writes.
    """
    campaigns = [read_campaign(folder) for folder in folders]
    for campaign in campaigns:
        refuse_incomplete(campaign)
    name = name or _common_name(campaigns)
    if (output / FILE).exists():
        raise UsageError(f"{output} holds a campaign already: choose another --output")
    rows, left_out = _union(campaigns)
    sessions = _sessions(campaigns)
    with Store(output) as store:
        write_info(output, name, sessions)
        for row in rows.values():
            store.append(row)
    _copy_failures(campaigns, output)
    kept = [*rows.values()]
    return Merged(
        Campaign(output, name, {"name": name, "sessions": sessions}, kept),
        len(left_out),
        [found for row in left_out for found in CrossCheck([rows[row["run"]]]).add(row)],
        [*caveats(kept, sessions), *_different_configs(sessions), *_missing_pieces(sessions)],
    )


def _common_name(campaigns: Sequence[Campaign]) -> str:
    names = {campaign.name: campaign.folder for campaign in campaigns}
    if len(names) > 1:
        listed = ", ".join(f"{name} in {folder}" for name, folder in names.items())
        raise UsageError(f"these are different campaigns: {listed}; --name NAME merges them all the same")
    return campaigns[0].name


def _union(campaigns: Iterable[Campaign]) -> tuple[dict[str, Row], list[Row]]:
    """Return the first row of each run, and the other rows."""
    rows: dict[str, Row] = {}
    every = [row for campaign in campaigns for row in campaign.rows]
    left_out = [row for row in every if rows.setdefault(row["run"], row) is not row]
    return rows, left_out


def _sessions(campaigns: Iterable[Campaign]) -> list[Info]:
    """Return all sessions, each once, by their start."""
    found: list[Info] = []
    for campaign in campaigns:
        found += [session for session in campaign.info.get("sessions", []) if session not in found]
    return sorted(found, key=lambda session: str(session["start"]))


def _copy_failures(campaigns: Iterable[Campaign], output: Path) -> None:
    for campaign in campaigns:
        if (folder := campaign.folder / "failures").is_dir():
            shutil.copytree(folder, output / "failures", dirs_exist_ok=True)


_MEASURED = ("puzzles", "backends", "task", "bound", "limits", "seeds", "repeats")
"""The keys of a config that say what is measured; the others say how."""


def _different_configs(sessions: Sequence[Info]) -> list[str]:
    configs = [session["config"] for session in sessions]
    keys = [key for key in _MEASURED if any(config.get(key) != configs[0].get(key) for config in configs)]
    return [f"the configs differ in {', '.join(keys)}"] if keys else []


def _missing_pieces(sessions: Iterable[Info]) -> list[str]:
    """Say which pieces are not there, of campaigns that were cut into pieces."""
    pieces: dict[int, set[int]] = {}
    for session in sessions:
        if session["shard"]:
            piece, total = map(int, session["shard"].split("/"))
            pieces.setdefault(total, set()).add(piece)
    return [
        f"piece {piece}/{total} is not among them"
        for total, there in pieces.items()
        for piece in range(1, total + 1)
        if piece not in there
    ]
