"""The public Python interface: what ``import nonocsp`` offers, and `nonocsp.solve`."""

from __future__ import annotations

import subprocess
import sys

import pytest

import nonocsp
from nonocsp import Answer, Puzzle, Termination
from nonocsp.model import UsageError

PERMUTATIONS = Puzzle.from_clues([[1]] * 4, [[1]] * 4)


def test_every_public_name_exists() -> None:
    assert all(getattr(nonocsp, name) is not None for name in nonocsp.__all__)
    assert set(nonocsp.__all__) <= set(dir(nonocsp))
    assert nonocsp.__version__.count(".") == 2
    with pytest.raises(AttributeError, match="no attribute 'stella'"):
        _ = nonocsp.stella


def test_importing_the_package_imports_no_dependency() -> None:
    program = "import sys, nonocsp; print([m for m in ('numpy', 'pydantic', 'typer') if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"


@pytest.mark.parametrize(
    ("task", "answer", "found"),
    [("solve", Answer.SOLVED, 1), ("decide", Answer.MULTIPLE, 2), ("count", Answer.MULTIPLE, 24)],
)
def test_solve_answers_each_task_with_the_default_backend(task: str, answer: Answer, found: int) -> None:
    outcome = nonocsp.solve(PERMUTATIONS, task=task)
    assert (outcome.answer, outcome.termination) == (answer, Termination.OK)
    assert len(set(outcome.solutions)) == found
    assert all(nonocsp.verify(PERMUTATIONS, grid) for grid in outcome.solutions)


def test_a_count_stops_at_its_limit() -> None:
    assert len(nonocsp.solve(PERMUTATIONS, task="count", bound=5).solutions) == 5


def test_a_memory_limit_is_enforced_from_outside() -> None:
    generous = nonocsp.solve(PERMUTATIONS, memory=2**30)
    assert generous.answer is Answer.MULTIPLE
    tight = nonocsp.solve(Puzzle.from_clues([[1]] * 9, [[1]] * 9), task="count", bound=10**6, memory=2**20)
    assert tight.termination is Termination.MEMORY


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"task": "guess"}, "unknown task 'guess'; there are solve, decide, count"),
        ({"backend": "stella"}, "unknown backend 'stella'"),
        ({"backend": "sat:solver=stella"}, "solver=stella does not fit"),
    ],
)
def test_a_wrong_request_is_a_usage_error(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        nonocsp.solve(PERMUTATIONS, **arguments)


def test_a_wall_limit_stops_the_search() -> None:
    sixteen = Puzzle.from_clues([[1]] * 16, [[1]] * 16)
    outcome = nonocsp.solve(sixteen, task="count", bound=10**9, wall=0.2)
    assert outcome.termination is Termination.WALL
    assert outcome.answer is Answer.MULTIPLE
