"""Measure how many trivial runs a second a campaign does on a cluster: three workers on this machine.

The campaign is a real one, from the config to the rows in its folder: backend settle on random 5x5, executor
dask with warm on its workers. The rate counts from the first row to the last; start and end are separate. CPU
seconds say where the time goes: the driver with dask's client and scheduler, the three workers, and the
servers and processes in which the backend runs. Confine it to the cores that count:

    taskset -c 0,1 python -m tools.benchmarks cluster
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
from rich.console import Console
from rich.table import Table

from nonocsp.bench import Event, Finished, load_config, run_campaign

RUNS = 10_000
WORKERS = 3
BAR = 1000
"""Runs a second on two cores."""
_CONFIG = """\
name: trivial
puzzles: [{{random: {{rows: 5, columns: 5, count: {count}, seed: 1}}}}]
backends: [settle]
limits: {{wall: 10}}
jobs: {workers}
executor: dask
cluster: {{executor: warm}}
"""


def main() -> None:
    """Print the rate, the bar and the CPU time of each part."""
    with TemporaryDirectory(prefix="nonocsp-cluster-") as folder:
        path = Path(folder, "trivial.yaml")
        path.write_text(_CONFIG.format(count=RUNS, workers=WORKERS))
        rows: list[float] = []
        used: dict[str, float] = {}

        def on_event(event: Event) -> None:
            if isinstance(event, Finished):
                rows.append(time.perf_counter())
                if len(rows) == 1:
                    used.update({part: -seconds for part, seconds in cpu_s().items()})
                if len(rows) == RUNS:
                    for part, seconds in cpu_s().items():
                        used[part] = used.get(part, 0.0) + seconds

        began = time.perf_counter()
        result = run_campaign(load_config(path), Path(folder, "out"), on_event=on_event)
        ended = time.perf_counter()
    assert (result.ran, len(rows)) == (RUNS, RUNS)
    took = rows[-1] - rows[0]
    table = Table("", "", title=f"{RUNS} trivial runs, {WORKERS} workers, {cores()} cores")
    table.add_row("runs a second", f"{(RUNS - 1) / took:.0f} (bar {BAR})")
    table.add_row("start, end", f"{rows[0] - began:.1f} s, {ended - rows[-1]:.1f} s")
    for part, seconds in used.items():
        table.add_row(f"CPU of {part}", f"{1e3 * seconds / RUNS:.3f} ms a run")
    table.add_row("load", f"{os.getloadavg()[0]:.1f}")
    Console().print(table)


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0))


def cpu_s() -> dict[str, float]:
    """Return the CPU seconds so far of the driver, the workers and what they have started."""
    driver = psutil.Process()
    seconds = {"driver and scheduler": _own(driver), "workers": 0.0, "servers and runs": 0.0}
    for process in driver.children(recursive=True):
        try:
            is_worker = any("multiprocessing" in word or "distributed" in word for word in process.cmdline())
            seconds["workers" if is_worker else "servers and runs"] += _own(process)
        except psutil.Error:  # it has ended
            continue
    return seconds


def _own(process: psutil.Process) -> float:
    return sum(process.cpu_times()[:2])
