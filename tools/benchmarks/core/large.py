"""Measure large pictures: ``python -m tools.benchmarks large``. CPU seconds and peak memory of each.

    python -m tools.benchmarks large --size 200 --size 300 --limit 10
    python -m tools.benchmarks large --size 500 --kind "blobs 4" --limit 30
    python -m tools.benchmarks large --size 1000 --kind photo --limit 60

Each puzzle has a process of its own, which `fork` stops at the CPU limit. Pictures are black and white.
"""

from __future__ import annotations

import os
from itertools import product
from typing import Annotated

import typer
from rich.console import Console

from nonocsp.backends.base import Limits, Request
from nonocsp.run import create
from nonocsp.run.jobs import Job
from tools.benchmarks.pictures import KINDS, picture

STATS = ("probes", "conflicts", "dives", "belief_sweeps")


def main(
    *,
    sizes: Annotated[list[int] | None, typer.Option("--size", help="Repeatable.")] = None,
    kinds: Annotated[
        list[str] | None, typer.Option("--kind", help=f"{', '.join(KINDS)}; repeatable.")
    ] = None,
    seeds: Annotated[int, typer.Option(help="Pictures of each kind and size.")] = 3,
    first: Annotated[int, typer.Option(help="Seed of the first picture.")] = 0,
    search_seed: Annotated[int, typer.Option(help="Seed of the search.")] = 0,
    limit: Annotated[float, typer.Option(help="CPU seconds a puzzle.")] = 10.0,
    backend: Annotated[str, typer.Option(help="Spec of the backend.")] = "hybrid",
) -> None:
    """Print a line for each picture, and how many are decided."""
    console = Console(highlight=False, soft_wrap=True)
    request = Request(limits=Limits(cpu=limit), seed=search_seed)
    chosen = list(product(sizes or (200, 300), kinds or KINDS, range(first, first + seeds)))
    decided, total = 0, 0.0
    with create("fork", 1) as executor:
        for size, kind, seed in chosen:
            job = Job(picture(kind, size, 1, seed), backend, request)
            ((_, measured),) = executor.run([job])
            outcome = measured.outcome
            is_decided = outcome.answer in {"unique", "multiple", "unsat"}
            decided += is_decided
            total += outcome.cpu_s
            done = ", ".join(f"{name} {outcome.stats[name]}" for name in STATS if name in outcome.stats)
            console.print(
                f"{kind:10} {size:4} no. {seed}: {outcome.answer if is_decided else outcome.termination:8} "
                f"{outcome.cpu_s:7.2f} s {(measured.peak_rss_bytes or 0) >> 20:5} MiB  {done}"
            )
    console.print(f"decided {decided} of {len(chosen)}, {total:.1f} CPU s, load {os.getloadavg()[0]:.1f}")
