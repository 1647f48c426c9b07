"""Count the work of each method (settles, probes, nodes, conflicts), and compare with ``baseline.json``.

Counts do not depend on the machine. A sum of `GUARDED` over a fixed set of this repository that grew by more
than `TOLERANCE` is a regression. If it is intended, ``python -m tools.benchmarks counts --save`` stores the
new counts. The test suite runs a tenth of the puzzles (``quick`` in the file).
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from nonocsp import Puzzle, load_all, solve
from nonocsp.backends.installed import registered
from nonocsp.engine import LineSolver
from tools.benchmarks.puzzles import ROOT, random_puzzles

BASELINE = Path(__file__).with_name("baseline.json")
GUARDED = ("nodes", "probes", "conflicts")
TOLERANCE = 0.1
QUICK_EVERY = 10

Counts = dict[str, int]
Counted = dict[str, dict[str, Counts]]
"""By set and method."""


def tournament() -> list[Puzzle]:
    """Return every 20th puzzle of the tournament set."""
    return list(islice(load_all(ROOT / "datasets" / "tcga" / "tcga-2026.txt.gz"), 0, None, 20))


def pictures() -> list[Puzzle]:
    """Return the pictures, in one to three colours."""
    return list(load_all(ROOT / "datasets" / "pictures" / "pictures.jsonl"))


def _of_backend(spec: str) -> Callable[[Puzzle], Mapping[str, object]]:
    return lambda puzzle: solve(puzzle, spec).stats


def _fp1(puzzle: Puzzle) -> Mapping[str, object]:
    probing = LineSolver(puzzle).probe()
    return {"probes": probing.probes, "settles": probing.settles}


SETS: dict[str, Callable[[], list[Puzzle]]] = {
    "tcga": tournament,
    "pictures": pictures,
    "random": lambda: random_puzzles(25, 100),
    "coloured": lambda: random_puzzles(15, 20, colours=3),
}
METHODS = {
    "propagate": _of_backend("settle"),
    "sweeps": _of_backend("settle:order=sweeps"),
    "fp1": _fp1,
    "probing": _of_backend("probing"),
    "learning": _of_backend("hybrid:backtracking=no,budget=0"),
    "hybrid": _of_backend("hybrid"),
}
_NEEDS = {"learning": "hybrid", "hybrid": "hybrid"}
_TOO_SLOW = {("tcga", "probing")}


def methods_for(name: str) -> Iterator[str]:
    """Yield the methods to run on a set: those fast enough, of installed backends."""
    for method in METHODS:
        if _NEEDS.get(method, "settle") in registered() and (name, method) not in _TOO_SLOW:
            yield method


def counted(puzzles: Sequence[Puzzle], method: str) -> Counts:
    """Return the sum of each integer statistic of a method."""
    total: Counter[str] = Counter()
    for puzzle in puzzles:
        stats = METHODS[method](puzzle)
        total.update({key: value for key, value in stats.items() if isinstance(value, int)})
    return dict(sorted(total.items()))


def count_all(*, quick: bool) -> Counted:
    """Return the counts of all methods on all sets, or a tenth of each."""
    sets = {name: make()[:: QUICK_EVERY if quick else 1] for name, make in SETS.items()}
    return {
        name: {method: counted(puzzles, method) for method in methods_for(name)}
        for name, puzzles in sets.items()
    }


def grown(found: Counted, baseline: Counted) -> list[str]:
    """Return a sentence for every guarded count more than `TOLERANCE` above the baseline."""
    return [
        f"{name}, {method}: {value} {key}, the baseline has {before} ({_change(value, before)})"
        for name, by_method in found.items()
        for method, counts in by_method.items()
        for key, value in counts.items()
        if key in GUARDED
        and value > (1 + TOLERANCE) * (before := baseline.get(name, {}).get(method, {}).get(key, 0))
    ]


def _change(value: int, before: int) -> str:
    return f"{value / before - 1:+.0%}" if before else "new"


RENEW = "if the growth is intended, renew the baseline: python -m tools.benchmarks counts --save"


def baseline(*, quick: bool) -> Counted:
    """Return the stored counts."""
    stored: Counted = json.loads(BASELINE.read_text())["quick" if quick else "full"]
    return stored


def main(
    save: Annotated[bool, typer.Option("--save", help="Make these counts the baseline.")] = False,
) -> None:
    """Count, print, and compare with the baseline or renew it."""
    console = Console()
    found: Counted = {}
    table = Table("set", "method", "CPU s", "counts, and changes to the baseline")
    stored = {} if save or not BASELINE.exists() else baseline(quick=False)
    for name, make in SETS.items():
        puzzles = make()
        for method in methods_for(name):
            started = time.process_time()
            counts = counted(puzzles, method)
            seconds = time.process_time() - started
            found.setdefault(name, {})[method] = counts
            changes = _with_changes(counts, stored.get(name, {}).get(method, counts))
            table.add_row(name, method, f"{seconds:.3f}", changes)
    console.print(table)
    if save:
        document = {"quick": count_all(quick=True), "full": found}
        BASELINE.write_text(json.dumps(document, indent=1) + "\n")
    elif worse := grown(found, stored):
        console.print(*worse, RENEW, sep="\n")


def _with_changes(counts: Counts, before: Counts) -> str:
    figures = []
    for key, value in counts.items():
        change = "" if value == before.get(key, 0) else f" ({_change(value, before.get(key, 0))})"
        figures.append(f"{key} {value}{change}")
    return ", ".join(figures)
