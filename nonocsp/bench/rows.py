"""What rows and sessions may look like: the types of all keys that nonocsp looks at.

Folders of results come from other people, too. A file is therefore checked where it is read, once; behind
that every key that is there has its type, numbers are finite and of 64 bits, grids have their puzzle's size,
and texts can be written as UTF-8. Whether a key is there is for those to say who need it. About 10 µs a row.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Required

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from nonocsp.model.puzzle import MAX_LINES

Count = Annotated[int, Field(ge=0, lt=1 << 63)]
Number = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Lines = Annotated[int, Field(ge=1, le=MAX_LINES)]
Seed = Annotated[int, Field(ge=-(1 << 63), lt=1 << 63)]
Text = Annotated[str, Field(max_length=1 << 20)]
Figure = Seed | Annotated[float, Field(allow_inf_nan=False)] | Text | bool | None
Cells = list[Text]


_OPEN, _CLOSED = ConfigDict(strict=True, extra="ignore"), ConfigDict(strict=True, extra="forbid")


@with_config(_CLOSED)
class _Limits(TypedDict):
    wall: Number | None
    cpu: Number | None
    memory: Count | None


@with_config(_OPEN)
class _Row(TypedDict, total=False):
    """A line of ``runs.jsonl`` (`nonocsp.bench.campaign` writes it)."""

    run: Required[Annotated[str, Field(pattern=r"^[\w.-]+$")]]
    campaign: Text
    puzzle: Text
    index: Count
    puzzle_hash: Text
    palette: list[Annotated[list[Text], Field(min_length=2, max_length=2)]]
    backend: Text
    task: Text
    bound: Count
    seed: Seed
    repeat: Count
    limits: _Limits | None
    rows: Lines
    columns: Lines
    answer: Text
    termination: Text
    wall_s: Number
    cpu_s: Number
    solutions: list[Cells]
    partial: Cells
    message: Text
    wrong: bool
    stats: dict[Text, Figure]
    peak_rss_bytes: Count | None
    executor: Text
    reliable: bool
    conditions: dict[Text, Figure] | None
    versions: dict[Text, Text]
    machine: Text


@with_config(_CLOSED)
class _Machine(TypedDict):
    processor: Text
    cores: Count
    memory_bytes: Count
    os: Text
    host: Text


@with_config(_CLOSED)
class _Git(TypedDict):
    commit: Text
    dirty: bool


@with_config(_OPEN)
class _Session(TypedDict):
    """An entry of ``campaign.json`` (`nonocsp.bench.sessions.Session`)."""

    start: Text
    config: dict[Text, Any]
    config_text: Text
    jobs: Count
    executor: Text
    pin: bool
    planned: Count
    missing: Count
    shard: Annotated[str, Field(pattern=r"^([0-9]{1,6}/[0-9]{1,6})?$")]
    filters: list[Text]
    versions: dict[Text, Text]
    machine: _Machine
    git: _Git | None


_ROW, _SESSIONS = TypeAdapter(_Row), TypeAdapter(list[_Session])


def fault_of_row(row: dict[str, Any]) -> str:
    """Return what is wrong with a row; empty if nothing is."""
    return _fault(_ROW, row) or _fault_of_grids(row) or _fault_of_time(row)


def fault_of_sessions(sessions: Any) -> str:
    """Return what is wrong with the sessions of a campaign; empty if nothing is."""
    return _fault(_SESSIONS, sessions)


def _fault(shape: TypeAdapter[Any], value: Any) -> str:
    try:
        shape.validate_python(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        return f"{place}: {first['msg']}"
    return ""


def _fault_of_grids(row: dict[str, Any]) -> str:
    height, width = row.get("rows"), row.get("columns")
    if height is None or width is None:
        return ""
    grids = [*row.get("solutions", ()), *([row["partial"]] if "partial" in row else [])]
    if all(len(grid) == height and all(len(line) == width for line in grid) for grid in grids):
        return ""
    return f"a grid that is not {height}x{width}, as rows and columns say"


def _fault_of_time(row: dict[str, Any]) -> str:
    started = (row.get("conditions") or {}).get("started")
    try:
        if started:
            datetime.fromisoformat(started).timestamp()
    except (TypeError, ValueError, OverflowError):
        return f"conditions.started: {started!r} is no time in ISO 8601"
    return ""
