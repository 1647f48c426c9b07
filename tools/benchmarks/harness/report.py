"""Measure a report of 100 000 rows of 10 backends: to the page and into a browser.

The rows are those of `synthetic`. ``nonocsp report`` runs as a user would start it, so its seconds cover
everything from reading the rows to the last byte of the page; its memory is the peak of the process. A
headless Chromium, if installed, opens the page. Measured are the seconds until the first table shows, until
the whole page is usable, and until a click on a column has sorted all runs. ``python -m tools.benchmarks
report --runs 1000000`` measures a million; making them takes some minutes and 1.5 GB.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from tools.benchmarks.harness import synthetic
from tools.chromium import chromium, command

BACKENDS = 10
COMMAND = [sys.executable, "-c", "from nonocsp.cli import main; main()", "report"]


def main(
    runs: Annotated[int, typer.Option(help="How many rows.")] = 100_000,
    folder: Annotated[
        Path | None, typer.Option(help="Where the campaign is made and kept; used again if it is there.")
    ] = None,
) -> None:
    """Print the cost of reports in several formats, and how fast the page opens."""
    with TemporaryDirectory() as name:
        _measure(runs, folder or Path(name))


def _measure(runs: int, folder: Path) -> None:
    """Measure in a folder, which gets the campaign if it has none."""
    table = Table(f"{runs} rows", "wall s", "CPU s", "peak MiB", "MiB written")
    if not (folder / "campaign.json").exists():
        synthetic.write_campaign(folder, synthetic.rows(backends=BACKENDS, puzzles=runs // BACKENDS))
    for format in ("terminal", "html", "csv", "png"):
        _add(table, format, folder)
    Console().print(table)
    _open(folder / "report.html")


def _add(table: Table, format: str, folder: Path) -> None:
    """Run the command and add its time and memory to the table."""
    started = time.perf_counter()
    process = subprocess.Popen([*COMMAND, "--format", format, str(folder)], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - started
    if process.returncode:
        raise SystemExit(f"nonocsp report --format {format} ended with {process.returncode}")
    place = folder / {"html": "report.html", "csv": "tables", "png": "plots"}.get(format, "none")
    files = [path for path in (place, *place.glob("*")) if path.is_file()]
    written = f"{sum(path.stat().st_size for path in files) / 2**20:.1f}" if files else ""
    cpu = usage.ru_utime + usage.ru_stime
    table.add_row(format, f"{wall:.1f}", f"{cpu:.1f}", f"{usage.ru_maxrss / 1024:.0f}", written)


def _open(path: Path) -> None:
    """Open the page in a browser and print how long each step takes."""
    if command() is None:
        Console().print("no Chromium here: how fast the page opens was not measured")
        return
    table = Table("the page", "s")
    with chromium() as browser:
        page = browser.new_page()
        started = time.perf_counter()
        page.goto(path.as_uri(), wait_until="commit")
        page.locator("#scores tbody tr").first.wait_for()
        table.add_row("until the first table", f"{time.perf_counter() - started:.2f}")
        page.wait_for_selector("body[data-ready]")
        table.add_row("until everything can be used", f"{time.perf_counter() - started:.2f}")
        head = page.locator("#runs-head th", has_text="wall")
        started = time.perf_counter()
        head.locator("button").click()
        page.locator("#runs-head th[aria-sort=ascending]").wait_for()
        table.add_row("sorting all runs", f"{time.perf_counter() - started:.2f}")
    Console().print(table)
