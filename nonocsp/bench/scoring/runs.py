"""Arrange the runs of a campaign as a matrix: backends down, instances across.

An *instance* is what a backend is asked for once: a puzzle under a task, a wall limit, a seed and a repeat.
Every score is computed from this matrix, so all of them mean the same runs. A run is *decided* if it ended by
itself (termination ``ok``) with an answer that settles its task: ``unsat``, ``unique`` or ``multiple``, and
``solved`` where one solution was asked for. One pass over the rows makes it, a tenth of a second for 100 000.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from nonocsp.backends.base import Answer, Task, Termination

if TYPE_CHECKING:
    from nonocsp.bench.rows import RunRow

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.intp]
CodeArray = NDArray[np.int8]

ANSWERS = tuple(Answer)
TERMINATIONS = tuple(Termination)
NO_RUN = -1
"""Code of the answer and termination of a run that is missing."""

_ANSWER_CODES = {str(answer): code for code, answer in enumerate(ANSWERS)}
_TERMINATION_CODES = {str(termination): code for code, termination in enumerate(TERMINATIONS)}
_VERDICTS = {Answer.UNSAT, Answer.UNIQUE, Answer.MULTIPLE}


def is_decided(row: RunRow) -> bool:
    """Return whether the run settled its task by itself."""
    settling = _VERDICTS | {Answer.SOLVED} if row["task"] == Task.SOLVE else _VERDICTS
    return row["termination"] == Termination.OK and row["answer"] in settling


@dataclass(frozen=True, slots=True)
class Instance:
    """What every backend is asked for once.

    Parameters
    ----------
    puzzle, puzzle_hash, index
        The puzzle: its name, the hash of its clues, its place in its file.
    rows, columns
        Its size.
    task, bound
        What was asked; `bound` is None but for task ``count``.
    limit_s
        The wall limit in seconds, inf where there was none.
    seed, repeat
        Which of several runs on the puzzle.
    """

    puzzle: str
    puzzle_hash: str
    index: int
    rows: int
    columns: int
    task: str
    bound: int | None
    limit_s: float
    seed: int
    repeat: int


@dataclass(frozen=True, eq=False)
class Runs:
    """The runs of a campaign, B backends on I instances.

    Parameters
    ----------
    backends, instances
        Backends in the given order, all else in the order in which it first appears.
    wall_s
        Wall seconds as measured, shape (B, I); NaN where there is no run.
    is_decided
        Whether the run settled its task by itself, shape (B, I); False where there is no run.
    answer, termination
        Indices into `ANSWERS` and `TERMINATIONS`, shape (B, I); `NO_RUN` where there is no run.
    """

    backends: tuple[str, ...]
    instances: tuple[Instance, ...]
    wall_s: FloatArray
    is_decided: BoolArray
    answer: CodeArray
    termination: CodeArray

    @classmethod
    def of(cls, rows: Iterable[RunRow], order: Iterable[str] = ()) -> Self:
        """Make the matrix of some rows; if several rows are about one run, the last one counts.

        Parameters
        ----------
        rows
            Those of a campaign.
        order
            Backends that come first, in this order; each has at least one row.
        """
        backends = {backend: place for place, backend in enumerate(order)}
        instances: dict[tuple[Any, ...], int] = {}
        cells = [
            (
                backends.setdefault(row["backend"], len(backends)),
                instances.setdefault(_key(row), len(instances)),
                row["wall_s"],
                is_decided(row),
                _ANSWER_CODES[row["answer"]],
                _TERMINATION_CODES[row["termination"]],
            )
            for row in rows
        ]
        shape = len(backends), len(instances)
        wall_s, decided = np.full(shape, np.nan), np.zeros(shape, bool)
        answer, termination = np.full((2, *shape), NO_RUN, np.int8)
        if cells:
            first, second, *columns = zip(*cells, strict=True)
            for array, column in zip((wall_s, decided, answer, termination), columns, strict=True):
                array[list(first), list(second)] = column
        asked = tuple(Instance(*key) for key in instances)
        return cls(tuple(backends), asked, wall_s, decided, answer, termination)

    @cached_property
    def has_run(self) -> BoolArray:
        """Whether there is a run, shape (B, I)."""
        return ~np.isnan(self.wall_s)

    @cached_property
    def limit_s(self) -> FloatArray:
        """Wall limits in seconds, shape (I,); inf where there was none."""
        return np.array([instance.limit_s for instance in self.instances], float)

    @cached_property
    def puzzle_of(self) -> IntArray:
        """The number of each instance's puzzle, shape (I,), counted from 0; a puzzle is known by its hash."""
        numbers: dict[str, int] = {}
        hashes = (instance.puzzle_hash for instance in self.instances)
        return np.array([numbers.setdefault(puzzle, len(numbers)) for puzzle in hashes], np.intp)

    def cost_s(self, penalty: float = 1.0) -> FloatArray:
        """Return what each run counts, shape (B, I).

        A decided run counts its wall seconds, any other one `penalty` times its wall limit, which is inf
        where there was none. NaN where there is no run.
        """
        penalised = np.where(self.has_run, penalty * self.limit_s, np.nan)
        return np.where(self.is_decided, self.wall_s, penalised)

    @cached_property
    def censored_s(self) -> FloatArray:
        """Wall seconds up to the wall limit, which is what an undecided run has, shape (B, I)."""
        return np.minimum(self.cost_s(), self.limit_s)

    def of_instances(self, chosen: BoolArray | IntArray) -> Runs:
        """Return the runs on the chosen instances, a mask or indices."""
        instances = tuple(self.instances[i] for i in np.arange(len(self.instances))[chosen])
        return self._with(self.backends, instances, (slice(None), chosen))

    def of_backends(self, chosen: BoolArray | IntArray) -> Runs:
        """Return the runs of the chosen backends, a mask or indices."""
        backends = tuple(self.backends[i] for i in np.arange(len(self.backends))[chosen])
        return self._with(backends, self.instances, (chosen, slice(None)))

    def _with(self, backends: tuple[str, ...], instances: tuple[Instance, ...], cells: Any) -> Runs:
        arrays = (self.wall_s, self.is_decided, self.answer, self.termination)
        return Runs(backends, instances, *(array[cells] for array in arrays))


def _key(row: RunRow) -> tuple[Any, ...]:
    """Return the fields of the row's instance."""
    limit = row["limits"]["wall"]
    return (
        row["puzzle"],
        row["puzzle_hash"],
        row["index"],
        row["rows"],
        row["columns"],
        row["task"],
        row["bound"] if row["task"] == Task.COUNT else None,
        math.inf if limit is None else float(limit),
        row["seed"],
        row["repeat"],
    )
