"""Repairs against trying every change of small images; all repaired puzzles have one solution."""

from itertools import combinations, product

import numpy as np
import pytest
from numpy.typing import NDArray

from nonocsp import Grid, Palette, Puzzle, solve
from nonocsp.making.likeness import CellChange
from nonocsp.making.repair import Repairs, repair
from nonocsp.model import UsageError

from .. import oracle
from .naive import open_cells

Image = NDArray[np.uint8]
SWITCH = "#.\n.#"
"""Two diagonals have these clues."""


def image(text: str) -> Image:
    return np.array([[".#ab".index(char) for char in line] for line in text.split()], np.uint8)


def puzzle_of(cells: Image, colours: int = 1) -> Puzzle:
    return Puzzle.from_grid(Grid.from_cells(cells), palette=Palette.of(colours))


def random_image(seed: int) -> tuple[Image, int]:
    """Return an image of at most 4x4 in one or two colours that is not the only solution of its clues."""
    rng = np.random.default_rng(seed)
    colours = 1 + seed % 2
    while True:
        shape = tuple(int(side) for side in rng.integers(2, 5, 2))
        cells = (rng.integers(1, colours + 1, shape) * (rng.random(shape) < 0.5)).astype(np.uint8)
        if len(solutions(cells, colours)) > 1:
            return cells, colours


def solutions(cells: Image, colours: int) -> list[Image]:
    return [np.array(grid, np.uint8) for grid in oracle.solutions(puzzle_of(cells, colours))]


def with_changes(cells: Image, changes: tuple[CellChange, ...]) -> Image:
    changed = cells.copy()
    for row, column, before, after in changes:
        assert changed[row, column] == before != after
        changed[row, column] = after
    return changed


def every_change(cells: Image, colours: int, count: int) -> list[tuple[CellChange, ...]]:
    places = list(product(*map(range, cells.shape)))
    return [
        tuple(CellChange(*at, int(cells[at]), new) for at, new in zip(chosen, news, strict=True))
        for chosen in combinations(places, count)
        for news in product(range(colours + 1), repeat=count)
        if all(cells[at] != new for at, new in zip(chosen, news, strict=True))
    ]


def is_repaired(cells: Image, colours: int, class_: str) -> bool:
    if class_ == "simple":
        return open_cells(cells, colours) == 0
    return len(solutions(cells, colours)) == 1


@pytest.mark.parametrize("class_", ["unique", "simple"])
@pytest.mark.parametrize("seed", range(12))
def test_every_repair_of_one_cell_is_found_and_no_other(seed, class_):
    cells, colours = random_image(seed)
    found = repair(puzzle_of(cells, colours), class_=class_, max_changes=1, best=1000, jobs=1)
    wanted = {
        changes
        for changes in every_change(cells, colours, 1)
        if is_repaired(with_changes(cells, changes), colours, class_)
    }
    assert {one.changes for one in found.found} == wanted
    assert found.at_least == (1 if wanted else 2)


def test_two_cells_are_changed_where_one_is_not_enough():
    cells = image("#..... .#.... ...... ..#... ...#.. ....#. .....#".replace(" ", "\n"))
    found = repair(puzzle_of(cells), jobs=1)
    smallest = len(found.found[0].changes)
    assert smallest > 1 < found.at_least
    for changes in every_change(cells, 1, 1):
        assert solve(puzzle_of(with_changes(cells, changes)), "sat").answer == "multiple"
    assert_sound(found, cells)


def assert_sound(found: Repairs, cells: Image) -> None:
    assert found.found
    for one in found.found:
        assert one.puzzle.goal == Grid.from_cells(with_changes(cells, one.changes))
        assert solve(one.puzzle, "sat").answer == "unique"
        assert one.class_ not in {"multiple", "unknown"}
    ranks = [(len(one.changes), one.visibility) for one in found.found]
    assert ranks == sorted(ranks)


def test_a_unique_puzzle_needs_no_change():
    found = repair(puzzle_of(image("##\n#.")))
    assert (found.is_fine, found.found, found.ambiguous.any()) == (True, (), False)


def test_a_unique_puzzle_that_lines_do_not_solve_is_made_simple():
    unique = next(
        cells
        for seed in range(1000)
        for cells in [(np.random.default_rng(seed).random((5, 5)) < 0.45).astype(np.uint8)]
        if open_cells(cells, 1) and len(solutions(cells, 1)) == 1
    )
    found = repair(puzzle_of(unique), class_="simple", jobs=1)
    assert (str(found.answer), found.is_fine) == ("unique", False)
    assert all(one.class_ in {"trivial", "simple"} for one in found.found)
    assert found.found


def test_without_a_goal_a_solution_is_repaired_and_without_a_solution_nothing():
    clues = [[1], [1]]
    found = repair(Puzzle.from_clues(clues, clues), jobs=1)
    assert found.puzzle.goal is not None
    assert_sound(found, found.puzzle.goal.cells)
    impossible = repair(Puzzle.from_clues([[1, 1], [1], [1, 1]], [[2], [1], [2]]), jobs=1)
    assert (str(impossible.answer), impossible.found) == ("unsat", ())


def test_when_the_time_is_up_what_was_found_is_given():
    cells = (np.random.default_rng(1).random((30, 30)) < 0.4).astype(np.uint8)
    found = repair(puzzle_of(cells), time=0.001, jobs=1)
    assert found.is_over or str(found.answer) == "unknown"


@pytest.mark.parametrize("wrong", [{"class_": "fp1"}, {"class_": "easy"}, {"max_changes": 0}, {"best": 0}])
def test_what_cannot_be_asked_is_refused(wrong):
    with pytest.raises(UsageError):
        repair(puzzle_of(image(SWITCH)), **wrong)  # type: ignore[arg-type]
