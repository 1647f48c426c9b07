"""Workers say what they have before they take runs: others than this machine's packages measure nothing."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from nonocsp.backends.base import Request, Termination
from nonocsp.bench import Finished, load_config, read_campaign, run_campaign
from nonocsp.engine import CORE
from nonocsp.model import BackendError, Puzzle
from nonocsp.run import create
from nonocsp.run.jobs import Job
from tests.waiting import AMPLE_S
from tools.benchmarks.harness.mutants import WITHOUT_EDITABLE

Start = Callable[[str], "subprocess.Popen[bytes]"]
DOTS = Puzzle.from_clues([[1]] * 3, [[1]] * 3)
CONFIG = """\
name: mixed
puzzles: [{random: {rows: 4, columns: 4, count: 8, seed: 1}}]
backends: [settle, brute]
limits: {wall: 10}
executor: dask
"""
SLOW = "'brute:sleep=0.2'"

pytestmark = pytest.mark.usefixtures("unruly")


@pytest.fixture
def other_nonocsp(repository: Path, tmp_path: Path) -> str:
    """A path with a nonocsp of the same version, in which one comment differs."""
    ignored = shutil.ignore_patterns("__pycache__", "cpp", "templates")
    shutil.copytree(repository / "nonocsp", tmp_path / "other" / "nonocsp", ignore=ignored)
    with (tmp_path / "other" / "nonocsp" / "backends" / "settle.py").open("a") as file:
        file.write("# changed\n")
    shutil.copy(CORE, tmp_path / "other" / "nonocsp" / "engine")
    (tmp_path / "other" / "sitecustomize.py").write_text(WITHOUT_EDITABLE)
    return str(tmp_path / "other")


@pytest.fixture
def no_nonocsp(tmp_path: Path) -> str:
    """A path on which nonocsp cannot be imported."""
    (tmp_path / "without" / "nonocsp").mkdir(parents=True)
    (tmp_path / "without" / "sitecustomize.py").write_text(WITHOUT_EDITABLE)
    (tmp_path / "without" / "nonocsp" / "__init__.py").write_text("raise ModuleNotFoundError('none here')")
    return str(tmp_path / "without")


def servers_of(worker: subprocess.Popen[bytes]) -> int:
    """Return how many processes a worker has started: some if it measures."""
    return len(psutil.Process(worker.pid).children(recursive=True))


def wait_for(scheduler: str, workers: int) -> None:
    """Wait until so many workers have joined."""
    from distributed import Client

    with Client(scheduler, set_as_default=False) as client:
        client.wait_for_workers(workers, timeout=AMPLE_S)


@pytest.mark.slow
def test_runs_go_only_to_workers_that_have_their_backend(
    scheduler: str, start_worker: Start, unruly_path: str, tmp_path: Path
) -> None:
    start_worker("")
    start_worker(unruly_path)
    wait_for(scheduler, 2)
    (tmp_path / "mixed.yaml").write_text(CONFIG)
    result = run_campaign(load_config(tmp_path / "mixed.yaml"), tmp_path / "out", scheduler=scheduler)
    assert len(result.rows) == 16
    assert {row["termination"] for row in result.rows} == {Termination.OK}
    assert {row["versions"]["brute"] for row in result.rows if row["backend"] == "brute"} == {"1.0"}


@pytest.mark.slow
def test_a_backend_that_no_worker_has_stops_the_campaign_after_the_others(
    scheduler: str, start_worker: Start, tmp_path: Path
) -> None:
    start_worker("")
    (tmp_path / "mixed.yaml").write_text(CONFIG)
    config = load_config(tmp_path / "mixed.yaml")
    with pytest.raises(BackendError) as error:
        run_campaign(config, tmp_path / "out", scheduler=scheduler)
    message = str(error.value)
    assert f"no worker of {scheduler} can run brute as this machine does (tcp://" in message
    assert "unknown backend 'brute'" in message
    assert "The runs of other backends are kept" in message
    rows = list(read_campaign(tmp_path / "out").rows)
    assert [row["backend"] for row in rows] == ["settle"] * 8


@pytest.mark.slow
def test_when_the_only_worker_with_a_backend_leaves_the_others_runs_go_on(
    scheduler: str, start_worker: Start, unruly_path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nonocsp.run.dask.executor.JOIN_S", 1.0)
    monkeypatch.setattr("nonocsp.run.dask.executor._WAITING", 5)
    start_worker("")
    leaving = start_worker(unruly_path)
    wait_for(scheduler, 2)
    (tmp_path / "mixed.yaml").write_text(CONFIG.replace("count: 8", "count: 40").replace("brute", SLOW))
    config = load_config(tmp_path / "mixed.yaml")

    def on_event(event: object) -> None:
        if isinstance(event, Finished) and event.row["backend"] != "settle":
            leaving.kill()

    with pytest.raises(BackendError, match="The runs of other backends are kept"):
        run_campaign(config, tmp_path / "out", scheduler=scheduler, on_event=on_event)
    backends = [row["backend"] for row in read_campaign(tmp_path / "out").rows]
    assert backends.count("settle") == 40
    assert 1 <= len(backends) - 40 < 40


@pytest.mark.slow
def test_a_worker_that_joins_late_takes_the_runs_that_waited_for_it(
    scheduler: str, start_worker: Start, unruly_path: str, tmp_path: Path
) -> None:
    start_worker("")
    (tmp_path / "mixed.yaml").write_text(CONFIG.replace("count: 8", "count: 20"))
    joined = []

    def on_event(event: object) -> None:
        if isinstance(event, Finished) and not joined:
            joined.append(start_worker(unruly_path))
            wait_for(scheduler, 2)

    config = load_config(tmp_path / "mixed.yaml")
    result = run_campaign(config, tmp_path / "out", scheduler=scheduler, on_event=on_event)
    assert {row["termination"] for row in result.rows} == {Termination.OK}
    assert [row["backend"] for row in result.rows].count("brute") == 20


@pytest.mark.slow
def test_a_worker_with_other_code_or_without_nonocsp_measures_nothing(
    scheduler: str, start_worker: Start, other_nonocsp: str, no_nonocsp: str
) -> None:
    others = [start_worker(other_nonocsp), start_worker(no_nonocsp)]
    wait_for(scheduler, 2)
    with create("dask", 1, address=scheduler) as executor:
        problem = executor.readiness(["settle"])["settle"].problem
        assert "other code of the same version" in problem
        assert "ModuleNotFoundError('none here')" in problem
        good = start_worker("")
        wait_for(scheduler, 3)
        measured = [m for _, m in executor.run(Job(DOTS, "settle", Request()) for _ in range(40))]
        assert len(measured) == 40
        assert servers_of(good) > 0
        assert [servers_of(worker) for worker in others] == [0, 0]
