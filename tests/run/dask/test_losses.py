"""Campaigns on a cluster that ends too early: what was measured stays, and the next start continues."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from nonocsp.bench import Finished, load_config, read_campaign, run_campaign
from nonocsp.model import BackendError
from nonocsp.run.worker import server
from tests.waiting import wait_until

Start = Callable[[str], "subprocess.Popen[bytes]"]

CONFIG = """\
name: cut
puzzles: [{random: {rows: 4, columns: 4, count: 60, seed: 1}}]
backends: ['brute:sleep=0.02']
limits: {wall: 10}
jobs: 2
executor: dask
cluster: {executor: warm}
"""

pytestmark = pytest.mark.usefixtures("unruly")


def start(tmp_path: Path, scheduler: str | None, cut: Callable[[], None]) -> None:
    """Run the campaign, and cut it after its tenth row."""
    (tmp_path / "cut.yaml").write_text(CONFIG)
    seen = []

    def on_event(event: object) -> None:
        if isinstance(event, Finished):
            seen.append(event)
            if len(seen) == 10:
                cut()

    run_campaign(load_config(tmp_path / "cut.yaml"), tmp_path / "out", scheduler=scheduler, on_event=on_event)


def interrupt() -> None:
    raise KeyboardInterrupt


@pytest.mark.slow
def test_ctrl_c_keeps_the_rows_and_the_next_start_continues(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(KeyboardInterrupt):
        start(tmp_path, None, interrupt)
    kept = {row["run"] for row in read_campaign(tmp_path / "out").rows}
    assert 10 <= len(kept) < 60
    start(tmp_path, None, lambda: None)
    rows = list(read_campaign(tmp_path / "out").rows)
    assert len(rows) == len({row["run"] for row in rows}) == 60
    assert kept <= {row["run"] for row in rows}
    assert {row["executor"] for row in rows} == {"dask:warm"}


def bench(tmp_path: Path, config: str, *options: str) -> subprocess.Popen[str]:
    """Start a campaign as a command in a terminal would: in a process group of its own."""
    (tmp_path / "cut.yaml").write_text(config)
    start = "from nonocsp.cli import main; main()"
    return subprocess.Popen(
        [sys.executable, "-P", "-c", start, "bench", "cut.yaml", "--output", "out", *options],
        cwd=tmp_path,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
def test_ctrl_c_in_the_terminal_of_a_campaign_prints_no_tracebacks(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    with bench(tmp_path, CONFIG.replace("count: 60", "count: 2000")) as driver:
        rows = tmp_path / "out" / "runs.jsonl"
        wait_until(lambda: rows.exists() and rows.stat().st_size)
        os.killpg(driver.pid, signal.SIGINT)
        printed = driver.communicate()[1]
    assert driver.returncode == 130
    assert printed.endswith("interrupted\n")
    assert "Traceback" not in printed


def has_server(worker: psutil.Process) -> bool:
    """Return whether a worker measures runs."""
    with suppress(psutil.NoSuchProcess):
        return any(server.__name__ in child.cmdline() for child in worker.children(recursive=True))
    return False


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_workers_abandon_the_runs_of_a_driver_that_has_ended(
    scheduler: str, start_worker: Start, unruly_path: str, tmp_path: Path, end: signal.Signals
) -> None:
    worker = psutil.Process(start_worker(unruly_path).pid)
    slow = CONFIG.replace("0.02", "600").replace("wall: 10", "wall: 1000")
    with bench(tmp_path, slow, "--scheduler", scheduler) as driver:
        wait_until(lambda: has_server(worker))
        driver.send_signal(end)
    wait_until(lambda: not worker.children(recursive=True))


@pytest.mark.slow
def test_a_scheduler_that_dies_is_an_error_and_the_rows_are_kept(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("distributed")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{probe.getsockname()[1]}"
    python = [sys.executable, "-P", "-m"]
    port = address.rpartition(":")[2]
    commands = [
        [*python, "distributed.cli.dask_scheduler", "--host=127.0.0.1", f"--port={port}"],
        [*python, "distributed.cli.dask_worker", address, "--no-nanny", "--nthreads=1"],
    ]
    started = [
        subprocess.Popen([*command, "--no-dashboard"], stderr=subprocess.DEVNULL) for command in commands
    ]
    try:
        with pytest.raises(BackendError, match=r"the cluster at .* is gone.*the runs so far are kept"):
            start(tmp_path, address, started[0].kill)
    finally:
        for process in started:
            process.kill()
            process.wait()
    assert 10 <= len(list(read_campaign(tmp_path / "out").rows)) < 60
    assert "Traceback" not in capfd.readouterr().err
