"""Read and write ``campaign.json``: a campaign's facts beside its rows, with an entry for each session.

A session is one start of the driver that had something to run: when, with which config, versions, machine and
state of the code. The first one is the start of the campaign. Each further one is a resumption, or a shard
that was merged. The file is replaced as a whole, so it is never torn.

Format 1: an object with ``format`` (1), ``name`` and ``sessions``, a list of `Session`.
"""

from __future__ import annotations

import json
import os
from collections import ChainMap
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NotRequired, cast

from pydantic import Field, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from nonocsp.bench.provenance import git_state
from nonocsp.bench.rows import CLOSED, OPEN, Bounded, Count, Listed, Mapped, Text
from nonocsp.faults import first_fault
from nonocsp.model import FormatError, UsageError, bounds
from nonocsp.runner.provenance import machine, provenance

if TYPE_CHECKING:
    from nonocsp.bench.config import CampaignConfig
    from nonocsp.bench.shards import Shard

FORMAT = 1
FILE = "campaign.json"


@with_config(CLOSED)
class MachineRecord(TypedDict):
    """`nonocsp.runner.provenance.Machine`, as data."""

    processor: Text
    cores: Count
    memory_bytes: Count
    os: Text
    host: Text


@with_config(CLOSED)
class GitRecord(TypedDict):
    """`nonocsp.bench.provenance.GitState`, as data."""

    commit: Text
    dirty: bool
    content: NotRequired[Text]


@with_config(OPEN)
class Session(TypedDict):
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
        Runs of this session's shard, and how many of them had to be done.
    shard, filters
        The shard, such as ``"2/5"``, and what ``--filter`` said; empty for all runs.
    versions
        By package, of everything that the config's backends need.
    machine, git
        Where it ran, and the state of the code; `git` is None if the code comes from no checkout.
    """

    start: Text
    config: dict[Text, Any]
    config_text: Text
    jobs: Count
    executor: Text
    pin: bool
    planned: Count
    missing: Count
    shard: Annotated[str, Field(pattern=r"^([0-9]{1,6}/[0-9]{1,6})?$")]
    filters: Listed[Text]
    versions: Mapped[Text]
    machine: Bounded[MachineRecord]
    git: Bounded[GitRecord | None]


class CampaignInfo(TypedDict):
    """The content of ``campaign.json``."""

    name: str
    sessions: list[Session]


NO_INFO: CampaignInfo = {"name": "", "sessions": []}
"""What is known of a folder without ``campaign.json``."""

_ADVICE = "the JSON that nonocsp wrote; you can remove the file, and the rows are still read"
_SESSIONS = TypeAdapter(Listed[Session])


def new_session(config: CampaignConfig, shard: Shard, planned: int, missing: int) -> Session:
    """Return the session that starts now, on this machine, with the code as it is.

    Parameters
    ----------
    config, shard
        What is run.
    planned, missing
        How many runs the shard has, and how many of them have to be done.
    """
    git = git_state()
    return {
        "start": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "config": config.model_dump(mode="json", exclude_none=True),
        "config_text": config.text,
        "jobs": config.jobs,
        "executor": config.executor,
        "pin": config.pin,
        "planned": planned,
        "missing": missing,
        "shard": shard.fraction,
        "filters": [*shard.filters],
        "versions": dict(ChainMap(*(provenance(entry.spec).versions for entry in config.present_backends))),
        "machine": cast("MachineRecord", asdict(machine())),
        "git": cast("GitRecord", asdict(git)) if git else None,
    }


def read_info(folder: Path) -> CampaignInfo:
    """Return what a folder's ``campaign.json`` says; `NO_INFO` if there is none.

    Raises
    ------
    FormatError
        If the file is not what `write_info` writes.
    UsageError
        If a later version of nonocsp wrote it.
    """
    path = folder / FILE
    if not path.exists():
        return NO_INFO
    if not path.is_file():
        raise FormatError("not an ordinary file", file=str(path), expected=_ADVICE)
    with path.open("rb") as file:
        text = file.read(bounds.SESSIONS_BYTES + 1)
    if len(text) > bounds.SESSIONS_BYTES or bounds.has_too_many_marks(text):
        raise FormatError("too large", file=str(path), expected=f"at most {bounds.SESSIONS_BYTES >> 20} MiB")
    try:
        info = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 0)
        raise FormatError(f"not JSON: {error}", file=str(path), line=line, expected=_ADVICE) from None
    if not isinstance(info, dict) or not {"format", "name", "sessions"} <= info.keys():
        raise FormatError("not a campaign", file=str(path), expected="the keys format, name, sessions")
    if info["format"] != FORMAT:
        raise UsageError(f"{path} has format {info['format']}; this nonocsp reads format {FORMAT}: update it")
    if not isinstance(info["name"], str):
        raise FormatError("name: expected the name of the campaign", file=str(path))
    try:
        _SESSIONS.validate_python(info["sessions"])
    except ValidationError as error:
        raise FormatError(first_fault(error, "sessions"), file=str(path)) from None
    return {"name": info["name"], "sessions": info["sessions"]}


def write_info(folder: Path, info: CampaignInfo) -> None:
    """Write ``campaign.json`` anew; after a crash there is either the old or the new one.

    Parameters
    ----------
    folder
        The campaign's.
    info
        The new content.
    """
    path, new = folder / FILE, folder / f".{FILE}.new"
    new.unlink(missing_ok=True)
    with new.open("x", encoding="utf-8") as file:  # not through a link
        json.dump({"format": FORMAT, **info}, file, indent=1)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def add_session(folder: Path, name: str, session: Session) -> None:
    """Append a session to a folder's ``campaign.json``.

    Parameters
    ----------
    folder, name
        The campaign's.
    session
        The new entry.
    """
    write_info(folder, {"name": name, "sessions": [*read_info(folder)["sessions"], session]})
