"""Backend ``minizinc``: its models, its stream, what it says of faults, and that nothing of it is left."""

from __future__ import annotations

import shutil
import stat
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import numpy as np
import psutil
import pytest

from nonocsp.backends.base import Answer, Limits, Request, Task, Termination
from nonocsp.backends.registry import create, info
from nonocsp.backends.run import run_backend
from nonocsp.backends.solvers.minizinc import MODELS
from nonocsp.engine import StopFlag
from nonocsp.model import BackendError, Grid, Puzzle
from nonocsp.testing import n_dom, permutations, solutions
from tests.waiting import wait_until

needs_minizinc = pytest.mark.skipif(
    shutil.which("minizinc") is None, reason="minizinc is not installed: apt install minizinc"
)
NAMES = [path.stem for path in sorted(MODELS.glob("*.mzn"))]


@needs_minizinc
@pytest.mark.parametrize("model", NAMES)
def test_every_model_has_the_enumerated_solutions_once_each(model: str) -> None:
    random = np.random.default_rng(34)
    backend = create(f"minizinc:model={model}")
    for colours in (1, 2, 3):
        cells = random.integers(1, colours + 1, (4, 5)) * (random.random((4, 5)) < 0.6)
        puzzle = Puzzle.from_grid(Grid.from_cells(cells))
        outcome = run_backend(backend, puzzle, Request(Task.COUNT, bound=10_000), StopFlag())
        assert not outcome.wrong, outcome.message
        assert set(outcome.solutions) == set(solutions(puzzle))


def test_the_option_offers_the_models_that_are_there() -> None:
    (option,) = [option for option in info("minizinc").options() if option.name == "model"]
    assert sorted(option.type.split("|")) == NAMES


@needs_minizinc
def test_the_statistics_of_a_search_that_ended_are_gecodes() -> None:
    outcome = run_backend(create("minizinc"), n_dom(4), Request(), StopFlag())
    assert outcome.answer is Answer.UNIQUE
    assert int(outcome.stats["nodes"]) > 0
    assert float(outcome.stats["flat_s"]) > 0


@needs_minizinc
def test_a_limit_ends_minizinc_and_its_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    mark = uuid4().hex
    monkeypatch.setenv("STARTED_BY", mark)
    outcome = run_backend(create("minizinc"), n_dom(14), Request(limits=Limits(wall=1.5)), StopFlag())
    assert outcome.termination is Termination.WALL
    wait_until(lambda: not any(is_marked(process, mark) for process in psutil.process_iter()))


def is_marked(process: psutil.Process, mark: str) -> bool:
    """Return whether a process runs that was started with a mark in its environment."""
    with suppress(psutil.Error):
        return process.environ().get("STARTED_BY") == mark
    return False


@needs_minizinc
def test_an_unknown_solver_is_an_error_that_names_it() -> None:
    with pytest.raises(BackendError, match="no solver with tag nosuch found"):
        run_backend(create("minizinc:solver=nosuch"), permutations(3), Request(), StopFlag())


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program called minizinc, first on the path, which says what the test writes into ``said``."""
    program = tmp_path / "minizinc"
    program.write_text(f"#!/bin/sh\n{shutil.which('cat')} {tmp_path}/said\necho oh dear >&2\nexit 3\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return tmp_path / "said"


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ("", "minizinc ended before its search did: status unknown, exit code 3, last words: oh dear"),
        ('{"type": "status", "status": "UNKNOWN"}\n', "status UNKNOWN, exit code 3"),
        ('{"type": "error", "what": "type error", "message": "bad"}', "minizinc, type error: bad"),
        ("Segmentation fault\n", "status unknown, exit code 3"),
    ],
)
def test_whatever_ends_minizinc_early_claims_nothing(fake: Path, said: str, complaint: str) -> None:
    fake.write_text(said)
    with pytest.raises(BackendError, match=complaint):
        run_backend(create("minizinc"), permutations(3), Request(), StopFlag())


def test_without_the_program_the_backend_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackendError, match="needs the program minizinc: apt install minizinc"):
        create("minizinc:solver=new")  # specs that could run are not looked up again
