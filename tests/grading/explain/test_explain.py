"""Explanations: together the steps are line solving, the cheapest comes first, and every end is honest."""

import json
from collections.abc import Iterator

import numpy as np
import pytest

import nonocsp
from nonocsp import Explanation, Grid, Palette, Puzzle, PuzzleError
from nonocsp.grading.explain import Technique, Verdict
from nonocsp.testing import permutations
from nonocsp.testing.puzzles import SMALL, SMALL_IN_COLOUR
from tests import oracle

from .lines import line_cells


def random_puzzles(count: int, colours: int, rows: int, columns: int) -> Iterator[Puzzle]:
    rng = np.random.default_rng(colours)
    for _ in range(count):
        shape = rows, columns
        cells = rng.integers(1, colours + 1, shape) * (rng.random(shape) < rng.uniform(0.4, 0.8))
        yield Puzzle.from_grid(Grid.from_cells(cells.astype(np.uint8)), palette=Palette.of(colours))


def unknown(puzzle: Puzzle) -> list[list[int]]:
    rows, columns = puzzle.shape
    return [[2 ** len(puzzle.palette) - 1] * columns for _ in range(rows)]


def check_steps(explanation: Explanation) -> None:
    """Replay the steps: each narrows cells of its line, and says so."""
    candidates = explanation.start.candidates.copy()
    for number, step in enumerate(explanation.steps, start=1):
        assert step.number == number
        assert step.changes
        assert step.reason
        assert step.conclusion
        for row, column, before, after in step.changes:
            assert candidates[row, column] == before
            assert 0 < after != before == before | after
            candidates[row, column] = after
            if step.line and step.technique is not Technique.PROBE:
                assert step.line.position == (row if step.line.axis == "row" else column)
    assert np.array_equal(candidates, explanation.end.candidates)


@pytest.mark.parametrize(("count", "colours", "size"), [(40, 1, 8), (15, 1, 13), (20, 2, 8), (8, 3, 10)])
def test_the_steps_together_equal_line_solving(count, colours, size):
    for puzzle in random_puzzles(count, colours, size, size + 1):
        explanation = nonocsp.explain(puzzle, probes=False)
        check_steps(explanation)
        fixpoint, _ = oracle.fixpoint(puzzle, unknown(puzzle))
        assert explanation.end.candidates.tolist() == fixpoint
        assert explanation.contradiction is None
        assert explanation.grade <= Technique.SETTLE.grade


@pytest.mark.parametrize("puzzle", [*SMALL, *SMALL_IN_COLOUR], ids=lambda puzzle: puzzle.title)
def test_verdicts_on_small_puzzles_agree_with_their_solutions(puzzle):
    explanation = nonocsp.explain(puzzle)
    check_steps(explanation)
    solutions = oracle.solutions(puzzle)
    if explanation.verdict is Verdict.SOLVED:
        assert solutions == [tuple(map(tuple, explanation.end.cells.tolist()))]
    if explanation.verdict is Verdict.CONTRADICTION:
        assert solutions == []
    for solution in solutions:
        assert (explanation.end.candidates & Grid.from_cells(solution).candidates).all()


def test_the_lines_named_by_a_probe_suffice_for_the_contradiction():
    probes = 0
    for puzzle in random_puzzles(30, 1, 9, 9):
        explanation = nonocsp.explain(puzzle)
        for step, grid in zip(explanation.steps, explanation.grids(), strict=False):
            if step.technique is not Technique.PROBE or step.line is None:
                continue
            [change] = step.changes
            cells = grid.candidates.copy()
            cells[change.row, change.column] = change.before & ~change.after
            for _ in range(cells.size):  # no other lines are settled, however often
                for line in step.trail:
                    settled = oracle.settle(puzzle.line_clue(line), line_cells(cells, line).tolist())
                    line_cells(cells, line)[:] = settled or 0
            clue = puzzle.line_clue(step.line)
            assert oracle.settle(clue, line_cells(cells, step.line).tolist()) is None
            probes += 1
    assert probes


@pytest.mark.parametrize("colours", [1, 3])
def test_every_step_of_a_line_is_what_all_its_placements_show(colours):
    """The reference settles the line of each step: no step says more."""
    for puzzle in random_puzzles(12, colours, 9, 10):
        explanation = nonocsp.explain(puzzle)
        for step, grid in zip(explanation.steps, explanation.grids(), strict=False):
            if step.line is None or step.technique is Technique.PROBE:
                continue
            cells = line_cells(grid.candidates, step.line).tolist()
            settled = oracle.settle(puzzle.line_clue(step.line), cells)
            assert settled is not None
            for change in step.changes:
                place = change.place(step.line)
                assert (change.before, change.after & settled[place]) == (cells[place], settled[place])


def test_a_puzzle_with_several_solutions_ends_stuck_and_lists_the_open_cells():
    explanation = nonocsp.explain(permutations(4))
    assert (explanation.verdict, explanation.end.unknown_cells) == (Verdict.STUCK, 16)
    assert (
        explanation.summary
        == "Stuck after 0 steps: 16 cells stay open; the puzzle may have several solutions."
    )


def test_an_unsolvable_puzzle_names_the_contradictory_line():
    explanation = nonocsp.explain(Puzzle.from_clues([[1, 1], [1, 1], []], [[2], [2], []]))
    assert explanation.verdict is Verdict.CONTRADICTION
    assert str(explanation.contradiction) == "column 2"
    assert "no placement of the blocks of column 2 fits" in explanation.summary
    assert explanation.record()["line"] == "column 2"


def test_an_explanation_continues_from_a_given_grid():
    puzzle = Puzzle.from_clues([[1, 1], [3], [1]], [[2], [2], [2]])
    grid = Grid.from_strings(["#??", "???", "???"])
    explanation = nonocsp.explain(puzzle, grid)
    assert explanation.start == grid
    assert explanation.end.strings() == ["#.#", "###", ".#."]
    with pytest.raises(PuzzleError, match="the grid is 1x1, the puzzle 3x3"):
        nonocsp.explain(puzzle, Grid.unknown(1, 1))


def test_removing_colours_that_two_lines_do_not_share_is_the_first_step():
    puzzle = Puzzle.from_clues([[1], [(1, 2)]], [[1], [(1, 2)]])
    first, *_ = nonocsp.explain(puzzle).steps
    assert (first.technique, first.line) == (Technique.COLOURS, None)
    assert first.text.startswith("A cell has a colour that both its row and its column have, or is white.")
    assert first.text.endswith("That decides 2 cells and narrows 2.")


def test_a_step_is_described_in_words():
    explanation = nonocsp.explain(Puzzle.from_clues([[3]], [[], [1], [1], [1], []]))
    overlap = next(step for step in explanation.steps if step.technique is Technique.OVERLAP)
    assert overlap.title == "overlap in row 1"
    assert overlap.text == "The 3 lies within cells 2–5 and covers 3–4 wherever it lies. Cells 3–4 are black."
    assert json.loads(json.dumps(overlap.record(explanation.puzzle.palette))) == {
        "step": overlap.number,
        "technique": "overlap",
        "grade": 1,
        "blocks": [1],
        "line": "row 1",
        "cells": [{"row": 1, "column": column, "candidates": "#"} for column in (3, 4)],
        "text": overlap.text,
    }
