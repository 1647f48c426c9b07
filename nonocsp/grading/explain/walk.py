"""Walk through a puzzle as people do: always the cheapest deduction, until there is none.

Line techniques go first, in the order of `nonocsp.grading.explain.catalogue`; probes start only at the line
fixpoint. Without probes the steps together are exactly line solving: they end at the fixpoint of settle,
whatever the order. Pure Python over the core's settle: some milliseconds for each step.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import numpy as np

from nonocsp.grading.explain.board import Board
from nonocsp.grading.explain.catalogue import Technique
from nonocsp.grading.explain.line import listed
from nonocsp.grading.explain.probes import Prober, Refutation
from nonocsp.grading.explain.steps import (
    Change,
    Explanation,
    Step,
    cell_conclusion,
    cell_named,
    conclusion_of,
)
from nonocsp.model import Grid, Puzzle, PuzzleError
from nonocsp.model.puzzle import checked_puzzle

TRAIL = 6
"""The most lines that the text of a probe names."""


def explain(puzzle: Puzzle, grid: Grid | None = None, *, probes: bool = True) -> Explanation:
    """Explain how people solve a puzzle, step by step.

    Parameters
    ----------
    puzzle
        The puzzle.
    grid
        Where to start; None: the empty grid.
    probes
        Whether to ask what-if questions where line solving ends.

    Raises
    ------
    PuzzleError
        If the grid has another shape or other colours than the puzzle.
    TypeError
        If the puzzle is not a `Puzzle` or the grid not a `Grid`.
    """
    checked_puzzle(puzzle)
    start = Grid.unknown(*puzzle.shape, puzzle.palette) if grid is None else checked_start(puzzle, grid)
    board = Board(puzzle, start)
    steps = tuple(walk(board, probes=probes))
    return Explanation(puzzle, start, steps, board.contradiction)


def checked_start(puzzle: Puzzle, grid: Grid) -> Grid:
    """Return the grid; an error if it is none of this puzzle.

    Parameters
    ----------
    puzzle, grid
        The puzzle and the grid.

    Raises
    ------
    PuzzleError
        If the grid has another shape than the puzzle, or a cell has no colour of its palette.
    TypeError
        If one is of another type.
    """
    if not isinstance(grid, Grid):
        what = f"expected a Grid, not {type(grid).__name__}"
        raise TypeError(f"{what}; Grid.from_strings and Grid.from_cells make one")
    if grid.shape != checked_puzzle(puzzle).shape:
        (rows, columns), (wanted_rows, wanted_columns) = grid.shape, puzzle.shape
        raise PuzzleError(f"the grid is {rows}x{columns}, the puzzle {wanted_rows}x{wanted_columns}")
    known = np.uint64(2 ** len(puzzle.palette) - 1)
    for row, column in np.argwhere((grid.candidates & ~known != 0) | (grid.candidates == 0))[:1].tolist():
        names = ", ".join(colour.name for colour in puzzle.palette.colours)
        raise PuzzleError(f"{cell_named(row, column)} has a colour that the puzzle lacks; expected {names}")
    return grid


def walk(board: Board, *, probes: bool) -> Iterator[Step]:
    """Yield step after step, each already applied to the board.

    Parameters
    ----------
    board
        Where to start.
    probes
        Whether to ask what-if questions where line solving ends.
    """
    numbers = count(1)
    prober = Prober(board.puzzle)
    if board.contradiction is None and (changes := unshared_colours(board)):
        decided = sum(change.decides for change in changes)
        told = [f"decides {decided} cell{'s' * (decided != 1)}"] * bool(decided)
        told += [f"narrows {len(changes) - decided}"] * (decided < len(changes))
        background = board.puzzle.palette[0].name
        reason = f"a cell has a colour that both its row and its column have, or is {background}"
        conclusion = f"that {listed(told)}"
        board.apply(changes)
        yield Step(next(numbers), Technique.COLOURS, None, changes, (), reason, conclusion)
    while board.contradiction is None:
        if deduction := board.cheapest():
            line, changes = deduction.line, deduction.changes
            conclusion = conclusion_of(changes, line, board.puzzle.palette)
            board.apply(changes)
            yield Step(
                next(numbers),
                deduction.technique,
                line,
                changes,
                deduction.blocks,
                deduction.reason,
                conclusion,
            )
        elif probes and (refutation := prober.refutation(board.candidates)):
            step = _probe_step(next(numbers), refutation, board)
            board.apply(step.changes)
            yield step
        else:
            return


def unshared_colours(board: Board) -> tuple[Change, ...]:
    """Return the cells that lose colours because one of their lines does not have them."""
    rows, columns = (
        np.array([sum({1} | {1 << block.colour for block in clue}) for clue in clues], np.uint64)
        for clues in (board.puzzle.rows, board.puzzle.columns)
    )
    left = board.candidates & np.bitwise_and.outer(rows, columns)
    return tuple(
        Change(row, column, int(board.candidates[row, column]), int(left[row, column]))
        for row, column in np.argwhere(left != board.candidates).tolist()
        if not board.puzzle.palette.is_one_colour
    )


def _probe_step(number: int, refutation: Refutation, board: Board) -> Step:
    """Return the step of a probe.

    Parameters
    ----------
    number
        Number of the step.
    refutation
        Result of the probe.
    board
        The grid before the step.
    """
    row, column = refutation.row, refutation.column
    palette = board.puzzle.palette
    before = int(board.candidates[row, column])
    change = Change(row, column, before, before & ~(1 << refutation.colour))
    trail = [str(line) for line in refutation.trail[:TRAIL]]
    more = len(refutation.trail) - len(trail)
    trail += [f"{more} more line{'s' * (more > 1)}"] * bool(more)
    reason = (
        f"if {cell_named(row, column)} were {palette[refutation.colour].name}, "
        f"{f'then, by {listed(trail)}, ' if trail else ''}"
        f"no placement of the blocks of {refutation.contradiction} would fit"
    )
    conclusion = cell_conclusion(change, palette)
    return Step(number, Technique.PROBE, refutation.contradiction, (change,), (), reason, conclusion)
