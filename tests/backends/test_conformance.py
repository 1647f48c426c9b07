"""The conformance suite on every built-in backend, and on ones that break the contract in every way."""

import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from nonocsp.backends.base import Backend, Capabilities, Counting, Run, Unsupported
from nonocsp.backends.registry import create
from nonocsp.engine import StopFlag
from nonocsp.model import Clue, Grid, Puzzle
from nonocsp.testing import (
    CHECKS,
    NonConformance,
    check_backend,
    descriptions,
    placements,
    solutions,
)

SPECS = {
    "hybrid": 80,
    "hybrid:backtracking=no,budget=0": 200,
    "hybrid:backtracking=no": 200,
    "hybrid:backtracking=no,budget=0,guidance=none": 400,
    "settle": 80,
    "settle:order=sweeps": 400,
    "settle:order=sweeps_columns_first": 400,
    "sat": 80,
    "sat:solver=cadical195": 200,
    "sat:encoding=direct": 200,
    "sat:encoding=automaton": 200,
    "sat:phase=likely": 200,
    "sat:root=no": 200,
    "mdd": 80,
    "cpsat": 1200,
    "cpsat:model=table": 1200,
    "cpsat:model=intervals": 1200,
    "cpsat:root=no": 1200,
    "blocks": 80,
    "blocks:first=columns": 200,
    "gac": 80,
    "gac:settle=no,value_order=random": 200,
    "gac:variable_order=first,value_order=first": 200,
    "segments": 80,
    "segments:pixel=first": 400,
    "probing": 200,
    "probing:level=fp2,gp=yes,min_group=2": 400,
    "probing:level=fp3,score=sum,order=random": 400,
    "twosat": 80,
    "twosat:level=1": 200,
    "twosat:search=no": 200,
    "milp": 8000,
    "cpmpy": 8000,
    "minizinc": 40000,
    "asp": 2000,
}
"""The built-in backends and what differs within them, each with the sample that takes a quarter of a second:
one in so many of the small puzzles. With ``--backend`` all of them.
"""


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_backend_conforms(backend_spec, sample, check):
    check(create(backend_spec), sample)


@pytest.mark.parametrize(
    ("clue", "length", "expected"),
    [
        (Clue.of(), 2, {"00"}),
        (Clue.of(2), 3, {"110", "011"}),
        (Clue.of(1, 1), 4, {"1010", "1001", "0101"}),
        (Clue.of(1, (1, 2)), 3, {"120", "102", "012"}),
        (Clue.of(3), 2, set()),
    ],
)
def test_the_enumerator_lists_the_placements_of_a_clue(clue, length, expected):
    assert {"".join(map(str, line)) for line in placements(clue, length)} == expected


def test_the_enumerator_finds_exactly_the_images_of_a_description():
    images = [Grid.from_cells(np.reshape(cells, (2, 4))) for cells in product((0, 1), repeat=8)]
    clues = [(Puzzle.from_grid(grid).rows, Puzzle.from_grid(grid).columns) for grid in images]
    for grid in images:
        puzzle = Puzzle.from_grid(grid)
        same = {g for g, clue in zip(images, clues, strict=True) if clue == (puzzle.rows, puzzle.columns)}
        assert set(solutions(puzzle)) == same


@pytest.mark.parametrize(
    ("rows", "columns", "described", "unique", "most"),
    [(2, 2, 15, 14, 2), (2, 3, 58, None, None), (3, 3, 445, 384, 6), (3, 4, 3588, None, None)],
)
def test_the_number_of_descriptions_is_the_published_one(rows, columns, described, unique, most):
    counts = [len(grids) for _, grids in descriptions(rows, columns)]
    assert len(counts) == described
    assert sum(counts) == 2 ** (rows * columns)
    assert unique in (None, counts.count(1))
    assert most in (None, max(counts))


def test_a_description_comes_with_exactly_the_images_that_have_it():
    found = list(descriptions(4, 4, sample=997))
    assert len(found) == -(-58_196 // 997)
    for puzzle, grids in found:
        assert set(grids) == set(solutions(puzzle))


RIGHT = create("sat")
Search = Callable[[Puzzle, Run], Iterator[Grid]]


class Faulty(Backend):
    """A backend with a fault in its search."""

    Options = object
    summary = paper = ""

    def __init__(self, search: Search, *, complete: bool = True) -> None:
        super().__init__(None)
        self.search = search  # type: ignore[method-assign]
        self.capabilities = Capabilities(complete)


class Miscounting(Faulty):
    """Counts one too many, of many."""

    def count(self, puzzle: Puzzle, run: Run) -> Generator[Grid, None, int]:
        inner = create("mdd")
        assert isinstance(inner, Counting)
        counted = yield from inner.count(puzzle, run)
        return counted + (counted > 1000)


def lazy(puzzle: Puzzle, run: Run) -> Iterator[Grid]:
    yield from list(RIGHT.search(puzzle, run))[:1]


def deaf(puzzle: Puzzle, run: Run) -> Iterator[Grid]:
    return RIGHT.search(puzzle, Run(run.request, StopFlag()))


def lying(puzzle: Puzzle, run: Run) -> Iterator[Grid]:
    yield Grid.from_cells(np.ones(puzzle.shape, int))


def picky(puzzle: Puzzle, run: Run) -> Iterator[Grid]:
    raise Unsupported("colours are too hard")


def overconfident(puzzle: Puzzle, run: Run) -> Iterator[Grid]:
    candidates = np.full(puzzle.shape, 3, np.uint64)
    candidates[0, 0] = 1
    yield Grid(candidates)


def fickle(puzzle: Puzzle, run: Run, calls: list[None] = []) -> Iterator[Grid]:  # noqa: B006
    """Change the order with every call."""
    calls.append(None)
    return iter(list(RIGHT.search(puzzle, run))[:: (-1) ** len(calls)])


def careless(puzzle: Puzzle, run: Run) -> Iterator[Grid]:
    """Miss the solution that begins with a full cell in 4x4 puzzles with several solutions."""
    grids = list(RIGHT.search(puzzle, run))
    several = puzzle.shape == (4, 4) and len(grids) > 2
    return (grid for grid in grids if not several or grid.cells[0, 0] == 0)


def meddling(puzzle: Puzzle, run: Run) -> Iterator[Grid]:
    """Write into the clues of a puzzle that every run of the suite makes anew."""
    yield from RIGHT.search(puzzle, run)
    if "each of two colours" in puzzle.title:
        puzzle.flat_rows.lengths[:] = 2


def fragile(puzzle: Puzzle, run: Run) -> Iterator[Grid]:
    if not any(puzzle.rows):
        raise ZeroDivisionError("no blocks")
    return RIGHT.search(puzzle, run)


def colourless(puzzle: Puzzle, run: Run) -> Iterator[Grid]:
    """Keep blocks of any two colours apart."""

    def touch(cells: NDArray[np.uint8]) -> bool:
        left, right = cells[:, :-1], cells[:, 1:]
        return bool(((left != right) & (left > 0) & (right > 0)).any())

    grids = RIGHT.search(puzzle, run)
    return (grid for grid in grids if not touch(grid.cells) and not touch(grid.cells.T))


@pytest.mark.parametrize(
    ("backend", "complaint"),
    [
        (Faulty(lazy), "counting_stops_at_the_bound: 1 solutions"),
        (Faulty(deaf), "a_stop_before_the_start"),
        (Faulty(lying), "small_puzzles_have_the_known_answers: one empty cell"),
        (Faulty(picky), "colours_are_refused"),
        (Faulty(overconfident, complete=False), "the partial grid excludes a solution"),
        (Faulty(fickle), "two runs with seed"),
        (Faulty(careless), "every_description_of_4x4_has_the_known_answer: puzzle, rows"),
        (Faulty(meddling), "the_puzzle_is_left_as_it_was: ValueError: assignment destination is read-only"),
        (Faulty(fragile), "small_puzzles_have_the_known_answers: ZeroDivisionError: no blocks"),
        (Miscounting(RIGHT.search), "a_count_beyond_enumeration_is_exact: 479001601 solutions counted"),
        (Faulty(colourless), "small_puzzles_have_the_known_answers: colours that touch"),
    ],
    ids=lambda case: getattr(getattr(case, "search", None), "__name__", None),
)
def test_a_fault_is_found_and_named(backend, complaint, monkeypatch):
    quick = [check for check in CHECKS if not check.__name__.startswith(("a_stop_ends", "the_wall"))]
    monkeypatch.setattr("nonocsp.testing.CHECKS", quick)
    with pytest.raises(NonConformance) as error:
        check_backend(backend, sample=500)
    assert complaint in str(error.value)


def test_the_suite_finds_the_faults_with_assertions_switched_off_too():
    script = (
        "from nonocsp.backends.settle import Settle, SettleOptions; from nonocsp.testing import CHECKS\n"
        "class Liar(Settle):\n"
        "    def search(self, puzzle, run): return iter(())\n"
        "CHECKS[0](Liar(SettleOptions()), 1)\n"
    )
    result = subprocess.run([sys.executable, "-O", "-c", script], capture_output=True, text=True, check=False)
    assert "NonConformance: one empty cell" in result.stderr
