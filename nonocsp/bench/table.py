"""Hold the runs of a campaign as columns: arrays with one entry a run, and small tables of what repeats.

A report, the scores and the caveats need a few numbers of each run, not its row. A `RunTable` holds them in
about 90 bytes a run and 60 a puzzle. One pass over rows makes it (`RunTable.of`, about 10 µs a row), or an
index of the campaign that holds the same values. Whatever needs the rest of a row, such as a grid or a
message, reads that row by its number: run n of the table is row n of `nonocsp.bench.store.Campaign.rows`.

Texts and numbers that many rows share are stored once. A column then holds codes: places in the table of
distinct values (`backends`, `requests`, `settings`, `sessions`) or in the columns of `puzzles`.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from nonocsp.backends.base import Answer, Task, Termination

if TYPE_CHECKING:
    from nonocsp.bench.rows import RunRow

Column = NDArray[Any]

ANSWERS = tuple(Answer)
TERMINATIONS = tuple(Termination)
NO_RUN = -1
"""Code of an answer, termination or session that is missing."""

TYPES: Mapping[str, str] = {
    "backend": "i4",
    "puzzle": "i4",
    "request": "i4",
    "setting": "i4",
    "session": "i4",
    "answer": "i1",
    "termination": "i1",
    "reliable": "?",
    "wrong": "?",
    "left": "?",
    "wall_s": "f8",
    "cpu_s": "f8",
    "claimed_wall_s": "f8",
    "peak_rss_bytes": "f8",
    "started_s": "f8",
    "open_share": "f4",
    "found": "u8",
    "claim": "u8",
}
"""The columns of a run and their types.

- ``backend``, ``puzzle``, ``request``, ``setting``, ``session``: places in the tables of these names.
- ``answer``, ``termination``: places in `ANSWERS` and `TERMINATIONS`, `NO_RUN` where a row does not say.
- ``reliable``, ``wrong``: as in the row. ``left``: whether the run left something behind.
- ``wall_s``, ``cpu_s``, ``claimed_wall_s``, ``peak_rss_bytes``: as in the row, or NaN.
- ``started_s``: ``conditions.started`` as seconds since 1970, or NaN.
- ``open_share``: `open_share` of the row, or NaN.
- ``found``, ``claim``: `found_digest` and `claim_digest` of the row.
"""

_VALUES = "backend", "request", "setting", "session"
"""The columns with places in a table of values; that of ``puzzle`` is made of columns itself."""

_SHA256 = re.compile(r"[0-9a-f]{64}")

NO_OTHER = 1
"""Claim of a row that excludes all solutions but its own, and says nothing else."""


class Request(NamedTuple):
    """What was asked of a backend, but for the puzzle."""

    task: str
    bound: int | None
    wall: float | None
    cpu: float | None
    memory: int | None
    seed: int
    repeat: int


class Setting(NamedTuple):
    """How a run was measured.

    Parameters
    ----------
    spec
        The backend's.
    executor, machine, versions
        As in the row.
    code
        Empty where the row does not say.
    isolated
        Whether the run's server had its own namespaces; None where the row does not say.
    """

    spec: str
    executor: str
    machine: str
    versions: tuple[tuple[str, str], ...]
    code: str
    isolated: bool | None = None


@dataclass(frozen=True, eq=False)
class Puzzles:
    """The distinct puzzles of a table as columns, one entry a puzzle.

    Parameters
    ----------
    names
        As in the rows (`numpy.dtypes.StringDType`).
    key
        `digest` of name, hash, number in the file and size: equal for the same puzzle of another table.
    hash
        `hash_code` of the hash of the clues, unsigned 64 bits.
    index, rows, columns
        The number in the puzzle's file, and the size.
    """

    names: Column
    key: Column
    hash: Column
    index: Column
    rows: Column
    columns: Column

    def __len__(self) -> int:
        return len(self.key)

    def take(self, places: Column) -> Puzzles:
        """Return the puzzles at some places."""
        columns = (self.names, self.key, self.hash, self.index, self.rows, self.columns)
        return Puzzles(*(column[places] for column in columns))


@dataclass(frozen=True, eq=False)
class RunTable:
    """The runs of a campaign as columns.

    Parameters
    ----------
    columns
        An array for each name in `TYPES`, with one entry a run.
    puzzles, backends, requests, settings, sessions
        The distinct values that the columns of these names number. A session is the start of the session
        that measured the run, empty where the row does not say.
    """

    columns: Mapping[str, Column]
    puzzles: Puzzles
    backends: tuple[str, ...]
    requests: tuple[Request, ...]
    settings: tuple[Setting, ...]
    sessions: tuple[str, ...]

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, Any]]) -> Self:
        """Make the table of some rows in one pass; what a row lacks counts as unknown."""
        builder = _Builder()
        for row in rows:
            builder.add(row)
        return cls(*builder.parts())

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
    def is_isolated(self) -> NDArray[np.bool_]:
        """Whether the backend of each run had namespaces of its own."""
        return np.array([bool(setting.isolated) for setting in self.settings], bool)[self["setting"]]

    @cached_property
    def is_decided(self) -> NDArray[np.bool_]:
        """Whether each run settled its task by itself."""
        tasks = np.array([request.task == Task.SOLVE for request in self.requests], bool)
        settling = np.array([[is_settling(answer, solve) for answer in ANSWERS] for solve in (False, True)])
        ended = self["termination"] == TERMINATIONS.index(Termination.OK)
        solve = tasks[self["request"]].astype(np.intp)
        return np.asarray(ended & settling[solve, self["answer"]] & (self["answer"] != NO_RUN))


def is_settling(answer: str, is_solve: bool) -> bool:
    """Return whether an answer settles a task.

    Parameters
    ----------
    answer
        One of `Answer`.
    is_solve
        Whether the task was to find one solution.
    """
    return answer in (Answer.UNSAT, Answer.UNIQUE, Answer.MULTIPLE) or (is_solve and answer == Answer.SOLVED)


def joined(tables: Sequence[RunTable]) -> RunTable:
    """Return the runs of several tables, one table after the other, as one table."""
    if len(tables) == 1:
        return tables[0]
    columns = {name: np.concatenate([table[name] for table in tables]) for name in TYPES}
    keys = np.concatenate([table.puzzles.key for table in tables])
    first, places = by_first(keys)
    every = Puzzles(
        *(
            np.concatenate([getattr(table.puzzles, name) for table in tables])
            for name in ("names", "key", "hash", "index", "rows", "columns")
        )
    )
    starts = np.cumsum([0, *(len(table.puzzles) for table in tables)])
    columns["puzzle"] = np.concatenate(
        [places[start + table["puzzle"]] for start, table in zip(starts, tables, strict=False)]
    ).astype(TYPES["puzzle"])
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


class Stored(Protocol):
    """A campaign whose rows can be read by their numbers in its table."""

    @property
    def table(self) -> RunTable:
        """The columns of its runs."""

    def rows_at(self, numbers: Iterable[int]) -> Iterator[RunRow]:
        """Yield the rows of some runs of the table, whose numbers ascend."""


def rows_at(campaigns: Iterable[Stored], runs: Column) -> Iterator[RunRow]:
    """Yield the rows of some runs of several campaigns.

    Parameters
    ----------
    campaigns
        In the order in which their tables are joined.
    runs
        Numbers in the joined table, ascending.
    """
    for campaign in campaigns:
        here = runs < len(campaign.table)
        yield from campaign.rows_at(runs[here].tolist())
        runs = runs[~here] - len(campaign.table)


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


def hash_code(text: str) -> int:
    """Return the first 16 digits of a SHA-256 as a number; of any other text its digest."""
    return int(text[:16], 16) if _SHA256.fullmatch(text) else digest(text)


def puzzle_key(row: Mapping[str, Any]) -> int:
    """Return 64 bits that stand for the puzzle of a row: its name, hash, number in its file and size."""
    sizes = row.get("index", 0), row.get("rows", 0), row.get("columns", 0)
    return digest(f"{row.get('puzzle', '')}\0{row.get('puzzle_hash', '')}\0{sizes}")


def found_digest(row: Mapping[str, Any]) -> int:
    """Return 64 bits that stand for the set of solutions in a row; 0 if it has none."""
    grids = row.get("solutions")
    if not grids:
        return 0
    others = row.get("solutions_file", "")  # holds those that are too long for the row: always looked at
    return digest("\n\n".join([others, *sorted("\n".join(grid) for grid in grids)])) or 1


def claim_digest(row: Mapping[str, Any]) -> int:
    """Return 64 bits that stand for what a row excludes: 0 for nothing, `NO_OTHER`, or a larger number.

    A row can exclude all other solutions (`is_closed`), every grid that differs from its partial one, and
    numbers of solutions: all but its count, or those below its lower bound.
    """
    closed = is_closed(row)
    listed = row.get("solution_count", len(row.get("solutions", ())))
    number = row.get("count", row.get("count_at_least", listed))
    if "partial" not in row and number == listed:
        return NO_OTHER if closed else 0
    kind = "exactly" if "count" in row else "at least"
    said = [str(closed), *row.get("partial", ()), *([f"{kind} {number}"] if number != listed else [])]
    return max(digest("\n".join(said)), NO_OTHER + 1)


def is_closed(row: Mapping[str, Any]) -> bool:
    """Return whether a row says that there are no other solutions than those that it lists.

    ``unsat`` and ``unique`` say so, and so does a count of as many solutions as are listed. If the row does
    not hold the number, a count is complete if it ended below its bound.
    """
    answer = row.get("answer")
    if answer in (Answer.UNSAT, Answer.UNIQUE):
        return True
    listed = row.get("solution_count", len(row.get("solutions", ())))
    if answer != Answer.MULTIPLE or row["task"] != Task.COUNT:
        return False
    if "count" in row:
        return bool(row["count"] == listed)
    bound = row["bound"]
    return row["termination"] == Termination.OK and bound is not None and listed < bound


def open_share(row: Mapping[str, Any]) -> float:
    """Return the share of cells that line solving leaves open; NaN if the row does not tell it.

    Backend ``settle`` is line propagation and counts the cells that it ``painted``. Other backends that start
    from its fixpoint can say so (``painted_by_settle``).
    """
    stats = row.get("stats")
    if not stats or row["answer"] == Answer.UNSAT:
        return math.nan
    spec = row.get("spec", row["backend"])
    is_settle = spec.partition(":")[0] == "settle" and row["termination"] == Termination.OK
    painted = stats.get("painted" if is_settle else "painted_by_settle")
    if not isinstance(painted, int | float):
        return math.nan
    cells: int = row["rows"] * row["columns"]
    return 1.0 - painted / cells


_ANSWER_CODES = {str(answer): code for code, answer in enumerate(ANSWERS)}
_TERMINATION_CODES = {str(termination): code for code, termination in enumerate(TERMINATIONS)}
_ARRAY_CODES = {"i1": "b", "?": "b", "i4": "i", "f4": "f", "f8": "d", "u8": "Q"}
_STRINGS = np.dtypes.StringDType()
_NAMES_AT_ONCE = 1 << 16


@dataclass
class _Builder:
    """Takes rows one by one and keeps what the table needs of them."""

    _runs: list[array[Any]] = field(
        default_factory=lambda: [array(_ARRAY_CODES[kind]) for kind in TYPES.values()]
    )
    _backends: dict[str, int] = field(default_factory=dict)
    _requests: dict[Request, int] = field(default_factory=dict)
    _settings: dict[Setting, int] = field(default_factory=dict)
    _sessions: dict[str, int] = field(default_factory=dict)
    _puzzles: dict[int, int] = field(default_factory=dict)
    _sizes: tuple[array[int], ...] = field(default_factory=lambda: (array("Q"), *(array("q") for _ in "irc")))
    _names: list[str] = field(default_factory=list)
    _packed_names: list[Column] = field(default_factory=list)

    def add(self, row: Mapping[str, Any]) -> None:
        """Append a run."""
        limits, conditions = row.get("limits") or {}, row.get("conditions") or {}
        request = Request(row.get("task", ""), row.get("bound", 0), limits.get("wall"), limits.get("cpu"),
                          limits.get("memory"), row.get("seed", 0), row.get("repeat", 0))  # fmt: skip
        backend = row["backend"]
        isolated = conditions.get("isolated")
        setting = Setting(row.get("spec", backend), row.get("executor", ""), row.get("machine", ""),
                          tuple(row.get("versions", {}).items()), row.get("code", ""),
                          isolated if isinstance(isolated, bool) else None)  # fmt: skip
        started = conditions.get("started")
        peak = row.get("peak_rss_bytes")
        values = (
            self._backends.setdefault(backend, len(self._backends)),
            self._puzzle(row),
            self._requests.setdefault(request, len(self._requests)),
            self._settings.setdefault(setting, len(self._settings)),
            self._sessions.setdefault(row.get("session", ""), len(self._sessions)),
            _ANSWER_CODES.get(row.get("answer", ""), NO_RUN),
            _TERMINATION_CODES.get(row.get("termination", ""), NO_RUN),
            row.get("reliable", True),
            row.get("wrong", False),
            bool(row.get("left")),
            row.get("wall_s", math.nan),
            row.get("cpu_s", math.nan),
            row.get("claimed_wall_s", math.nan),
            math.nan if peak is None else peak,
            datetime.fromisoformat(started).timestamp() if started else math.nan,
            open_share(row),
            found_digest(row),
            claim_digest(row),
        )
        for column, value in zip(self._runs, values, strict=True):
            column.append(value)

    def parts(self) -> tuple[Any, ...]:
        """Return the arguments of `RunTable`."""
        columns = {
            name: np.frombuffer(column, kind) if column else np.zeros(0, kind)
            for (name, kind), column in zip(TYPES.items(), self._runs, strict=True)
        }
        self._pack_names()
        key = np.frombuffer(array("Q", self._puzzles), "u8") if self._puzzles else np.zeros(0, "u8")
        hashes, index, rows, columns_ = (np.array(each) for each in self._sizes)
        names = np.concatenate([np.zeros(0, _STRINGS), *self._packed_names])
        puzzles = Puzzles(names, key, hashes.astype("u8"), index, rows.astype("u2"), columns_.astype("u2"))
        tables = (self._backends, self._requests, self._settings, self._sessions)
        return columns, puzzles, *(tuple(table) for table in tables)

    def _puzzle(self, row: Mapping[str, Any]) -> int:
        """Return the number of the row's puzzle."""
        name, hash = row.get("puzzle", ""), row.get("puzzle_hash", "")
        sizes = row.get("index", 0), row.get("rows", 0), row.get("columns", 0)
        key = puzzle_key(row)
        if (known := self._puzzles.get(key)) is not None:
            return known
        self._names.append(name)
        if len(self._names) == _NAMES_AT_ONCE:
            self._pack_names()
        for column, value in zip(self._sizes, (hash_code(hash), *sizes), strict=True):
            column.append(value)
        return self._puzzles.setdefault(key, len(self._puzzles))

    def _pack_names(self) -> None:
        self._packed_names.append(np.array(self._names, _STRINGS))
        self._names.clear()
