"""Read and write ``campaign.json``: a campaign's facts beside its rows, with an entry for each session.

A session is one start of the driver that had something to run: when, with which config, versions, machine and
state of the code. The file is replaced as a whole, so it is never torn. ``configs`` has each
`ConfigRecord` once, and ``sessions`` their numbers, counted from 0; ``codes`` says which rows count.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NotRequired, cast

import msgspec
from msgspec import Meta
from typing_extensions import TypedDict

from nonocsp.bench.rows import Count, Mapped, Text, in_words
from nonocsp.model import FormatError, UsageError, bounds
from nonocsp.run.provenance import CODE_DIGITS, machine, provenance

if TYPE_CHECKING:
    from nonocsp.bench.config import CampaignConfig
    from nonocsp.bench.planning import Shard

FORMAT = 2
FILE = "campaign.json"
_PACKAGE = Path(__file__).parents[1]


class MachineRecord(TypedDict):
    """`nonocsp.run.provenance.Machine`, as data."""

    processor: Text
    cores: Count
    memory_bytes: Count
    os: Text
    host: Text


class GitRecord(TypedDict):
    """`nonocsp.bench.sessions.GitState`, as data."""

    commit: Text
    dirty: bool
    content: NotRequired[Text]


class ConfigRecord(TypedDict):
    """A config as data, with every default and what the command line overrode, and as its author wrote it."""

    config: dict[str, Any]
    config_text: Text


class SessionFacts(TypedDict):
    """What is stored for each session."""

    start: Text  # ISO 8601, in UTC
    jobs: Count
    executor: Text
    pin: bool
    planned: Count  # runs of its shard and filters
    missing: Count  # of these, to be done
    shard: Annotated[str, Meta(pattern=r"^([0-9]{1,6}/[0-9]{1,6})?$")]
    filters: list[Text]  # empty for all runs
    versions: Mapped[Text]  # of all packages that the config's backends need
    machine: MachineRecord
    git: GitRecord | None  # None if the code comes from no checkout


class Session(SessionFacts, ConfigRecord):
    """One start of a campaign's driver."""


class StoredSession(SessionFacts):
    """A session with the number of its config."""

    config: Count


class _Content(TypedDict):
    """What the file holds besides its format and name."""

    configs: list[ConfigRecord]
    sessions: list[StoredSession]
    codes: NotRequired[Mapped[list[Text]]]


class CampaignInfo(TypedDict):
    """The content of ``campaign.json``; of a backend without `codes`, the hashes that count, all rows do."""

    name: str
    sessions: list[Session]
    codes: dict[str, list[str]]


NO_INFO: CampaignInfo = {"name": "", "sessions": [], "codes": {}}
"""What is known of a folder without ``campaign.json``."""

_ADVICE = "the JSON that nonocsp wrote; you can remove the file, and the rows are still read"
_SHOWN = 60
"""Characters of a value that an error repeats."""


def new_session(config: CampaignConfig, shard: Shard, planned: int, missing: int) -> Session:
    """Return the session that starts now, on this machine, with the code as it is."""
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
    """Return what a folder's ``campaign.json`` says; `NO_INFO` if there is none."""
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
        info = msgspec.json.decode(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not JSON: {error}", file=str(path), expected=_ADVICE) from None
    if not isinstance(info, dict) or not {"format", "name", "sessions"} <= info.keys():
        raise FormatError("not a campaign", file=str(path), expected="the keys format, name, sessions")
    if info["format"] != FORMAT:
        shown = f"{info['format']!r:.{_SHOWN}}"
        advice = "run the campaign again in a new folder" if shown == "1" else "update it"
        raise UsageError(f"{path} has format {shown}; this nonocsp reads format {FORMAT}: {advice}")
    if not isinstance(info["name"], str):
        raise FormatError("name: expected the name of the campaign", file=str(path))
    try:
        known = msgspec.convert(info, _Content)
    except ValueError as error:
        raise FormatError(in_words(error), file=str(path)) from None
    configs = known["configs"]
    if any(session["config"] >= len(configs) for session in known["sessions"]):
        raise FormatError("a session has the number of a config that is missing", file=str(path))
    sessions = [
        cast("Session", session | configs[session["config"]])  # type: ignore[operator]
        for session in known["sessions"]
    ]
    return {"name": info["name"][: bounds.NAME_CHARS], "sessions": sessions, "codes": known.get("codes", {})}


def write_info(folder: Path, info: CampaignInfo) -> None:
    """Write ``campaign.json`` anew; after a crash there is either the old or the new one."""
    path, new = folder / FILE, folder / f".{FILE}.new"
    content = _compact(info)
    try:
        text = msgspec.json.encode(content) + b"\n"
        msgspec.json.decode(text, type=_Content)
    except (ValueError, TypeError) as error:
        raise UsageError(f"{FILE} would be unreadable: {in_words(error)}") from None
    if limit := _broken_limit(text):
        raise UsageError(
            f"{FILE} would be too large, with {len(info['sessions'])} sessions; expected {limit}; "
            "name another output, or set the file aside: the rows are read without it"
        )
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
    return {
        "format": FORMAT,
        "name": info["name"],
        "configs": configs,
        "sessions": sessions,
        "codes": info["codes"],
    }


def distinct_configs(sessions: Sequence[Session]) -> tuple[list[ConfigRecord], list[int]]:
    """Return each config of some sessions once, and for each session the number of its config, from 0."""
    configs, known = dict[str, ConfigRecord](), dict[tuple[int, int], int]()
    places, numbers = dict[str, int](), list[int]()
    for session in sessions:
        same = id(session["config"]), id(session["config_text"])  # 100 000 sessions can share a large one
        if same not in known:
            config: ConfigRecord = {"config": session["config"], "config_text": session["config_text"]}
            text = json.dumps(config, sort_keys=True)
            configs.setdefault(text, config)
            known[same] = places.setdefault(text, len(places))
        numbers.append(known[same])
    return [*configs.values()], numbers


def add_session(
    folder: Path, name: str, session: Session, codes: Mapping[str, Iterable[str]] | None = None
) -> None:
    """Append a session to a folder's ``campaign.json``; without `codes`, those that count stay."""
    info = read_info(folder)
    known = info["codes"] if codes is None else _sorted(codes)
    write_info(folder, {"name": name, "sessions": [*info["sessions"], session], "codes": known})


def set_codes(folder: Path, name: str, codes: Mapping[str, Iterable[str]]) -> None:
    """Store which code counts (`CampaignInfo`), if that is not what ``campaign.json`` says."""
    info = read_info(folder)
    if info["codes"] != (known := _sorted(codes)):
        write_info(folder, {**info, "name": name, "codes": known})


def _sorted(codes: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    return {backend: sorted(own) for backend, own in codes.items()}


@dataclass(frozen=True, slots=True)
class GitState:
    """The commit that a checkout is at, and whether tracked files differ from it; as text, both in short."""

    commit: str
    dirty: bool
    content: str = ""  # a hash of the differences

    def __str__(self) -> str:
        changes = f" with changes {self.content}".rstrip() if self.dirty else ""
        return f"{self.commit[:10]}{changes}"


def git_state(package: Path = _PACKAGE) -> GitState | None:
    """Return the state of the checkout that the code comes from; None without a checkout or without git."""
    if _git(package, "ls-files", "--error-unmatch", "__init__.py") is None:
        return None
    commit = _git(package, "rev-parse", "HEAD")
    changes = _git(package, "diff", "HEAD", "--binary", "--no-ext-diff", "--no-textconv", "--no-color")
    if commit is None or changes is None:
        return None
    content = hashlib.sha256(changes).hexdigest()[:CODE_DIGITS] if changes else ""
    return GitState(commit.decode().strip(), bool(changes), content)


def _git(folder: Path, *arguments: str) -> bytes | None:
    """Return what git prints; None if it fails."""
    command = ["git", "-C", str(folder), "--no-optional-locks", *arguments]
    try:
        return subprocess.run(command, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
