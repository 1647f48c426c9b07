"""The ladder of methods: its traces end where the engine and python-sat end, and its clauses follow."""

from __future__ import annotations

import json

import numpy as np
import pytest
from pysat.solvers import Solver

import nonocsp
from nonocsp.datasets import random_set
from nonocsp.engine import LineSolver, grading
from nonocsp.engine.encodings import ENCODERS, Encoding
from nonocsp.grading.ladder import fixpoints, ladder
from nonocsp.grading.ladder.learning import Learning
from nonocsp.grading.ladder.telling import records, to_html
from nonocsp.model import Grid, Puzzle, PuzzleError
from tests.browsing import PHONE, Visit

WINK = nonocsp.load("docs/explanation/wink.non")
PUZZLES = [
    puzzle
    for colours in (1, 2)
    for rows, columns in ((5, 5), (6, 7), (8, 8))
    for puzzle in random_set(7, count=6, rows=rows, columns=columns, density=0.45, colours=colours)
]


def propagated(encoding: Encoding) -> Grid:
    """Return what python-sat propagates; it tells only what follows from an assumption."""
    given, cells = encoding.cnf.variables + 1, encoding.candidates.copy()
    with Solver("minisat22") as solver:
        for clause in encoding.cnf:
            solver.add_clause([*clause, -given] if len(clause) == 1 else clause)
        _, literals = solver.propagate(assumptions=[given])
    for literal in literals:
        if abs(literal) <= len(encoding.cells):
            colour = np.uint64(1 << int(encoding.colours[abs(literal) - 1]))
            cells.flat[encoding.cells[abs(literal) - 1]] &= colour if literal > 0 else ~colour
    return Grid(cells)


@pytest.mark.parametrize("puzzle", [WINK, *PUZZLES])
def test_each_trace_ends_where_its_engine_ends(puzzle):
    solver = LineSolver(puzzle)
    root, empty = solver.propagate().candidates, solver.nothing_known().candidates
    expected = dict.fromkeys(("settle", "blocks", "messages", "gac"), Grid(root))
    for method in ("2-sat", "fp1"):
        expected[method] = Grid(grading.narrow_by(method, solver.compiled, root, None, None))
    expected |= {name: propagated(encode(solver, empty)) for name, encode in ENCODERS.items()}
    for rung in fixpoints(puzzle):
        assert rung.end == expected[rung.method]
        cells = rung.start.candidates.copy()
        for row, column, before, after in (change for step in rung.steps for change in step.changes):
            assert cells[row, column] == before
            assert after & ~before == 0
            cells[row, column] = after
        assert rung.end == Grid(cells)


@pytest.mark.parametrize("puzzle", [WINK, *PUZZLES])
def test_learnt_clauses_follow_and_the_answer_is_right(puzzle):
    learning = Learning(puzzle, LineSolver(puzzle).propagate().candidates)
    last = [*learning.steps()][-1].why
    solutions = nonocsp.solve(puzzle, backend="blocks", task="count", bound=200).solutions
    assert last == (
        "gives-up" if len(learning.clauses) == 40 else "unique" if len(solutions) == 1 else "several"
    )
    first, *_ = [Grid(cells) for cells in learning.solutions] or [None]
    for clause in learning.clauses:
        for solution in solutions:
            holds = any(int(solution.candidates[row, column]) == colour for row, column, colour in clause)
            assert holds or solution == first


def test_the_rungs_of_the_manual_differ():
    climbed = ladder(WINK)
    assert [rung.known for rung in climbed.rungs] == [10, 10, 10, 10, 31, 64, 0, 8, 10, 64]
    for language in ("en", "de"):
        told = json.dumps(records(climbed, language))
        assert "{" not in told.replace('{"', "").replace("{}", "")
    painted = [outcome.stats.get("painted") for outcome in climbed.outcomes]
    assert painted[:6] == [rung.known for rung in climbed.rungs[:6]]


@pytest.mark.parametrize(
    ("puzzle", "why"),
    [
        (Puzzle.from_clues([[1]] * 16, [[16]]), "16x1 is too large"),
        (Puzzle.from_clues([[1] * 4], [[1]] * 4 + [[]] * 11), "no solution"),
        (Puzzle.from_clues([[2], []], [[], [2]]), "no solution"),
    ],
)
def test_what_cannot_be_climbed_is_refused(puzzle, why):
    with pytest.raises(PuzzleError, match=why):
        ladder(puzzle)


def test_the_page_plays_every_rung_on_a_phone(browser, tmp_path):
    climbed, path = ladder(WINK), tmp_path / "ladder.html"
    path.write_text(to_html(climbed), encoding="utf-8")
    context = browser.new_context(viewport=PHONE, locale="de")
    visit = Visit(context, f"{path.as_uri()}#2-sat")
    for rung, told in zip(climbed.rungs, records(climbed, "de"), strict=True):
        visit.page.locator(".rungs button").filter(has_text=told["name"]).first.click()
        visit.page.keyboard.press("End")
        assert told["cannot"] in (visit.page.locator("#sentence").text_content() or "")
        assert visit.page.locator("#board td.open").count() == rung.end.unknown_cells
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    visit.check()
    context.close()
