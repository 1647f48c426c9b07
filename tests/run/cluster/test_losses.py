"""Campaigns on a cluster that is cut off: the rows so far are kept, and the next start continues."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from nonocsp.bench import load_config, read_campaign, run_campaign
from nonocsp.bench.campaign import Finished
from nonocsp.model import BackendError
from tests.waiting import wait_until

Start = Callable[[str], "subprocess.Popen[bytes]"]

CONFIG = """\
name: cut
puzzles: [{random: {rows: 4, columns: 4, count: 60, seed: 1}}]
backends: ['brute:sleep=0.05']
limits: {wall: 1000}
jobs: 2
executor: dask
cluster: {executor: warm}
"""

pytestmark = [pytest.mark.usefixtures("unruly"), pytest.mark.slow]


def bench(tmp_path: Path, config: str, *options: str) -> subprocess.Popen[str]:
    """Start a campaign as a command in a terminal would, and wait for its first row."""
    (tmp_path / "cut.yaml").write_text(config)
    start = "from nonocsp.cli import main; main()"
    driver = subprocess.Popen(
        [sys.executable, "-P", "-c", start, "bench", "cut.yaml", "--output", "out", *options],
        cwd=tmp_path,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    rows = tmp_path / "out" / "runs.jsonl"
    wait_until(lambda: (rows.exists() and rows.stat().st_size) or driver.poll() is not None)
    return driver


def test_ctrl_c_in_a_terminal_keeps_the_rows_and_the_next_start_continues(tmp_path):
    pytest.importorskip("distributed")
    with bench(tmp_path, CONFIG) as driver:
        os.killpg(driver.pid, signal.SIGINT)
        printed = driver.communicate()[1]
    assert driver.returncode == 130
    assert printed.endswith("interrupted\n")
    assert "Traceback" not in printed
    kept = {row["run"] for row in read_campaign(tmp_path / "out").rows}
    assert 1 <= len(kept) < 60
    run_campaign(load_config(tmp_path / "cut.yaml"), tmp_path / "out")
    rows = list(read_campaign(tmp_path / "out").rows)
    assert len(rows) == len({row["run"] for row in rows}) == 60
    assert kept <= {row["run"] for row in rows}
    assert {row["executor"] for row in rows} == {"dask:warm"}


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_workers_abandon_the_runs_of_a_driver_that_has_ended(
    scheduler, start_worker, unruly_path, tmp_path, end
):
    worker = psutil.Process(start_worker(unruly_path).pid)
    slow = CONFIG.replace("['brute:sleep=0.05']", "[settle, 'brute:sleep=600']")
    with bench(tmp_path, slow, "--scheduler", scheduler) as driver:
        assert worker.children()
        driver.send_signal(end)
    wait_until(lambda: not worker.children(recursive=True))


def test_a_scheduler_that_ends_is_an_error_and_the_rows_are_kept(tmp_path, capfd):
    distributed = pytest.importorskip("distributed")
    (tmp_path / "cut.yaml").write_text(CONFIG)
    seen = []

    def on_event(event: object) -> None:
        seen.extend([event] if isinstance(event, Finished) else [])
        if len(seen) == 10:
            cluster.close()

    config = load_config(tmp_path / "cut.yaml")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs="CRITICAL"
    ) as cluster:
        address = cluster.scheduler_address
        with pytest.raises(BackendError, match=r"the cluster at .* is gone.*the runs so far are kept"):
            run_campaign(config, tmp_path / "out", scheduler=address, on_event=on_event)
    assert 10 <= len(list(read_campaign(tmp_path / "out").rows)) < 60
    assert "Traceback" not in capfd.readouterr().err
