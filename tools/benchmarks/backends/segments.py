"""Compare messages between pixels and segments with settle: cells painted, and time.

On lqmon (300 puzzles of 7x7, 12x12 and 20x20) the categories, and the ratio of the two on the simple puzzles,
best of several rounds each; on taai2011 the mean number of cells painted before any search. Needs the
reference data beside the checkout.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import mean

from rich.console import Console
from rich.table import Table

from nonocsp.backends.base import Limits, Outcome, Request, Task
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import StopFlag
from nonocsp.formats import load, load_all
from nonocsp.model import Puzzle
from tools.benchmarks.puzzles import DATASETS, TOURNAMENTS

ROUNDS = 15


def outcomes_of(spec: str, puzzles: Sequence[Puzzle], request: Request) -> list[Outcome]:
    """Run a backend on all of them."""
    backend = create(spec)
    return [run_backend(backend, puzzle, request, StopFlag()) for puzzle in puzzles]


def best_time(spec: str, puzzles: Sequence[Puzzle]) -> float:
    """Return the seconds inside the backend that one puzzle takes, in the best round."""
    request = Request(Task.SOLVE)
    return min(mean(o.wall_s for o in outcomes_of(spec, puzzles, request)) for _ in range(ROUNDS))


def main() -> None:
    """Print a table by size, and the means on taai2011."""
    if not DATASETS.is_dir():
        Console().print(f"skipped: {DATASETS} is not there")
        return
    by_size = defaultdict[str, list[Puzzle]](list)
    for path in sorted((DATASETS / "lqmon").glob("dataset/*/*.txt")):
        puzzle = load(path)
        by_size["x".join(map(str, puzzle.shape))].append(puzzle)
    Console().print(categories(by_size))
    print_painted()


def categories(by_size: dict[str, list[Puzzle]]) -> Table:
    """Return the table of categories and times."""
    kinds = ("simple", "needs search", "ambiguous")
    table = Table("size", *kinds, "ms", "worst", "settle us", "us", "ratio", title="lqmon, decide")
    for size, puzzles in sorted(by_size.items(), key=lambda item: item[1][0].shape):
        outcomes = outcomes_of("segments", puzzles, Request())
        found = [str(outcome.stats["category"]) for outcome in outcomes]
        simple = [puzzle for puzzle, kind in zip(puzzles, found, strict=True) if kind == "simple"]
        settle, segments = (1e6 * best_time(spec, simple) for spec in ("settle", "segments"))
        times = [1e3 * outcome.wall_s for outcome in outcomes]
        figures = (mean(times), max(times), settle, segments, segments / settle)
        table.add_row(size, *(str(Counter(found)[kind]) for kind in kinds), *(f"{x:.3g}" for x in figures))
    return table


def print_painted() -> None:
    """Print how many cells each paints before search; search itself is cut off."""
    puzzles = list(load_all(TOURNAMENTS / "taai2011.txt"))
    request = Request(Task.SOLVE, Limits(wall=0.02))
    for spec in ("settle", "segments"):
        painted = [float(outcome.stats["painted"]) for outcome in outcomes_of(spec, puzzles, request)]
        Console().print(
            f"taai2011, painted by {spec}: {mean(painted):.3f}, the first 100: {mean(painted[:100]):.3f}"
        )
