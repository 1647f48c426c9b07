"""Settle, feasible and starts on random lines of up to 4096 cells and 63 colours, and on invalid lines."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from nonocsp import engine
from nonocsp.model import Clue, Line, Puzzle
from tests import oracle

LENGTHS = (11, 25, 31, 62, 63, 64, 65, 66, 100, 127, 128, 129, 192, 200, 255, 256, 257, 300)


def random_line(rng: np.random.Generator, length: int, colours: int) -> NDArray[np.int64]:
    """Return a full line of runs: cells repeat their neighbour with a chance drawn for the whole line."""
    repeat = rng.random() * 0.97
    background = rng.random() * 0.8
    cells = np.where(rng.random(length) < background, 0, rng.integers(1, colours + 1, length))
    for i in range(1, length):
        if rng.random() < repeat:
            cells[i] = cells[i - 1]
    return cells


def partial(
    rng: np.random.Generator, cells: NDArray[np.int64], colours: int, wrong: int
) -> NDArray[np.uint64]:
    """Return sets: some known, some open, some narrowed; and `wrong` cells without the true colour."""
    every = 2 ** (colours + 1) - 1
    truth = 1 << cells
    narrowed = rng.integers(0, every + 1, len(cells)) | truth
    open_share, known_share = rng.dirichlet([2, 1, 1])[:2]
    kind = rng.random(len(cells))
    sets = np.where(kind < open_share, every, np.where(kind < open_share + known_share, truth, narrowed))
    for i in rng.integers(0, len(cells), wrong):
        sets[i] = every & ~truth[i]
    return sets.astype(np.uint64)


def check(clue: Clue, line: NDArray[np.uint64]) -> None:
    given = line.copy()
    expected = oracle.settle(clue, line.tolist())
    settled = engine.settle(clue, line)
    assert (None if settled is None else settled.tolist()) == expected
    assert engine.feasible(clue, line) == (expected is not None)
    assert np.array_equal(line, given)


@pytest.mark.parametrize("wrong", [0, 1, 3])
@pytest.mark.parametrize("colours", [1, 2, 4, 6])
@pytest.mark.parametrize("length", LENGTHS)
def test_random_lines_are_settled_like_the_reference(length, colours, wrong):
    rng = np.random.default_rng([length, colours, wrong])
    for _ in range(4):
        cells = random_line(rng, length, colours)
        check(oracle.clue_of(cells.tolist()), partial(rng, cells, colours, wrong))


@pytest.mark.parametrize("colours", [1, 2])
@pytest.mark.parametrize("slack", [0, 1, 63, 64, 65, 127, 128, 192, 256, 512])
def test_lines_whose_blocks_can_move_by_whole_words_are_settled_correctly(slack, colours):
    """The spare cells fill a few machine words exactly, or are one fewer or one more."""
    rng = np.random.default_rng([slack, colours])
    for block in (1, 30, 64, 130):
        clue = Clue.of(*((block, 1 + j % colours) for j in range(3)))
        least = 3 * block + (2 if colours == 1 else 0)
        first, second = sorted(rng.integers(0, slack + 1, 2).tolist())
        cells = np.zeros(least + slack, np.int64)
        for j, moved in enumerate((0, first, second)):
            start = moved + j * (block + (1 if colours == 1 else 0))
            cells[start : start + block] = 1 + j % colours
        for wrong in (0, 2):
            check(clue, partial(rng, cells, colours, wrong))
        check(clue, np.full(least + slack, 2 ** (colours + 1) - 1, np.uint64))


@pytest.mark.parametrize("length", [500, 1025, 4095, 4096])
def test_long_lines_with_little_freedom_are_settled_correctly(length):
    rng = np.random.default_rng(length)
    cells = random_line(rng, length, 2)
    known = partial(rng, cells, 2, 0)
    known[20:] = np.where(rng.random(length - 20) < 0.8, 1 << cells[20:], known[20:])
    check(oracle.clue_of(cells.tolist()), known)


def test_a_line_of_63_touching_colours_is_settled_correctly():
    cells = np.arange(1, 64).repeat(2)
    clue = oracle.clue_of(cells.tolist())
    full = np.full(len(cells) + 1, 2**64 - 1, np.uint64)
    check(clue, full[:-1])
    check(clue, full)


@pytest.mark.parametrize("seed", range(12))
def test_starts_agree_with_all_placements(seed):
    rng = np.random.default_rng(seed)
    cells = random_line(rng, 14, 1 + seed % 3)
    clue = oracle.clue_of(cells.tolist())
    line = partial(rng, cells, 1 + seed % 3, 0)
    puzzle = Puzzle.from_clues([clue], [oracle.clue_of([cell]) for cell in cells.tolist()])
    found = engine.LineSolver(puzzle).starts(Line("row", 0), line[np.newaxis])
    fitting = [
        starts_of(placement)
        for placement in oracle.placements(clue, 14)
        if all(int(c) >> p & 1 for c, p in zip(line, placement, strict=True))
    ]
    assert found is not None
    assert [starts.tolist() for starts in found] == [
        sorted(set(starts)) for starts in zip(*fitting, strict=True)
    ]


def starts_of(cells: tuple[int, ...]) -> list[int]:
    return [i for i, (before, cell) in enumerate(pairwise((0, *cells))) if cell and cell != before]


def test_starts_are_found_in_columns_and_missing_without_a_placement():
    solver = engine.LineSolver(Puzzle.from_clues([[1], []], [[], [1]]))
    open_grid = np.full((2, 2), 3, np.uint64)
    assert [s.tolist() for s in solver.starts(Line("column", 1), open_grid) or []] == [[0, 1]]
    assert solver.starts(Line("row", 1), open_grid) == []
    assert solver.starts(Line("row", 0), np.ones((2, 2), np.uint64)) is None


@pytest.mark.parametrize("clue", [Clue.of(5), Clue.of(2, 2), Clue.of((3, 1), (2, 2)), Clue.of(70000)])
def test_a_clue_longer_than_its_line_fits_nowhere(clue):
    assert engine.settle(clue, np.full(4, 7, np.uint64)) is None
    assert not engine.feasible(clue, np.full(4, 7, np.uint64))


@pytest.mark.parametrize(
    ("clue", "length", "message"),
    [
        (Clue.of(0), 4, "at least one cell"),
        (Clue.of((1, 0)), 4, "colour from 1 to 63"),
        (Clue.of((1, 64)), 4, "colour from 1 to 63"),
        (Clue.of(1), 0, "1 to 4096 cells"),
        (Clue.of(1), 4097, "1 to 4096 cells"),
    ],
)
def test_invalid_lines_are_refused(clue, length, message):
    with pytest.raises(ValueError, match=message):
        engine.settle(clue, np.full(length, 3, np.uint64))
