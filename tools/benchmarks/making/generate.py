"""Measure puzzles from pictures: difficulties beside the published ones, seconds, saved trials, failures.

The two pictures of Batenburg et al. (2009) are not available. The project's own apple and portrait replace
them, at the same sizes and with the same parameters. The portrait is smooth, or has the texture of a
photograph, whose strength decides how difficult its puzzles are. The published values are those of their
figures 10, 12 and 13. Failures are sought among the pictures of the reference data, if it is beside the
checkout.
"""

from __future__ import annotations

import os
import runpy
import time
from collections.abc import Iterable
from itertools import product
from statistics import mean
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import nonocsp
from nonocsp.making.drawings import apple, portrait, textured_portrait
from nonocsp.making.puzzles import Generated
from tools.benchmarks.puzzles import DATASETS, ROOT

PICTURES = {
    "apple 32x32": (apple(), (32, 32)),
    "portrait 30x38": (portrait(), (30, 38)),
    "textured portrait 30x38": (textured_portrait(), (30, 38)),
}
PUBLISHED = {
    ("apple 32x32", "only"): ("45 48 41 63 46 40 38 52", "27 29 20 16 41 16 15 31"),
    ("textured portrait 30x38", "only"): ("61 87 65 94 76 93 92 83", "43 47 47 62 48 55 34 43"),
    ("textured portrait 30x38", "none"): ("30 28 26 27 26 28 28 26", "17 15 25 17 27 16 22 23"),
}
"""By picture and edges: after Generate, and after Vary."""
STRENGTHS = (0.0, 7.5, 15.0, 30.0, 45.0, 60.0)
"""Most that an octave of the texture changes a shade; 15 in the textured portrait."""
COUNT, DEPTH = 8, 60
AS_PUBLISHED: dict[str, Any] = {
    "class_": "simple",
    "fill_empty": True,
    "threshold": "share",
    "clear": False,
    "prune": False,
    "apart": 1,
}
"""What the paper does, where `nonocsp.generate` does something else by default."""


def main() -> None:
    """Print the tables."""
    made = {
        (name, edges): _made(pixels, size, edges)
        for name, (pixels, size) in PICTURES.items()
        for edges in ("only", "none")
    }
    console = Console(width=120)
    console.print(_difficulties(made))
    console.print(_textures())
    console.print(_decline(made))
    console.print(_seconds())
    _failures(console)


def _difficulties(made: dict[tuple[str, str], list[Generated]]) -> Table:
    table = Table("picture", "edges", "", "Generate", "Vary, depth 60", "simple of 60")
    for (name, edges), puzzles in made.items():
        ours = (
            _joined(one.difficulty for one in puzzles),
            _joined(one.varied[-1].difficulty for one in puzzles),
        )
        table.add_row(name, edges, "here", *ours, _joined(len(one.varied) for one in puzzles))
        if published := PUBLISHED.get((name, edges)):
            table.add_row("", "", "published", *published, "nearly all")
        table.add_section()
    return table


def _made(pixels: NDArray[np.uint8], size: tuple[int, int], edges: str) -> list[Generated]:
    return list(nonocsp.generate(pixels, size=size, edges=edges, count=COUNT, vary=DEPTH, **AS_PUBLISHED))


def _textures() -> Table:
    """How the strength of the portrait's texture moves the difficulties."""
    draw = runpy.run_path(str(ROOT / "datasets" / "drawings" / "draw.py"))["textured_portrait"]
    table = Table("strength of the texture", "edges", "Generate", "Vary, depth 60")
    for edges in ("only", "none"):
        for strength in STRENGTHS:
            puzzles = _made(draw(strength=strength), (30, 38), edges)
            difficulties = ([p.difficulty for p in puzzles], [p.varied[-1].difficulty for p in puzzles])
            table.add_row(f"{strength:g}", edges, *(f"{min(few)}..{max(few)}" for few in difficulties))
    return table


def _decline(made: dict[tuple[str, str], list[Generated]]) -> Table:
    """Mean difficulty of the simple images by depth, as in figure 11."""
    depths = range(0, DEPTH + 1, 10)
    table = Table("picture", "edges", *map(str, depths), title="mean difficulty by depth of Vary")
    for (name, edges), puzzles in made.items():
        paths = [{0: one.difficulty} | {v.depth: v.difficulty for v in one.varied} for one in puzzles]
        means = (mean(path[depth] for path in paths if depth in path) for depth in depths)
        table.add_row(name, edges, *(f"{value:.0f}" for value in means))
    return table


def _seconds() -> Table:
    load = f"on {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    table = Table("task", "edges", "wall s", "CPU s", title=load)
    tasks = [(32, 1, 0), (32, COUNT, DEPTH), (60, 1, 0), (100, 1, 0)]
    for (side, count, vary), edges in product(tasks, ("none", "only")):
        settings = {"size": (side, side), "edges": edges, "count": count, "vary": vary}
        what = f"{count} at {side}x{side}{f', each varied to depth {vary}' if vary else ''}"
        table.add_row(what, edges, *_timed(apple(), settings))
    table.add_row("1 at 100x100, of blobs", "none", *_timed(blobs(100), {"size": (100, 100)}))
    return table


def _timed(pixels: NDArray[np.uint8], settings: dict[str, Any]) -> Iterable[str]:
    wall, cpu = time.perf_counter(), time.process_time()
    list(nonocsp.generate(pixels, **settings, **AS_PUBLISHED))
    return (f"{seconds:.2f}" for seconds in (time.perf_counter() - wall, time.process_time() - cpu))


def blobs(side: int) -> NDArray[np.uint8]:
    """Return smoothed noise, grey values from 0 to 255: it has no shapes, so it is hard to make unique."""
    from scipy.ndimage import gaussian_filter

    noise = np.random.default_rng(1).random((side, side))
    smooth: NDArray[np.float64] = gaussian_filter(noise, 1.4, mode="wrap")
    scaled: NDArray[np.float64] = 255 * (smooth - smooth.min()) / np.ptp(smooth)
    return scaled.astype(np.uint8)


def _failures(console: Console) -> None:
    paths = sorted(path for name in ("number-loom", "lqmon") for path in (DATASETS / name).rglob("*.png"))
    unproved = 0
    for number, path in enumerate(paths):
        size = None if "number-loom" in path.parts else (20, 20)
        (one,) = nonocsp.generate(path, size=size, edges=("none", "only", "both")[number % 3], seed=number)
        answers = {nonocsp.solve(one.puzzle, backend=backend).answer for backend in ("hybrid", "sat")}
        unproved += answers != {nonocsp.Answer.UNIQUE}
    console.print(
        f"{len(paths)} published pictures: {unproved} without a puzzle that hybrid and sat prove unique"
    )


def _joined(values: Iterable[int]) -> str:
    return " ".join(map(str, values))
