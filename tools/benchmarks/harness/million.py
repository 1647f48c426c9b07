"""Measure a campaign of a million runs: its driver, an empty resume, a report, a merge and an export.

An executor that answers at once, with the picture that each puzzle was made from, stands in for the backends.
So what is measured is the harness: planning, checking, storing and indexing rows, and reading them back. Each
step is a process of its own, and its memory is the peak of that process. ``python -m tools.benchmarks million
--runs 100000`` takes a tenth of the time.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Self

import typer
from rich.console import Console
from rich.table import Table

from nonocsp.backends.base import Answer, Outcome, Termination
from nonocsp.bench import campaign, load_config, run_campaign
from nonocsp.runner.jobs import Conditions, Job, Measurement, Readiness
from nonocsp.runner.provenance import provenance

BACKENDS, REPEATS, SIZE = 10, 10, 10
CONFIG = """\
name: million
puzzles: [{{random: {{rows: {size}, columns: {size}, count: {puzzles}, density: 0.6}}}}]
backends: [{backends}]
repeats: {repeats}
limits: {{wall: 10}}
"""
MERGED_SHARDS = 2


class AtOnce:
    """An executor that knows all answers."""

    name = "fork"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def readiness(self, backends: Collection[str]) -> dict[str, Readiness]:
        """Return that everything can be measured."""
        return {backend: Readiness((provenance(backend),)) for backend in backends}

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Measurement]]:
        """Yield the answers."""
        conditions = Conditions("2026-01-01T00:00:00.000+00:00", [0], 0.5, 2400.0, "nowhere")
        for number, job in enumerate(jobs):
            assert job.puzzle.goal is not None
            wall_s = 1e-4 * (1 + number % 997)
            outcome = Outcome(
                Answer.UNIQUE,
                Termination.OK,
                (job.puzzle.goal,),
                stats={"nodes": number % 1000, "settles": 170},
                wall_s=wall_s,
                cpu_s=wall_s,
            )
            yield (
                job,
                Measurement(
                    outcome,
                    peak_rss_bytes=60 << 20,
                    executor=self.name,
                    reliable=True,
                    conditions=conditions,
                    claimed_wall_s=wall_s,
                    claimed_cpu_s=wall_s,
                    provenance=provenance(job.backend),
                ),
            )


def drive(config: str, output: str) -> None:
    """Run a campaign with `AtOnce`, as the process that is measured.

    Parameters
    ----------
    config, output
        Paths of the config and of the folder of results.
    """
    campaign.create = lambda *_, **__: AtOnce()  # type: ignore[assignment, misc]
    result = run_campaign(load_config(config), Path(output))
    print(f"{result.planned} planned, {result.ran} now")


def main(
    runs: Annotated[int, typer.Option(help="How many runs, at least 100.")] = 1_000_000,
    folder: Annotated[Path | None, typer.Option(help="Where the campaign is made, and kept.")] = None,
) -> None:
    """Print wall time, CPU time and peak memory of each step."""
    with TemporaryDirectory() as name:
        _measure(runs, folder or Path(name))


def _measure(runs: int, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    table = Table("step", "wall s", "CPU s", "peak MiB", "us a run", title=f"{runs} runs")
    specs = ", ".join(f'"hybrid:budget={n}"' for n in range(1, BACKENDS + 1))
    puzzles = runs // (BACKENDS * REPEATS)
    text = CONFIG.format(size=SIZE, puzzles=puzzles, backends=specs, repeats=REPEATS)
    (folder / "million.yaml").write_text(text)
    out, merged = folder / "out", folder / "merged"
    driver = "from tools.benchmarks.harness.million import drive; drive({!r}, {!r})"
    command = "from nonocsp.cli import main; main()"
    drive_it = ["-c", driver.format(str(folder / "million.yaml"), str(out))]
    export = ["-c", command, "results", "export", str(out), "--output"]
    steps = {
        "all runs": drive_it,
        "empty resume": drive_it,
        "report, terminal": ["-c", command, "report", "--format", "terminal", str(out)],
        "report, page": ["-c", command, "report", "--format", "html", str(out)],
        "merge": ["-c", command, "results", "merge", str(out), str(out), "--output", str(merged)],
        "export, CSV": [*export, str(folder / "r.csv")],
        "export, Parquet": [*export, str(folder / "r.parquet")],
    }
    for step, arguments in steps.items():
        Console().print(step)
        table.add_row(step, *_cost(arguments, runs))
    (out / "index.sqlite").unlink(missing_ok=True)
    table.add_row("empty resume without index", *_cost(drive_it, runs))
    Console().print(table)
    for part in ("runs.jsonl", "segments", "index.sqlite", "report.html"):
        Console().print(f"{part}: {_size(out / part) / 2**20:.0f} MiB")


def _cost(arguments: list[str], runs: int) -> tuple[str, str, str, str]:
    """Run a step; return its figures as texts."""
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{arguments} ended with {process.returncode}")
    wall, cpu = time.perf_counter() - started, usage.ru_utime + usage.ru_stime
    return f"{wall:.1f}", f"{cpu:.1f}", f"{usage.ru_maxrss / 1024:.0f}", f"{1e6 * cpu / runs:.0f}"


def _size(path: Path) -> int:
    """Return the bytes of a file, or of all files of a folder."""
    files = [path, *path.rglob("*")] if path.is_dir() else [path]
    return sum(one.stat().st_size for one in files if one.is_file())
