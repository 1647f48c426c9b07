"""The human way through a puzzle: always the cheapest deduction, until there is none.

Line techniques go first, in the order of `nonocsp.grading.explain.catalogue`; only where the line fixpoint is
reached, a probe. Without probes the steps together are exactly line solving: they end at the fixpoint of
settle, whatever the order. Pure Python over the core's settle: some milliseconds for each step.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import numpy as np

from nonocsp.grading.explain.board import Board, Deduction
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
from nonocsp.model import Grid, Palette, Puzzle, PuzzleError

TRAIL = 6
"""Of the lines that a probe follows, so many are named."""


def explain(puzzle: Puzzle, grid: Grid | None = None, *, probes: bool = True) -> Explanation:
    """Explain how people solve a puzzle, step by step.

    Parameters
    ----------
    grid
        Where to start; default: nothing is known.
    probes
        Whether to ask what-if questions where line solving ends.

    Raises
    ------
    PuzzleError
        If the grid has another shape than the puzzle.
    """
    start = Grid.unknown(*puzzle.shape, puzzle.palette) if grid is None else checked_start(puzzle, grid)
    board = Board(puzzle, start)
    steps = tuple(walk(board, probes=probes))
    return Explanation(puzzle, start, steps, board.contradiction)


def checked_start(puzzle: Puzzle, grid: Grid) -> Grid:
    """Return the grid; PuzzleError if it has another shape than the puzzle."""
    if grid.shape != puzzle.shape:
        (rows, columns), (wanted_rows, wanted_columns) = grid.shape, puzzle.shape
        raise PuzzleError(f"the grid is {rows}x{columns}, the puzzle {wanted_rows}x{wanted_columns}")
    return grid


def walk(board: Board, *, probes: bool) -> Iterator[Step]:
    """Yield step after step, each already taken on the board."""
    numbers = count(1)
    prober = Prober(board.puzzle)
    if board.contradiction is None and (changes := _unshared_colours(board)):
        yield _taken(board, _colours_step(next(numbers), changes, board.puzzle.palette))
    while board.contradiction is None:
        if deduction := board.cheapest():
            yield _taken(board, _line_step(next(numbers), deduction, board.puzzle.palette))
        elif probes and (refutation := prober.refutation(board.candidates)):
            yield _taken(board, _probe_step(next(numbers), refutation, board))
        else:
            return


def _taken(board: Board, step: Step) -> Step:
    board.apply(step.changes)
    return step


def _unshared_colours(board: Board) -> tuple[Change, ...]:
    """Return what cells lose because not both of their lines have the colour."""
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


def _colours_step(number: int, changes: tuple[Change, ...], palette: Palette) -> Step:
    decided = sum(change.decides for change in changes)
    told = [f"decides {decided} cell{'s' * (decided != 1)}"] * bool(decided)
    told += [f"narrows {len(changes) - decided}"] * (decided < len(changes))
    reason = f"a cell has a colour that both its row and its column have, or is {palette[0].name}"
    return Step(number, Technique.COLOURS, None, changes, (), reason, f"that {listed(told)}")


def _line_step(number: int, deduction: Deduction, palette: Palette) -> Step:
    line, changes = deduction.line, deduction.changes
    conclusion = conclusion_of(changes, line, palette)
    return Step(number, deduction.technique, line, changes, deduction.blocks, deduction.reason, conclusion)


def _probe_step(number: int, refutation: Refutation, board: Board) -> Step:
    row, column = refutation.row, refutation.column
    palette = board.puzzle.palette
    before = int(board.candidates[row, column])
    change = Change(row, column, before, before & ~(1 << refutation.colour))
    reason = (
        f"if {cell_named(row, column)} were {palette[refutation.colour].name}, {_trail(refutation)}"
        f"no placement of the blocks of {refutation.contradiction} would fit"
    )
    conclusion = cell_conclusion(change, palette)
    return Step(number, Technique.PROBE, refutation.contradiction, (change,), (), reason, conclusion)


def _trail(refutation: Refutation) -> str:
    """Say by which lines the contradiction is reached."""
    lines = [str(line) for line in refutation.trail[:TRAIL]]
    more = len(refutation.trail) - len(lines)
    if not lines:
        return ""
    lines += [f"{more} more line{'s' * (more > 1)}"] * bool(more)
    return f"then, by {listed(lines)}, "
