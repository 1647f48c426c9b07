"""Measure how fast ``hybrid`` decides, beside the C++ sketch, and what each of its ingredients brings.

CPU seconds inside the core, one thread, from compiled clues to a verdict, for five seeds, in turns with the
sketch of the reference data (its best configuration, compiled for this very processor; one colour, at most
64x64). Tournament sets, hard puzzles, coloured and line-solvable ones need the reference data beside the
checkout. Random sets are those of ``default_rng(2017)``.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from statistics import mean, median

from rich.console import Console
from rich.table import Table

from nonocsp import Grid, NonocspError, Puzzle, load_all
from nonocsp.engine import Interrupted, LineSolver, searches
from nonocsp.engine.line_solver import PuzzleClues
from tools.benchmarks.puzzles import DATASETS, ROOT, random_puzzles
from tools.benchmarks.sketch import puzzles_text, sketch_command

SEEDS = range(1, 6)
LIMIT = 20.0
TOURNAMENTS = ("tcga2017", "taai2011", "tcga2012", "icga2020")
FOLDERS = ("webpbn-redist", "minizinc", "gecode-json", "number-loom")
LINE_SOLVABLE = ("mikix", "jwilk-nin")
INGREDIENTS: Mapping[str, Mapping[str, object]] = {
    "all": {},
    "no backtracking": {"backtracking": False},
    "no probes": {"budget": 0},
    "no learning": {"budget": 10**12},
    "no dives": {"guidance": searches.Guidance.BELIEFS},
    "no beliefs": {"guidance": searches.Guidance.NONE},
}


def main() -> None:
    """Print the tables."""
    console = Console(width=100)
    console.print(beside_the_sketch())
    console.print(ingredients())
    if not DATASETS.is_dir():
        console.print(f"skipped: {DATASETS} is not there")
        return
    console.print(hard())
    console.print(small_times())


def sets() -> Iterator[tuple[str, list[Puzzle]]]:
    """Yield the sets that the sketch can read."""
    yield "1000 random 25x25, half black", random_puzzles(25, 1000)
    yield "100 random 25x25, .4 black", random_puzzles(25, 100, 0.4)
    yield "100 random 35x35, half black", random_puzzles(35, 100)
    yield "20 random 40x40, half black", random_puzzles(40, 20)
    for name in TOURNAMENTS:
        if (path := DATASETS / "tournament" / f"{name}.txt").is_file():
            yield f"{name}, {len(puzzles := list(load_all(path)))} puzzles", puzzles


def seconds(clues: PuzzleClues, seed: int = 0, **options: object) -> float:
    """Return the CPU seconds of one decision, at most `LIMIT`."""
    given = {
        "backtracking": True,
        "budget": 100,
        "guidance": searches.Guidance.DIVES,
        "memory": 2**28,
        **options,
    }
    started = time.process_time()
    search = searches.search_by_hybrid(seed=seed, **given).search(clues)  # type: ignore[arg-type]
    try:
        _ = search.next(None, LIMIT) is not None and search.next(None, LIMIT)
    except Interrupted:
        return LIMIT
    return time.process_time() - started


def compiled(puzzles: Iterable[Puzzle]) -> list[PuzzleClues]:
    """Return the compiled clues that the core reads."""
    return [LineSolver(puzzle).compiled for puzzle in puzzles]


def beside_the_sketch() -> Table:
    """Return seconds a set, means over the seeds, and the ratio of the means."""
    columns = ("set", "core", "by seed", "median ms", "max", "sketch", "by seed", "max", "core / sketch")
    table = Table(*columns, title="decide: CPU seconds a set")
    with tempfile.TemporaryDirectory() as folder:
        command = sketch_command(Path(folder))
        for name, puzzles in sets():
            clues, sketched, core = compiled(puzzles), [], []
            Path(folder, "puzzles").write_text(puzzles_text(puzzles))
            for seed in SEEDS:
                core.append([seconds(each, seed) for each in clues])
                if command:
                    sketched.append(sketch_run([*command, f"seed={seed}"]))
            totals = [sum(times) for times in core]
            row = [name, f"{mean(totals):.2f}", " ".join(f"{total:.2f}" for total in totals)]
            row += [f"{1e3 * median(map(median, core)):.2f}", f"{max(map(max, core)):.2f}"]
            if sketched:
                theirs = [total for total, _ in sketched]
                row += [f"{mean(theirs):.2f}", " ".join(f"{total:.2f}" for total in theirs)]
                row += [f"{max(worst for _, worst in sketched):.2f}", f"{mean(totals) / mean(theirs):.2f}"]
            table.add_row(*row)
    return table


def sketch_run(command: list[str]) -> tuple[float, float]:
    """Return the sketch's seconds for all puzzles and for the slowest."""
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    total, worst = (re.search(pattern, text) for pattern in (r"total=([\d.]+)s", r"max=([\d.]+)ms"))
    assert total is not None
    assert worst is not None
    return float(total[1]), float(worst[1]) / 1e3


def ingredients() -> Table:
    """Return the CPU seconds of deciding with each ingredient switched off."""
    chosen = {"100 random 25x25, half black": random_puzzles(25, 1000)[::10]}
    if (path := DATASETS / "tournament" / "tcga2017.txt").is_file():
        chosen["tcga2017, every 10th"] = list(load_all(path))[::10]
    table = Table("hybrid with", *chosen, title=f"decide: CPU seconds, at most {LIMIT:g} s a puzzle")
    for name, options in INGREDIENTS.items():
        row = []
        for puzzles in chosen.values():
            times = [seconds(clues, 1, **options) for clues in compiled(puzzles)]
            cut_off = sum(each >= LIMIT for each in times)
            row.append(f"{sum(times):.2f}" + (f" ({cut_off} not decided)" if cut_off else ""))
        table.add_row(name, *row)
    return table


def below(folder: str) -> Iterator[tuple[str, Puzzle]]:
    """Yield every puzzle of the files below a folder of the reference data."""
    files = (path for path in (DATASETS / folder).rglob("*") if path.is_file() and path.suffix != ".png")
    for path in sorted(files):
        try:
            yield from ((path.name, puzzle) for puzzle in load_all(path))
        except NonocspError:
            continue  # readme files and invalid puzzles


def hard() -> Table:
    """Return the CPU seconds of the slowest puzzles: median and maximum over the seeds."""
    table = Table("puzzle", "shape", "median s", "worst s", title="decide: puzzles above a tenth of a second")
    for folder in FOLDERS:
        rest = []
        for name, puzzle in below(folder):
            (clues,) = compiled([puzzle])
            times = [seconds(clues, seed) for seed in SEEDS] if (first := seconds(clues)) > 0.05 else [first]
            if max(times) > 0.1:
                table.add_row(name, f"{puzzle.shape}", f"{median(times):.2f}", f"{max(times):.2f}")
            else:
                rest.append(max(times))
        table.add_row(f"{folder}: {len(rest)} others", "", f"{median(rest):.4f}", f"{max(rest):.2f}")
    return table


def small_times() -> Table:
    """Return medians for easy puzzles, large ones and coloured ones."""
    table = Table("puzzles", "count", "median", "max", title="decide: CPU ms a puzzle")

    def add(name: str, puzzles: Iterable[Puzzle]) -> None:
        times = [1e3 * min(seconds(clues) for _ in range(3)) for clues in compiled(puzzles)]
        table.add_row(name, str(len(times)), f"{median(times):.3f}", f"{max(times):.2f}")

    real = (puzzle for folder in LINE_SOLVABLE for _, puzzle in below(folder))
    add("mikix and jwilk, line-solvable 25x25", filter(_is_simple_25x25, real))
    add("cauldron 512x512", load_all(DATASETS / "picross-solver" / "inputs" / "cauldron.non"))
    add("own pictures at 100x100, 200x200, 500x500", _scaled_pictures())
    for colours in (2, 3, 4):
        add(f"100 random 20x20, {colours} colours", random_puzzles(20, 100, colours=colours))
    return table


def _is_simple_25x25(puzzle: Puzzle) -> bool:
    propagation = LineSolver(puzzle).propagate()
    return puzzle.shape == (25, 25) and bool(Grid(propagation.candidates).is_full)


def _scaled_pictures() -> Iterator[Puzzle]:
    """Yield our own pictures of 25x25 at 4, 8 and 20 times their size."""
    for puzzle in load_all(ROOT / "datasets" / "pictures" / "pictures.jsonl"):
        if puzzle.shape == (25, 25) and puzzle.goal is not None:
            for scale in (4, 8, 20):
                cells = puzzle.goal.cells.repeat(scale, axis=0).repeat(scale, axis=1)
                yield Puzzle.from_grid(Grid.from_cells(cells), palette=puzzle.palette)
