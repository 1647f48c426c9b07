"""Backend ``hybrid``: backtracking, probing, then learning from conflicts, guided by beliefs. The default.

Backtracking with line solving finds the solutions of most ambiguous puzzles, as long as it does not get
stuck. Then fully probing (Wu et al., An efficient approach to solving nonograms, IEEE Transactions on
Computational Intelligence and AI in Games 5, 2013) goes on as long as it pays. What is left of the root goes
to a search that learns a clause from each conflict, over the cells and the starts of blocks, with every line
as a propagator that explains itself only when asked. Belief propagation over exact line marginals says which
values to try first, and dives follow it all the way down. In any number of colours and any size. Complete.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_doc import Doc
from annotated_types import Ge

from nonocsp.backends.base import Capabilities, Run
from nonocsp.backends.interruption import solutions
from nonocsp.engine import LineSolver, searches
from nonocsp.model import Grid, Puzzle

MEBIBYTE = 2**20


@dataclass(frozen=True, slots=True)
class HybridOptions:
    """Options of ``hybrid``."""

    backtracking: Annotated[bool, Doc("begin with plain backtracking, up to a few dead ends")] = True
    budget: Annotated[int, Ge(0), Doc("probes, and two more for each candidate that they remove")] = 100
    guidance: Annotated[
        Literal["none", "beliefs", "dives"],
        Doc("what leads learning to a first solution: likely values first, dives along beliefs too"),
    ] = "dives"
    clause_memory: Annotated[int, Ge(1), Doc("MiB for learnt clauses; the best are kept")] = 256


class Hybrid:
    """Probing, then learning from conflicts guided by beliefs."""

    Options = HybridOptions
    summary = "backtracking, probing, then a search that learns, guided by belief propagation"
    paper = "Wu et al. 2013 (probing); Marques-Silva & Sakallah 1999 (learning); made for nonocsp"
    capabilities = Capabilities()
    requires: tuple[str, ...] = ()

    def __init__(self, options: HybridOptions) -> None:
        self.options = options

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        """Yield all solutions; the seed makes the beliefs' dives differ."""
        options = self.options
        search = searches.search_by_hybrid(
            LineSolver(puzzle).compiled,
            options.backtracking,
            options.budget,
            searches.Guidance[options.guidance.upper()],
            options.clause_memory * MEBIBYTE,
            run.request.seed,
        )
        yield from solutions(search, run)
