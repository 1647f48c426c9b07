"""Run a measurement: ``python -m tools.benchmarks NAME [OPTIONS]``; ``NAME --help`` lists its options.

Without a name, run those that take minutes and need no options. Those in `paper` draw the figures of
docs/results/paper.md again.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module

import typer
from rich.console import Console

MEASUREMENTS = {
    "counts": "core.counts",
    "engine": "core.engine",
    "before": "core.before",
    "large": "core.large",
    "reading": "core.reading",
    "mend": "core.mend",
    "proofs": "core.proofs",
    "executors": "harness.executors",
    "million": "harness.million",
    "aa": "harness.aa",
    "mutants": "harness.mutants",
    "house": "harness.house",
    "families": "paper.families",
    "series": "paper.series",
    "phase": "paper.phase.phase",
    "features": "paper.features",
}
"""The module of each measurement; its `main` takes the options."""
ALL = ("counts", "engine", "executors", "house")
"""Those that run without a name."""


def measurement(name: str) -> Callable[..., None]:
    """Return the function that carries a measurement out."""
    if name not in MEASUREMENTS:
        raise typer.BadParameter(f"unknown measurement {name!r}; choose from {', '.join(MEASUREMENTS)}")
    main: Callable[..., None] = import_module(f"tools.benchmarks.{MEASUREMENTS[name]}").main
    return main


def run_all() -> None:
    """Run the measurements that need no options, one after the other."""
    for name in ALL:
        Console().rule(f"[bold]{name}")
        measurement(name)()


def help_text() -> None:
    """Print what there is."""
    print(__doc__)
    print("Measurements:", ", ".join(MEASUREMENTS))


if __name__ == "__main__":
    match sys.argv[1:2]:
        case []:
            run_all()
        case ["--help" | "-h"]:
            help_text()
        case [name]:
            try:
                chosen = measurement(sys.argv.pop(1))
            except typer.BadParameter as error:
                sys.exit(f"error: {error}")
            typer.run(chosen)
