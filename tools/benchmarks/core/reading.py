"""Measure what a puzzle costs before and after its search: making it, reading it, and the commands on sets.

Figures are CPU times, the least of `REPEATS`, as multiples of `json.loads` of the same clues in the same run.
Starts of commands are multiples of the start of NumPy.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from nonocsp import Puzzle, load, load_all, save

REPEATS = 15
PUZZLES = 500
FORMATS = {"nin": "nin", "keen": "keen", "json": "json", "non": "non", "webpbn": "xml"}
COMMANDS = {
    "solve --json": ["solve", "--json"],
    "check of two backends of the core": ["check", "--json", "--backends", "hybrid,probing"],
    "difficulty --json": ["difficulty", "--json"],
}


def main() -> None:
    """Measure and print."""
    table = Table("what", "microseconds", "times json.loads", title="CPU time for each puzzle")
    for size in (10, 25):
        puzzles = _random_puzzles(size)
        clues = [
            tuple([[b.length for b in clue] for clue in axis] for axis in (p.rows, p.columns))
            for p in puzzles
        ]
        texts = [json.dumps({"rows": rows, "columns": columns}) for rows, columns in clues]
        unit = _least(lambda texts=texts: [json.loads(text) for text in texts])
        table.add_row(f"json.loads, {size}x{size}", f"{unit:.1f}", "1")
        made = _least(lambda clues=clues: [Puzzle.from_clues(*both) for both in clues])
        table.add_row(f"Puzzle.from_clues, {size}x{size}", f"{made:.1f}", f"{made / unit:.1f}")
        if size > 10:
            continue
        with tempfile.TemporaryDirectory() as name:
            for what, spent in _of_files(Path(name), puzzles, texts).items():
                table.add_row(what, f"{spent:.0f}", f"{spent / unit:.1f}")
    Console().print(table)
    starts = Table("start", "milliseconds", "times NumPy", title="CPU time of a process")
    with tempfile.TemporaryDirectory() as name:
        file = Path(name, "one.non")
        save(_random_puzzles(10)[0].clues_only(), file)
        commands = [["-c", "import numpy"], ["-m", "nonocsp", "--version"], ["-m", "nonocsp", "solve", file]]
        spent = [min(_process(command) for _ in range(REPEATS)) for command in commands]
    for command, seconds in zip(commands, spent, strict=True):
        starts.add_row(" ".join(map(str, command[:3])), f"{seconds * 1000:.0f}", f"{seconds / spent[0]:.2f}")
    Console().print(starts)


def _of_files(folder: Path, puzzles: list[Puzzle], texts: list[str]) -> dict[str, float]:
    """Return the microseconds for each 10x10 puzzle by what is done with it."""
    lines, one = folder / "set.jsonl", folder / "one.jsonl"
    lines.write_text("\n".join(texts * 4))
    one.write_text(texts[0])
    found = {"reading jsonl, a set": _least(lambda: [*load_all(lines)]) / 4}
    save((puzzle.clues_only() for puzzle in puzzles), folder / "set.txt", format="tournament")
    found["reading tournament, a set"] = _least(lambda: [*load_all(folder / "set.txt")])
    for format_name, suffix in FORMATS.items():
        files = [folder / f"{i}.{suffix}" for i in range(PUZZLES)]
        for puzzle, file in zip(puzzles, files, strict=True):
            save(puzzle.clues_only(), file, format=format_name)
        found[f"reading {format_name}, a file each"] = _least(lambda files=files: [*map(load, files)])
    for what, command in COMMANDS.items():
        spent = _command(command, lines) - _command(command, one)
        found[what] = spent / (4 * PUZZLES - 1) * 1e6
    return found


def _random_puzzles(size: int) -> list[Puzzle]:
    rng = np.random.default_rng(size)
    return [Puzzle.from_grid((rng.random((size, size)) < 0.6).astype(np.uint8)) for _ in range(PUZZLES)]


def _least(work: Callable[[], object]) -> float:
    """Return the least microseconds of CPU time for each puzzle."""
    spent = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return min(spent) / PUZZLES * 1e6


def _command(command: list[str], file: Path) -> float:
    """Return the least CPU seconds of a command."""
    return min(_process(["-m", "nonocsp", *command, file]) for _ in range(3))


def _process(arguments: Sequence[str | Path]) -> float:
    """Return the CPU seconds of Python with these arguments."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
