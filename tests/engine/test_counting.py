"""Counting: two ways that share no code agree with enumeration, with closed forms, and with each other."""

import math
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from nonocsp.engine import Interrupted, LineSolver, MddSearch, SolutionCounter, StopFlag, TooManyStates
from nonocsp.model import Grid, Palette, Puzzle
from nonocsp.testing.puzzles import SMALL, SMALL_IN_COLOUR, coloured_permutations, permutations, solutions

MEBIBYTE = 1 << 20
WAYS = pytest.mark.parametrize("way", [SolutionCounter, MddSearch])
Way = Callable[..., Any]


def count(way: Way, puzzle: Puzzle, memory: int = 256 * MEBIBYTE) -> int:
    number = way(LineSolver(puzzle).compiled, memory).count(None, 60.0)
    assert isinstance(number, int)
    return number


def random_puzzle(
    random: np.random.Generator, shape: tuple[int, int], colours: int, density: float
) -> Puzzle:
    cells = random.integers(1, colours + 1, shape) * (random.random(shape) < density)
    return Puzzle.from_grid(Grid.from_cells(cells), palette=Palette.of(colours))


def diagonal(size: int, parts: int) -> Puzzle:
    """Return permutations of a size in each of some colours: off the diagonal no colour fits both clues."""
    lines = [[(1, colour)] for colour in range(1, parts + 1) for _ in range(size)]
    return Puzzle.from_clues(lines, lines)


@WAYS
def test_small_puzzles_have_as_many_solutions_as_are_enumerated(way):
    for puzzle in (*SMALL, *SMALL_IN_COLOUR):
        assert count(way, puzzle) == len(solutions(puzzle)), puzzle.title


@pytest.mark.parametrize("colours", [1, 2, 3])
def test_random_puzzles_have_as_many_solutions_as_are_enumerated(colours):
    random = np.random.default_rng(colours)
    for _ in range(200):
        rows, columns = random.integers(1, 6, 2).tolist()
        puzzle = random_puzzle(random, (rows, columns), colours, random.random())
        expected = len(solutions(puzzle))
        assert count(SolutionCounter, puzzle) == count(MddSearch, puzzle) == expected


@pytest.mark.parametrize("colours", [1, 2, 3])
def test_both_ways_count_the_same_where_no_one_can_enumerate(colours):
    random, large = np.random.default_rng(colours), 0
    for _ in range(20):
        puzzle = random_puzzle(random, (8, 18), colours, 0.1)
        number = count(SolutionCounter, puzzle)
        assert number == count(MddSearch, puzzle)
        large += number > 10**3
    assert large >= 3


@WAYS
@pytest.mark.parametrize("size", [1, 2, 7, 12])
def test_permutations_are_a_factorial(way, size):
    assert count(way, permutations(size)) == math.factorial(size)
    assert count(way, coloured_permutations(min(size, 7))) == math.factorial(min(size, 7)) ** 2


@WAYS
def test_independent_parts_multiply_far_beyond_64_bits(way):
    number = count(way, diagonal(5, 50))
    assert number == math.factorial(5) ** 50
    assert number > 10**100


def test_the_diagrams_have_exactly_the_solutions_that_they_count():
    random = np.random.default_rng(5)
    for number in range(60):
        puzzle = random_puzzle(random, (4, 5), 1 + number % 3, 0.3)
        search = MddSearch(LineSolver(puzzle).compiled, MEBIBYTE)
        found = []
        while (cells := search.next(None, None)) is not None:
            found.append(Grid(cells))
        assert len(set(found)) == len(found) == search.count(None, None)
        assert set(found) == set(solutions(puzzle))


@WAYS
def test_a_count_without_enough_memory_proves_a_lower_bound(way):
    counter = way(LineSolver(permutations(18)).compiled, MEBIBYTE)
    with pytest.raises(TooManyStates, match=r"324 open cells .* 1 MiB"):
        counter.count(None, None)
    assert 10**4 < counter.at_least(False) < math.factorial(18)


def test_a_part_that_was_not_counted_has_a_solution_only_if_the_puzzle_has():
    counter = SolutionCounter(LineSolver(permutations(5)).compiled, MEBIBYTE)
    assert (counter.at_least(False), counter.at_least(True)) == (0, 1)


@WAYS
def test_a_stop_and_a_deadline_end_a_count(way):
    stop = StopFlag()
    timer = threading.Timer(0.1, stop.set)
    timer.start()
    for flag, wall in ((stop, None), (None, 0.1)):
        counter = way(LineSolver(permutations(22)).compiled, 1 << 34)
        with pytest.raises(Interrupted):
            counter.count(flag, wall)
        assert counter.at_least(False) < math.factorial(22)
    timer.join()
