"""Run all measurements, or those named: ``python -m tools.benchmarks engine sat``.

Some have options when run by themselves: ``python -m tools.benchmarks counts --save`` renews the baseline
of the counts; ``mutants [WHERE...]``, which takes hours for all modules, ``explanations FOLDER...``,
``memory --bound MIB`` and ``structure [CHECKOUT]`` are run only so.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated

import typer
from rich.console import Console

MEASUREMENTS = (
    "counts",
    "engine",
    "sat",
    "executors",
    "scoring",
    "report",
    "kills",
    "batch",
    "startup",
    "stopping",
    "painted",
    "classes",
    "census",
    "difficulty",
    "gac",
    "segments",
    "probing",
    "hybrid",
    "growth",
    "beliefs",
    "generate",
)


def main(
    names: Annotated[list[str] | None, typer.Argument(help=f"Which: {', '.join(MEASUREMENTS)}.")] = None,
) -> None:
    """Run the measurements and print their tables."""
    for name in names or MEASUREMENTS:
        if name not in MEASUREMENTS:
            raise typer.BadParameter(f"unknown measurement {name!r}; there are {', '.join(MEASUREMENTS)}")
        Console().rule(f"[bold]{name}")
        import_module(f"tools.benchmarks.{name}").main()


def by_itself(name: str) -> None:
    """Run a measurement that has options of its own."""
    del sys.argv[1]
    typer.run(import_module(f"tools.benchmarks.{name}").main)


if __name__ == "__main__":
    if sys.argv[1:2] in (["counts"], ["explanations"], ["memory"], ["mutants"], ["structure"]):
        by_itself(sys.argv[1])
    else:
        typer.run(main)
