"""Run all measurements, or those named: ``python -m benchmarks engine sat``.

One that takes hours, and options, is run only by itself: ``python -m benchmarks agreement --help``.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated

import typer
from rich.console import Console

MEASUREMENTS = (
    "engine",
    "sat",
    "harness",
    "batch",
    "startup",
    "stopping",
    "painted",
    "classes",
    "gac",
    "segments",
    "probing",
)


def main(
    names: Annotated[list[str] | None, typer.Argument(help=f"Which: {', '.join(MEASUREMENTS)}.")] = None,
) -> None:
    """Run the measurements and print their tables."""
    for name in names or MEASUREMENTS:
        if name not in MEASUREMENTS:
            raise typer.BadParameter(f"unknown measurement {name!r}; there are {', '.join(MEASUREMENTS)}")
        Console().rule(f"[bold]{name}")
        import_module(f"benchmarks.{name}").main()


def agreement() -> None:
    """Run the one measurement that has options of its own."""
    from benchmarks.agreement import main

    del sys.argv[1]
    typer.run(main)


if __name__ == "__main__":
    if sys.argv[1:2] == ["agreement"]:
        agreement()
    else:
        typer.run(main)
