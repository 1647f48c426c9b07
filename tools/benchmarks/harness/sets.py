"""Reading large sets: time and peak memory against the number of puzzles, by what holds them.

The puzzles are random, 10x10, half of the cells black. Each step is a process of its own that reads all of
them; its memory is the peak of that process, which should not grow with the number. ``--puzzles`` sets the
largest number; folders and archives of single files stop at `MOST_FILES`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.console import Console

from nonocsp.formats import save
from tools.benchmarks.puzzles import random_puzzles

SIZE, DIFFERENT, MOST_FILES = 10, 1000, 10_000
READ = "import sys, nonocsp; print(sum(1 for _ in nonocsp.load_all(sys.argv[1])))"
SAMPLE = (
    "import sys; from nonocsp.formats import load_named; from nonocsp.formats.naming import sampled; "
    "sampled(load_named(sys.argv[1]), 100, 1); print(sys.argv[2])"
)


def main(
    puzzles: Annotated[int, typer.Option(help="How many puzzles, at most.")] = 1_000_000,
) -> None:
    """Print time and memory for sets of three sizes."""
    console = Console()
    console.print("what holds them, puzzles: wall s, CPU s, CPU us a puzzle, peak MiB")
    with TemporaryDirectory() as name:
        for count in (puzzles // 100, puzzles // 10, puzzles):
            for path, program in made(Path(name), count):
                label = f"{path.name}{', sample of 100' if program is SAMPLE else ''}, {count:,}"
                console.print(f"{label:36} {_cost(program, path, count)}", highlight=False)


def made(folder: Path, count: int) -> Iterator[tuple[Path, str]]:
    """Yield sets of so many puzzles, each with the program that reads it; the larger ones hold JSONL.

    Parameters
    ----------
    folder
        Where they are written.
    count
        How many puzzles, a multiple of `DIFFERENT` or fewer.
    """
    lines = folder / "some.jsonl"
    save(random_puzzles(SIZE, min(count, DIFFERENT)), lines)
    text, times = lines.read_bytes(), max(1, count // DIFFERENT)
    plain = folder / "set.jsonl"
    with plain.open("wb") as file:
        file.writelines(text for _ in range(times))
    yield plain, READ
    yield plain, SAMPLE
    packed = folder / "set.tar.xz"
    with tarfile.open(packed, "w:xz", preset=0) as archive:
        archive.add(plain, "set.jsonl")
    yield packed, READ
    if count <= MOST_FILES:
        loose = folder / f"folder-{count}"
        loose.mkdir()
        with zipfile.ZipFile(folder / "set.zip", "w", zipfile.ZIP_DEFLATED) as zipped:
            for number, line in enumerate(text.splitlines() * times):
                (loose / f"{number}.json").write_bytes(line)
                zipped.writestr(f"{number}.json", line)
        yield folder / "set.zip", READ
        yield loose, READ


def _cost(program: str, path: Path, count: int) -> str:
    """Read a set in a process of its own; return its figures."""
    started = time.perf_counter()
    command = [sys.executable, "-c", program, str(path), str(count)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        found = int(process.stdout.read())
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert (process.returncode, found) == (0, count), f"{path}: {found} of {count} puzzles"
    wall, cpu = time.perf_counter() - started, usage.ru_utime + usage.ru_stime
    return f"{wall:8.1f} {cpu:8.1f} {1e6 * cpu / count:8.0f} {usage.ru_maxrss / 1024:6.0f}"
