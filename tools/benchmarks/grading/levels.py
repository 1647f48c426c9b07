"""Measure the levels of puzzles: their shares by size, whether turning changes them, what goes with them.

``python -m tools.benchmarks levels [FOLDER...]`` takes every puzzle with one solution of the sets that the
project made, of random images of 25x25 and smaller, and of the folders. It prints the share of each level by
set and by the longest side, and the classes of each level. It turns and mirrors every puzzle and counts those
whose numbers change: none may, or the exit code is 1. Spearman's rank correlation says how levels go with
sweeps and cells. The last tables have the what-if questions that puzzles need, on which the limit between
hard and expert rests.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer
from scipy.stats import spearmanr

from nonocsp import Puzzle, load_all
from nonocsp.datasets.random_images import random_set
from nonocsp.grading.classes import DifficultyClass
from nonocsp.grading.levels import Effort, Level, effort
from nonocsp.grading.meter import difficulty
from nonocsp.model import BackendError
from nonocsp.run.many import work_on
from nonocsp.shipped import root
from tools.differential.files import puzzles_below

RANDOM = {10: 300, 15: 400, 20: 600, 25: 1500}
"""Number of random images by side, half of their cells black."""
SIDES = (10, 15, 20, 25, 30, 1000)
"""The longest sides of the rows of the first table."""
LIMIT = 20.0
"""Seconds for the class of a puzzle."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A puzzle with one solution; `seconds` are the CPU time of its effort."""

    shape: tuple[int, int]
    class_: DifficultyClass
    sweeps: int
    effort: Effort
    seconds: float
    is_steady: bool


@dataclass(frozen=True, slots=True)
class Measuring:
    """Measuring as the work of a batch."""

    def start(self) -> Callable[[Puzzle], Measured | None]:
        """Return the function that measures one puzzle."""
        return measure

    def lost(self, how: str) -> None:
        """Raise BackendError: a process that dies is a fault."""
        raise BackendError(f"a process that measured levels ended with {how}")


def measure(puzzle: Puzzle) -> Measured | None:
    """Return the figures of a puzzle; None without exactly one solution, or if its class is not known."""
    graded = difficulty(puzzle, wall=LIMIT, with_level=False)
    if graded.depth is None:
        return None
    started = time.process_time()
    found = effort(puzzle, is_unique=True)
    seconds = time.process_time() - started
    turned = puzzle.transposed(), puzzle.reflected(left_right=True), puzzle.reflected(top_bottom=True)
    is_steady = all(
        replace(effort(turn, is_unique=True), rows=found.rows, columns=found.columns) == found
        for turn in turned
    )
    return Measured(puzzle.shape, graded.class_, graded.sweeps, found, seconds, is_steady)


def main(
    folders: Annotated[list[Path] | None, typer.Argument(help="Folders of puzzle files.")] = None,
    thin: Annotated[int, typer.Option(min=1, help="Take one of every N puzzles of a tournament set.")] = 100,
) -> None:
    """Print the tables as Markdown."""
    sets: dict[str, Iterable[Puzzle]] = {
        name: load_all(root() / "datasets" / place)
        for name, place in {"showcase": "showcase/puzzles", "pictures": "pictures/pictures.jsonl"}.items()
    }
    for side, count in RANDOM.items():
        sets[f"random {side}x{side}"] = random_set(1, count=count, rows=side, columns=side)
    for folder in folders or []:
        sets[folder.name] = (source.puzzle for source in puzzles_below(folder, thin, []))
    found = {
        name: [*filter(None, work_on(puzzles, Measuring(), jobs=None))] for name, puzzles in sets.items()
    }
    given = [*chain.from_iterable(found[folder.name] for folder in folders or [])]
    everything = [*chain.from_iterable(found.values())]
    _print_shares(found, given)
    _print_classes(everything)
    _print_correlations({"given folders": given, "all": everything})
    _print_questions(everything)
    seconds = sum(one.seconds for one in everything)
    cells = sum(rows * columns for rows, columns in (one.shape for one in everything))
    slowest = max(one.seconds for one in everything)
    print(f"\nCPU: {1e6 * seconds / cells:.0f} ms for 1000 cells, slowest {slowest:.2f} s")
    unsteady = sum(not one.is_steady for one in everything)
    print(f"changed by turning or mirroring: {unsteady} of {len(everything)}")
    raise typer.Exit(bool(unsteady))


def _print_shares(found: dict[str, list[Measured]], given: list[Measured]) -> None:
    """Print the share of each level by set, and by size in the given folders."""
    rows = found | {
        f"given, side {low + 1} to {high}" if high < SIDES[-1] else f"given, side above {low}": [
            one for one in given if low < max(one.shape) <= high
        ]
        for low, high in zip((0, *SIDES), SIDES, strict=False)
    }
    _print_header("set", "puzzles", *Level)
    for name, measured in rows.items():
        if measured:
            counts = Counter(one.effort.level for one in measured)
            shares = (f"{counts[level] / len(measured):.0%}" for level in Level)
            print(f"| {name} | {len(measured)} | {' | '.join(shares)} |")


def _print_classes(everything: list[Measured]) -> None:
    """Print how many puzzles of each class have each level."""
    counts = Counter((one.class_, one.effort.level) for one in everything)
    _print_header("class", *Level)
    for class_ in DifficultyClass:
        if any(counts[class_, level] for level in Level):
            print(f"| {class_} | {' | '.join(str(counts[class_, level] or '') for level in Level)} |")


def _print_correlations(sets: dict[str, list[Measured]]) -> None:
    """Print Spearman's rank correlation of levels with sweeps and cells."""
    _print_header("levels against", "sweeps", "cells")
    for name, measured in sets.items():
        if measured:
            ranks = [[*Level].index(one.effort.least) for one in measured]
            sweeps = spearmanr(ranks, [one.sweeps for one in measured]).statistic
            cells = spearmanr(ranks, [one.shape[0] * one.shape[1] for one in measured]).statistic
            print(f"| {name} | {sweeps:.2f} | {cells:.2f} |")


def _print_questions(everything: list[Measured]) -> None:
    """Print how many puzzles need how many what-if questions, and of which length.

    Walks end once they are expert, so the largest numbers stand for themselves and more.
    """
    asked = [one.effort for one in everything if one.effort.questions or one.effort.depth > 1]
    counts = Counter("not enough" if one.depth > 1 else f"{one.questions}" for one in asked)
    lengths = Counter(one.chain for one in asked)
    _print_header("what-if questions", "puzzles")
    for name in sorted(counts):
        print(f"| {name} | {counts[name]} |")
    _print_header("longest, in sweeps", "puzzles")
    for length in sorted(lengths):
        print(f"| {length} | {lengths[length]} |")


def _print_header(*heads: str) -> None:
    print(f"\n| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
