"""Ambiguous cells and contextually solvable puzzles, against enumerations and symmetries written out."""

import pytest

import nonocsp
from nonocsp import Grid, Puzzle
from nonocsp.grading.context import MOST, Trait, ambiguity, compared
from nonocsp.testing import n_dom
from nonocsp.testing.puzzles import descriptions

Image = tuple[tuple[int, ...], ...]

MOVES = {
    Trait.LEFT_RIGHT: lambda row, column, rows, columns: (row, columns - 1 - column),
    Trait.UP_DOWN: lambda row, column, rows, columns: (rows - 1 - row, column),
    Trait.HALF_TURN: lambda row, column, rows, columns: (rows - 1 - row, columns - 1 - column),
    Trait.DIAGONAL: lambda row, column, rows, columns: (column, row),
    Trait.ANTIDIAGONAL: lambda row, column, rows, columns: (columns - 1 - column, rows - 1 - row),
}


def has(trait: Trait, image: Image) -> bool:
    rows, columns = len(image), len(image[0])
    painted = {(row, column): c for row, line in enumerate(image) for column, c in enumerate(line) if c}
    if trait is Trait.ONE_PIECE:
        return len(pieces(set(painted))) == 1
    if trait in (Trait.DIAGONAL, Trait.ANTIDIAGONAL) and rows != columns:
        return False
    return {MOVES[trait](*cell, rows, columns): colour for cell, colour in painted.items()} == painted


def pieces(cells: set[tuple[int, int]]) -> list[set[tuple[int, int]]]:
    found = []
    while cells:
        piece, edge = set(), [cells.pop()]
        while edge:
            row, column = edge.pop()
            piece.add((row, column))
            beside = {(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)} & cells
            cells -= beside
            edge += beside
        found.append(piece)
    return found


def meant(images: list[Image]) -> tuple[set[Trait], Image | None]:
    """Return the traits of exactly one image, and the image if it is the same for all of them."""
    owners = {trait: [image for image in images if has(trait, image)] for trait in Trait}
    single = {trait: having[0] for trait, having in owners.items() if len(having) == 1}
    found = set(single.values())
    return set(single), found.pop() if len(found) == 1 else None


def check(puzzle: Puzzle, images: list[Image]) -> bool:
    context = nonocsp.difficulty(puzzle).context
    assert (context is not None) == (len(images) > 1)
    if context is None:
        return False
    traits, picture = meant(images)
    assert set(context.traits) == traits
    assert context.is_contextual == (picture is not None)
    assert picture is None or context.picture == Grid.from_cells(picture)
    return context.is_contextual


def as_image(grid: Grid) -> Image:
    return tuple(tuple(line) for line in grid.cells.tolist())


@pytest.mark.parametrize(("size", "every", "contextual"), [(2, 1, 0), (3, 1, None), (4, 97, None)])
def test_the_solution_that_stands_out_is_the_one_of_an_enumeration(size, every, contextual):
    found = [
        check(puzzle, [*map(as_image, grids)]) for puzzle, grids in descriptions(size, size, sample=every)
    ]
    assert sum(found) == contextual if contextual is not None else 0 < sum(found) < len(found)


def test_a_ring_is_the_one_of_three_solutions_that_is_symmetric():
    ring = Grid.from_cells([[0, 1, 1, 0], [1, 0, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0]])
    context = nonocsp.difficulty(Puzzle.from_grid(ring)).context
    assert context is not None
    assert context.picture == ring
    assert context.text == (
        "contextually solvable: in exactly one of 3 solutions, left and right are mirror images; top and "
        "bottom are mirror images"
    )


def test_too_many_solutions_leave_it_unknown_unless_two_of_them_share_every_trait():
    context = nonocsp.difficulty(Puzzle.from_clues([[1]] * 7, [[1]] * 7)).context  # 5040 solutions
    assert context is not None
    assert (context.is_contextual, context.message) == (None, f"more than {MOST} solutions")
    one = Grid.from_cells([[1, 0, 1]])
    assert compared([one], [Trait.LEFT_RIGHT], f"more than {MOST} solutions").is_contextual is None
    several = compared([one, Grid.from_cells([[0, 1, 0]])], [Trait.LEFT_RIGHT], "stopped")
    assert several.is_contextual is False


def test_before_the_first_solution_it_is_unknown():
    late = compared([], [*Trait], "not all solutions were found")
    assert (late.is_contextual, late.text) == (None, "unknown: not all solutions were found")


def test_without_a_solution_no_cell_is_ambiguous_and_without_time_nothing_is_certain():
    found = ambiguity(Puzzle.from_clues([[1, 1], [1], [1, 1]], [[2], [1], [2]]))
    assert (found.cells.any(), found.is_complete) == (False, True)
    assert not ambiguity(n_dom(9), wall=0.0).is_complete
