"""Techniques that look at runs, the parts of blocks that are found: edge, glue, complete, join, split.

Each takes a `LineState` that some placement fits and returns its findings, possibly none. Settle finds them
too, because one of the blocks that can cover a run (`LineState.owners`) does. Linear in the runs times the
blocks.
"""

from __future__ import annotations

from itertools import pairwise, product

from nonocsp.grading.explain.line import Finding, LineState, cells_named, found
from nonocsp.grading.explain.windows import Run


def edge(line: LineState) -> list[Finding]:
    """Find runs that touch the edge or a wall, where their blocks start."""
    findings = []
    for run, toward in product(line.runs, (1, -1)):
        start = run.first if toward > 0 else run.last
        if not line.is_wall(start - toward, run.colour):
            continue
        owners = line.owners(run)
        lengths = {line.clue[j].length for j in owners}
        cells = _colour_from(start, toward, min(lengths), run.colour)
        if len(lengths) == 1 and line.narrowed(cells):
            cells[start + toward * min(lengths)] = ~(1 << run.colour)
        verb = "starts" if toward > 0 else "ends"
        why = f"the run at {cells_named([start])} touches {_wall(line, start - toward)}, where {{}} {verb}"
        findings += found(line, cells, why.format(_shortest(line, owners)), owners)
    return findings


def glue(line: LineState) -> list[Finding]:
    """Find runs so near to the edge or a wall that their blocks go on at the other side."""
    findings = []
    for run, toward in product(line.runs, (1, -1)):
        start = run.first if toward > 0 else run.last
        wall = start - toward
        while not line.is_wall(wall, run.colour):
            wall -= toward
        space = abs(start - wall) - 1
        owners = line.owners(run)
        length = min(line.clue[j].length for j in owners)
        cells = _colour_from(start, toward, length - space, run.colour)
        if space:
            why = (
                f"the run at {cells_named([start])} is {space} cell{'s' * (space > 1)} from "
                f"{_wall(line, wall)}, so {_shortest(line, owners)} goes on at its other side"
            )
            findings += found(line, cells, why, owners)
    return findings


def complete(line: LineState) -> list[Finding]:
    """Find runs as long as the longest block that can cover them."""
    findings = []
    for run in line.runs:
        owners = line.owners(run)
        if run.length == max(line.clue[j].length for j in owners):
            cells = dict.fromkeys((run.first - 1, run.last + 1), ~(1 << run.colour))
            shown, verb = cells_named(range(run.first, run.last + 1)), "is" if run.length == 1 else "are"
            why = f"{shown} {verb} {line.the_blocks(owners)}, complete"
            findings += found(line, cells, why, owners)
    return findings


def join(line: LineState) -> list[Finding]:
    """Find runs that must be of one block, so that the cells between them are too."""
    findings = []
    for run, other in pairwise(line.runs):
        before, behind = line.owners(run), line.owners(other)
        if run.colour == other.colour and not any(j < k for j, k in product(before, behind)):
            owners = [j for j in before if j in behind]
            cells = dict.fromkeys(range(run.last + 1, other.first), 1 << run.colour)
            why = f"the runs at {_both(run, other)} are both of {line.the_blocks(owners)}"
            findings += found(line, cells, why, owners)
    return findings


def split(line: LineState) -> list[Finding]:
    """Find runs that together would be too long for a block, so that the cell between them separates them."""
    findings = []
    for run, other in pairwise(line.runs):
        joined = Run(run.first, other.last, run.colour)
        near = run.colour == other.colour and other.first - run.last == 2
        if near and not line.owners(joined):
            why = f"the runs at {_both(run, other)} would make {joined.length} cells, too many for a block"
            owners = {*line.owners(run), *line.owners(other)}
            cells = {run.last + 1: ~(1 << run.colour)}
            findings += found(line, cells, why, sorted(owners))
    return findings


def _colour_from(start: int, toward: int, length: int, colour: int) -> dict[int, int]:
    """Return the colour for `length` cells from `start` on, toward 1 (right) or -1 (left).

    Parameters
    ----------
    start, toward, length
        First cell, direction (1 or -1) and number of cells.
    colour
        Index of the colour.
    """
    return dict.fromkeys(range(start, start + toward * length, toward), 1 << colour)


def _shortest(line: LineState, owners: list[int]) -> str:
    """Name the block of a run, or the length of the shortest of its possible blocks.

    Parameters
    ----------
    line
        The line.
    owners
        Blocks that can cover the run, by their index.
    """
    if len(owners) == 1:
        return line.the_block(owners[0])
    lengths = {line.clue[j].length for j in owners}
    return f"a block of {'at least ' * (len(lengths) > 1)}{min(lengths)}"


def _wall(line: LineState, cell: int) -> str:
    return f"cell {cell + 1}, a wall" if 0 <= cell < len(line) else "the edge"


def _both(run: Run, other: Run) -> str:
    return f"{cells_named([run.first])[5:]} and {cells_named([other.first])[5:]}"
