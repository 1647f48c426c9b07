"""Hold the runs of a campaign as columns: arrays with one entry a run, and small tables of what repeats.

A report needs a few numbers of each run, not its row: about 90 bytes a run and 60 a puzzle. `Columns` makes
them in one pass over the rows, 9 µs each with decoding. Texts and numbers that many rows share are stored
once; a column then holds their places. Run n of the table is row n of `nonocsp.bench.store.Campaign.rows`.
"""

from __future__ import annotations

import math
import re
import struct
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from itertools import count
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from nonocsp.backends.base import Answer, ProofLevel, Task, Termination
from nonocsp.bench.rows import KEYS, Line, decode_part, refuse_other_sizes, start_of
from nonocsp.json_lines import encode
from nonocsp.model import FormatError

Column = NDArray[Any]

ANSWERS = tuple(Answer)
TERMINATIONS = tuple(Termination)
EVIDENCE = tuple(ProofLevel)
NO_RUN = -1
"""Code of an answer, termination, evidence or session that is missing."""

TYPES: Mapping[str, str] = {
    **dict.fromkeys(("backend", "puzzle", "request", "setting", "session"), "i4"),
    **dict.fromkeys(("answer", "termination", "evidence"), "i1"),
    **dict.fromkeys(("reliable", "wrong", "left"), "?"),
    **dict.fromkeys(("wall_s", "cpu_s", "claimed_wall_s", "peak_rss_bytes", "started_s"), "f8"),
    "open_share": "f4",
    **dict.fromkeys(("found", "claim"), "u8"),
}
"""The columns of a run and their types.

- ``backend``, ``puzzle``, ``request``, ``setting``, ``session``: places in the tables of these names.
- ``answer``, ``termination``, ``evidence``: places in `ANSWERS`, `TERMINATIONS` and `EVIDENCE`, `NO_RUN`
  where a row does not say.
- ``left``: whether the run left something behind. ``started_s``: ``conditions.started`` since 1970.
- ``open_share``: the share of cells that line solving leaves open.
- ``found``, ``claim``: digests of the set of solutions, 0 if there is none, and of what the row excludes.
- All others are as in the row; NaN is what a row does not say.
"""

_VALUES = "backend", "request", "setting", "session"
"""The columns with places in a table of values; that of ``puzzle`` is made of columns itself."""

NO_OTHER = 1
"""Claim of a row that excludes all solutions but its own, and says nothing else."""


class Request(NamedTuple):
    """What was asked of a backend besides the puzzle."""

    task: str
    bound: int | None
    wall: float | None
    cpu: float | None
    memory: int | None
    seed: int
    repeat: int


class Setting(NamedTuple):
    """How a run was measured, as in its row; empty where that does not say."""

    spec: str
    executor: str
    machine: str
    versions: tuple[tuple[str, str], ...]
    code: str


@dataclass(frozen=True, eq=False)
class Puzzles:
    """The distinct puzzles of a table as columns, one entry a puzzle."""

    names: Column
    key: Column  # `digest` of name, hash, number in the file and size: equal in every table
    hash: Column  # the first 16 digits of the hash of the clues, as a number
    index: Column
    rows: Column
    columns: Column

    def __len__(self) -> int:
        return len(self.key)

    def take(self, places: Column) -> Puzzles:
        """Return the puzzles at some places."""
        return Puzzles(*(column[places] for column in vars(self).values()))


@dataclass(frozen=True, eq=False)
class RunTable:
    """The runs of a campaign as columns, and the distinct values that columns number."""

    columns: Mapping[str, Column]  # an array for each name in `TYPES`, with one entry a run
    puzzles: Puzzles
    backends: tuple[str, ...]
    requests: tuple[Request, ...]
    settings: tuple[Setting, ...]
    sessions: tuple[str, ...]  # starts; empty for none

    def __len__(self) -> int:
        return len(self.columns["wall_s"])

    def __getitem__(self, name: str) -> Column:
        return self.columns[name]

    def take(self, runs: Column) -> RunTable:
        """Return the table of some runs, a mask or numbers; its tables of values stay whole."""
        return replace(self, columns={name: column[runs] for name, column in self.columns.items()})

    def only(self, runs: Column) -> RunTable:
        """Return the table of some runs, a mask or numbers, with just the values that these runs have."""
        table = self.take(runs)
        columns, values = dict(table.columns), {}
        used, places = np.unique(table["puzzle"], return_inverse=True)
        columns["puzzle"] = places.astype(TYPES["puzzle"])
        puzzles = self.puzzles.take(used)
        for name in _VALUES:
            used, places = np.unique(table[name], return_inverse=True)
            columns[name] = places.astype(TYPES[name])
            values[f"{name}s"] = tuple(getattr(self, f"{name}s")[code] for code in used)
        return RunTable(columns, puzzles, **values)

    @cached_property
    def is_decided(self) -> NDArray[np.bool_]:
        """Whether each run settled its task by itself."""
        tasks = np.array([request.task == Task.SOLVE for request in self.requests], bool)
        settling = np.array([[is_settling(answer, solve) for answer in ANSWERS] for solve in (False, True)])
        ended = self["termination"] == TERMINATIONS.index(Termination.OK)
        solve = tasks[self["request"]].astype(np.intp)
        return np.asarray(ended & settling[solve, self["answer"]] & (self["answer"] != NO_RUN))

    @cached_property
    def open_shares(self) -> NDArray[np.float32]:
        """The share of cells that line solving leaves open of each of `puzzles`; NaN if no run tells it."""
        shares = np.full(len(self.puzzles), np.nan, np.float32)
        is_told = ~np.isnan(self["open_share"])
        shares[self["puzzle"][is_told]] = self["open_share"][is_told]
        return shares


def is_settling(answer: str, is_solve: bool) -> bool:
    """Return whether an answer settles a task, which may be to find one solution."""
    return answer in (Answer.UNSAT, Answer.UNIQUE, Answer.MULTIPLE) or (is_solve and answer == Answer.SOLVED)


def is_closed(
    answer: str, termination: str, task: str, *, bound: int | None, count: int | None, listed: int
) -> bool:
    """Return whether a row says that there are no other solutions than the `listed` ones."""
    if answer in (Answer.UNSAT, Answer.UNIQUE):
        return True
    if answer != Answer.MULTIPLE or task != Task.COUNT:
        return False
    if count is not None:
        return count == listed
    return termination == Termination.OK and bound is not None and listed < bound  # as it did not reach it


def joined(tables: Sequence[RunTable]) -> RunTable:
    """Return the runs of several tables, one table after the other, as one table."""
    if len(tables) == 1:
        return tables[0]
    columns = {name: np.concatenate([table[name] for table in tables]) for name in TYPES}
    every = Puzzles(
        *map(np.concatenate, zip(*(vars(table.puzzles).values() for table in tables), strict=True))
    )
    first, places = by_first(every.key)
    starts = np.cumsum([0, *(len(table.puzzles) for table in tables)])
    shifted = [start + table["puzzle"] for start, table in zip(starts, tables, strict=False)]
    columns["puzzle"] = places[np.concatenate(shifted)].astype(TYPES["puzzle"])
    values = {}
    for name in _VALUES:
        numbers: dict[Any, int] = {}
        recoded = []
        for table in tables:
            own = [numbers.setdefault(value, len(numbers)) for value in getattr(table, f"{name}s")]
            recoded.append(np.array(own, TYPES[name])[table[name]])
        columns[name] = np.concatenate(recoded)
        values[f"{name}s"] = tuple(numbers)
    return RunTable(columns, every.take(first), **values)


def by_first(values: Column) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return where each distinct value first appears, in that order, and the number of each value."""
    _, first, numbers = np.unique(values, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.intp)
    rank[order] = np.arange(len(order))
    return first[order], rank[numbers]


def digest(text: str) -> int:
    """Return 64 bits that stand for a text."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


_SHA256 = re.compile(r"[0-9a-f]{64}")
_STRINGS = np.dtypes.StringDType()
_NAMES_AT_ONCE = 1 << 16
_ENTRY = np.dtype([*TYPES.items()])
_pack = struct.Struct("=iiiiibbb???dddddfQQ").pack
assert len(_pack(*[0] * len(TYPES))) == _ENTRY.itemsize
_CODE_OF = {value: code for values in (ANSWERS, TERMINATIONS, EVIDENCE) for code, value in enumerate(values)}


class Columns:
    """Takes rows one by one, as lines, and keeps what a table needs; what rows share is decoded once."""

    def __init__(self) -> None:
        self._entries = bytearray()
        numberings = (defaultdict[Any, int](count().__next__) for _ in range(4))
        self._backends, self._requests, self._settings, self._sessions = numberings
        self._parts: dict[Any, Any] = {}
        self._found: dict[int, tuple[int, int]] = {}
        self._puzzles: dict[int, int] = {}
        self._sizes = array("Q"), array("Q"), array("q"), array("q"), array("q")
        self._names: list[str] = []
        self._packed_names: list[Column] = []

    def __len__(self) -> int:
        return len(self._entries) // _ENTRY.itemsize

    def add(self, line: Any) -> None:
        """Append a `Line`; raise FormatError if a part of it that is still JSON is not valid."""
        found, listed = self._solutions(line)
        started_s = start_of(line.conditions)
        limits = self._part("limits", line.limits, lambda it: (it["wall"], it["cpu"], it["memory"]))
        versions = self._part("versions", line.versions, lambda it: tuple(it.items()))
        spec, claimed_s = _or(line.spec, line.backend), line.claimed_wall_s
        self._entries += _pack(
            self._backends[line.backend],
            self._puzzle(line),
            self._requests[str(line.task), line.bound, *limits, line.seed, line.repeat],
            self._settings[spec, line.executor, line.machine, versions, line.code],
            self._sessions[line.session],
            _CODE_OF.get(line.answer, NO_RUN),
            _CODE_OF.get(line.termination, NO_RUN),
            _CODE_OF.get(line.evidence, NO_RUN),
            line.reliable,
            line.wrong,
            bool(line.left),
            line.wall_s,
            line.cpu_s,
            math.nan if claimed_s is None else claimed_s,
            math.nan if line.peak_rss_bytes is None else line.peak_rss_bytes,
            started_s,
            _open_share(line, spec),
            found,
            _claim(line, listed),
        )

    @property
    def said(self) -> tuple[int, tuple[int, int]]:
        """The key of the puzzle of the last run, and the digests of what the run found and excludes."""
        entry = np.frombuffer(self._entries[-_ENTRY.itemsize :], _ENTRY)[0]
        return self._sizes[0][entry["puzzle"]], (int(entry["found"]), int(entry["claim"]))

    def table(self) -> RunTable:
        """Return the table of the runs so far."""
        entries = np.frombuffer(bytes(self._entries), _ENTRY)
        columns = {name: np.ascontiguousarray(entries[name]) for name in TYPES}
        self._pack_names()
        key, hashes, index, rows, columns_ = (np.array(each) for each in self._sizes)
        names = np.concatenate([np.zeros(0, _STRINGS), *self._packed_names])
        puzzles = Puzzles(names, key, hashes, index, rows.astype("u2"), columns_.astype("u2"))
        requests, settings = map(Request._make, self._requests), map(Setting._make, self._settings)
        named = tuple(self._backends), tuple(requests), tuple(settings), tuple(self._sessions)
        return RunTable(columns, puzzles, *named)

    def _part(self, key: str, text: Any, make: Callable[[Any], Any]) -> Any:
        """Return what is made of a part of a row, which is decoded when it first appears."""
        known = self._parts.get(at := (key, bytes(text)))
        if known is None:
            known = self._parts[at] = make(decode_part(key, text))
        return known

    def _solutions(self, line: Any) -> tuple[int, int]:
        """Return the digest of a row's solutions, and how many there are, also in its file."""
        code = hash((bytes(line.solutions), line.rows, line.columns, line.solutions_file))
        if (known := self._found.get(code)) is None:
            grids = decode_part("solutions", line.solutions)
            refuse_other_sizes(grids, line.rows, line.columns, "solutions")
            # a file has those too long for the row: other ones, even if the first are the same
            text = "\n\n".join([line.solutions_file, *sorted("\n".join(grid) for grid in grids)])
            known = self._found[code] = (digest(text) or 1) if grids else 0, len(grids)
        found, listed = known
        if (total := _or(line.solution_count, listed)) < listed:
            raise FormatError("solution_count: expected at least as many as solutions holds")
        if min(_or(line.count, total), _or(line.count_at_least, total)) < total:
            raise FormatError("count, count_at_least: expected at least as many as there are solutions")
        return found, total

    def _puzzle(self, line: Any) -> int:
        puzzle = line.puzzle, line.puzzle_hash, line.index, line.rows, line.columns
        if (known := self._puzzles.get(code := hash(puzzle))) is not None:
            return known
        self._names.append(line.puzzle)
        if len(self._names) == _NAMES_AT_ONCE:
            self._pack_names()
        key = digest(f"{line.puzzle}\0{line.puzzle_hash}\0{puzzle[2:]}")
        values = key, _hash_code(line.puzzle_hash), *puzzle[2:]
        for column, value in zip(self._sizes, values, strict=True):
            column.append(value)
        return self._puzzles.setdefault(code, len(self._puzzles))

    def _pack_names(self) -> None:
        self._packed_names.append(np.array(self._names, _STRINGS))
        self._names.clear()


def table_of(rows: Iterable[Mapping[str, Any]]) -> RunTable:
    """Return the table of some rows; what a row lacks counts as unknown."""
    columns = Columns()
    for row in rows:
        columns.add(_line_of(row))
    return columns.table()


def _claim(row: Any, listed: int) -> int:
    """Return 64 bits that stand for what a row excludes: 0 for nothing, `NO_OTHER`, or a larger number."""
    closed = is_closed(row.answer, row.termination, row.task, bound=row.bound, count=row.count, listed=listed)
    number = _or(row.count, _or(row.count_at_least, listed))
    if row.partial is None and number == listed:
        return NO_OTHER if closed else 0
    kind = "at least" if row.count is None else "exactly"
    said = [str(closed), *(row.partial or ()), *([f"{kind} {number}"] if number != listed else [])]
    return max(digest("\n".join(said)), NO_OTHER + 1)


def _open_share(row: Any, spec: str) -> float:
    """Return the share of cells that line solving leaves open; NaN if the row does not tell it."""
    if not row.stats or row.answer == Answer.UNSAT:
        return math.nan
    is_settle = spec.partition(":")[0] == "settle" and row.termination == Termination.OK
    painted = row.stats.get("painted" if is_settle else "painted_by_settle")
    return 1.0 - painted / (row.rows * row.columns) if isinstance(painted, int | float) else math.nan


def _hash_code(text: str) -> int:
    """Return the first 16 digits of a SHA-256 as a number; of any other text its digest."""
    return int(text[:16], 16) if _SHA256.fullmatch(text) else digest(text)


def _line_of(row: Mapping[str, Any]) -> Any:
    """Return any row, which may lack keys, as a line."""
    line = {**_ABSENT, **{key: value for key, value in row.items() if key in KEYS}}
    line["limits"] = dict.fromkeys(("wall", "cpu", "memory")) | (line["limits"] or {})
    return Line(**line | {key: msgspec.Raw(encode(line[key])) for key in ("limits", "versions", "solutions")})


_ABSENT: Mapping[str, Any] = {
    **dict.fromkeys(("run", "campaign", "puzzle", "puzzle_hash", "task", "executor", "machine"), ""),
    **dict.fromkeys(("index", "bound", "seed", "repeat", "rows", "columns"), 0),
    **dict.fromkeys(("wall_s", "cpu_s"), math.nan),
    **{"answer": "", "termination": "", "reliable": True, "peak_rss_bytes": None},
    **{"limits": None, "versions": {}, "solutions": [], "stats": {}},
}
"""What a row says that lacks these keys."""


def _or(value: Any, other: Any) -> Any:
    return other if value is None else value
