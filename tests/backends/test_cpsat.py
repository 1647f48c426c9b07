"""Backend ``cpsat``: its models, its two ways to the next solution, CP-SAT's parameters, colours."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from nonocsp.backends.base import Answer, Request, Task, Termination
from nonocsp.backends.registry import canonical_spec, create
from nonocsp.backends.run import run_backend
from nonocsp.bench import load_config
from nonocsp.cli.app import app
from nonocsp.engine import StopFlag
from nonocsp.formats import save
from nonocsp.model import BackendError, Grid, Puzzle, UsageError
from nonocsp.testing import n_dom, permutations, solutions


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("model", ["automaton", "table", "intervals"])
def test_every_model_has_the_enumerated_solutions_once_each(model: str, workers: int) -> None:
    backend = create(f"cpsat:model={model},workers={workers}")
    for puzzle in (permutations(3), n_dom(3), *coloured(4)):
        outcome = run_backend(backend, puzzle, Request(Task.COUNT, bound=10_000), StopFlag())
        assert not outcome.wrong, outcome.message
        assert set(outcome.solutions) == set(solutions(puzzle))


def coloured(count: int) -> list[Puzzle]:
    random = np.random.default_rng(11)
    shapes = random.integers(4, 6, (count, 2))
    return [
        Puzzle.from_grid(Grid.from_cells(random.integers(1, 4, shape) * (random.random(shape) < 0.6)))
        for shape in shapes
    ]


LARGER = ("sat", "cpsat", "cpsat:model=table", "cpsat:model=intervals")


def test_larger_coloured_puzzles_are_decided_as_by_sat() -> None:
    random = np.random.default_rng(12)
    for colours in (2, 3, 2, 3):
        cells = random.integers(1, colours + 1, (8, 8)) * (random.random((8, 8)) < 0.5)
        puzzle = Puzzle.from_grid(Grid.from_cells(cells))
        answers = {run_backend(create(spec), puzzle, Request(), StopFlag()).answer for spec in LARGER}
        assert len(answers) == 1
        assert answers <= {Answer.UNIQUE, Answer.MULTIPLE}


def test_an_abandoned_search_leaves_no_thread_behind() -> None:
    import threading

    before = set(threading.enumerate())
    run_backend(create("cpsat"), permutations(6), Request(Task.SOLVE), StopFlag())
    assert set(threading.enumerate()) <= before


def test_no_worker_at_all_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="workers=0 does not fit"):
        create("cpsat:workers=0")


def test_a_table_that_would_be_too_long_is_unsupported_and_the_message_names_size_and_line() -> None:
    loose = Puzzle.from_clues([[1] * 10] * 40, [[10]] * 40)
    outcome = run_backend(create("cpsat:model=table"), loose, Request(), StopFlag())
    assert outcome.termination is Termination.UNSUPPORTED
    assert outcome.message == "row 1 has 44,352,165 placements; model=table lists 100,000 at most"


def test_parameters_reach_cp_sat_and_survive_a_spec() -> None:
    spec = "cpsat:parameters=linearization_level:0 cp_model_presolve:false,model=intervals"
    assert canonical_spec(spec) == (
        "cpsat:model=intervals,parameters=linearization_level:0 cp_model_presolve:false"
    )
    plain, without = (
        run_backend(create(spec), n_dom(4), Request(), StopFlag())
        for spec in ("cpsat", "cpsat:parameters=cp_model_presolve:false cp_model_probing_level:0")
    )
    assert plain.answer is without.answer is Answer.UNIQUE
    assert plain.stats["branches"] != without.stats["branches"]


def test_parameters_survive_a_config_and_the_command_line(tmp_path: Path) -> None:
    spec = "cpsat:parameters=linearization_level:0 symmetry_level:0"
    puzzle, config = tmp_path / "two.non", tmp_path / "two.yaml"
    save(permutations(2), puzzle)
    config.write_text(f"name: two\npuzzles: [{{file: two.non}}]\nbackends:\n  - {spec}\n")
    assert [entry.spec for entry in load_config(config).backends] == [spec]
    result = CliRunner().invoke(app, ["solve", str(puzzle), "--backend", spec, "--json"])
    assert json.loads(result.stdout)["answer"] == "multiple"


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ("linearisation_level:0", "CP-SAT has no parameter 'linearisation_level'"),
        ("symmetry_level:0 parse_text_format:1", "no parameter 'parse_text_format'"),
        (
            "linearization_level:low",
            "'linearization_level:low' does not fit",
        ),
        ("linearization_level: 0", "'linearization_level:' does not fit"),
        ("num_workers:4", "num_workers is set by workers=N"),
        ("random_seed:4", "random_seed is set by the seed of the request"),
    ],
)
def test_a_parameter_that_cp_sat_does_not_take_is_a_usage_error_that_names_it(
    parameters: str, complaint: str
) -> None:
    with pytest.raises(UsageError, match=complaint):
        create(f"cpsat:parameters={parameters}")


@pytest.mark.parametrize("parameter", ["stop_after_first_solution:true", "max_deterministic_time:0"])
def test_a_search_cut_short_by_a_parameter_claims_nothing(parameter: str) -> None:
    with pytest.raises(BackendError, match="before its search did"):
        run_backend(create(f"cpsat:parameters={parameter}"), permutations(4), Request(), StopFlag())
