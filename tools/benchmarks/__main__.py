"""Run all measurements, or those named: ``python -m tools.benchmarks engine sat``.

Some have options when run by themselves: ``python -m tools.benchmarks counts --save`` renews the baseline
of the counts; ``sensitivity`` and ``families`` with ``--plot FILE`` draw a plot, and ``pictures --page FILE``
writes a page. ``mutants [WHERE...]``, which takes hours for all modules, ``explanations FOLDER...``, ``levels
[FOLDER...]``, ``memory --bound MIB``, ``million [--runs N]``, ``sets [--puzzles N]``, ``aa [FOLDER]``,
``before``, ``structure [CHECKOUT]``, ``tuners FOLDER``, ``phase``, ``features [--redraw]``, ``series [--cells
N]`` and ``browser``, which needs what `make studio` installs, are run only so.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Annotated

import typer
from rich.console import Console

SHELVES: dict[str, tuple[str, ...]] = {
    "core": ("counts", "engine", "beliefs", "painted", "stopping", "memory", "before", "browser"),
    "backends": ("sat", "gac", "segments", "probing", "hybrid", "threads", "growth", "counting", "solvers"),
    "harness": (
        *("executors", "cluster", "scale", "scoring", "report", "kills", "batch", "calls", "startup"),
        *("aa", "million", "mutants", "rivals", "sets", "structure", "tuners"),
    ),
    "grading": (
        "classes",
        "census",
        "colours",
        "context",
        "difficulty",
        "explanations",
        "families",
        "levels",
        "series",
    ),
    "phase": ("phase",),
    "hardness": ("features",),
    "making": ("generate", "weights", "sensitivity", "shrinking", "pictures", "sheets"),
}
"""The folders with their measurements."""
ALONE = (
    "before",
    "memory",
    "aa",
    "million",
    "mutants",
    "sets",
    "structure",
    "explanations",
    "levels",
    "features",
    "tuners",
    "browser",
    "phase",
    "series",
)
"""Measurements that run only by themselves; they have options of their own."""
OPTIONS = ("families", "counts", "report", "sensitivity", "pictures", *ALONE)
"""Measurements that have options of their own."""
MEASUREMENTS = tuple(name for names in SHELVES.values() for name in names if name not in ALONE)


def measurement(name: str) -> Callable[..., None]:
    """Return the function that carries a measurement out."""
    shelf = next((shelf for shelf, names in SHELVES.items() if name in names), None)
    if shelf is None:
        raise typer.BadParameter(f"unknown measurement {name!r}; choose from {', '.join(MEASUREMENTS)}")
    main: Callable[..., None] = import_module(f"tools.benchmarks.{shelf}.{name}").main
    return main


def main(
    names: Annotated[list[str] | None, typer.Argument(help=f"Which: {', '.join(MEASUREMENTS)}.")] = None,
) -> None:
    """Run the measurements and print their tables."""
    for name in names or MEASUREMENTS:
        run = measurement(name)
        Console().rule(f"[bold]{name}")
        run()


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] in OPTIONS:
        name = sys.argv.pop(1)
        typer.run(measurement(name))
    else:
        typer.run(main)
