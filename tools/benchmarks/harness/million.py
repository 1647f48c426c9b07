"""Measure a campaign of a million runs: its driver, an empty resume, a report, a merge and an export.

An executor that answers at once, with the picture that each puzzle was made from, stands in for the backends.
So what is measured is the harness: planning, checking and storing rows, and reading them back. The
driver runs the first repeat; the rows of the other repeats are copies of its rows with the run and the repeat
changed. Each step is a process of its own, and its memory is the peak of that
process. ``--driver`` lets the driver run everything, ``--runs 100000`` takes a tenth of the time.
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

from nonocsp.backends.base import Answer, Outcome, Termination
from nonocsp.bench import campaign, load_config, read_campaign, run_campaign
from nonocsp.bench.planning import Plan
from nonocsp.bench.rows import encode_row
from nonocsp.bench.store import FILE
from nonocsp.json_lines import JsonLines
from nonocsp.run.jobs import Conditions, Job, Measurement, Readiness
from nonocsp.run.provenance import provenance

BACKENDS, REPEATS, SIZE = 10, 10, 10
CONFIG = """\
name: million
puzzles: [{{random: {{rows: {size}, columns: {size}, count: {puzzles}, density: 0.6}}}}]
backends: [{backends}]
repeats: {repeats}
limits: {{wall: 10}}
"""


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
    """Run a campaign with `AtOnce`, as the process that is measured."""
    campaign.create = lambda *_, **__: AtOnce()  # type: ignore[assignment, misc]
    result = run_campaign(load_config(config), Path(output))
    print(f"{result.planned} planned, {result.ran} now")


def fill(config: Path, output: Path) -> None:
    """Write the rows of all repeats behind those of the first one."""
    texts: dict[tuple[str, str], tuple[str, str]] = {}
    for row in read_campaign(output).rows:
        texts[row["puzzle"], row["backend"]] = row["run"], encode_row(row).decode()
    with JsonLines(output / FILE) as file:
        for run in Plan(load_config(config)):
            if run.repeat:
                known, text = texts[run.source.name, run.backend]
                line = text.replace(known, run.id).replace('"repeat":0', f'"repeat":{run.repeat}')
                file.write(line.encode())


def main(
    runs: Annotated[int, typer.Option(help="How many runs, at least 100.")] = 1_000_000,
    folder: Annotated[Path | None, typer.Option(help="Where the campaign is made, and kept.")] = None,
    *,
    driver: Annotated[bool, typer.Option("--driver", help="Let the driver run all repeats.")] = False,
) -> None:
    """Print wall time, CPU time and peak memory of each step."""
    console = Console()
    console.print(f"{runs} runs: step, wall s, CPU s, peak MiB, CPU us a run")
    with TemporaryDirectory() as name:
        for step, figures in _steps(runs, folder or Path(name), driver=driver):
            console.print(f"{step:30} {figures}", highlight=False)


def _steps(runs: int, folder: Path, *, driver: bool) -> Iterator[tuple[str, str]]:
    """Carry out the steps; yield the figures of each."""
    folder.mkdir(parents=True, exist_ok=True)
    out, merged, config = folder / "out", folder / "merged", folder / "million.yaml"
    puzzles = runs // (BACKENDS * REPEATS)
    specs = ", ".join(f'"hybrid:budget={n}"' for n in range(1, BACKENDS + 1))

    def write(repeats: int) -> None:
        config.write_text(CONFIG.format(size=SIZE, puzzles=puzzles, backends=specs, repeats=repeats))

    module = "from tools.benchmarks.harness.million import drive"
    drive_it = ["-c", f"{module}; drive({str(config)!r}, {str(out)!r})"]
    command = ["-c", "from nonocsp.cli import main; main()"]
    first = runs if driver else puzzles * BACKENDS
    write(REPEATS if driver else 1)
    yield f"driver, {first} runs", _cost(drive_it, first)
    if not driver:
        write(REPEATS)
        started = time.perf_counter()
        fill(config, out)
        yield "(rows of the other repeats)", f"{time.perf_counter() - started:9.1f}"
    yield "empty resume", _cost(drive_it, runs)
    for format in ("terminal", "html"):
        yield f"report, {format}", _cost([*command, "report", "--format", format, str(out)], runs)
    merge = [*command, "results", "merge", str(out), str(out), "--output", str(merged)]
    yield "merge with itself", _cost(merge, 2 * runs)
    for suffix in ("csv", "parquet"):
        table = str(folder / f"rows.{suffix}")
        yield f"export, {suffix}", _cost([*command, "results", "export", str(out), "--output", table], runs)
    for part in ("runs.jsonl", "report.html"):
        yield part, f"{_size(out / part) / 2**20:9.0f} MiB"


def _cost(arguments: list[str], runs: int) -> str:
    """Run a step; return its figures as texts."""
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall, cpu = time.perf_counter() - started, usage.ru_utime + usage.ru_stime
    ending = f"  ended with {process.returncode}" if process.returncode else ""
    return f"{wall:9.1f} {cpu:9.1f} {usage.ru_maxrss / 1024:9.0f} {1e6 * cpu / runs:9.0f}{ending}"


def _size(path: Path) -> int:
    """Return the bytes of a file, or of all files of a folder."""
    files = [path, *path.rglob("*")] if path.is_dir() else [path]
    return sum(one.stat().st_size for one in files if one.is_file())
