"""Backend ``settle``: line propagation alone, no search.

Settles dirty lines until nothing changes (Batenburg & Kosters 2009). Solves every simple puzzle, and only
those; where it stops, the answer is ``partial`` and the grid holds exactly what line solving can know.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from annotated_doc import Doc

from nonocsp.backends.base import Capabilities, Run
from nonocsp.backends.interruption import root_fixpoint
from nonocsp.engine import LineSolver, Order
from nonocsp.model import Grid, Puzzle


@dataclass(frozen=True, slots=True)
class SettleOptions:
    """Options of ``settle``."""

    order: Annotated[
        Literal["queue", "sweeps"],
        Doc("which line next: first dirty first, or alternating sweeps, rows first, whose number is counted"),
    ] = "queue"


class Settle:
    """Line propagation to the fixpoint."""

    Options = SettleOptions
    summary = "line propagation to the fixpoint, no search"
    paper = "Batenburg & Kosters, Solving nonograms by combining relaxations, 2009"
    capabilities = Capabilities(complete=False)
    requires: tuple[str, ...] = ()

    def __init__(self, options: SettleOptions) -> None:
        self.options = options

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        """Yield the grid at the fixpoint, full or partial; nothing if a line contradicts."""
        root = root_fixpoint(LineSolver(puzzle), run, Order(self.options.order))
        if self.options.order == "sweeps":
            run.stats["sweeps"] = root.sweeps
        run.stats["painted"] = int(np.count_nonzero(np.bitwise_count(root.candidates) == 1))
        if root.contradiction is None:
            yield Grid(root.candidates)
