"""What is known of a campaign beside its rows: ``campaign.json``, one entry a session.

A session is one start of the driver that had something to run: when, with which config, versions, machine and
state of the code. The first one is the start of the campaign, each further one a resumption, or a piece that
was merged. The file is replaced as a whole, so it is never torn.

Format 1: an object with ``format`` (1), ``name`` and ``sessions``; the keys of a session are the fields of
`Session`.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nonocsp.bench.provenance import git_state, machine, versions
from nonocsp.model import FormatError, UsageError

if TYPE_CHECKING:
    from nonocsp.bench.config import CampaignConfig
    from nonocsp.bench.shards import Part

FORMAT = 1
FILE = "campaign.json"

Info = dict[str, Any]
"""The content of ``campaign.json``; empty for a folder without one."""


@dataclass(frozen=True, slots=True)
class Session:
    """One start of a campaign's driver.

    Parameters
    ----------
    start
        ISO 8601, UTC.
    config, config_text
        The config as data, with every default and what the command line overrode, and as its author wrote it.
    jobs, executor, pin
        How runs were measured.
    planned, missing
        Runs of this session's part of the plan, and how many of them had to be done.
    shard, filters
        The part: ``"2/5"`` and what ``--filter`` said; empty for all.
    versions
        By package, of everything that the config's backends need.
    machine
        `nonocsp.bench.provenance.Machine`, as data.
    git
        `nonocsp.bench.provenance.GitState`, as data; None if the code comes from no checkout.
    """

    start: str
    config: dict[str, Any]
    config_text: str
    jobs: int
    executor: str
    pin: bool
    planned: int
    missing: int
    shard: str
    filters: tuple[str, ...]
    versions: dict[str, str]
    machine: dict[str, Any]
    git: dict[str, Any] | None

    @classmethod
    def of(cls, config: CampaignConfig, part: Part, planned: int, missing: int) -> Session:
        """Return the session that starts now, on this machine, with the code as it is."""
        git = git_state()
        return cls(
            start=datetime.now(UTC).isoformat(timespec="milliseconds"),
            config=config.model_dump(mode="json", exclude_none=True),
            config_text=config.text,
            jobs=config.jobs,
            executor=config.executor,
            pin=config.pin,
            planned=planned,
            missing=missing,
            shard=part.shard,
            filters=part.filters,
            versions={name: number for spec in config.backends for name, number in versions(spec).items()},
            machine=asdict(machine()),
            git=asdict(git) if git else None,
        )


def read_info(folder: Path) -> Info:
    """Return what a folder's ``campaign.json`` says; empty if there is none.

    Raises
    ------
    FormatError
        If it is not what `write_info` writes.
    UsageError
        If a later version of nonocsp wrote it.
    """
    from nonocsp.bench.rows import fault_of_sessions  # brings pydantic along

    path = folder / FILE
    try:
        info = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 0)
        advice = "what nonocsp wrote; without the file the rows are read all the same"
        raise FormatError(f"not JSON: {error}", file=str(path), line=line, expected=advice) from None
    if not isinstance(info, dict) or not {"format", "name", "sessions"} <= info.keys():
        raise FormatError("not a campaign", file=str(path), expected="the keys format, name, sessions")
    if info["format"] != FORMAT:
        raise UsageError(f"{path} has format {info['format']}; this nonocsp reads format {FORMAT}: update it")
    if not isinstance(info["name"], str):
        raise FormatError('"name" is not a text', file=str(path), expected="the name of the campaign")
    if fault := fault_of_sessions(info["sessions"]):
        raise FormatError(f"sessions.{fault}", file=str(path), expected="what nonocsp wrote")
    return info


def write_info(folder: Path, name: str, sessions: list[Info]) -> None:
    """Write ``campaign.json`` anew; after a crash there is either the old or the new one."""
    path, new = folder / FILE, folder / f".{FILE}.new"
    with new.open("w", encoding="utf-8") as file:
        json.dump({"format": FORMAT, "name": name, "sessions": sessions}, file, indent=1)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def add_session(folder: Path, name: str, session: Session) -> None:
    """Append a session to a folder's ``campaign.json``."""
    write_info(folder, name, [*read_info(folder).get("sessions", []), asdict(session)])
