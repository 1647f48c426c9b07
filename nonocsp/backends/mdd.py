"""Backend ``mdd``: a decision diagram of all solutions, which also counts them.

Each line's placements are a small decision diagram. These are conjoined cell by cell, row after row: a state
is a node of the row's diagram and one of each column's, and no state is entered twice (Bergman, Cire, van
Hoeve & Hooker, Decision Diagrams for Optimization, 2016). Equal nodes become one, each knows how many
solutions lie below it, and a solution is a path. So many solutions take no longer to count than few.
Complete, as far as the memory reaches: the number of states can grow exponentially with the shorter side.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Annotated

from annotated_doc import Doc

from nonocsp.backends.base import LISTED, Backend, Bounds, Run
from nonocsp.backends.interruption import counted, memory_for_states, solutions
from nonocsp.engine import LineSolver, MddSearch
from nonocsp.model import Grid, Puzzle


@dataclass(frozen=True, slots=True)
class MddOptions:
    """Options of ``mdd``."""

    memory: Annotated[
        int, Bounds(1), Doc("MiB for the diagrams; a puzzle that needs more ends as memory")
    ] = 1024


class Mdd(Backend):
    """Decision diagrams of all solutions."""

    Options = MddOptions
    summary = "a decision diagram of all solutions, conjoined from diagrams of the lines; counts exactly"
    paper = "Bergman, Cire, van Hoeve & Hooker, Decision Diagrams for Optimization, 2016"

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        """Yield all solutions, once the diagrams are made."""
        yield from solutions(self._diagrams(puzzle, run), run)

    def count(self, puzzle: Puzzle, run: Run) -> Generator[Grid, None, int]:
        """Yield all solutions if they are few, else two; return their number."""
        diagrams = self._diagrams(puzzle, run)
        number = counted(diagrams, run)
        yield from islice(solutions(diagrams, run), number + 1 if number <= LISTED else 2)
        return number

    def _diagrams(self, puzzle: Puzzle, run: Run) -> MddSearch:
        return MddSearch(LineSolver(puzzle).compiled, memory_for_states(run, self.options.memory))
