"""Hints: the next step, and what is wrong in a half-filled grid."""

import numpy as np
import pytest

import nonocsp
from nonocsp import Grid, Puzzle, PuzzleError
from nonocsp.engine import LineSolver
from nonocsp.grading.explain import explain, hint
from nonocsp.model import UsageError
from nonocsp.testing import n_dom, permutations
from nonocsp.testing.puzzles import SMALL
from tests import oracle

CAT = Puzzle.from_clues([[1, 1], [3], [1]], [[2], [2], [2]])
NOT_SIMPLE = next(puzzle for puzzle in SMALL if puzzle.title == "unique, not simple")


def grid(*rows: str) -> Grid:
    return Grid.from_strings(rows)


def test_a_hint_is_the_first_step_of_an_explanation_from_there():
    here = grid("#.#", "???", "???")
    found = hint(CAT, here)
    assert found.is_sound
    assert found.remarks == []
    assert found.steps == explain(CAT, here).steps[:1]


def test_a_cell_that_contradicts_line_solving_is_wrong():
    found = hint(CAT, grid("#??", "?.?", "???"))
    assert found.wrong == ((1, 1),)
    assert found.steps == ()
    assert "Wrong: row 2, column 2 is not white." in found.remarks


def test_cells_that_contradict_only_in_combination_are_detected():
    root = LineSolver(NOT_SIMPLE).propagate().candidates
    [solution] = oracle.solutions(NOT_SIMPLE)
    seen = set()
    for row, column in np.argwhere(np.bitwise_count(root) > 1).tolist():
        cells = root.copy()
        cells[row, column] = 1 << (1 - solution[row][column])
        found = hint(NOT_SIMPLE, Grid(cells))
        assert not found.wrong
        assert found.clash == LineSolver(NOT_SIMPLE).propagate(cells).contradiction or found.broken
        assert found.is_sound == (found.clash is None and not found.broken)
        told = hint(NOT_SIMPLE, Grid(cells), by_solution=True)
        assert told.wrong == ((row, column),)
        seen.add(found.is_sound)
    assert False in seen


def test_a_hint_by_solution_needs_exactly_one_solution():
    with pytest.raises(UsageError, match="there are several"):
        hint(permutations(3), Grid.unknown(3, 3), by_solution=True)
    unsat = Puzzle.from_clues([[2], [1, 1], [2], [2]], [[1, 1], [2], [2], [1, 1]])
    with pytest.raises(PuzzleError, match="has no solution"):
        hint(unsat, Grid.unknown(4, 4), by_solution=True)


def test_a_puzzle_without_solution_and_a_grid_of_another_shape_are_refused():
    with pytest.raises(PuzzleError, match="column 2: no placement of its blocks fits"):
        hint(Puzzle.from_clues([[1, 1], [1, 1], []], [[2], [2], []]), Grid.unknown(3, 3))
    with pytest.raises(PuzzleError, match="the grid is 2x2, the puzzle 3x3"):
        hint(CAT, Grid.unknown(2, 2))


def test_a_hint_names_the_ambiguous_cells_if_no_step_is_left():
    found = hint(permutations(2), Grid.unknown(2, 2))
    assert found.steps == ()
    assert found.ambiguous == ((0, 0), (0, 1), (1, 0), (1, 1))
    assert found.remarks == [
        "No step is left: the puzzle has several solutions, which differ in row 1, column 1; "
        "row 1, column 2; row 2, column 1; row 2, column 2."
    ]
    assert found.record()["ambiguous"][1] == {"row": 1, "column": 2}
    assert found.record()["remarks"] == found.remarks
    assert hint(permutations(4), Grid.unknown(4, 4)).remarks[0].endswith("; and 8 more.")


def test_a_hint_says_when_only_deeper_search_helps():
    puzzle = n_dom(9)
    stuck = explain(puzzle).end
    assert not stuck.is_full
    assert hint(puzzle, stuck).remarks == [
        "No technique helps: the puzzle has one solution, but only deeper search finds it."
    ]


@pytest.mark.parametrize(
    ("grid", "error", "message"),
    [
        (Grid.from_cells([[2]]), PuzzleError, "row 1, column 1 has a colour that the puzzle lacks"),
        (
            Grid(np.zeros((1, 1), np.uint64)),
            PuzzleError,
            "row 1, column 1 has a colour that the puzzle lacks",
        ),
        (Grid.unknown(2, 1), PuzzleError, "the grid is 2x1, the puzzle 1x1"),
        (["?"], TypeError, "expected a Grid, not list; Grid.from_strings and Grid.from_cells make one"),
        (np.array([[1]]), TypeError, "expected a Grid, not ndarray"),
    ],
)
def test_what_is_no_grid_of_the_puzzle_is_refused(grid, error, message):
    for call in (nonocsp.hint, nonocsp.explain):
        with pytest.raises(error, match=message):
            call(Puzzle.from_clues([[1]], [[1]]), grid)


def test_an_explanation_prints_every_step_and_its_end():
    explanation = explain(CAT)
    text = str(explanation)
    assert all(f"{step.number}. {step.title}" in text for step in explanation.steps)
    assert explanation.summary in text
    assert repr(explanation) == f"<Explanation: {explanation.summary}>"


def test_a_hint_prints_its_step_or_the_mistakes():
    start = Grid.unknown(*CAT.shape)
    assert str(nonocsp.hint(CAT, start)).startswith("   1. ")
    wrong = Grid.from_cells(1 - explain(CAT).end.cells)
    assert str(nonocsp.hint(CAT, wrong)).startswith("Wrong: row 1, column 1 is not ")


def test_a_hint_marks_the_cells_that_it_tells_of():
    start = Grid.unknown(*CAT.shape)
    step = nonocsp.hint(CAT, start)
    assert step.steps[0].text in step._repr_html_()
    done = nonocsp.hint(CAT, explain(CAT).end)
    assert done._repr_html_().count("<line") < step._repr_html_().count("<line")


@pytest.mark.parametrize("seed", [1, pytest.param(range(2, 20), marks=pytest.mark.slow)])
def test_the_line_of_each_step_of_a_hint_shows_what_it_decides(seed):
    for rng in map(np.random.default_rng, np.atleast_1d(seed)):
        for _ in range(300):
            height, width, colours = *rng.integers(2, 6, 2), int(rng.integers(2, 4))
            cells = rng.integers(0, colours + 1, (height, width)).astype(np.uint8)
            known = np.uint64(1) << cells.astype(np.uint64)
            state = np.where(rng.random(cells.shape) < rng.choice([0, 0.3]), known, 2 ** (colours + 1) - 1)
            puzzle = Puzzle.from_grid(cells, palette=nonocsp.Palette.of(colours))
            for step in hint(puzzle, Grid(state.astype(np.uint64))).steps:
                line = step.line and (state if step.line.axis == "row" else state.T)[step.line.position]
                if line is not None and not step.trail:
                    settled = oracle.settle(puzzle.line_clue(step.line), [int(cell) for cell in line])
                    for row, column, _, after in step.changes:
                        assert not settled[column if step.line.axis == "row" else row] & ~after, puzzle
                for row, column, _, after in step.changes:
                    state[row, column] = after
