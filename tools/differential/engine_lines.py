"""Check the engine on single lines against all placements of the clue."""

from __future__ import annotations

import numpy as np

from nonocsp.engine import (
    LineSolver,
    feasible_lines,
    placement_count,
    placements,
    searches,
    settle_lines,
)
from nonocsp.model import Block, Clue, FlatClues, Line
from tests import oracle
from tools.differential.engine_cases import (
    Candidates,
    puzzle_of,
    random_cells,
    random_clue,
    random_sets,
    require,
)

LONGEST = 7


def settle_and_feasible(random: np.random.Generator) -> None:
    """Settle several lines of one clue, and check for each whether a placement fits."""
    clue, lines, colours = _clue_and_lines(random, int(random.integers(1, 20)))
    settled, fits = settle_lines(clue, lines)
    for line, found, fit in zip(lines.tolist(), settled.tolist(), fits, strict=True):
        expected = oracle.settle_by_enumeration(clue, line)
        require(bool(fit) == (expected is not None), "settle: fits", clue, line)
        require(found == (expected or [0] * len(line)), "settle", clue, line, found)
    require(feasible_lines(clue, lines).tolist() == fits.tolist(), "feasible", clue, lines, colours)


def streamed_placements(random: np.random.Generator) -> None:
    """Stream the placements of a line, some of them or all, and count them."""
    clue, lines, _ = _clue_and_lines(random, 1)
    expected = [_starts_of(cells, clue) for cells in _fitting(clue, lines[0])]
    require(placement_count(clue, lines[0]) == len(expected), "placement_count", clue, lines)
    stream = placements(clue, lines[0])
    if random.random() < 0.2:
        next(stream, None)  # and drop the rest
        return
    require([starts.tolist() for starts in stream] == expected, "placements", clue, lines)


def starts(random: np.random.Generator) -> None:
    """Check the possible starts of a line's blocks."""
    length, colours = int(random.integers(1, LONGEST + 1)), int(random.integers(1, 4))
    puzzle = puzzle_of(random_cells(random, (1, length), colours), colours)
    solver, line, clue = LineSolver(puzzle), Line("row", 0), puzzle.rows[0]
    sets = random_sets(random, (1, length), colours)
    fitting = _fitting(clue, sets[0])
    found = solver.starts(line, sets)
    expected = [sorted(set(column)) for column in zip(*(_starts_of(c, clue) for c in fitting), strict=True)]
    require((found is None) == (not fitting), "starts: fits", clue, sets)
    require([block.tolist() for block in found or []] == expected, "starts", clue, sets, found)


def messages_of_segments(random: np.random.Generator) -> None:
    """Check that messages between pixels and segments exclude no placement."""
    clue, lines, colours = _clue_and_lines(random, 3)
    left = searches.eliminate_lines(FlatClues.of([clue]), lines, colours + 1)
    for line, found in zip(lines.tolist(), left.tolist(), strict=True):
        expected = oracle.settle_by_enumeration(clue, line)
        if expected is not None:
            keeps = all(few & ~more == 0 for few, more in zip(expected, found, strict=True))
            require(keeps, "eliminate_lines", clue, line, found)


def long_lines(random: np.random.Generator) -> None:
    """Settle lines of up to some words, against an automaton that walks cell by cell."""
    length = int(random.choice([63, 64, 65, 127, 128, 129, 200, int(random.integers(8, 400))]))
    colours = int(random.choice([1, 2, 63]))
    cells = random_cells(random, (length,), colours)
    if random.random() < 0.5:  # blocks as long as many words
        cells = np.repeat(cells[:6], -(-length // 6))[:length]
    clue = puzzle_of(cells[np.newaxis], colours).rows[0]
    lines = random_sets(random, (2, length), min(colours, 62))
    lines |= np.uint64(1) << cells.astype(np.uint64) if random.random() < 0.7 else np.uint64(0)
    settled, fits = settle_lines(clue, lines)
    for line, found, fit in zip(lines.tolist(), settled.tolist(), fits, strict=True):
        expected = oracle.settle(clue, line)
        require(bool(fit) == (expected is not None), "long settle: fits", clue, line)
        require(found == (expected or [0] * length), "long settle", clue, line)


LINE_CHECKS = (
    settle_and_feasible,
    streamed_placements,
    starts,
    messages_of_segments,
    long_lines,
)


def _clue_and_lines(random: np.random.Generator, lines: int) -> tuple[Clue, Candidates, int]:
    length, colours = int(random.integers(1, LONGEST + 1)), int(random.integers(1, 4))
    clue = random_clue(random, length, colours)
    if random.random() < 0.01:
        clue = Clue([Block(2**31 - 1, 1), *clue])  # a block as long as a file may say
    return clue, random_sets(random, (lines, length), colours), colours


def _fitting(clue: Clue, line: Candidates) -> list[tuple[int, ...]]:
    sets = line.tolist()
    return [
        cells
        for cells in oracle.placements(clue, len(sets))
        if all(candidates >> colour & 1 for candidates, colour in zip(sets, cells, strict=True))
    ]


def _starts_of(cells: tuple[int, ...], clue: Clue) -> list[int]:
    """Return where the blocks of a placement start."""
    starts, end = list[int](), 0
    for block in clue:
        start = next(i for i in range(end, len(cells)) if cells[i] == block.colour)
        starts.append(start)
        end = start + block.length
    return starts
