"""Backend ``settle``: line propagation alone, no search.

Settles lines until nothing changes (Batenburg & Kosters 2009). Solves every simple puzzle, and only those;
where it stops, the answer is ``partial`` and the grid holds exactly what line solving can know. In sweeps it
also counts them, which is how the difficulty of a simple puzzle is defined (Batenburg, Henstra, Kosters &
Palenstijn, Constructing simple nonograms of varying difficulty, 2009): rows first and columns first differ by
one at most.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Annotated, Literal

import numpy as np
from annotated_doc import Doc

from nonocsp.backends.base import Backend, Capabilities, Interrupted, Run
from nonocsp.backends.interruption import root_fixpoint
from nonocsp.engine import Candidates, LineSolver, Propagation, Sweep
from nonocsp.model import Grid, Puzzle


@dataclass(frozen=True, slots=True)
class SettleOptions:
    """Options of ``settle``."""

    order: Annotated[
        Literal["queue", "sweeps", "sweeps_columns_first"],
        Doc("lines to settle next: those that changed first, or all rows and all columns in turn"),
    ] = "queue"


class Settle(Backend):
    """Line propagation to the fixpoint."""

    Options = SettleOptions
    summary = "line propagation to the fixpoint, no search"
    paper = "Batenburg & Kosters, Solving nonograms by combining relaxations, 2009"
    capabilities = Capabilities(complete=False)

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        """Yield the grid at the fixpoint, full or partial; nothing if a line contradicts."""
        solver = LineSolver(puzzle)
        root: Propagation | Sweep
        if self.options.order == "queue":
            root = root_fixpoint(solver, run)
        else:
            root = _by_sweeps(solver, run, columns_first=self.options.order == "sweeps_columns_first")
        run.stats["painted"] = _painted(root.candidates)
        if root.contradiction is None:
            yield Grid(root.candidates)


def _by_sweeps(solver: LineSolver, run: Run, *, columns_first: bool) -> Sweep:
    """Sweep rows and columns in turn until a sweep changes nothing; return the last one."""
    candidates = Grid.unknown(*solver.puzzle.shape, solver.puzzle.palette).candidates
    painted: list[int] = []
    run.stats.update(settles=0, sweeps=0, cells_per_sweep="")
    for number in count(1):
        sweep = solver.v_sweep if (number % 2 == 1) == columns_first else solver.h_sweep
        result = sweep(candidates, stop=run.stop, wall=run.remaining)
        run.stats["settles"] = int(run.stats["settles"]) + result.settles
        if result.interrupted:
            raise Interrupted
        painted.append(_painted(result.candidates) - _painted(candidates))
        if not np.array_equal(result.candidates, candidates):
            run.stats.update(sweeps=number, cells_per_sweep=",".join(map(str, painted)))
        elif number > 1:
            break
        if result.contradiction is not None:
            break
        candidates = result.candidates
    return result


def _painted(candidates: Candidates) -> int:
    return int(np.count_nonzero(np.bitwise_count(candidates) == 1))
