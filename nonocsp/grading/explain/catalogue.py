"""The techniques in their order: the cheapest first, each with its grade.

Grade 1 looks at a clue and the open cells; 2 at one run or gap and its neighbours; 3 at the order of all
blocks and runs; 4 at all placements of a line; 5 beyond one line. `settle` finds what the techniques of
grades 1 to 3 miss, so the steps of grades 1 to 4 together are exactly line solving.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

import numpy as np

from nonocsp.engine import placement_count
from nonocsp.engine import settle as settled
from nonocsp.grading.explain import counting, joining
from nonocsp.grading.explain.line import Finding, LineState, found


class Technique(StrEnum):
    """The ways to deduce, in the order in which they are tried."""

    COLOURS = "colours"
    """A cell has a colour of both its lines, or is background."""
    FINISHED = "finished"
    """All cells of a colour are found, or all cells that can have it must have it."""
    FIT = "fit"
    """There is only one way to lay the blocks between the walls."""
    OVERLAP = "overlap"
    """A block covers some cells wherever it lies between the walls."""
    EDGE = "edge"
    """A run touches the edge or a wall: its block starts there."""
    GLUE = "glue"
    """A run is so near to the edge or a wall that its block goes on at the other side."""
    COMPLETE = "complete"
    """A run is as long as the longest block that it can be a piece of."""
    GAP = "gap"
    """A gap is too small for the blocks that could be there."""
    JOIN = "join"
    """Two runs must be one block."""
    SPLIT = "split"
    """Two runs must not be one block."""
    REACH = "reach"
    """No block reaches a cell."""
    ANCHOR = "anchor"
    """A block covers some cells wherever it lies, the runs considered."""
    SETTLE = "settle"
    """Only all placements of the line together show it."""
    PROBE = "probe"
    """What if? The opposite leads to a contradiction."""

    @property
    def grade(self) -> int:
        """How hard the technique is for people, 1 to 5."""
        return next(grade for grade, techniques in GRADES.items() if self in techniques)


GRADES = {
    1: (Technique.COLOURS, Technique.FINISHED, Technique.FIT, Technique.OVERLAP),
    2: (Technique.EDGE, Technique.GLUE, Technique.COMPLETE, Technique.GAP),
    3: (Technique.JOIN, Technique.SPLIT, Technique.REACH, Technique.ANCHOR),
    4: (Technique.SETTLE,),
    5: (Technique.PROBE,),
}


def settle(line: LineState) -> list[Finding]:
    """Find the cells on which all placements that fit agree."""
    cells = np.array(line.cells, np.uint64)
    after = settled(line.clue, cells)
    if after is None:
        raise ValueError(f"no placement of {line.clue} fits the line")
    count = placement_count(line.clue, cells)
    why = "only one placement of all its blocks fits"
    if count > 1:
        why = f"all {count:,} placements of its blocks that fit agree on it"
    return found(line, dict(enumerate(after.tolist())), why)


LINE_TECHNIQUES: dict[Technique, Callable[[LineState], list[Finding]]] = {
    Technique.FINISHED: counting.finished,
    Technique.FIT: counting.fit,
    Technique.OVERLAP: counting.overlap,
    Technique.EDGE: joining.edge,
    Technique.GLUE: joining.glue,
    Technique.COMPLETE: joining.complete,
    Technique.GAP: counting.gap,
    Technique.JOIN: joining.join,
    Technique.SPLIT: joining.split,
    Technique.REACH: counting.reach,
    Technique.ANCHOR: counting.anchor,
    Technique.SETTLE: settle,
}
"""The techniques that take one line, in order."""
