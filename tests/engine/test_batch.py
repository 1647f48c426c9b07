"""Runs in the core: the verifier finds what the model's finds, and a batch keeps the order of its puzzles."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from nonocsp.engine import searches
from nonocsp.engine.searches import Batch, End
from nonocsp.engine.verification import wrong_lines
from nonocsp.model import FlatClues, Grid, Line, Palette, Puzzle, mismatches
from nonocsp.testing import n_dom, permutations
from tests.waiting import AMPLE_S

BACKTRACKING = searches.search_by_blocks(True)
SHAPES = st.tuples(st.integers(1, 9), st.integers(1, 9))
CELLS = SHAPES.flatmap(lambda shape: arrays(np.uint8, shape, elements=st.integers(0, 3)))


def flat(puzzle: Puzzle) -> tuple[FlatClues, FlatClues, int]:
    return puzzle.flat_rows, puzzle.flat_columns, len(puzzle.palette)


def wrong(puzzle: Puzzle, candidates: NDArray[np.uint64]) -> list[Line]:
    found = wrong_lines(puzzle.flat_rows, puzzle.flat_columns, candidates)
    return [Line("column" if is_column else "row", position) for is_column, position in found]


@given(CELLS, st.data())
def test_the_verifier_finds_the_lines_that_the_model_finds(cells, data):
    puzzle = Puzzle.from_grid(Grid.from_cells(cells), palette=Palette.of(3))
    assert wrong(puzzle, Grid.from_cells(cells).candidates) == []
    changed = cells.copy()
    for _ in range(data.draw(st.integers(1, 4))):
        at = tuple(data.draw(st.integers(0, size - 1)) for size in cells.shape)
        changed[at] = data.draw(st.integers(0, 3))
    other = Grid.from_cells(changed)
    assert wrong(puzzle, other.candidates) == mismatches(puzzle, other)


@given(CELLS, st.integers(0, 2**63))
def test_a_cell_with_no_candidate_or_several_is_in_no_run(cells, seed):
    puzzle = Puzzle.from_grid(Grid.from_cells(cells), palette=Palette.of(3))
    candidates = Grid.from_cells(cells).candidates.copy()
    row, column = (seed % size for size in cells.shape)
    candidates[row, column] = np.uint64([0, 0b11, 2**64 - 1][seed % 3])
    assert wrong(puzzle, candidates) == [Line("row", row), Line("column", column)]


def test_the_verifier_refuses_a_grid_of_another_shape_and_clues_that_are_none():
    puzzle = permutations(3)
    with pytest.raises(ValueError, match="shape"):
        wrong_lines(puzzle.flat_rows, puzzle.flat_columns, np.ones((3, 4), np.uint64))
    offsets, lengths, colours = puzzle.flat_rows
    for broken in (
        FlatClues(offsets[4:] + offsets[:4], lengths, colours),
        FlatClues(offsets, lengths[4:], colours),
    ):
        with pytest.raises(ValueError, match="do not index their blocks"):
            wrong_lines(broken, puzzle.flat_columns, np.ones((3, 3), np.uint64))


@pytest.mark.parametrize("threads", [1, 3])
def test_findings_come_in_the_order_of_the_puzzles(threads):
    puzzles = [permutations(1 + number % 6) for number in range(300)]
    batch = Batch(BACKTRACKING, 2, None, threads)
    assert batch.take(10, True) == []
    batch.put([flat(puzzle) for puzzle in puzzles[:100]])
    batch.put([flat(puzzle) for puzzle in puzzles[100:]])
    assert batch.size == 300
    found = []
    while batch.size:
        taken = batch.take(7, True)
        assert 1 <= len(taken) <= 7
        found += taken
    for puzzle, (solutions, partial, refused, exhausted, end, message, *_) in zip(
        puzzles, found, strict=True
    ):
        cells = puzzle.shape[0] * puzzle.shape[1]
        assert [len(grid) for grid in solutions] == [8 * cells] * min(2, cells)
        assert (partial, refused, exhausted, end, message) == (None, None, cells == 1, End.SETTLED, "")


@pytest.mark.parametrize("threads", [1, 3])
def test_a_puzzle_that_the_caller_began_ends_in_a_thread(threads):
    batch = Batch(BACKTRACKING, 2, 0.3, threads)
    batch.put([flat(permutations(4)), flat(n_dom(14)), flat(permutations(4))])
    ends = []
    while batch.size:
        ends += [(finding[4], finding[7]) for finding in batch.take(10, True)]
    (first, _), (late, seconds), (last, _) = ends
    assert (first, late, last) == (End.SETTLED, End.INTERRUPTED, End.SETTLED)
    assert seconds > 0.2


def test_a_long_puzzle_does_not_wait_for_threads_that_are_busy_for_ever():
    batch = Batch(BACKTRACKING, 2, 2 * AMPLE_S, 1)
    batch.put([flat(permutations(4)), flat(n_dom(6))])
    findings = []
    started = time.perf_counter()
    while len(findings) < 2:
        findings += batch.take(1, True)
        batch.put([flat(n_dom(14))] * 40)  # for the thread, while the caller is at the second puzzle
        time.sleep(0.002)
    assert [finding[4] for finding in findings] == [End.SETTLED, End.SETTLED]
    assert time.perf_counter() - started < AMPLE_S


def test_a_batch_that_is_dropped_ends_its_searches_at_once():
    batch = Batch(BACKTRACKING, 2, None, 2)
    batch.put([flat(n_dom(14))] * 80)
    time.sleep(0.05)
    started = time.perf_counter()
    del batch  # without it they take hours
    assert time.perf_counter() - started < AMPLE_S
