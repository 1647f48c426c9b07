"""Backend ``probing``: fully probing at every node of a depth-first search, in any number of colours.

Every candidate of every open cell is tried by line solving; what all of a cell's probes agree on is kept, to
a fixpoint (FP1); contrapositives (FP2) and transitive implications (FP3) make the probes stronger (Wu et al.,
An efficient approach to solving nonograms, IEEE Transactions on Computational Intelligence and AI in Games 5,
2013). Cells that have equal or opposite values in every solution can form groups that are painted at once.
The probes also say on which cell to branch. Complete.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_doc import Doc

from nonocsp.backends.base import Bounds
from nonocsp.backends.in_core import MethodBackend
from nonocsp.engine import ProbingLevel, probing
from nonocsp.engine.searches import Method


@dataclass(frozen=True, slots=True)
class ProbingOptions:
    """Options of ``probing``."""

    level: Annotated[
        Literal["fp1", "fp2", "fp3"],
        Doc("implications between probes: none, contrapositives, or transitive ones too"),
    ] = "fp1"
    gp: Annotated[bool, Doc("group cells that are equal or opposite in every solution")] = False
    min_group: Annotated[int, Bounds(2), Doc("size of the smallest group to paint at once")] = 8
    score: Annotated[
        Literal["sum", "min", "max", "product", "sqrt", "min_logm", "min_logd"],
        Doc("score of what a cell's probes paint; the search branches on the cell with the highest score"),
    ] = "min_logd"
    order: Annotated[
        Literal["larger", "smaller", "background", "random"],
        Doc("value to try first: whose probe paints more or less, the background, or a random one"),
    ] = "larger"


class Probing(MethodBackend):
    """Fully probing with grouped backtracking."""

    Options = ProbingOptions
    summary = "every value of every cell tried by line solving, at every node of a search"
    paper = "Wu et al., An efficient approach to solving nonograms, 2013"

    def method(self, seed: int) -> Method:
        """Return the core's method with these options; the seed matters to ``order=random`` only."""
        options = self.options
        return probing.search_by_probing(
            ProbingLevel[options.level.upper()],
            options.gp,
            options.min_group,
            options.score,
            options.order,
            seed,
        )
