"""Merge campaigns from several folders: shards that ran on different machines, or at different times.

The merged folder holds the union of the rows by run, and all sessions in the order of their start, so it can
be reported, resumed and merged again. All is written to a new folder, which is renamed at the end.
"""

from __future__ import annotations

import heapq
import json
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from nonocsp.bench.caveats import caveats
from nonocsp.bench.contradictions import KEPT, Disagreement, disagreements
from nonocsp.bench.report.figures import shortened
from nonocsp.bench.sessions import Session, distinct_configs, write_info
from nonocsp.bench.solutions import copy_solutions, with_all_solutions
from nonocsp.bench.store import NO_ROW, Campaign, Rows, Store, holds_rows, read_campaign
from nonocsp.formats.source import is_plain
from nonocsp.formats.target import make_folder, refuse_link
from nonocsp.model import UsageError, bounds

_NAMED = 20
"""The most missing shards that are named."""
_MEASURED = ("puzzles", "backends", "task", "bound", "limits", "seeds", "repeats")
"""The keys of a config that say what is measured; the others say how."""
_VALUES, _CHARS = 3, 100
"""The most values of a key in which configs differ that are told, and the most characters of each."""


@dataclass(frozen=True, slots=True)
class Merged:
    """A merged campaign."""

    campaign: Campaign
    doubled: int  # rows left out, because an earlier folder holds their run
    disagreements: list[Disagreement]  # between rows of one run
    warnings: list[str]  # why rows are hard to compare
    missing_shards: list[str]  # the first `_NAMED`, such as ``2/5``


def merge(folders: Sequence[Path], output: Path, *, name: str = "") -> Merged:
    """Merge campaigns into a new folder; where two hold the same run, the earlier one wins."""
    campaigns = [read_campaign(folder) for folder in folders]
    names = {campaign.name: campaign.folder for campaign in campaigns}
    if not name and len(names) > 1:
        listed = ", ".join(f"{name} in {folder}" for name, folder in names.items())
        raise UsageError(f"these are different campaigns: {listed}; to merge them anyway, give --name NAME")
    name = name or campaigns[0].name
    sessions = _sessions(campaigns)
    with _new_folder(output) as draft:
        write_info(draft, {"name": name, "sessions": sessions, "codes": {}})
        doubled, found = _merge_rows(campaigns, draft)
        for campaign in campaigns:
            _copy_failures(campaign.folder, draft)
    merged = read_campaign(output)
    configs = [record["config"] for record in distinct_configs(sessions)[0]]
    shards, rest = _missing_shards(sessions)
    return Merged(
        merged,
        doubled,
        found,
        [
            *(fault for campaign in campaigns for fault in campaign.faults),
            *caveats(merged.table, sessions),
            *_differences(configs),
            *(f"shard {shard} is missing" for shard in shards),
            *([f"{rest} more shards are missing"] if rest else []),
        ],
        shards,
    )


@contextmanager
def _new_folder(output: Path) -> Iterator[Path]:
    """Yield a new folder that becomes `output` at the end; an error removes it."""
    refuse_link(output)
    if holds_rows(output):
        raise UsageError(f"{output} holds a campaign already: choose another --output")
    if output.exists() and not (output.is_dir() and not any(output.iterdir())):
        raise UsageError(f"{output} is not an empty folder: choose another --output")
    if output.exists() and output.samefile(Path.cwd()):
        raise UsageError(f"{output} is the current folder, which nothing can replace: name a folder in it")
    make_folder(output.parent, follow_links=True)
    draft = output.parent / f".merge-{secrets.token_hex(4)}.part"
    draft.mkdir()
    try:
        yield draft
        draft.rename(output)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _sessions(campaigns: Sequence[Campaign]) -> list[Session]:
    """Return the sessions of campaigns, each once, in the order of their start."""
    stored = (campaign.info["sessions"] for campaign in campaigns)
    # those of a folder keep their order: the clock may have been set back between them
    sessions = [*heapq.merge(*stored, key=lambda session: session["start"])]
    distinct: dict[str, Session] = {}
    for session, number in zip(sessions, distinct_configs(sessions)[1], strict=True):
        text = json.dumps({**session, "config": number, "config_text": ""}, sort_keys=True)
        distinct.setdefault(text, session)
    return [*distinct.values()]


def _merge_rows(campaigns: Sequence[Campaign], output: Path) -> tuple[int, list[Disagreement]]:
    """Write the rows of campaigns to a folder, each run once."""
    doubled, found = 0, list[Disagreement]()
    with Store(output) as store:
        for campaign in campaigns:
            known = store.campaign().rows
            numbers = known.numbers_like(campaign.rows).tolist()
            for place, (row, number) in enumerate(zip(campaign.rows, numbers, strict=True)):
                copy_solutions(row, campaign.folder, output)  # of a doubled run if the first lacks them
                if number == NO_ROW:
                    store.append(row)
                    continue
                doubled += 1
                if len(found) < KEPT and _said(known, number) != _said(campaign.rows, place):
                    rows = [next(known.at([number])), with_all_solutions(row, campaign.folder)]
                    found += disagreements(rows)[: KEPT - len(found)]
    return doubled, found


def _said(rows: Rows, number: int) -> tuple[int, int]:
    return int(rows.table["found"][number]), int(rows.table["claim"][number])


def _copy_failures(source: Path, target: Path) -> None:
    failures = source / "failures"
    for path in failures.glob("*.json"):
        if is_plain(path, bounds.FILE_BYTES) and not failures.is_symlink():
            (target / "failures").mkdir(exist_ok=True)
            shutil.copyfile(path, target / "failures" / path.name)


def _differences(configs: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a sentence for each key in which configs differ, with their values."""
    for key in _MEASURED:
        texts = [*dict.fromkeys(json.dumps(config.get(key), ensure_ascii=False) for config in configs)]
        if len(texts) > 1:
            shown = ", then ".join(shortened(text, _CHARS) for text in texts[:_VALUES])
            more = f" and {len(texts) - _VALUES} more" if len(texts) > _VALUES else ""
            yield f"the configs differ in {key}: {shown}{more}"


def _missing_shards(sessions: Iterable[Session]) -> tuple[list[str], int]:
    """Return the first shards that are missing of campaigns cut into shards, and how many more are."""
    found: dict[int, set[int]] = {}
    for session in sessions:
        if session["shard"]:
            number, count = map(int, session["shard"].split("/"))
            found.setdefault(count, set()).add(number)
    missing = (
        f"{number}/{count}"
        for count, there in found.items()
        for number in range(1, count + 1)
        if number not in there
    )
    named = [*islice(missing, _NAMED)]
    return named, max(0, sum(count - len(there) for count, there in found.items()) - len(named))
