"""Explain every puzzle below some folders: check the ends against line solving, and measure the cost.

``python -m tools.benchmarks explanations FOLDER...`` prints for each folder how many puzzles line solving
solves, how many of those `nonocsp.explain` ends in the same full grid (all, or the exit code is 1), what
the others end with, the steps, the CPU seconds, and how many files hold no puzzle.
"""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console

from nonocsp import explain
from nonocsp.engine import LineSolver
from nonocsp.grading.explain import Technique, Verdict
from nonocsp.model import Grid
from tools.differential.files import puzzles_below

HEADS = ("folder", "puzzles", "line-solvable", "ended full", "others", "steps", "CPU s", "slowest", "refused")


def main(
    folders: Annotated[list[Path], typer.Argument(help="Folders of puzzle files.")],
    thin: Annotated[int, typer.Option(min=1, help="Take one of every N puzzles of a tournament set.")] = 100,
) -> None:
    """Explain all puzzles, compare the ends with line solving, and print Markdown."""
    techniques: Counter[Technique] = Counter()
    print(f"| {' | '.join(HEADS)} |\n|{'---|' * len(HEADS)}")
    wrong = [name for folder in folders for name in explain_below(folder, thin, techniques)]
    print(f"\nTechniques: {', '.join(f'{name} {techniques[name]:,}' for name in Technique)}")
    for name in wrong:
        Console(stderr=True).print(f"[red]{name}: differs from line solving")
    raise typer.Exit(bool(wrong))


def explain_below(folder: Path, thin: int, techniques: Counter[Technique]) -> list[str]:
    """Print a folder's row, count its techniques, and return the puzzles whose explanation is wrong."""
    refused: list[str] = []
    wrong: list[str] = []
    verdicts: Counter[Verdict] = Counter()
    seconds: list[float] = []
    steps = simple = 0
    for source in puzzles_below(folder, thin, refused):
        started = time.process_time()
        explanation = explain(source.puzzle)
        seconds.append(time.process_time() - started)
        root = LineSolver(source.puzzle).propagate()
        if root.contradiction is None and Grid(root.candidates).is_full:
            simple += 1
            if not np.array_equal(explanation.end.candidates, root.candidates):
                wrong.append(source.name)
        else:
            verdicts[explanation.verdict] += 1
        steps += len(explanation.steps)
        techniques.update(explanation.techniques)
    others = ", ".join(f"{verdict} {count}" for verdict, count in sorted(verdicts.items())) or "–"
    full = simple - len(wrong)
    figures = (len(seconds), simple, full, others, f"{steps:,}", f"{sum(seconds):.1f}", f"{max(seconds):.1f}")
    print(f"| {folder.name} | {' | '.join(map(str, figures))} | {len(refused)} |", flush=True)
    return wrong
