"""Backend ``cpmpy``: every solver and model, what is missing, and solvers that cannot be interrupted."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from nonocsp.backends.base import Answer, Limits, Request, Task, Termination
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.backends.solvers import cpmpy
from nonocsp.cli.app import app
from nonocsp.engine import StopFlag
from nonocsp.model import BackendError, Grid, Puzzle
from nonocsp.testing import n_dom, permutations, solutions

pytest.importorskip("cpmpy", reason="CPMpy is not installed: pip install 'nonocsp[solvers]'")

MISSING = cpmpy.Cpmpy.missing_choices()
SOLVERS = [
    pytest.param(name, marks=pytest.mark.skipif(bool(reason := MISSING[f"solver={name}"]), reason=reason))
    for name in cpmpy.NEEDS
]


@pytest.mark.parametrize("model", ["mdd", "regular", "table"])
@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_and_model_has_the_enumerated_solutions_once_each(solver: str, model: str) -> None:
    random = np.random.default_rng(33)
    backend = create(f"cpmpy:solver={solver},model={model}")
    for colours in (1, 3):
        cells = random.integers(1, colours + 1, (4, 4)) * (random.random((4, 4)) < 0.6)
        puzzle = Puzzle.from_grid(Grid.from_cells(cells))
        outcome = run_backend(backend, puzzle, Request(Task.COUNT, bound=10_000), StopFlag())
        assert not outcome.wrong, outcome.message
        assert set(outcome.solutions) == set(solutions(puzzle))


def test_candidates_with_a_hole_are_kept_apart() -> None:
    puzzle = Puzzle.from_clues([[(1, 1), (1, 3)], [(1, 3), (1, 1)]], [[(1, 1), (1, 3)], [(1, 3), (1, 1)]])
    outcome = run_backend(create("cpmpy"), puzzle, Request(Task.COUNT), StopFlag())
    assert set(outcome.solutions) == set(solutions(puzzle))


@pytest.mark.slow
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_solver_that_holds_the_interpreter_is_ended_in_time(solver: str) -> None:
    outcome = run_backend(
        create(f"cpmpy:solver={solver},model=mdd"), n_dom(14), Request(limits=Limits(wall=2.0)), StopFlag()
    )
    assert (outcome.termination, outcome.answer) in (
        (Termination.WALL, Answer.UNKNOWN),
        (Termination.WALL, Answer.SOLVED),
        (Termination.OK, Answer.UNIQUE),
    )


def test_a_seed_shuffles_the_lines_and_changes_the_order_of_the_solutions() -> None:
    orders = [
        run_backend(
            create("cpmpy"), permutations(5), Request(Task.COUNT, bound=20, seed=seed), StopFlag()
        ).solutions
        for seed in (0, 0, 1, 2)
    ]
    assert orders[0] == orders[1]
    assert len(set(orders)) > 1


@pytest.fixture
def without_z3(monkeypatch: pytest.MonkeyPatch) -> None:
    found = cpmpy.find_spec
    monkeypatch.setattr(cpmpy, "find_spec", lambda name: None if name == "z3" else found(name))


@pytest.mark.usefixtures("without_z3")
def test_a_missing_solver_is_an_error_that_says_what_to_install() -> None:
    with pytest.raises(
        BackendError, match=r"solver=z3 is not available: needs z3: pip install 'nonocsp\[sol"
    ):
        create("cpmpy:solver=z3")


@pytest.mark.usefixtures("without_z3")
def test_the_list_of_backends_and_the_doctor_name_a_missing_solver() -> None:
    def cli(*arguments: str) -> Result:
        return CliRunner().invoke(app, list(arguments))

    (record,) = map(json.loads, cli("backends", "cpmpy", "--json").stdout.splitlines())
    assert record["available"] is True
    missing = record["missing_choices"]
    assert missing["solver=z3"] == "needs z3: pip install 'nonocsp[solvers]'"
    assert missing.keys() <= {"solver=z3", "solver=exact"}  # Exact is not in the extra
    assert "not solver=z3" in " ".join(cli("backends", "cpmpy").stdout.split())
    findings = map(json.loads, cli("doctor", "--json").stdout.splitlines())
    (found,) = [finding["value"] for finding in findings if finding["name"] == "backend cpmpy"]
    assert "but not solver=" in found
    assert found.endswith("solver=z3")


def test_no_solver_is_imported_to_see_whether_it_is_there() -> None:
    import subprocess
    import sys

    modules = ("clingo", "cpmpy", "highspy", "ortools", "pychoco", "pysat", "z3")
    script = (
        "import sys; from nonocsp.backends.registry import info, names\n"
        "for name in names(): info(name).missing_choices\n"
        f"print([module for module in {modules} if module in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_the_solvers_are_those_that_the_option_names() -> None:
    with_model = [f"cpmpy:solver={s},model={m}" for s, m in product(cpmpy.NEEDS, ("mdd", "regular", "table"))]
    assert all(create(spec).options for spec in with_model if not MISSING[spec.split(":")[1].split(",")[0]])
