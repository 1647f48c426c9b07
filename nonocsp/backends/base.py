"""Define tasks, requests and outcomes, and the protocol that every solver follows.

A backend enumerates: `Backend.search` yields distinct solutions one after the other and ends when there are
no more. What a task asks for (one solution, exactly one, how many) is decided in one place,
`nonocsp.backends.run`, by how many solutions were taken and whether the search ended by itself.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

from nonocsp.engine import StopFlag
from nonocsp.model import Grid, Puzzle, unknown

Statistic = int | float | str


class Task(StrEnum):
    """What is asked."""

    SOLVE = "solve"
    """One solution."""
    DECIDE = "decide"
    """None, exactly one, or several."""
    COUNT = "count"
    """All solutions, up to the request's bound."""


class Answer(StrEnum):
    """What is known about the puzzle; never says why a run ended."""

    UNSAT = "unsat"
    """There is no solution."""
    UNIQUE = "unique"
    """There is exactly one solution."""
    MULTIPLE = "multiple"
    """There are several; with task ``count`` they are all there, up to the bound."""
    SOLVED = "solved"
    """A solution; nothing is known about others."""
    PARTIAL = "partial"
    """An incomplete method stopped at a fixpoint."""
    UNKNOWN = "unknown"
    """Nothing was proved."""


class Termination(StrEnum):
    """Why a run ended; never says anything about the puzzle."""

    OK = "ok"
    """It came to its end by itself."""
    WALL = "wall"
    """The limit on wall time."""
    CPU = "cpu"
    """The limit on CPU time."""
    MEMORY = "memory"
    """The limit on resident memory."""
    CRASHED = "crashed"
    """An exception, a process that died by itself, or a grid that failed verification."""
    KILLED = "killed"
    """Another program ended its process, such as the system when it was out of memory."""
    UNSUPPORTED = "unsupported"
    """The puzzle is beyond the backend, which says why."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Resources of one run; None is no limit.

    Parameters
    ----------
    wall, cpu
        Seconds.
    memory
        Bytes of resident memory.
    """

    wall: float | None = None
    cpu: float | None = None
    memory: int | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """A task, its limits and a seed.

    Parameters
    ----------
    bound
        The most solutions that task ``count`` looks for.
    """

    task: Task = Task.DECIDE
    limits: Limits = Limits()
    seed: int = 0
    bound: int = 1000

    @classmethod
    def of(cls, task: Task | str, limits: Limits, seed: int, bound: int) -> Request:
        """Return a request, with its task given by name.

        Parameters
        ----------
        task
            A task or its name.
        limits
            Wall time, CPU time and memory of the run.
        seed
            For every random choice.
        bound
            The most solutions that task ``count`` looks for.

        Raises
        ------
        UsageError
            If there is no such task.
        """
        if task not in list(Task):
            raise unknown("task", task, Task)
        return cls(Task(task), limits, seed, bound)

    @property
    def wanted(self) -> int:
        """How many solutions settle the task: a second one disproves uniqueness."""
        return {Task.SOLVE: 1, Task.DECIDE: 2, Task.COUNT: self.bound}[self.task]


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a backend can do; a request beyond it ends as ``unsupported``.

    Parameters
    ----------
    complete
        Always reaches a verdict, given time. An incomplete backend may answer ``partial``.
    colours
        Takes puzzles of several colours.
    """

    complete: bool = True
    colours: bool = True


class Interrupted(Exception):
    """Raised inside a search that was told to stop. Carries no verdict."""


class Unsupported(Exception):
    """Raised by a search for a puzzle beyond the backend; the message says which limit."""


@dataclass(slots=True)
class Run:
    """One search in progress: what was asked, the flag that ends it, and the statistics it leaves.

    A search polls `check` (or hands `stop` to the core) often enough to end within 20 ms, and writes its
    counts into `stats` as it goes, so that they survive an interruption.
    """

    request: Request
    stop: StopFlag
    deadline: float | None = None
    stats: dict[str, Statistic] = field(default_factory=dict)

    def check(self) -> None:
        """Raise `Interrupted` if the run was told to stop or is past its wall limit."""
        if self.stop.is_set() or self.remaining == 0.0:
            raise Interrupted

    @property
    def remaining(self) -> float | None:
        """Seconds of wall time left, never negative; None without a limit."""
        return None if self.deadline is None else max(0.0, self.deadline - time.perf_counter())


@runtime_checkable
class Backend(Protocol):
    """A way to solve nonograms. Registered by name in the entry-point group ``nonocsp.backends``.

    A backend is a class whose only constructor argument is an instance of its `Options`. Its module imports
    nothing heavy at the top: what it needs is named in `requires` and imported in `search`. If an extra of
    its package installs that, the class has an attribute `extra` with the name.
    """

    Options: type[Any]
    """A frozen dataclass; every field is annotated ``Annotated[type, Doc("…")]`` and has a default."""
    summary: str
    """One line: the method."""
    paper: str
    """Where the method comes from."""
    capabilities: Capabilities
    """What the method can do; an instance whose options restrict it has capabilities of its own."""
    requires: tuple[str, ...]
    """Top-level modules that must be importable, such as ``("ortools",)``."""

    options: Any
    """This instance's options."""

    def __init__(self, options: Any) -> None: ...

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        """Yield distinct solutions; end when there are no more.

        Parameters
        ----------
        puzzle
            The clues; the puzzle stays as it is.
        run
            Says when to stop, holds the seed, and takes the statistics.

        Yields
        ------
        Grid
            A solution. An incomplete backend that is stuck yields its partial grid, once and last; after a
            solution, it says that there may be others.

        Raises
        ------
        Interrupted
            When `run` says stop.
        Unsupported
            For a puzzle beyond the backend.
        """
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came back from one run.

    Parameters
    ----------
    answer, termination
        Two axes, never merged. A run that was cut off keeps what it had already proved.
    solutions
        Distinct, verified, in the order found.
    partial
        Where an incomplete backend got stuck.
    stats
        The backend's own counts.
    wall_s, cpu_s
        Seconds in the backend, verification excluded; as measured, never rounded.
    message
        Why, for people, when the termination is not ``ok``.
    wrong
        The run ended because a grid failed verification: the backend is broken.
    """

    answer: Answer
    termination: Termination
    solutions: tuple[Grid, ...] = ()
    partial: Grid | None = None
    stats: Mapping[str, Statistic] = field(default_factory=dict)
    wall_s: float = 0.0
    cpu_s: float = 0.0
    message: str = ""
    wrong: bool = False

    def record(self, puzzle: Puzzle) -> dict[str, Any]:
        """Return the outcome as plain JSON values, with the keys that every report of the project uses."""
        rows, columns = puzzle.shape
        return {
            "rows": rows,
            "columns": columns,
            "answer": str(self.answer),
            "termination": str(self.termination),
            "wall_s": self.wall_s,
            "cpu_s": self.cpu_s,
            "solutions": [grid.strings(puzzle.palette) for grid in self.solutions],
            **({"partial": self.partial.strings(puzzle.palette)} if self.partial else {}),
            **({"message": self.message} if self.message else {}),
            **({"wrong": True} if self.wrong else {}),
            "stats": dict(self.stats),
        }
