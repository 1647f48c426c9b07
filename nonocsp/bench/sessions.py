"""Read and write ``campaign.json``: a campaign's facts beside its rows, with an entry for each session.

A session is one start of the driver that had something to run: when, with which config, versions, machine and
state of the code. The first one is the start of the campaign. Each further one is a resumption, or a shard
that was merged. The file is replaced as a whole, so it is never torn.

Format 2: an object with ``format`` (2), ``name``, ``configs`` and ``sessions``. ``configs`` is a list of
`ConfigRecord`, each once. ``sessions`` is a list of `StoredSession`, with the numbers of their configs,
counted from 0. So a config of ten thousand seeds is stored once, not in each session.

Format 1, which is still read, has a list of `Session` as ``sessions``, and no ``configs``.
"""

from __future__ import annotations

import json
import os
from collections import ChainMap
from collections.abc import Sequence
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
from nonocsp.run.provenance import machine, provenance

if TYPE_CHECKING:
    from nonocsp.bench.config import CampaignConfig
    from nonocsp.bench.shards import Shard

FORMAT = 2
FILE = "campaign.json"


@with_config(CLOSED)
class MachineRecord(TypedDict):
    """`nonocsp.run.provenance.Machine`, as data."""

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
class ConfigRecord(TypedDict):
    """A config as data, with every default and what the command line overrode, and as its author wrote it."""

    config: dict[Text, Any]
    config_text: Text


@with_config(OPEN)
class SessionFacts(TypedDict):
    """What is stored for each session.

    Parameters
    ----------
    start
        ISO 8601, UTC.
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


@with_config(OPEN)
class Session(SessionFacts, ConfigRecord):
    """One start of a campaign's driver."""


@with_config(OPEN)
class StoredSession(SessionFacts):
    """A session of format 2, with the number of its config."""

    config: Count


@with_config(OPEN)
class Format1(TypedDict):
    """Sessions of format 1, each with its config."""

    sessions: Listed[Session]


@with_config(OPEN)
class Format2(TypedDict):
    """Sessions of format 2, and their configs."""

    configs: Listed[ConfigRecord]
    sessions: Listed[StoredSession]


class CampaignInfo(TypedDict):
    """The content of ``campaign.json``."""

    name: str
    sessions: list[Session]


NO_INFO: CampaignInfo = {"name": "", "sessions": []}
"""What is known of a folder without ``campaign.json``."""

_ADVICE = "the JSON that nonocsp wrote; you can remove the file, and the rows are still read"
_FORMATS: dict[object, TypeAdapter[Any]] = {1: TypeAdapter(Format1), FORMAT: TypeAdapter(Format2)}
_SHOWN = 60
"""Characters of a value that an error repeats."""


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
    if limit := _broken_limit(text):
        raise FormatError("too large", file=str(path), expected=limit)
    try:
        info = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 0)
        raise FormatError(f"not JSON: {error}", file=str(path), line=line, expected=_ADVICE) from None
    if not isinstance(info, dict) or not {"format", "name", "sessions"} <= info.keys():
        raise FormatError("not a campaign", file=str(path), expected="the keys format, name, sessions")
    if not isinstance(info["format"], int) or info["format"] not in _FORMATS:
        shown = f"{info['format']!r:.{_SHOWN}}"
        raise UsageError(f"{path} has format {shown}; this nonocsp reads format 1 to {FORMAT}: update it")
    if not isinstance(info["name"], str):
        raise FormatError("name: expected the name of the campaign", file=str(path))
    try:
        _FORMATS[info["format"]].validate_python(info)
    except ValidationError as error:
        raise FormatError(first_fault(error), file=str(path)) from None
    sessions = info["sessions"]
    if info["format"] == FORMAT:
        configs = info["configs"]
        if any(session["config"] >= len(configs) for session in sessions):
            raise FormatError("a session has the number of a config that is missing", file=str(path))
        sessions = [
            session | {key: configs[session["config"]][key] for key in ConfigRecord.__annotations__}
            for session in sessions
        ]
    return {"name": info["name"][: bounds.NAME_CHARS], "sessions": sessions}


def write_info(folder: Path, info: CampaignInfo) -> None:
    """Write ``campaign.json`` anew; after a crash there is either the old or the new one.

    Parameters
    ----------
    folder
        The campaign's.
    info
        The new content.

    Raises
    ------
    UsageError
        If `read_info` would refuse the file.
    """
    path, new = folder / FILE, folder / f".{FILE}.new"
    content = _compact(info)
    text = json.dumps(content, separators=(",", ":")).encode() + b"\n"
    if limit := _broken_limit(text):
        raise UsageError(
            f"{FILE} would be too large, with {len(info['sessions'])} sessions; expected {limit}; "
            "name another output, or set the file aside: the rows are read without it"
        )
    try:
        _FORMATS[FORMAT].validate_python(content)
    except ValidationError as error:
        raise UsageError(f"{FILE} would be unreadable: {first_fault(error)}") from None
    new.unlink(missing_ok=True)
    with new.open("xb") as file:  # not through a link
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def _broken_limit(text: bytes) -> str:
    """Return which limit a ``campaign.json`` breaks, as a phrase; empty if none."""
    if len(text) > bounds.SESSIONS_BYTES:
        return f"at most {bounds.SESSIONS_BYTES >> 20} MiB"
    names = {"[": "lists", "{": "objects", ",": "commas"}
    broken = (mark for mark, most in bounds.JSON_MARKS.items() if text.count(mark.encode()) > most)
    return next((f"at most {bounds.JSON_MARKS[mark]} {names[mark]}" for mark in broken), "")


def _compact(info: CampaignInfo) -> dict[str, Any]:
    """Return the content of the file: each config once, and its number in the sessions."""
    configs, numbers = distinct_configs(info["sessions"])
    sessions = [
        {key: value for key, value in {**session, "config": number}.items() if key != "config_text"}
        for session, number in zip(info["sessions"], numbers, strict=True)
    ]
    return {"format": FORMAT, "name": info["name"], "configs": configs, "sessions": sessions}


def distinct_configs(sessions: Sequence[Session]) -> tuple[list[ConfigRecord], list[int]]:
    """Return each config of some sessions once, and for each session the number of its config, from 0.

    The same object is looked at once: a file can have a hundred thousand sessions with one large config.
    """
    configs, known = dict[str, ConfigRecord](), dict[tuple[int, int], int]()
    places, numbers = dict[str, int](), list[int]()
    for session in sessions:
        same = id(session["config"]), id(session["config_text"])
        if same not in known:
            config: ConfigRecord = {"config": session["config"], "config_text": session["config_text"]}
            text = json.dumps(config, sort_keys=True)
            configs.setdefault(text, config)
            known[same] = places.setdefault(text, len(places))
        numbers.append(known[same])
    return [*configs.values()], numbers


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
