"""Define and check a row of ``runs.jsonl``: `RunRow`.

The keys, types and meanings of a row stand here. All else follows from them: type checks of the code that
makes and uses rows, the check of rows that are read, the columns of an export, and the reference
(docs/reference/rows.md).

Folders of results come from other people, and figures in a row from backends. So every row is checked where
it is read, and by the same rules before it is written. After that, all required keys are there, every value
has its type, numbers are finite and fit 64 bits, and grids have their puzzle's size; only a number of
solutions may be longer (`nonocsp.model.bounds.COUNT_DIGITS`). That costs about 10 µs a row. A run whose row
breaks the rules is written as one that crashed (`storable`).
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Annotated, Any, NotRequired, TypeVar, cast, get_type_hints

from annotated_doc import Doc
from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError, with_config
from pydantic_core import PydanticKnownError
from typing_extensions import TypedDict

from nonocsp.backends.base import MOST_COUNTED, Answer, Task, Termination
from nonocsp.faults import first_fault, one_of
from nonocsp.model import FormatError, bounds
from nonocsp.model.puzzle import MAX_LINES

Count = Annotated[int, Field(ge=0, lt=1 << 63)]
Solutions = Annotated[int, Field(ge=0)]  # at most MOST_COUNTED: `_inconsistency`
Number = Annotated[float, Field(ge=0, le=bounds.ROW_NUMBER, allow_inf_nan=False)]
Lines = Annotated[int, Field(ge=1, le=MAX_LINES)]
Seed = Annotated[int, Field(ge=-(1 << 63), lt=1 << 63)]
Text = Annotated[str, Field(max_length=1 << 20)]
Spec = Annotated[str, Field(max_length=6 * bounds.SPEC_CHARS)]  # JSON writes a letter in up to six
Name = Annotated[str, Field(pattern=r"^\w[\w.-]*$", max_length=60)]  # a file's name has up to 255 bytes
Figure = Seed | Annotated[float, Field(allow_inf_nan=False)] | Text | bool | None

T = TypeVar("T")
Listed = Annotated[list[T], Field(fail_fast=True)]
"""Without that, a list of a million faults would end in as many messages, and take gigabytes."""


def _bounded(value: T) -> T:
    """Refuse a mapping with more keys than any run has, before the faults in each of them are listed."""
    if isinstance(value, dict) and len(value) > bounds.ROW_KEYS:
        context = {"field_type": "Dictionary", "max_length": bounds.ROW_KEYS, "actual_length": len(value)}
        raise PydanticKnownError("too_long", context)
    return value


Bounded = Annotated[T, BeforeValidator(_bounded)]
Mapped = Bounded[dict[Text, T]]
Pair = Annotated[Listed[Text], Field(min_length=2, max_length=2)]

OPEN, CLOSED = ConfigDict(strict=True, extra="ignore"), ConfigDict(strict=True, extra="forbid")


@with_config(CLOSED)
class LimitsRecord(TypedDict):
    """The limits of a run; None is no limit."""

    wall: Annotated[Number | None, Doc("seconds")]
    cpu: Annotated[Number | None, Doc("seconds of all processes of the run")]
    memory: Annotated[Count | None, Doc("bytes of resident memory of all processes of the run")]


@with_config(OPEN)
class Identity(TypedDict):
    """Which run it is."""

    run: Annotated[Name, Doc("hash of what is measured: puzzle, backend, task, limits, seed, repeat")]
    campaign: Annotated[Text, Doc("the name of the config")]


@with_config(OPEN)
class Asked(TypedDict):
    """What was asked of a backend."""

    puzzle: Annotated[Text, Doc("the puzzle's file or rule, with its number in it")]
    index: Annotated[Count, Doc("the puzzle's number in its file or rule, from 1")]
    puzzle_hash: Annotated[Text, Doc("SHA-256 of the puzzle's clues")]
    palette: NotRequired[
        Annotated[
            Listed[Pair],
            Doc("character and colour of each entry of the palette, if there are several colours"),
        ]
    ]
    backend: Annotated[Spec, Doc("the backend's name in the config, else its spec")]
    spec: NotRequired[Annotated[Spec, Doc("the backend's spec, if the config gives it a name")]]
    task: Annotated[str, Field(pattern=one_of(Task)), Doc("the task")]
    bound: Annotated[
        Count | None, Doc("the most solutions that task `count` looks for; null: it counts all of them")
    ]
    seed: Annotated[Seed, Doc("for the backend's random choices")]
    repeat: Annotated[Count, Doc("number of the repeat, from 0")]
    limits: Annotated[
        Bounded[LimitsRecord], Doc("`wall` and `cpu` in seconds, `memory` in bytes; null is no limit")
    ]


@with_config(OPEN)
class CameBack(TypedDict):
    """What came of it."""

    rows: Annotated[Lines, Doc("rows of the puzzle")]
    columns: Annotated[Lines, Doc("columns of the puzzle")]
    answer: Annotated[str, Field(pattern=one_of(Answer)), Doc("what the backend found out")]
    termination: Annotated[str, Field(pattern=one_of(Termination)), Doc("how the run ended")]
    wall_s: Annotated[Number, Doc("seconds of the clock, measured outside the process that ran the backend")]
    cpu_s: Annotated[Number, Doc("CPU seconds of all processes of the run, as the system counts them")]
    solutions: Annotated[
        Listed[Listed[Text]], Doc("verified, distinct; each a list of strings, one for each row")
    ]
    count: NotRequired[
        Annotated[
            Solutions,
            Doc(
                "how many solutions there are, if task `count` proved it; a whole number of up to "
                f"{bounds.COUNT_DIGITS} digits"
            ),
        ]
    ]
    count_at_least: NotRequired[
        Annotated[Solutions, Doc("a proved lower bound, if task `count` did not find out `count`")]
    ]
    solution_count: NotRequired[
        Annotated[Count, Doc("how many solutions were listed, if `solutions` holds only the first ones")]
    ]
    solutions_file: NotRequired[
        Annotated[
            str,
            Field(pattern=r"^solutions/\w[\w.-]*\.json\.gz$", max_length=100),
            Doc("the file in the campaign's folder that holds all solutions, if they are too long for a row"),
        ]
    ]
    partial: NotRequired[
        Annotated[Listed[Text], Doc("grid of an incomplete backend; `?` is an undecided cell")]
    ]
    message: NotRequired[Annotated[Text, Doc("why a run ended early, or what went wrong")]]
    wrong: NotRequired[Annotated[bool, Doc("true if a grid of the backend failed verification")]]
    stats: Annotated[Mapped[Figure], Doc("counts by the backend, such as `nodes`")]


@with_config(OPEN)
class Measured(TypedDict):
    """How and where it was measured."""

    claimed_wall_s: NotRequired[
        Annotated[Number, Doc("seconds of the clock, as the process that ran the backend claims")]
    ]
    claimed_cpu_s: NotRequired[Annotated[Number, Doc("CPU seconds, as that process claims")]]
    peak_rss_bytes: Annotated[
        Count | None,
        Doc(
            "peak resident memory of the run's processes, beyond what its process began with; with executor "
            "`benchexec` all of it; null if unknown"
        ),
    ]
    executor: Annotated[Text, Doc("the executor's name")]
    reliable: Annotated[bool, Doc("true if the run had a core to itself, so that its times can be compared")]
    conditions: NotRequired[
        Annotated[Mapped[Figure | Listed[Count]] | None, Doc("state of the machine when the run started")]
    ]
    versions: Annotated[Mapped[Text], Doc("of nonocsp, Python, the backend and what it uses")]
    machine: Annotated[Text, Doc("processor, cores, system, of where it ran")]
    code: NotRequired[Annotated[Text, Doc("hash of the code of nonocsp and of the backend's package")]]
    left: NotRequired[
        Annotated[
            Listed[Text],
            Doc("processes, files and shared memory that the run left behind; all of it was removed"),
        ]
    ]
    session: NotRequired[
        Annotated[Text, Doc("start of the session that measured the run, as in `campaign.json`")]
    ]


@with_config(OPEN)
class AnswerRow(Asked, CameBack):
    """What one backend said about one puzzle: all that a search for contradictions needs."""


@with_config(OPEN)
class RunRow(Identity, AnswerRow, Measured):
    """A line of ``runs.jsonl``: one run of a campaign. Keys that are not listed are kept and ignored."""


SECTIONS = {
    "Which run it is": Identity,
    "What was asked": Asked,
    "What came back": CameBack,
    "How it was measured": Measured,
}
"""The parts of a row, for the reference."""
KEYS = tuple(get_type_hints(RunRow))
"""The keys of a row, in their order."""

_ROW = TypeAdapter(RunRow)
_UNKNOWN: dict[str, Any] = {
    "answer": str(Answer.UNKNOWN),
    "termination": str(Termination.CRASHED),
    "wall_s": 0.0,
    "cpu_s": 0.0,
    "solutions": [],
    "stats": {},
    "peak_rss_bytes": None,
    "executor": "",
    "reliable": False,
    "versions": {},
    "machine": "",
}
"""What a row says that lost these keys."""
_KEPT = {
    *(key for section in (Identity, Asked, Measured) for key in get_type_hints(section)),
    *("rows", "columns", "wall_s", "cpu_s"),
}
"""The keys that a row keeps when what came back cannot be stored."""
_KEPT_TEXT, _KEPT_BYTES = 1000, 1 << 16
"""The most characters of a text that such a row keeps, and the most bytes of any other value."""


def spec_of(row: Asked) -> str:
    """Return the spec of a row's backend."""
    return row.get("spec", row["backend"])


def solutions_file(run: str) -> str:
    """Return the file in a campaign's folder that holds all solutions of a run."""
    return f"solutions/{run}.json.gz"


def check_row(record: dict[str, Any], *, file: str, line: int) -> RunRow:
    """Return a record as a row.

    Parameters
    ----------
    record
        Any JSON object.
    file, line
        Where it was read, for the error.

    Raises
    ------
    FormatError
        If it is no row, naming file, line, key and what was expected.
    """
    try:
        _ROW.validate_python(record)
    except ValidationError as error:
        raise FormatError(first_fault(error), file=file, line=line) from None
    row = cast("RunRow", record)
    if fault := _inconsistency(row):
        raise FormatError(fault, file=file, line=line)
    return row


def storable(row: RunRow) -> RunRow:
    """Return the row if `check_row` accepts it, else the row of a run that crashed and says what was wrong.

    The other row keeps what was asked, how it was measured, and the times, as far as these can be stored.
    """
    try:
        return check_row(cast("dict[str, Any]", row), file="", line=0)
    except FormatError as error:
        return crashed_row(row, f"the row cannot be stored: {error.message}")


def crashed_row(row: RunRow, message: str) -> RunRow:
    """Return a row that `check_row` accepts, for a run whose own row cannot be stored.

    Parameters
    ----------
    row
        The run's own row.
    message
        Why it cannot be stored.
    """
    kept = {key: _cleaned(value) for key, value in row.items() if key in _KEPT}
    kept = {key: value for key, value in kept.items() if len(json.dumps(value, default=str)) <= _KEPT_BYTES}
    crashed = {**_UNKNOWN, **kept, "message": _cleaned(message)}
    try:
        _ROW.validate_python(crashed)
    except ValidationError as error:
        for key in {str(detail["loc"][0]) for detail in error.errors(include_url=False)}:
            crashed.pop(key, None)
            crashed |= {key: _UNKNOWN[key]} if key in _UNKNOWN else {}
    if _inconsistency(cast("RunRow", crashed)):
        del crashed["conditions"]
    return cast("RunRow", {key: crashed[key] for key in KEYS if key in crashed})


def _inconsistency(row: RunRow) -> str:
    """Say which values of a row do not fit each other; empty if all do."""
    height, width = row["rows"], row["columns"]
    grids = [*row["solutions"], *([row["partial"]] if "partial" in row else [])]
    if not all(len(grid) == height and all(len(cells) == width for cells in grid) for grid in grids):
        key = "partial" if "partial" in row and row["partial"] is grids[-1] else "solutions"
        return f"{key}: expected grids of {height}x{width} cells, as rows and columns say"
    if ("solutions_file" in row or "solution_count" in row) and (fault := _fault_of_file(row)):
        return fault
    least = max(len(row["solutions"]), row.get("solution_count", 0))
    numbers = row.get("count", least), row.get("count_at_least", least)
    if max(numbers) > MOST_COUNTED:
        return f"count, count_at_least: expected numbers of at most {bounds.COUNT_DIGITS} digits"
    if min(numbers) < least:
        return "count, count_at_least: expected at least as many as there are solutions"
    started = (row.get("conditions") or {}).get("started")
    try:
        if started:
            datetime.fromtimestamp(datetime.fromisoformat(started).timestamp(), UTC)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return f"conditions.started: expected a time in ISO 8601, not {started!r:.40}"
    return ""


def _fault_of_file(row: RunRow) -> str:
    """Say what is wrong with the file of solutions that a row names; empty if nothing is."""
    if "solutions_file" not in row or row.get("solution_count", -1) < len(row["solutions"]):
        return "solution_count: expected with solutions_file, and at least as many as solutions holds"
    own = solutions_file(row["run"])  # another run's file would be overwritten when campaigns are merged
    return "" if row["solutions_file"] == own else f"solutions_file: expected {own!r}, the file of this run"


def _cleaned(value: Any) -> Any:
    """Return a text or number that can be stored and comes near this one; any other value as it is."""
    if isinstance(value, str):
        return value[:_KEPT_TEXT].encode("utf-8", "replace").decode()
    if isinstance(value, int) and not isinstance(value, bool):
        return min(max(value, -(1 << 63)), (1 << 63) - 1)
    return value
