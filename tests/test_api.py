"""The public Python interface: what ``import nonocsp`` offers, and `nonocsp.solve`."""

import ast
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nonocsp
from nonocsp import Answer, Puzzle, Termination

INSIDE = {"TooLate", "Unreadable"}
"""Errors that nonocsp catches itself."""
PERMUTATIONS = Puzzle.from_clues([[1]] * 4, [[1]] * 4)


def test_every_public_name_exists():
    assert all(getattr(nonocsp, name) is not None for name in nonocsp.__all__)
    assert set(nonocsp.__all__) <= set(dir(nonocsp))
    assert nonocsp.__version__.count(".") == 2
    with pytest.raises(AttributeError, match="no attribute 'stella'"):
        _ = nonocsp.stella


def test_importing_the_package_imports_no_dependency():
    program = "import sys, nonocsp; print([m for m in ('numpy', 'pydantic', 'typer') if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"


@pytest.mark.parametrize(
    ("task", "answer", "found"),
    [("solve", Answer.SOLVED, 1), ("decide", Answer.MULTIPLE, 2), ("count", Answer.MULTIPLE, 24)],
)
def test_solve_answers_each_task_with_the_default_backend(task, answer, found):
    outcome = nonocsp.solve(PERMUTATIONS, task=task)
    assert (outcome.answer, outcome.termination) == (answer, Termination.OK)
    assert len(set(outcome.solutions)) == found
    assert all(nonocsp.verify(PERMUTATIONS, grid) for grid in outcome.solutions)


def test_a_count_stops_at_its_limit():
    assert len(nonocsp.solve(PERMUTATIONS, task="count", bound=5).solutions) == 5


def test_a_memory_limit_is_enforced_from_outside():
    generous = nonocsp.solve(PERMUTATIONS, memory=2**30)
    assert generous.answer is Answer.MULTIPLE
    tight = nonocsp.solve(Puzzle.from_clues([[1]] * 9, [[1]] * 9), task="count", bound=10**6, memory=2**20)
    assert tight.termination is Termination.MEMORY


SECONDS = "expected seconds above 0, at most 100000000, or None for no limit"
WHOLE = "expected a whole number of {}, at least 1, or None for no limit"
LIMITS: list[tuple[dict[str, Any], str]] = [
    *(({"wall": wall}, f"wall is {wall!r}; {SECONDS}") for wall in (-1, 0, 1e9, "10s", "", [])),
    *(({"wall": float(wall)}, f"wall is {wall}; {SECONDS}") for wall in ("nan", "inf", "-inf")),
    *(({"bound": n}, f"bound is {n!r}; {WHOLE.format('solutions')}") for n in (0, -3, 2.5, 10**18, "all")),
    *(({"memory": n}, f"memory is {n!r}; {WHOLE.format('bytes')}") for n in (0, -1, 1e9, "1GB", 2**60)),
]


@pytest.mark.parametrize(("limit", "message"), LIMITS)
def test_a_limit_that_makes_no_sense_is_a_usage_error(limit, message):
    for solve in (nonocsp.solve, lambda puzzle, **rest: nonocsp.solve_many([puzzle], **rest)):
        with pytest.raises(nonocsp.UsageError, match=re.escape(message)):
            solve(PERMUTATIONS, task="count", **limit)
    if "wall" in limit:
        with pytest.raises(nonocsp.UsageError, match=re.escape(message)):
            nonocsp.difficulty(PERMUTATIONS, **limit)


def test_limits_may_be_numbers_of_numpy():
    outcome = nonocsp.solve(PERMUTATIONS, task="count", wall=np.float32(1000), bound=np.int64(3))
    assert outcome.count_at_least == 3


@pytest.mark.parametrize("call", ["solve", "explain", "difficulty", "svg"])
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("cat.non", r"expected a Puzzle, not str; nonocsp.load\('cat.non'\) reads a file"),
        (Path("cat.non"), r"expected a Puzzle, not \w*Path; nonocsp.load\('cat.non'\) reads a file"),
        ([PERMUTATIONS], "expected a Puzzle, not list; nonocsp.solve_many takes several"),
        (None, "expected a Puzzle, not NoneType$"),
    ],
)
def test_what_is_no_puzzle_is_a_type_error_that_says_what_to_do(call, wrong, message):
    with pytest.raises(TypeError, match=message):
        getattr(nonocsp, call)(wrong)


def test_the_grid_of_an_outcome_is_its_first_solution():
    outcome = nonocsp.solve(PERMUTATIONS)
    assert outcome.grid is outcome.solutions[0]
    none = nonocsp.solve(Puzzle.from_clues([[1, 1], [], [1, 1]], [[2], [], [2]]))
    with pytest.raises(nonocsp.UsageError, match=r"the outcome has no solution: unsat$"):
        _ = none.grid
    with pytest.raises(nonocsp.UsageError, match=r"no solution: partial; outcome.partial is the grid where"):
        _ = nonocsp.solve(PERMUTATIONS, "settle").grid


def test_every_error_that_reaches_a_caller_is_a_public_name(repository):
    bases = {
        node.name: {ast.unparse(base) for base in node.bases}
        for path in (repository / "nonocsp").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    }
    tree = {"NonocspError"}
    while more := {name for name, above in bases.items() if above & tree} - tree:
        tree |= more
    assert tree > {"UsageError", "FormatError", "PuzzleError", "BackendError"}
    assert tree - set(nonocsp.__all__) == INSIDE


def test_the_program_whose_types_are_checked_runs(repository):
    script = repository / "examples" / "python" / "typed.py"
    result = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert result.stdout.splitlines() == ["[[1, 2]]", "{'partial': 2}", "5"]


def test_a_wall_limit_stops_the_search():
    sixteen = Puzzle.from_clues([[1]] * 16, [[1]] * 16)
    outcome = nonocsp.solve(sixteen, task="count", bound=10**9, wall=0.2)
    assert outcome.termination is Termination.WALL
    assert outcome.answer is Answer.MULTIPLE
