"""Define tasks, requests and outcomes, and the protocol that every solver follows.

A backend enumerates: `Backend.search` yields distinct solutions one after the other and ends when there are
no more. What a task asks for (one solution, exactly one, how many) is decided in one place,
`nonocsp.backends.run`, by how many solutions were taken and whether the search ended by itself. A backend
that can tell the number of solutions without enumerating them has a method `count`, too (`Counting`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from nonocsp.engine import StopFlag
from nonocsp.model import BLACK_AND_WHITE, Grid, Palette, Puzzle, UsageError, bounds, unknown
from nonocsp.model.grid import differing_cells

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Statistic = int | float | str

MOST_BOUND = 10**18 - 1
"""The most solutions that task ``count`` can be asked for: what 64 bits hold, in whole digits."""
LISTED = 1000
"""The most solutions that an outcome lists when task ``count`` has no bound."""
MOST_COUNTED: int = 10**bounds.COUNT_DIGITS - 1
"""The largest number of solutions that an outcome can say."""


class Task(StrEnum):
    """What is asked."""

    SOLVE = "solve"
    """One solution."""
    DECIDE = "decide"
    """None, exactly one, or several."""
    COUNT = "count"
    """How many solutions there are, or all solutions up to the request's bound."""


class Answer(StrEnum):
    """What is known about the puzzle; never says why a run ended."""

    UNSAT = "unsat"
    """There is no solution."""
    UNIQUE = "unique"
    """There is exactly one solution."""
    MULTIPLE = "multiple"
    """There are several."""
    SOLVED = "solved"
    """A solution; nothing is known about others."""
    PARTIAL = "partial"
    """An incomplete method stopped at a fixpoint."""
    UNKNOWN = "unknown"
    """Nothing was proved."""


class ProofLevel(StrEnum):
    """How far a verdict is proved: the key `evidence` of rows."""

    PROVED = "proved"
    """There are two solutions, or the proof that there are no others was verified."""
    CHECKED_GRID = "checked grid"
    """A solution was verified; that there is no other is the backend's claim, if it says so."""
    CLAIMED = "claimed"
    """That there is no solution is the backend's claim."""


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


def check_limit(name: str, value: object) -> None:
    """Raise UsageError unless a limit is None or a number of seconds above 0."""
    if value is not None and not (isinstance(value, Real) and 0 < float(value) <= bounds.SECONDS):
        raise UsageError(
            f"{name} is {value!r}; expected seconds above 0, at most {bounds.SECONDS}, or None for no limit"
        )


def check_whole(name: str, value: object, most: int, unit: str) -> None:
    """Raise UsageError unless a limit is None or a whole number above 0 and at most `most`."""
    if value is not None and not (isinstance(value, Integral) and 0 < int(value) <= most):
        raise UsageError(
            f"{name} is {value!r}; expected a whole number of {unit}, at least 1, or None for no limit"
        )


@dataclass(frozen=True, slots=True)
class Request:
    """A task, its limits and a seed.

    Parameters
    ----------
    bound
        The most solutions that task ``count`` looks for, and lists; None: it tells the number of all of them,
        and lists some.
    certify
        Whether a backend that can prove its verdict is to do so.
    """

    task: Task = Task.DECIDE
    limits: Limits = Limits()
    seed: int = 0
    bound: int | None = None
    certify: bool = False

    @classmethod
    def of(cls, task: Task | str, limits: Limits, seed: int, bound: int | None) -> Request:
        """Return a request; UsageError if there is no such task, or no run can have such a limit."""
        if task not in list(Task):
            raise unknown("task", task, Task)
        if not (limits.wall is limits.cpu is limits.memory is bound is None):  # most calls have no limit
            check_limit("wall", limits.wall)
            check_limit("cpu", limits.cpu)
            check_whole("memory", limits.memory, bounds.MEMORY_BYTES, "bytes")
            check_whole("bound", bound, MOST_BOUND, "solutions")
        return cls(Task(task), limits, seed, bound)

    @property
    def wanted(self) -> int:
        """How many solutions are worth finding: a second one disproves uniqueness."""
        counted = bounds.SOLUTIONS if self.bound is None else self.bound
        return {Task.SOLVE: 1, Task.DECIDE: 2, Task.COUNT: counted}[self.task]

    @property
    def listed(self) -> int:
        """The most solutions that the outcome lists."""
        return LISTED if self.counts_all else self.wanted

    @property
    def counts_all(self) -> bool:
        """Whether the number of all solutions is asked for."""
        return self.task is Task.COUNT and self.bound is None


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof, not verified yet, that there are no other solutions than those of its outcome.

    Parameters
    ----------
    content
        In the form of DRAT, binary or text, or of LRAT if `is_lrat`.
    clauses
        The formula that has no model: literals, each clause ends with 0. None stands for the formula of a
        certificate (`nonocsp.certificates.formula`), without the solution.
    """

    content: bytes
    is_lrat: bool = False
    clauses: NDArray[np.int32] | None = None


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


class Bounds(NamedTuple):
    """The bounds of an option: ``Annotated[int, Bounds(1, 8), Doc("…")]``.

    It is `annotated_types.Interval` without the time that importing that takes, a third of a short command.
    """

    ge: int
    le: int | None = None

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        schema = handler(source)
        return schema | {name: bound for name, bound in self._asdict().items() if bound is not None}


class Interrupted(Exception):
    """Raised inside a search that was told to stop. Carries no verdict."""


class Unsupported(Exception):
    """Raised by a search for a puzzle beyond the backend; the message says which limit."""


@dataclass(slots=True)
class Run:
    """One search in progress: what was asked, the flag that ends it, and the statistics it leaves.

    A search polls `check` (or hands `stop` to the core) often enough to end within 20 ms, and writes its
    counts into `stats` as it goes, so that they survive an interruption. So does a proved lower bound of the
    number of solutions, in `at_least`. A search that has a proof of its verdict leaves it in `proof`.
    """

    request: Request
    stop: StopFlag
    deadline: float | None = None
    stats: dict[str, Statistic] = field(default_factory=dict)
    at_least: int = 0
    proof: Proof | None = None

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

    A backend is a class whose only constructor argument is an instance of its `Options`; it may be a subclass
    of this one. Its module imports nothing heavy at the top: what it needs is named in `requires` and
    imported in `search`. A class may have three more attributes: `extra`, the extra of its package that
    installs what it needs; `programs`, the programs that it needs, each with how to install it; and the
    method `missing_choices()`, which returns for each choice of an option why it cannot be made here, or an
    empty text.
    """

    Options: type[Any]
    """A frozen dataclass; every field is annotated ``Annotated[type, Doc("…")]`` and has a default."""
    summary: str
    """One line: the method."""
    paper: str
    """Where the method comes from."""
    capabilities: Capabilities = Capabilities()
    """What the method can do; an instance whose options restrict it has capabilities of its own."""
    requires: tuple[str, ...] = ()
    """Top-level modules that must be importable, such as ``("ortools",)``."""

    options: Any
    """This instance's options."""

    def __init__(self, options: Any) -> None:
        self.options = options

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


@runtime_checkable
class Counting(Backend, Protocol):
    """A backend that can tell the number of solutions without enumerating them."""

    def count(self, puzzle: Puzzle, run: Run) -> Generator[Grid, None, int]:
        """Yield distinct solutions, and return how many there are; parameters are those of `search`.

        All of them come if there are at most `LISTED`; otherwise two are enough. Proved lower bounds go to
        ``run.at_least``.

        Raises
        ------
        Interrupted, Unsupported
            As `Backend.search` does.
        MemoryError
            If counting would take more memory than the run or the backend's options allow.
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
        The run ended because a grid failed verification, or a count cannot be true: the backend is broken.
    count
        With task ``count``: how many solutions there are, if that was proved. Like ``unsat``, it is a claim
        of the backend that nothing here verifies.
    count_at_least
        With task ``count``: a proved lower bound; equal to `count` if that is known.
    palette
        The colours of the puzzle, for pictures; no part of what is compared.
    proof
        The proof of the verdict, as long as nobody has verified it.
    proved
        Whether a proof of the verdict was verified.
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
    count: int | None = None
    count_at_least: int = 0
    palette: Palette = field(default=BLACK_AND_WHITE, repr=False, compare=False)
    proof: Proof | None = field(default=None, repr=False, compare=False)
    proved: bool = False

    @property
    def evidence(self) -> ProofLevel | None:
        """How far the verdict is proved; None without a verdict."""
        match self.answer:
            case Answer.MULTIPLE:
                return ProofLevel.PROVED
            case Answer.UNSAT:
                return ProofLevel.PROVED if self.proved else ProofLevel.CLAIMED
            case Answer.UNIQUE | Answer.SOLVED:
                return ProofLevel.PROVED if self.proved else ProofLevel.CHECKED_GRID
        return None

    @property
    def grid(self) -> Grid:
        """The first solution.

        Raises
        ------
        UsageError
            If there is none; the grid of a method that got stuck is `partial`.
        """
        if self.solutions:
            return self.solutions[0]
        stuck = "; outcome.partial is the grid where the method got stuck" if self.partial else ""
        raise UsageError(f"the outcome has no solution: {self}{stuck}")

    def __str__(self) -> str:
        """Return answer and termination, and why the run ended early."""
        ending = "" if self.termination is Termination.OK else f", ended by {self.termination}"
        return f"{self.answer}{ending}{f' ({self.message})' if self.message else ''}"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the answer, and two solutions with the cells in which they differ."""
        from nonocsp.render.notebook import grids_html

        number = str(self.count) if self.count is not None else f"at least {self.count_at_least}"
        counted = f", {number} solutions" if self.count is not None or self.count_at_least else ""
        partial = [self.partial] if self.partial else []
        marked = differing_cells(self.solutions[:2]) if len(self.solutions) > 1 else None
        text = f"{self}{counted}, {self.wall_s:.3g} s"
        return grids_html(text, [*self.solutions[:2], *partial], self.palette, marked)

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
            **({"count": self.count} if self.count is not None else {}),
            **({"count_at_least": self.count_at_least} if self.count is None and self.count_at_least else {}),
            **({"partial": self.partial.strings(puzzle.palette)} if self.partial else {}),
            **({"message": self.message} if self.message else {}),
            **({"wrong": True} if self.wrong else {}),
            **({"evidence": str(self.evidence)} if self.proved else {}),
            "stats": dict(self.stats),
        }
