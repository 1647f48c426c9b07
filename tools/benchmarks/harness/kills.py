"""Does a campaign survive ``kill -9``? Its driver is killed at random moments, again and again, and resumed.

Every other kill comes at a random time after the start, mostly while the driver loads. The others come at a
random time after a first new row, while runs are in progress. After each kill every stored row must still be
there, and no process of the driver may survive. The last driver runs undisturbed: then the folder must hold
each planned run once.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

import psutil
from rich.console import Console

from nonocsp.bench import load_config, plan
from nonocsp.bench.store import read_campaign
from nonocsp.json_lines import read_json_lines

KILLS = 50
LATEST_S = 1.2
"""A kill comes within this many seconds of the start or of a new row."""
WAIT_S = 60.0
CONFIG = """\
name: kills
puzzles: [{{random: {{rows: 20, columns: 20, count: {puzzles}}}}}]
backends: [hybrid, settle, twosat]
limits: {{wall: 10, memory: 1 GiB}}
jobs: 2
"""


@dataclass(frozen=True, slots=True)
class Survived:
    """The rows of a campaign after all kills, counted by what is right or wrong with them."""

    kills: int
    planned: int
    kept: int
    missing: int
    doubled: int
    foreign: int
    lost: int
    orphans: int

    @property
    def is_flawless(self) -> bool:
        """Whether each planned run has one row, no row was lost, and no process was left."""
        return not (self.missing or self.doubled or self.foreign or self.lost or self.orphans)


def main() -> None:
    """Kill and resume, and print the result."""
    with tempfile.TemporaryDirectory() as folder:
        found = survive(Path(folder), KILLS, puzzles=40 * KILLS, seed=2026)
    Console().print(
        f"{found.kills} kills at random moments, {found.kept} of {found.planned} runs stored by then; after "
        f"resuming {found.missing} are missing, {found.doubled} doubled, {found.foreign} not planned; "
        f"{found.lost} rows were lost on the way, {found.orphans} processes left behind"
    )


def survive(folder: Path, kills: int, *, puzzles: int, seed: int) -> Survived:
    """Kill the driver of a campaign `kills` times, resume it to the end, and check its rows.

    Parameters
    ----------
    puzzles
        Puzzles of the campaign, three runs each; enough that the campaign outlasts the kills.
    """
    config, output, random = folder / "kills.yaml", folder / "out", Random(seed)
    config.write_text(CONFIG.format(puzzles=puzzles))
    lost = orphans = 0
    before: list[str] = []
    for kill in range(kills):
        orphans += _kill(config, output, random.uniform(0.0, LATEST_S), after_a_row=kill % 2 == 1)
        now = _whole_lines(output)
        lost += sum(now[i : i + 1] != [run] for i, run in enumerate(before))
        before = now
    subprocess.run(_command(config, output), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    planned = {run.id for run in plan(load_config(config))}
    rows = [row["run"] for row in read_json_lines(output / "runs.jsonl")]
    sessions = read_campaign(output).info["sessions"]
    return Survived(
        kills=kills,
        planned=sessions[-1]["planned"],
        kept=len(before),
        missing=len(planned - set(rows)),
        doubled=len(rows) - len(set(rows)),
        foreign=len(set(rows) - planned),
        lost=lost,
        orphans=orphans,
    )


def _command(config: Path, output: Path) -> list[str]:
    start = "from nonocsp.cli import main; main()"
    return [sys.executable, "-c", start, "bench", str(config), "--output", str(output)]


def _kill(config: Path, output: Path, seconds: float, *, after_a_row: bool) -> int:
    """Start a driver and kill it after some seconds; return how many of its processes live on."""
    rows = len(_whole_lines(output))
    driver = subprocess.Popen(_command(config, output), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + WAIT_S
    while after_a_row and len(_whole_lines(output)) == rows and driver.poll() is None:
        if time.monotonic() > deadline:
            raise TimeoutError(f"no row within {WAIT_S:g} s")
        time.sleep(0.02)
    time.sleep(seconds)
    started = psutil.Process(driver.pid).children(recursive=True) if driver.poll() is None else []
    driver.kill()
    driver.wait()
    _, alive = psutil.wait_procs(started, timeout=5.0)
    return sum(process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in alive)


def _whole_lines(output: Path) -> list[str]:
    """Return the run of every complete line."""
    path = output / "runs.jsonl"
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    return [json.loads(line)["run"] for line in lines]
