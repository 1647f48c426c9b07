"""Define and check a row of ``runs.jsonl``: `RunRow`.

Type checks, the check of rows that are read, the columns of an export and the reference
(docs/reference/rows.md) follow from it. Folders of results come from other people, and figures in a row from
backends. So every row is checked where it is read, and before it is written: all required keys are there,
every value has its type, numbers are finite and fit 64 bits, grids have their puzzle's size. A run whose row
breaks the rules is written as one that crashed (`crashed_row`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, NotRequired, TypeVar, cast, get_args, get_origin, get_type_hints

import msgspec
from annotated_doc import Doc
from msgspec import Meta
from typing_extensions import TypedDict

from nonocsp.backends.base import MOST_COUNTED, Answer, ProofLevel, Task, Termination
from nonocsp.faults import one_of
from nonocsp.json_lines import encode
from nonocsp.model import FormatError, bounds
from nonocsp.model.puzzle import MAX_LINES

Count = Annotated[int, Meta(ge=0, le=(1 << 63) - 1)]
Solutions = Annotated[int, Meta(ge=0)]  # at most MOST_COUNTED: `_inconsistency`
Number = Annotated[float, Meta(ge=0, le=bounds.ROW_NUMBER)]
Lines = Annotated[int, Meta(ge=1, le=MAX_LINES)]
Whole = Annotated[int, Meta(ge=-(1 << 63), le=(1 << 63) - 1)]
Text = Annotated[str, Meta(max_length=1 << 20)]
Spec = Annotated[str, Meta(max_length=6 * bounds.SPEC_CHARS)]  # JSON writes a letter in up to six
Name = Annotated[str, Meta(pattern=r"^\w[\w.-]*$", max_length=60)]  # a file's name has up to 255 bytes
Figure = Whole | float | Text | bool | None

T = TypeVar("T")
Mapped = Annotated[dict[str, T], Meta(max_length=bounds.ROW_KEYS)]
Pair = Annotated[list[Text], Meta(min_length=2, max_length=2)]


class LimitsRecord(TypedDict):
    """The limits of a run; None is no limit."""

    wall: Annotated[Number | None, Doc("seconds")]
    cpu: Annotated[Number | None, Doc("seconds of all processes of the run")]
    memory: Annotated[Count | None, Doc("bytes of resident memory of all processes of the run")]


class Identity(TypedDict):
    """Which run it is."""

    run: Annotated[Name, Doc("hash of what is measured: puzzle, backend, task, limits, seed, repeat")]
    campaign: Annotated[Text, Doc("the name of the config")]


class Asked(TypedDict):
    """What was asked of a backend."""

    puzzle: Annotated[Text, Doc("the puzzle's file or rule, with its number in it")]
    index: Annotated[Count, Doc("the puzzle's number in its file or rule, from 1")]
    puzzle_hash: Annotated[Text, Doc("SHA-256 of the puzzle's clues")]
    palette: NotRequired[
        Annotated[
            list[Pair], Doc("character and colour of each entry of the palette, if there are several colours")
        ]
    ]
    backend: Annotated[Spec, Doc("the backend's name in the config, else its spec")]
    spec: NotRequired[Annotated[Spec, Doc("the backend's spec, if the config gives it a name")]]
    task: Annotated[str, Meta(pattern=one_of(Task)), Doc("the task")]
    bound: Annotated[
        Count | None, Doc("the most solutions that task `count` looks for; null: it counts all of them")
    ]
    seed: Annotated[Whole, Doc("for the backend's random choices")]
    repeat: Annotated[Count, Doc("number of the repeat, from 0")]
    limits: Annotated[LimitsRecord, Doc("`wall` and `cpu` in seconds, `memory` in bytes; null is no limit")]


class CameBack(TypedDict):
    """What came of it."""

    rows: Annotated[Lines, Doc("rows of the puzzle")]
    columns: Annotated[Lines, Doc("columns of the puzzle")]
    answer: Annotated[str, Meta(pattern=one_of(Answer)), Doc("what the backend found out")]
    termination: Annotated[str, Meta(pattern=one_of(Termination)), Doc("how the run ended")]
    wall_s: Annotated[Number, Doc("seconds of the clock, measured outside the process that ran the backend")]
    cpu_s: Annotated[Number, Doc("CPU seconds of all processes of the run, as the system counts them")]
    solutions: Annotated[
        list[list[Text]], Doc("verified, distinct; each a list of strings, one for each row")
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
            Meta(pattern=r"^solutions/\w[\w.-]*\.json\.gz$", max_length=100),
            Doc("the file in the campaign's folder that holds all solutions, if they are too long for a row"),
        ]
    ]
    partial: NotRequired[
        Annotated[list[Text], Doc("grid of an incomplete backend; `?` is an undecided cell")]
    ]
    message: NotRequired[Annotated[Text, Doc("why a run ended early, or what went wrong")]]
    wrong: NotRequired[Annotated[bool, Doc("true if a grid of the backend failed verification")]]
    evidence: NotRequired[
        Annotated[
            str,
            Meta(pattern=one_of(ProofLevel)),
            Doc("how far the answer is proved, if the campaign certifies or a proof of the backend holds"),
        ]
    ]
    stats: Annotated[Mapped[Figure], Doc("counts by the backend, such as `nodes`")]


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
        Annotated[Mapped[Figure | list[Count]] | None, Doc("state of the machine when the run started")]
    ]
    versions: Annotated[Mapped[Text], Doc("of nonocsp, Python, the backend and what it uses")]
    machine: Annotated[Text, Doc("processor, cores, system, of where it ran")]
    code: NotRequired[Annotated[Text, Doc("hash of the code of nonocsp and of the backend's package")]]
    left: NotRequired[
        Annotated[
            list[Text],
            Doc("processes, files and shared memory that the run left behind; all of it was removed"),
        ]
    ]
    session: NotRequired[
        Annotated[Text, Doc("start of the session that measured the run, as in `campaign.json`")]
    ]


class AnswerRow(Asked, CameBack):
    """What one backend said about one puzzle: all that a search for contradictions needs."""


class RunRow(Identity, AnswerRow, Measured):
    """A line of ``runs.jsonl``: one run of a campaign. Keys that are not listed are ignored."""


SECTIONS = {
    "Which run it is": Identity,
    "What was asked": Asked,
    "What came back": CameBack,
    "How it was measured": Measured,
}
"""The parts of a row, for the reference."""
KEYS = tuple(get_type_hints(RunRow))
"""The keys of a row, in their order."""

_KEPT = {
    *(key for section in (Identity, Asked, Measured) for key in get_type_hints(section)),
    *("rows", "columns", "wall_s", "cpu_s"),
}
"""The keys that a row keeps when what came back cannot be stored."""
_FIRST_S, _LAST_S = (datetime(year, 1, 2, tzinfo=UTC).timestamp() for year in (1, 9999))
"""Of the times that a row may tell: in any time zone their year has four digits."""
_KEPT_TEXT = 1000
"""The most characters of the message of such a row."""


def spec_of(row: Asked) -> str:
    """Return the spec of a row's backend."""
    return row.get("spec", row["backend"])


def solutions_file(run: str) -> str:
    """Return the file in a campaign's folder that holds all solutions of a run."""
    return f"solutions/{run}.json.gz"


def _fields() -> list[tuple[Any, ...]]:
    """Return the fields of a `Line`: the keys of a row, those that may be missing with what they are then."""
    own = {
        **{"task": Task, "answer": Answer, "termination": Termination},
        **dict.fromkeys(("limits", "versions", "solutions"), msgspec.Raw),
    }
    absent = {"wrong": False, "code": "", "session": "", "solutions_file": ""}
    fields: list[tuple[Any, ...]] = []
    for key, kind in get_type_hints(RunRow, include_extras=True).items():
        if get_origin(kind) is NotRequired:
            fields.append((key, *get_args(kind), absent.get(key)))
        else:
            fields.append((key, own.get(key, kind)))
    return fields


Line: Any = msgspec.defstruct("Line", _fields(), kw_only=True, gc=False)
"""A row as it is decoded for its columns: every value is checked, but ``limits``, ``versions`` and
``solutions`` are still JSON. Most rows share these with others, so each is decoded once
(`nonocsp.bench.table.Columns`)."""
_LINE, _ROW = msgspec.json.Decoder(Line), msgspec.json.Decoder(RunRow)
_PARTS: dict[str, Any] = {
    "limits": msgspec.json.Decoder(LimitsRecord),
    "versions": msgspec.json.Decoder(Mapped[Text]),
    "solutions": msgspec.json.Decoder(list[list[Text]]),
}


def decode_line(line: bytes) -> Any:
    """Return a line of ``runs.jsonl`` as a `Line`."""
    try:
        row = _LINE.decode(line)
    except (ValueError, RecursionError) as error:
        raise FormatError(in_words(error)) from None
    if fault := _inconsistency(row):
        raise FormatError(fault)
    return row


def decode_row(line: bytes) -> RunRow:
    """Return the row in a line; keys that nobody knows are left out."""
    try:
        return _ROW.decode(line)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"a row cannot be read any more: {in_words(error)}") from None


def decode_part(key: str, text: msgspec.Raw) -> Any:
    """Return the value of ``limits``, ``versions`` or ``solutions``."""
    try:
        return _PARTS[key].decode(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(in_words(error, key)) from None


def refuse_other_sizes(grids: list[list[str]], height: int, width: int, key: str) -> None:
    """Raise FormatError if grids do not have the size of their puzzle."""
    if not all(len(grid) == height and all(len(cells) == width for cells in grid) for grid in grids):
        raise FormatError(f"{key}: expected grids of {height}x{width} cells, as rows and columns say")


def in_words(error: Exception, key: str = "") -> str:
    """Return what msgspec found, such as ``limits.cpu: expected float, got str``."""
    text, _, place = str(error).replace("`", "").partition(" - at $")
    text = text if text.startswith("JSON") else f"{text[:1].lower()}{text[1:]}"
    place = f"{key}{place}".strip(".")
    return f"{place}: {text}"[:200] if place else text[:200]


def encode_row(row: Mapping[str, Any]) -> bytes:
    """Return a row as a line."""
    try:
        return encode(row) + b"\n"
    except (TypeError, ValueError, RecursionError) as error:
        raise FormatError(str(error)) from None


def crashed_row(row: RunRow, message: str) -> RunRow:
    """Return a row for a run whose own row cannot be stored: what was asked and how it was measured."""
    lost = {
        "answer": str(Answer.UNKNOWN),
        "termination": str(Termination.CRASHED),
        "solutions": [],
        "message": message[:_KEPT_TEXT].encode("utf-8", "replace").decode(),
        "stats": {},
    }
    found = {key: value for key, value in row.items() if key in _KEPT} | lost
    return cast("RunRow", {key: found[key] for key in KEYS if key in found})


def _inconsistency(row: Any) -> str:
    """Say which values of a `Line` do not fit each other; empty if all do."""
    if row.partial is not None:
        refuse_other_sizes([row.partial], row.rows, row.columns, "partial")
    if row.solutions_file or row.solution_count is not None:
        if not row.solutions_file or row.solution_count is None:
            return "solution_count, solutions_file: expected both or none"
        own = solutions_file(row.run)  # another run's file would be overwritten when campaigns are merged
        if row.solutions_file != own:
            return f"solutions_file: expected {own!r}, the file of this run"
    if max(row.count or 0, row.count_at_least or 0) > MOST_COUNTED:
        return f"count, count_at_least: expected numbers of at most {bounds.COUNT_DIGITS} digits"
    return ""


def start_of(conditions: Mapping[str, Any] | None) -> float:
    """Return ``conditions.started`` as seconds since 1970; NaN where a row does not say."""
    if not (started := (conditions or {}).get("started")):
        return math.nan
    try:
        seconds = datetime.fromisoformat(started).timestamp()
    except (TypeError, ValueError, OverflowError):
        seconds = math.inf
    if not _FIRST_S <= seconds <= _LAST_S:
        raise FormatError(f"conditions.started: expected a time in ISO 8601, not {started!r:.40}")
    return seconds
