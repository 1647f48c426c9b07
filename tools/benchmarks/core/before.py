"""Compare this checkout with an older one in turns: ``python -m tools.benchmarks before ../older``.

Each checkout runs the same work in its own ``.venv``, through the public interface alone, so that any two
versions can be compared. The least of some rounds is printed, as a busy machine only adds time. Whether
answers and numbers of conflicts are equal does not depend on the machine.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from tools.benchmarks.puzzles import ROOT

WORK = """
import json, time
from itertools import islice
import numpy as np
import nonocsp
from nonocsp.engine import settle_lines

def timed(work, repeats, clock=time.process_time):
    spent = []
    for _ in range(repeats):
        began = clock()
        work()
        spent.append(clock() - began)
    return min(spent)

times, answers = {}, []
for length in (25, 100, 1000):
    image = np.random.default_rng(1).random(length) < 0.5
    puzzle = nonocsp.Puzzle.from_grid(nonocsp.Grid.from_cells(image[np.newaxis].astype(np.uint8)))
    lines = np.full((500000 // length, length), 3, np.uint64)
    lines[:, ::4] = np.uint64(1) << image[::4].astype(np.uint64)
    spent = timed(lambda: settle_lines(puzzle.rows[0], lines), 5)
    times[f"settle, {length} cells, in ns"] = spent / len(lines) * 1e9
easy = nonocsp.load("datasets/showcase/puzzles/30-bicycle.json")
times["nonocsp.solve, an easy puzzle, in us"] = timed(lambda: nonocsp.solve(easy), 50) * 1e6
began = time.process_time()
for puzzle in islice(nonocsp.load_all("datasets/tcga/tcga-2026.txt.gz"), 0, None, 10):
    for seed in range(4):
        found = nonocsp.solve(puzzle, seed=seed)
        answers.append([found.answer, found.stats["nodes"], found.stats.get("conflicts")])
times["hybrid, 100 puzzles with 4 seeds, in ms"] = (time.process_time() - began) * 1e3
print(json.dumps([times, answers]))
"""


def main(
    older: Annotated[Path, typer.Argument(help="A checkout in which make bench or make test was run.")],
    rounds: Annotated[int, typer.Option(min=1, help="How often each checkout runs.")] = 6,
) -> None:
    """Print the least times of both checkouts, their ratio, and whether the answers are equal."""
    checkouts = (older.resolve(), ROOT)
    runs = [[measured(checkout) for checkout in checkouts] for _ in track(range(rounds), transient=True)]
    table = Table("CPU time", "before", "now", "now / before")
    for name in runs[0][0][0]:
        before, now = (min(pair[side][0][name] for pair in runs) for side in (0, 1))
        table.add_row(name, f"{before:.5g}", f"{now:.5g}", f"{now / before:.2f}")
    Console().print(table)
    is_equal = all(pair[0][1] == pair[1][1] for pair in runs)
    Console().print(f"answers, nodes and conflicts: {'equal' if is_equal else 'DIFFERENT'}")
    raise typer.Exit(not is_equal)


def measured(checkout: Path) -> Any:
    """Return the times by name, and the answers, of the work done in a checkout."""
    python = checkout / ".venv" / "bin" / "python"
    done = subprocess.run([python, "-c", WORK], cwd=checkout, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)
