"""The meter, against published counts, the plain reference, and puzzles of known classes."""

import pickle
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

import nonocsp
from nonocsp import DifficultyClass, Grid, Palette, Puzzle
from nonocsp.backends.base import Request, Run
from nonocsp.datasets import n_dom
from nonocsp.engine import LineSolver, StopFlag
from nonocsp.grading import classes
from nonocsp.grading.what_if import consequences
from nonocsp.model import BackendError, UsageError
from nonocsp.testing import permutations
from nonocsp.testing.puzzles import descriptions
from tests import oracle
from tests.grading.plain import unknown, what_if

NO_PUZZLES = DifficultyClass.MULTIPLE, DifficultyClass.UNSAT
UNSAT = Puzzle.from_clues([[3], [], [3]], [[1, 1], [2], [1, 1]])


NEEDS_FP2 = """
.##..#....####...... ###....#...#..###.## ...###.##.......#... #####.....#.####.#.. ..#..#..#....#....#.
#.#.###.##...#..#.#. .#####...#...#...### #..##.#..#.##.###.#. ..##.#.#.#.#..##.... .#.##.....#.#....###
#.#.##..##......###. .##...#..##..#..#..# #...##...####.###.#. .###.##.##....##.#.# ..#.####..#........#
.#..##.#..##.####.#. #....#..#..##.###.#. #......#.##.##...... #.#.####.##.##..#..# .##....##.#..#..#...
"""
"""The one of the first 1000 random images of 20x20, 40 % black, seed 1, that FP1 does not solve."""


def random_puzzles(count: int, palette: Palette, *shape: int) -> Iterator[Puzzle]:
    rng = np.random.default_rng(6)
    for _ in range(count):
        cells = rng.integers(0, len(palette), shape) * (rng.random(shape) < 0.7)
        yield Puzzle.from_grid(Grid.from_cells(cells.astype(np.uint8)), palette=palette)


@pytest.mark.parametrize(
    ("size", "histogram", "unique", "all_descriptions"),
    [(2, [4, 10], 14, 15), (3, [27, 295, 62], 384, 445)],
)
def test_all_descriptions_of_a_size_have_the_published_classes(size, histogram, unique, all_descriptions):
    graded = [nonocsp.difficulty(puzzle) for puzzle, _ in descriptions(size, size)]
    counts = Counter(found.class_ for found in graded)
    assert len(graded) == all_descriptions
    assert counts[DifficultyClass.MULTIPLE] == all_descriptions - unique
    assert counts[DifficultyClass.TRIVIAL] == histogram[0]
    assert counts[DifficultyClass.SIMPLE] == sum(histogram[1:])
    sweeps = Counter(found.sweeps for found in graded if found.is_simple)
    assert sweeps == dict(enumerate(histogram, start=1))


def test_4x4_puzzles_are_simple_or_solved_by_2_sat_or_have_several_solutions():
    for puzzle, grids in descriptions(4, 4, sample=67):
        found = nonocsp.difficulty(puzzle)
        assert (found.class_ is DifficultyClass.MULTIPLE) == (len(grids) > 1)
        simple = oracle.fixpoint(puzzle, unknown(puzzle))[0] == [
            [1 << c for c in row] for row in grids[0].cells
        ]
        assert found.is_simple == simple
        assert simple or found.class_ in (DifficultyClass.TWO_SAT, DifficultyClass.MULTIPLE)


@pytest.mark.parametrize("palette", [Palette.of(1), Palette.of(2)], ids=["one colour", "two colours"])
def test_sweeps_agree_with_the_reference_whichever_axis_comes_first(palette):
    for puzzle in random_puzzles(30, palette, 6, 8):
        found = nonocsp.difficulty(puzzle)
        grid, sweeps = oracle.fixpoint(puzzle, unknown(puzzle))
        flipped = puzzle.transposed()
        assert grid is not None
        assert found.sweeps == sweeps == len(found.cells_per_sweep)
        assert found.sweeps_columns_first == oracle.fixpoint(flipped, unknown(flipped))[1]
        known = sum(cell.bit_count() == 1 for row in grid for cell in row)
        assert sum(found.cells_per_sweep) == known
        assert found.unknown == (48 - known) / 48
        assert (sweeps > 0) == (found.useful_settles > 0)


def test_line_visits_that_helped_match_a_count_by_hand():
    found = nonocsp.difficulty(Puzzle.from_clues([[1, 1], [3], [1]], [[2], [2], [2]]))
    # The rows 1 and 2 are fixed; every column then has its two cells, of which row 3 learns nothing new.
    assert (found.class_, found.cells_per_sweep, found.useful_settles) == (DifficultyClass.SIMPLE, (6, 3), 5)
    assert (found.unknown, found.depth, found.label) == (0.0, 0, "simple")


@pytest.mark.parametrize(
    ("puzzle", "label", "depth"),
    [
        (n_dom(2), "simple", 0),
        (n_dom(3), "2-sat", 1),
        (n_dom(4), "fp1", 1),
        (n_dom(5), "2-deep", 2),
        (Puzzle.from_grid(Grid.from_strings(NEEDS_FP2.split())), "fp2", 2),
        (permutations(4), "multiple", None),
        (UNSAT, "unsat", None),
        (Puzzle.from_clues([[1], [1]], [[2], []]), "simple", 0),
        (Puzzle.from_clues([[2], [], [2]], [[1], [1], [2]]), "unsat", None),
        (Puzzle.from_clues([[(1, 2), 1], [2]], [[(1, 2), 1], [2]]), "trivial", 0),
    ],
)
def test_each_class_has_an_example(puzzle, label, depth):
    found = nonocsp.difficulty(puzzle)
    assert (found.label, found.depth, found.message) == (label, depth, "")


def test_only_the_requested_levels_are_tried_and_the_class_says_so():
    found = nonocsp.difficulty(n_dom(5), deepest=1)
    assert (found.class_, found.depth) == (DifficultyClass.BEYOND, 1)
    with pytest.raises(UsageError, match="expected 0 or more levels"):
        nonocsp.difficulty(n_dom(5), deepest=-1)


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_nested_what_if_agrees_with_the_plain_what_if(depth):
    run = Run(Request(), StopFlag())
    sample = [puzzle for puzzle, grids in descriptions(3, 3, sample=5) if len(grids) > 1]
    for puzzle in (*sample, UNSAT, *random_puzzles(3, Palette.of(2), 3, 3)):
        start = Grid.unknown(*puzzle.shape, puzzle.palette).candidates
        left = consequences(LineSolver(puzzle), start, depth, run)
        expected = what_if(puzzle, unknown(puzzle), depth)
        assert (None if left is None else left.tolist()) == expected


def test_a_limit_keeps_the_proved_results_and_names_the_untried_methods():
    found = nonocsp.difficulty(n_dom(16), wall=0.3)
    assert (found.class_, found.unknown) == (DifficultyClass.UNKNOWN, 1.0)
    assert found.message.startswith("the wall limit of 0.3 s was reached")
    nothing = nonocsp.difficulty(n_dom(2), wall=1e-9)
    assert nothing.class_ is DifficultyClass.UNKNOWN
    assert nothing.message.endswith("reached during line solving")


def test_a_wrong_grid_is_an_error_instead_of_a_class(monkeypatch):
    monkeypatch.setattr(classes, "wrong_lines", lambda *_: [(False, 0)])
    for puzzle in (n_dom(2), n_dom(4)):
        with pytest.raises(BackendError, match="filled a grid that does not solve the puzzle"):
            nonocsp.difficulty(puzzle)
    monkeypatch.setattr(classes, "consequences", lambda *_: None)
    with pytest.raises(BackendError, match="finds no solution where hybrid finds one"):
        nonocsp.difficulty(n_dom(5))


def test_a_difficulty_can_be_pickled_and_its_record_has_the_keys_shared_by_all_reports():
    found = nonocsp.difficulty(n_dom(3))
    assert pickle.loads(pickle.dumps(found)) == found
    record = found.record()
    assert (record["class"], record["depth"], record["unknown"]) == ("2-sat", 1, found.unknown)
    assert (record["sweeps"], record["sweeps_columns_first"]) == (found.sweeps, found.sweeps_columns_first)
    assert len(record["row_facts"]) == len(record["column_facts"]) == 7
