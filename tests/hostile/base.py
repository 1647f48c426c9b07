"""What hostile backends share: they are honest with rehearsals, and solve small puzzles afterwards."""

from __future__ import annotations

import itertools
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from nonocsp.backends.base import Capabilities, Limits, Run, Termination
from nonocsp.model import Clue, Grid, Puzzle, verify

OK, WALL, CPU, MEMORY, CRASHED, KILLED = (
    Termination.OK,
    Termination.WALL,
    Termination.CPU,
    Termination.MEMORY,
    Termination.CRASHED,
    Termination.KILLED,
)
BRIEF = Limits(wall=0.3, memory=400 << 20)
"""The limits of runs that would never end."""
REHEARSAL = (2, 2)
"""The size of the puzzle that every process solves before its first run."""


@dataclass(frozen=True, slots=True)
class NoOptions:
    pass


class Hostile:
    """Attacks on every puzzle but those of rehearsals, then solves the puzzle if it still can.

    Attributes
    ----------
    becomes
        How its runs end; one of several where that depends on who is faster.
    limits
        Those of its runs.
    says
        Part of the message of such a run.
    leaves
        Part of what the run is said to leave behind.
    needs_namespaces
        Whether it would harm processes that are not its own where it is not isolated.
    """

    Options: ClassVar[type[Any]] = NoOptions
    summary: ClassVar[str] = "for tests"
    paper: ClassVar[str] = ""
    capabilities: ClassVar[Capabilities] = Capabilities()
    requires: ClassVar[tuple[str, ...]] = ()

    becomes: ClassVar[tuple[Termination, ...]] = (OK,)
    limits: ClassVar[Limits] = Limits(wall=20.0, cpu=20.0, memory=400 << 20)
    says: ClassVar[str] = ""
    leaves: ClassVar[str] = ""
    needs_namespaces: ClassVar[bool] = False

    def __init__(self, options: Any) -> None:
        self.options = options

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        if puzzle.shape == REHEARSAL:
            self.rehearse()
        else:
            if self.needs_namespaces:
                check_isolation()
            yield from self.attack(puzzle, run) or ()
        yield from solutions(puzzle)

    def rehearse(self) -> None:
        """Do what a process does before its first run."""

    def attack(self, puzzle: Puzzle, run: Run) -> Iterable[Grid] | None:
        """Do harm; what is returned comes before the solutions."""


def check_isolation() -> None:
    """Refuse to go on where this would harm other processes."""
    outside = os.environ.get("HOSTILE_OUTSIDE")
    if outside is None or os.readlink("/proc/self/ns/pid") == outside:
        raise RuntimeError("not isolated: this would harm other processes")


def check_folder() -> None:
    """Refuse to go on in a folder that is not the run's own."""
    here = os.getcwd()
    if here != tempfile.gettempdir() or "nonocsp-" not in here:
        raise RuntimeError(f"{here} is not the run's own folder")


def host_modules() -> list[Any]:
    """Return the module that runs this process's jobs, under both names that it may have."""
    from nonocsp.run.worker import host

    return [host, sys.modules["__main__"]]


def backend_name(kind: type) -> str:
    """Return the name under which a class is registered."""
    return re.sub("(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


def solutions(puzzle: Puzzle) -> Iterator[Grid]:
    """Yield the solutions of a small puzzle in one colour."""
    lines = list(itertools.product((0, 1), repeat=puzzle.shape[1]))
    fitting = [[line for line in lines if _clue(line) == clue] for clue in puzzle.rows]
    for cells in itertools.product(*fitting):
        grid = Grid.from_cells(cells)
        if verify(puzzle, grid):
            yield grid


def _clue(line: tuple[int, ...]) -> Clue:
    return Clue.of(*(len(list(run)) for colour, run in itertools.groupby(line) if colour))
