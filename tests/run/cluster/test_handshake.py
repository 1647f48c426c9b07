"""Workers say what they have before they take runs: others than this machine's packages measure nothing."""

import shutil
from pathlib import Path

import pytest

from nonocsp.backends.base import Request
from nonocsp.bench import load_config, read_campaign, run_campaign
from nonocsp.bench.campaign import Finished
from nonocsp.engine import CORE
from nonocsp.model import BackendError, Puzzle
from nonocsp.run import create
from nonocsp.run.jobs import Job
from tools.benchmarks.harness.mutants import WITHOUT_EDITABLE

CONFIG = """\
name: mixed
puzzles: [{random: {rows: 4, columns: 4, count: 40, seed: 1}}]
backends: [settle, 'brute:sleep=0.2']
limits: {wall: 10}
executor: dask
"""
DOTS = Puzzle.from_clues([[1]] * 3, [[1]] * 3)

pytestmark = [
    pytest.mark.usefixtures("unruly"),
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::nonocsp.model.WorkerWarning"),
]


@pytest.fixture
def other_nonocsp(repository, tmp_path) -> str:
    """A path with a nonocsp of the same version, whose compiled core differs."""
    ignored = shutil.ignore_patterns("__pycache__", "cpp", "templates")
    shutil.copytree(repository / "nonocsp", tmp_path / "other" / "nonocsp", ignore=ignored)
    shutil.copy(CORE, tmp_path / "other" / "nonocsp" / "engine")
    with (tmp_path / "other" / "nonocsp" / "engine" / Path(CORE).name).open("ab") as file:
        file.write(b"changed")
    (tmp_path / "other" / "sitecustomize.py").write_text(WITHOUT_EDITABLE)
    return str(tmp_path / "other")


@pytest.fixture
def no_nonocsp(tmp_path) -> str:
    (tmp_path / "without" / "nonocsp").mkdir(parents=True)
    (tmp_path / "without" / "sitecustomize.py").write_text(WITHOUT_EDITABLE)
    (tmp_path / "without" / "nonocsp" / "__init__.py").write_text("raise ModuleNotFoundError('none here')")
    return str(tmp_path / "without")


def test_when_the_last_worker_with_a_backend_leaves_the_others_runs_go_on(
    scheduler, start_worker, unruly_path, tmp_path, monkeypatch
):
    monkeypatch.setattr("nonocsp.run.dask_executor.JOIN_S", 1.0)
    start_worker("")
    leaving = start_worker(unruly_path)

    def on_event(event: object) -> None:
        if isinstance(event, Finished) and event.row["backend"] != "settle":
            leaving.kill()

    (tmp_path / "mixed.yaml").write_text(CONFIG)
    mixed = load_config(tmp_path / "mixed.yaml")
    with pytest.raises(BackendError) as error:
        run_campaign(mixed, tmp_path / "out", scheduler=scheduler, on_event=on_event)
    assert f"no worker of {scheduler} can run brute:sleep=0.2 as this machine does (tcp://" in str(
        error.value
    )
    assert "unknown backend 'brute'" in str(error.value)
    assert "The runs of other backends are kept" in str(error.value)
    backends = [row["backend"] for row in read_campaign(tmp_path / "out").rows]
    assert backends.count("settle") == 40
    assert 1 <= len(backends) - 40 < 40


def test_a_worker_with_other_code_or_without_nonocsp_measures_nothing(
    scheduler, start_worker, other_nonocsp, no_nonocsp
):
    start_worker(other_nonocsp)
    start_worker(no_nonocsp)
    with create("dask", 1, address=scheduler) as executor:
        problem = executor.readiness(["settle"])["settle"].problem
        assert "other code of the same version" in problem
        assert "none here" in problem
        start_worker("")
        (own,) = executor.readiness(["settle"])["settle"].provenances
        measured = [m for _, m in executor.run(Job(DOTS, "settle", Request()) for _ in range(40))]
        assert [m.provenance for m in measured] == [own] * 40
