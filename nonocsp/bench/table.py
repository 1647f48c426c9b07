"""Hold the runs of a campaign as columns: arrays with one entry a run, and small tables of what repeats.

A report, the scores and the caveats need a few numbers of each run, not its row. A `RunTable` holds them in
about 90 bytes a run and 60 a puzzle. One pass over rows makes it (`nonocsp.bench.columns`). Whatever
needs the rest of a row, such as a grid or a message, reads that row by its number: run n of the table is row
n of `nonocsp.bench.store.Campaign.rows`.

Texts and numbers that many rows share are stored once. A column then holds codes: places in the table of
distinct values (`backends`, `requests`, `settings`, `sessions`) or in the columns of `puzzles`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

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
    **dict.fromkeys(("backend", "puzzle", "request", "setting", "session"), "i4"),
    **dict.fromkeys(("answer", "termination"), "i1"),
    **dict.fromkeys(("reliable", "wrong", "left"), "?"),
    **dict.fromkeys(("wall_s", "cpu_s", "claimed_wall_s", "peak_rss_bytes", "started_s"), "f8"),
    "open_share": "f4",
    **dict.fromkeys(("found", "claim"), "u8"),
}
"""The columns of a run and their types.

- ``backend``, ``puzzle``, ``request``, ``setting``, ``session``: places in the tables of these names.
- ``answer``, ``termination``: places in `ANSWERS` and `TERMINATIONS`, `NO_RUN` where a row does not say.
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
    """What was asked of a backend, but for the puzzle."""

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
    key: Column
    """`digest` of name, hash, number in the file and size: equal for the same puzzle of another table."""
    hash: Column
    """The first 16 digits of the hash of the clues, as a number."""
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


def is_settling(answer: str, is_solve: bool) -> bool:
    """Return whether an answer settles a task, which may be to find one solution."""
    return answer in (Answer.UNSAT, Answer.UNIQUE, Answer.MULTIPLE) or (is_solve and answer == Answer.SOLVED)


def is_closed(
    answer: str, termination: str, task: str, *, bound: int | None, count: int | None, listed: int
) -> bool:
    """Return whether a row says that there are no other solutions than the `listed` ones.

    ``unsat`` and ``unique`` say so, and so does a count of as many solutions as are listed. If the row does
    not hold the number, a count is complete if it ended below its bound.
    """
    if answer in (Answer.UNSAT, Answer.UNIQUE):
        return True
    if answer != Answer.MULTIPLE or task != Task.COUNT:
        return False
    if count is not None:
        return count == listed
    return termination == Termination.OK and bound is not None and listed < bound


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


class Stored(Protocol):
    """A campaign whose rows can be read by their numbers in its table, which ascend."""

    @property
    def table(self) -> RunTable:
        """Its columns."""

    def rows_at(self, numbers: Iterable[int]) -> Iterator[RunRow]:
        """Yield some of its rows."""


def rows_at(campaigns: Iterable[Stored], runs: Column) -> Iterator[RunRow]:
    """Yield the rows of some runs of several campaigns, by their numbers in the joined table, ascending."""
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
