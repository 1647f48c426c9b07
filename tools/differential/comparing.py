"""Run all backends on one puzzle, in one process, beside an enumeration that shares nothing with them.

No run gets a process of its own, as enforced limits would need: a puzzle costs some milliseconds, most of
them CP-SAT's. A backend that crashes the process is still detected, together with the puzzle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from nonocsp.backends.base import (
    Answer,
    Backend,
    Capabilities,
    Outcome,
    Request,
    Run,
    Termination,
    Unsupported,
)
from nonocsp.backends.registry import create
from nonocsp.backends.run import or_crashed, run_backend
from nonocsp.bench.agreement import Checked, check_puzzles
from nonocsp.engine import StopFlag
from nonocsp.formats import NamedPuzzle
from nonocsp.model import Grid, Puzzle
from nonocsp.testing import solutions

ENUMERATION = "enumeration"
"""The spec of `Enumeration`."""
LONGEST_LINE = 5
"""Up to 5x5 an enumeration takes about as long as a backend."""

LOST = NamedPuzzle("lost", 0, Puzzle.from_clues([[]], [[]]))
"""The backend named for a puzzle that crashed the process."""


class Enumeration:
    """Every placement of every row that the columns can complete: `nonocsp.testing.solutions`."""

    Options: type[Any] = type(None)
    summary = "all placements of all rows"
    paper = ""
    capabilities = Capabilities()
    requires: tuple[str, ...] = ()

    def __init__(self, options: None = None) -> None:
        self.options = options

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:  # noqa: ARG002
        """Yield all solutions of a small puzzle."""
        if max(puzzle.shape) > LONGEST_LINE:
            raise Unsupported(f"a line of more than {LONGEST_LINE} cells")
        yield from solutions(puzzle)


@dataclass(frozen=True, slots=True)
class Comparing:
    """The work on each puzzle of a round: run all backends and compare; agreed grids are not sent back."""

    specs: Sequence[str]
    request: Request

    def start(self) -> Callable[[Puzzle], Checked]:
        """Create the backends."""
        backends = {spec: _runner(spec) for spec in self.specs}
        return lambda puzzle: _without_grids(_compare(puzzle, backends, self.request))

    def lost(self, how: str) -> Checked:
        """Return a crash of an unknown backend on an unknown puzzle."""
        crash = Outcome(Answer.UNKNOWN, Termination.CRASHED, message=how)
        return Checked.of(LOST, self.request, dict.fromkeys(self.specs, crash))


def compare(puzzle: Puzzle, specs: Sequence[str], request: Request) -> Checked:
    """Run backends, or ``enumeration``, on a puzzle in this process and compare their answers."""
    return _compare(puzzle, {spec: _runner(spec) for spec in specs}, request)


def compare_apart(puzzle: Puzzle, specs: Sequence[str], request: Request) -> Checked:
    """Do the same in processes that may die; without the enumeration."""
    backends = [spec for spec in specs if spec != ENUMERATION]
    return next(check_puzzles([NamedPuzzle("random", 1, puzzle)], backends, request))


def _compare(puzzle: Puzzle, backends: Mapping[str, Backend], request: Request) -> Checked:
    outcomes = {
        spec: or_crashed(partial(run_backend, backend, puzzle, request, StopFlag()))
        for spec, backend in backends.items()
    }
    return Checked.of(NamedPuzzle("random", 1, puzzle), request, outcomes)


def _runner(spec: str) -> Backend:
    return Enumeration() if spec == ENUMERATION else create(spec)


def _without_grids(checked: Checked) -> Checked:
    if not checked.is_sound:
        return checked
    bare = {spec: replace(outcome, solutions=()) for spec, outcome in checked.outcomes.items()}
    return replace(checked, outcomes=bare)
