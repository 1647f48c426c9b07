"""Backend ``gac``: generalised arc consistency over the placements of lines, and a search over lines.

Variables are the lines, values their placements that fit the fixpoint of line solving, listed and kept as bit
sets (compact-table, Demeulenaere et al. 2016); row and column agree on every cell. What GAC leaves open is
searched line by line, GAC maintained. Complete. Memory: two bits a cell and placement.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_doc import Doc

from nonocsp.backends.base import Bounds
from nonocsp.backends.in_core import MethodBackend
from nonocsp.engine import searches
from nonocsp.engine.searches import Method


@dataclass(frozen=True, slots=True)
class GacOptions:
    """Options of ``gac``."""

    variable_order: Annotated[
        Literal["dom_wdeg", "domain", "first"],
        Doc("line to branch on: smallest domain over weight (dom/wdeg), smallest domain, or first"),
    ] = "dom_wdeg"
    value_order: Annotated[
        Literal["first", "support", "random"],
        Doc("placement to try first: leftmost, most supported by crossing lines, or random"),
    ] = "support"
    settle: Annotated[
        bool, Doc("list the placements after line solving; if not, list all and leave it to GAC")
    ] = True
    max_placements: Annotated[
        int, Bounds(1), Doc("the most placements of a line; a puzzle with more is unsupported")
    ] = 1_000_000


class Gac(MethodBackend):
    """Generalised arc consistency over placements, maintained by a search over lines."""

    Options = GacOptions
    summary = "generalised arc consistency over the placements of lines, search over lines"
    paper = "Demeulenaere et al., Compact-Table: efficiently filtering table constraints, 2016"

    def method(self, seed: int) -> Method:
        """Return the core's method with these options."""
        return searches.search_by_gac(
            self.options.variable_order,
            self.options.value_order,
            self.options.settle,
            self.options.max_placements,
            seed,
        )
