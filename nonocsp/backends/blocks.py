"""Backend ``blocks``: enumerates the positions of a line's blocks, and keeps what all of them share.

Line by line, rows and columns in turn, until nothing changes; then depth-first over the placements of the
undecided line that has the fewest (Paddy McCarthy, Nonogram puzzle solver, 2014). Complete. Placements are
streamed and never stored: memory stays small, and time grows with their number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_doc import Doc

from nonocsp.backends.in_core import MethodBackend
from nonocsp.engine import searches
from nonocsp.engine.searches import Method


@dataclass(frozen=True, slots=True)
class BlocksOptions:
    """Options of ``blocks``."""

    first: Annotated[Literal["rows", "columns"], Doc("lines to sweep first")] = "rows"


class Blocks(MethodBackend):
    """Enumeration of block positions with forced cells, then depth-first search."""

    Options = BlocksOptions
    summary = "enumeration of block positions with forced cells, line by line, then depth-first"
    paper = "McCarthy, Nonogram puzzle solver (part 1), 2014"

    def method(self, _: int) -> Method:
        """Return the core's method with these options."""
        return searches.search_by_blocks(self.options.first == "rows")
