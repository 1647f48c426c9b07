"""The techniques in their order: the cheapest first, each with its grade. The core knows how they work.

Grade 1 looks at a clue and the open cells; 2 at one run or gap and its neighbours; 3 at the order of all
blocks and runs; 4 at all placements of a line; 5 beyond one line. `settle` finds what the techniques of
grades 1 to 3 miss, so the steps of grades 1 to 4 together are exactly line solving.
"""

from __future__ import annotations

from enum import StrEnum

from nonocsp.engine import grading


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
        return _GRADE_OF[self]


_GRADE_OF = {Technique(name): grade for name, grade in grading.catalogue()}
GRADES = {
    grade: tuple(technique for technique in Technique if technique.grade == grade)
    for grade in sorted({*_GRADE_OF.values()})
}
"""The techniques by grade."""
