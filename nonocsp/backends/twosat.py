"""Backend ``twosat``: line solving combined with 2-SAT, and depth-first search on what they leave open.

What any two cells of one line exclude is a clause of two literals; 2-SAT joins the clauses of all lines and
finds every cell that they force. Alternated with settle until neither goes further this is Solver0 of
Batenburg & Kosters (Solving Nonograms by combining relaxations, Pattern Recognition 42, 2009); Solver1 looks
one cell ahead with it. Sound in any number of colours, complete with search.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_doc import Doc

from nonocsp.backends.base import Capabilities
from nonocsp.backends.in_core import MethodBackend
from nonocsp.engine import searches
from nonocsp.engine.searches import Method


@dataclass(frozen=True, slots=True)
class TwoSatOptions:
    """Options of ``twosat``."""

    level: Annotated[
        Literal["0", "1"], Doc("Solver0, or Solver1, which tries every value of every open cell with Solver0")
    ] = "0"
    search: Annotated[
        bool, Doc("search the cells that the solver leaves open; without it the answer may be partial")
    ] = True


class TwoSat(MethodBackend):
    """Combined relaxations: lines, 2-SAT, search."""

    Options = TwoSatOptions
    summary = "line solving combined with 2-SAT over what two cells of a line exclude, and search"
    paper = "Batenburg & Kosters, Solving nonograms by combining relaxations, 2009"

    def __init__(self, options: TwoSatOptions) -> None:
        self.options = options
        self.capabilities = Capabilities(complete=options.search)

    def method(self, _: int) -> Method:
        """Return the core's method with these options."""
        return searches.search_by_two_sat(self.options.level == "1", self.options.search)
