"""Arrange the runs of a campaign as a matrix: backends down, instances across.

An *instance* is what a backend is asked for once: a puzzle under a task, a wall limit, a seed and a repeat. A
run is *decided* if it ended by itself with an answer that settles its task: ``unsat``, ``unique`` or
``multiple``, and ``solved`` where one solution was asked for.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from nonocsp.backends.base import Task, Termination
from nonocsp.bench.table import ANSWERS, NO_RUN, TERMINATIONS, RunTable, by_first, is_settling, table_of
from nonocsp.model import UsageError

if TYPE_CHECKING:
    from nonocsp.bench.rows import RunRow

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.intp]
CodeArray = NDArray[np.int8]
SessionArray = NDArray[np.int32]
By = Literal["wall", "cpu"]
Asked = tuple[str, int | None, float, int, int]

MAX_CELLS = 100_000_000
"""The most cells of a matrix: each takes 22 bytes."""
PENALTY = 2.0
"""Of PAR-2, by which backends are compared: how many times its limit an undecided run counts."""

__all__ = ["ANSWERS", "NO_RUN", "TERMINATIONS", "Instance", "Instances", "Runs", "is_decided"]


def is_decided(row: RunRow) -> bool:
    """Return whether the run settled its task by itself."""
    return row["termination"] == Termination.OK and is_settling(row["answer"], row["task"] == Task.SOLVE)


@dataclass(frozen=True, slots=True)
class Instance:
    """What every backend is asked for once."""

    puzzle: str
    puzzle_hash: str  # 16 digits
    index: int  # of the puzzle in its file
    rows: int
    columns: int
    task: str
    bound: int | None  # None but for task ``count``
    limit_s: float  # wall limit; inf without one
    seed: int
    repeat: int


class Instances:
    """The instances of a campaign as columns; an `Instance` is made when it is asked for."""

    def __init__(self, table: RunTable, first: IntArray) -> None:
        self.table, self.first = table, first  # the number of a run of each instance, shape (I,)

    def __len__(self) -> int:
        return len(self.first)

    def __getitem__(self, place: int) -> Instance:
        puzzles, puzzle = self.table.puzzles, self.puzzle[place]
        return Instance(
            str(puzzles.names[puzzle]),
            f"{int(puzzles.hash[puzzle]):016x}",
            int(puzzles.index[puzzle]),
            int(puzzles.rows[puzzle]),
            int(puzzles.columns[puzzle]),
            *self.asked[self.table["request"][self.first[place]]],
        )

    def __iter__(self) -> Iterator[Instance]:
        return (self[place] for place in range(len(self)))

    def take(self, chosen: BoolArray | IntArray) -> Instances:
        """Return the chosen instances, a mask or indices."""
        return Instances(self.table, self.first[chosen])

    @cached_property
    def asked(self) -> list[Asked]:
        """Task, bound, wall limit, seed and repeat of each request of the table."""
        return _asked(self.table)

    @cached_property
    def puzzle(self) -> IntArray:
        """The place of each instance's puzzle in the columns of `table.puzzles`, shape (I,)."""
        return self.table["puzzle"][self.first].astype(np.intp)

    @cached_property
    def limit_s(self) -> FloatArray:
        """Wall limits in seconds, shape (I,); inf where there was none."""
        limits = np.array([limit for _, _, limit, _, _ in self.asked], float)
        return limits[self.table["request"][self.first]]

    @cached_property
    def cells(self) -> IntArray:
        """Cells of each instance's puzzle, shape (I,)."""
        puzzles = self.table.puzzles
        return (puzzles.rows.astype(np.intp) * puzzles.columns)[self.puzzle]


@dataclass(frozen=True, eq=False)
class Runs:
    """The runs of a campaign, B backends on I instances, as matrices of shape (B, I)."""

    backends: tuple[str, ...]
    instances: Instances
    wall_s: FloatArray  # NaN without a run, or if its row does not tell it
    cpu_s: FloatArray  # likewise
    is_decided: BoolArray
    answer: CodeArray  # index into `ANSWERS`; `NO_RUN` without a run
    termination: CodeArray  # into `TERMINATIONS`
    evidence: CodeArray  # into `EVIDENCE`
    session: SessionArray  # into `sessions`
    sessions: tuple[str, ...]  # starts in ISO 8601
    cpu_limit_s: FloatArray  # shape (I,): the largest CPU limit, else wall limit, or CPU seconds of its runs
    by: By = "wall"  # which time scores are about

    @classmethod
    def of(cls, runs: RunTable | Iterable[Mapping[str, Any]], order: Iterable[str] = ()) -> Self:
        """Make the matrix of some runs, backends of `order` first; of a run the last row counts."""
        table = runs if isinstance(runs, RunTable) else table_of(runs)
        numbers = {backend: place for place, backend in enumerate(order)}
        places = [numbers.setdefault(backend, len(numbers)) for backend in table.backends]
        backends = np.array(places, np.intp)[table["backend"]]
        instances, across = instances_of(table)
        shape = len(numbers), len(instances)
        if shape[0] * shape[1] > MAX_CELLS:
            size = f"{shape[0]} backends on {shape[1]} instances, of which {len(table)} have a run"
            raise UsageError(f"cannot score {size}: split the campaign so that backends share their puzzles")

        def spread(column: Any, empty: float) -> Any:
            matrix = np.full(shape, empty, column.dtype)
            matrix[backends, across] = column
            return matrix

        return cls(
            tuple(numbers),
            instances,
            spread(table["wall_s"], np.nan),
            spread(table["cpu_s"], np.nan),
            spread(table.is_decided, False),
            spread(table["answer"], NO_RUN),
            spread(table["termination"], NO_RUN),
            spread(table["evidence"], NO_RUN),
            spread(table["session"], NO_RUN),
            table.sessions,
            _cpu_limit_s(table, across, len(instances)),
        )

    @cached_property
    def has_run(self) -> BoolArray:
        """Whether there is a run, shape (B, I)."""
        return ~np.isnan(self.time_s)

    @property
    def time_s(self) -> FloatArray:
        """Seconds of the kind that scores are about, shape (B, I)."""
        return self.cpu_s if self.by == "cpu" else self.wall_s

    @property
    def limit_s(self) -> FloatArray:
        """What an undecided run counts of that time in seconds, shape (I,); inf where there was no limit."""
        return self.cpu_limit_s if self.by == "cpu" else self.instances.limit_s

    @cached_property
    def puzzle_of(self) -> IntArray:
        """The number of each instance's puzzle, shape (I,), counted from 0; a puzzle is known by its hash."""
        return by_first(self.instances.table.puzzles.hash[self.instances.puzzle])[1]

    def cost_s(self, penalty: float = 1.0) -> FloatArray:
        """Return the seconds of each run, shape (B, I); `penalty` times `limit_s` if it is undecided."""
        return np.where(self.is_decided, self.time_s, np.where(self.has_run, penalty * self.limit_s, np.nan))

    @cached_property
    def censored_s(self) -> FloatArray:
        """Seconds up to the limit, which is what an undecided run has, shape (B, I)."""
        return np.minimum(self.cost_s(), self.limit_s)

    def compared_by(self, by: By) -> Runs:
        """Return the same runs, to be scored by wall or CPU time."""
        return replace(self, by=by)

    def of_instances(self, chosen: BoolArray | IntArray) -> Runs:
        """Return the runs on the chosen instances, a mask or indices."""
        part = self._of_cells((slice(None), chosen))
        return replace(part, instances=self.instances.take(chosen), cpu_limit_s=self.cpu_limit_s[chosen])

    def of_backends(self, chosen: BoolArray | IntArray) -> Runs:
        """Return the runs of the chosen backends, a mask or indices."""
        backends = tuple(self.backends[i] for i in np.arange(len(self.backends))[chosen])
        return replace(self._of_cells((chosen, slice(None))), backends=backends)

    def chosen(self, backend: str, places: IntArray) -> Runs:
        """Return the runs of a virtual backend: on each instance, the run of another one."""
        cells = places[np.newaxis], np.arange(len(self.instances))[np.newaxis]
        return replace(self._of_cells(cells), backends=(backend,))

    def _of_cells(self, cells: Any) -> Runs:
        """Return some cells of the matrix, still with all backends and instances."""
        names = ("wall_s", "cpu_s", "is_decided", "answer", "termination", "evidence", "session")
        return replace(self, **{name: getattr(self, name)[cells] for name in names})


def _asked(table: RunTable) -> list[Asked]:
    """Return task, bound, wall limit, seed and repeat of each request, as an `Instance` has them."""
    return [
        (
            request.task,
            request.bound if request.task == Task.COUNT else None,
            math.inf if request.wall is None else float(request.wall),
            request.seed,
            request.repeat,
        )
        for request in table.requests
    ]


def _cpu_limit_s(table: RunTable, across: IntArray, instances: int) -> FloatArray:
    limits = [request.wall if request.cpu is None else request.cpu for request in table.requests]
    limit_s = np.array([math.inf if limit is None else limit for limit in limits])[table["request"]]
    found = np.zeros(instances)
    np.maximum.at(found, across, np.fmax(limit_s, table["cpu_s"]))
    return found


def instances_of(table: RunTable) -> tuple[Instances, IntArray]:
    """Return the instances of a table, in the order of their first runs, and the instance of each run."""
    numbers: dict[Asked, int] = {}
    asked = [numbers.setdefault(asked, len(numbers)) for asked in _asked(table)]
    puzzle = table["puzzle"].astype(np.int64)
    first, across = by_first(puzzle * len(numbers) + np.array(asked, np.int64)[table["request"]])
    return Instances(table, first), across
