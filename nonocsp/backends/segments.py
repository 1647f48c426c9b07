"""Backend ``segments``: pixels and segments that exchange messages, then search.

A line is a chain of segments: its blocks, and white ones of unknown length around them. A segment tells its
neighbours where it can start and end, and a pixel when it no longer covers it; a pixel tells segments that
its other line has no such colour. When all are silent, the open pixels are searched depth first. Complete.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_doc import Doc

from nonocsp.backends.in_core import MethodBackend
from nonocsp.engine import searches
from nonocsp.engine.searches import Method


@dataclass(frozen=True, slots=True)
class SegmentsOptions:
    """Options of ``segments``."""

    pixel: Annotated[
        Literal["fewest", "first"],
        Doc("open pixel to try: the one whose coloured segments have the fewest starts, or the first"),
    ] = "fewest"


class Segments(MethodBackend):
    """Messages between pixels and segments, and depth-first search."""

    Options = SegmentsOptions
    summary = "pixels and segments that exchange messages, then depth-first search"
    paper = "OddThinking, Solving Nonograms (blog article)"

    def method(self, _: int) -> Method:
        """Return the core's method with these options."""
        return searches.search_by_segments(self.options.pixel)
