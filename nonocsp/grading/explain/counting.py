"""Techniques that push blocks and count cells: finished, fit, overlap, gap, reach, anchor.

Each takes a `LineState` that some placement fits and returns its findings, possibly none. Settle finds them
too, because all techniques count cells or reason with windows that hold every start of a block
(`nonocsp.grading.explain.windows`). Linear in the cells times the blocks.
"""

from __future__ import annotations

from nonocsp.grading.explain.line import Finding, LineState, cells_named, found
from nonocsp.grading.explain.windows import Window


def finished(line: LineState) -> list[Finding]:
    """Find that a colour has all its cells, or that all cells that can have it must have it."""
    blocks = sum(block.length for block in line.clue)
    open_ = [i for i, candidates in enumerate(line.cells) if candidates & (candidates - 1)]
    if sum(run.length for run in line.runs) == blocks:
        why = "all its blocks are found" if line.clue else "the line has no blocks"
        return found(line, dict.fromkeys(open_, 1), why)
    if len(line) - line.cells.count(1) == blocks:
        return found(line, dict.fromkeys(open_, ~1), "the blocks need all the cells that are left")
    return [finding for colour in range(len(line.palette)) for finding in _finished_colour(line, colour)]


def _finished_colour(line: LineState, colour: int) -> list[Finding]:
    """Find the same for one of several colours.

    Parameters
    ----------
    line
        The line.
    colour
        Index of the colour, 0 for the background.
    """
    able = [i for i, candidates in enumerate(line.cells) if candidates >> colour & 1]
    open_ = [i for i in able if line.cells[i] != 1 << colour]
    lengths = [block.length for block in line.clue if block.colour == colour]
    need = sum(lengths) if colour else len(line) - sum(block.length for block in line.clue)
    name = line.palette[colour].name
    if need == len(able) - len(open_):
        why = f"all its {name} cells are found" if need else f"none of its cells is {name}"
        return found(line, dict.fromkeys(open_, ~(1 << colour)), why)
    if need == len(able):
        return found(line, dict.fromkeys(open_, 1 << colour), f"all cells that can be {name} must be")
    return []


def fit(line: LineState) -> list[Finding]:
    """Find that every block has but one place between the walls."""
    windows = line.packed
    if not windows or any(window.earliest != window.latest for window in windows):
        return []
    cells = dict.fromkeys(range(len(line)), 1)
    for window in windows:
        cells |= dict.fromkeys(window.certain, 1 << window.colour)
    full = all(window.earliest == window.latest for window in line.bare)
    why = (
        f"the blocks and the gaps between them take all {len(line)} cells"
        if full
        else "between the walls there is only one way to lay the blocks"
    )
    return found(line, cells, why, range(len(windows)))


def overlap(line: LineState) -> list[Finding]:
    """Find the cells that a block covers wherever it lies between the walls."""
    return _covered(line, line.packed, "")


def anchor(line: LineState) -> list[Finding]:
    """Find the cells that a block covers wherever it lies, the runs considered."""
    return _covered(line, line.anchored, "with the runs that are found, ")


def _covered(line: LineState, windows: list[Window], given: str) -> list[Finding]:
    """Find the cells that a block covers wherever it lies.

    Parameters
    ----------
    line
        The line.
    windows
        Where each block can lie.
    given
        Words before the reason.
    """
    findings = []
    for j, window in enumerate(windows):
        if window.certain:
            where = cells_named(range(window.earliest, window.last + 1))
            covers = cells_named(window.certain).partition(" ")[2]
            why = f"{given}{line.the_block(j)} lies within {where} and covers {covers} wherever it lies"
            findings += found(line, dict.fromkeys(window.certain, 1 << window.colour), why, [j])
    return findings


def gap(line: LineState) -> list[Finding]:
    """Find stretches between walls that are shorter than every block that could be there."""
    findings = []
    for colour in {block.colour for block in line.clue}:
        for stretch in line.stretches(colour):
            near = [
                j
                for j, window in enumerate(line.bare)
                if window.colour == colour and window.earliest <= stretch[-1] and stretch[0] <= window.last
            ]
            if near and all(line.clue[j].length > len(stretch) for j in near):
                shown = cells_named(stretch)
                verb = "are" if len(stretch) > 1 else "is"
                why = f"{shown} {verb} too small a gap for {line.the_blocks(near)}"
                findings += found(line, dict.fromkeys(stretch, ~(1 << colour)), why, near)
    return findings


def reach(line: LineState) -> list[Finding]:
    """Find the cells that no block of a colour reaches."""
    findings = []
    for colour in sorted({block.colour for block in line.clue}):
        covered = {
            cell
            for window in line.anchored
            if window.colour == colour
            for cell in range(window.earliest, window.last + 1)
        }
        cells = {i: ~(1 << colour) for i in range(len(line)) if i not in covered}
        new = sorted(line.narrowed(cells))
        starts = [i for i in new if i - 1 not in new]
        ends = [i for i in new if i + 1 not in new]
        for first, last in zip(starts, ends, strict=True):
            group = range(first, last + 1)
            findings += found(line, {i: cells[i] for i in group}, _out_of_reach(line, group, colour))
    return findings


def _out_of_reach(line: LineState, cells: range, colour: int) -> str:
    """Name the blocks of a colour that come nearest to some cells from both sides.

    Parameters
    ----------
    line
        The line.
    cells
        Adjacent cells that no block of the colour reaches.
    colour
        Index of the colour.
    """
    windows = list(enumerate(line.anchored))
    before = [(j, w) for j, w in windows if w.colour == colour and w.last < cells[0]]
    behind = [(j, w) for j, w in windows if w.colour == colour and w.earliest > cells[-1]]
    near = []
    if before:
        near.append(f"{line.the_block(before[-1][0])} ends at cell {before[-1][1].last + 1} at the latest")
    if behind:
        near.append(
            f"{line.the_block(behind[0][0])} starts at cell {behind[0][1].earliest + 1} at the earliest"
        )
    return " and ".join(near)
