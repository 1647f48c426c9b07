"""Call every function of the engine at random until the time is over.

Case n of a seed is one check with its own random numbers, so that it is repeated by its number alone. What
small cases should give is enumerated by ``tests/oracle.py``; of large ones only what any right answer has in
common is looked at. Prints Markdown: of each fault the command that repeats it, and how often each check was
made. Built with sanitizers, the engine then says itself what else is wrong (`make sanitize`).
"""

from __future__ import annotations

import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from tools.differential.engine_grids import GRID_CHECKS
from tools.differential.engine_large import LARGE_CHECKS
from tools.differential.engine_lines import LINE_CHECKS

CHECKS: tuple[Callable[[np.random.Generator], None], ...] = (*LINE_CHECKS, *GRID_CHECKS, *LARGE_CHECKS)


def main(
    *,
    minutes: Annotated[float, typer.Option(min=0, help="Of wall time.")] = 10,
    cases: Annotated[int | None, typer.Option(min=1, help="So many instead of so long.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Of everything; default: any.")] = None,
    first: Annotated[int, typer.Option(min=0, help="The case to begin with.")] = 0,
    last: Annotated[Path | None, typer.Option(help="A file for the number of the case at hand.")] = None,
) -> None:
    """Compare the engine with an oracle that shares nothing with it."""
    seed = secrets.randbelow(2**32) if seed is None else seed
    made, faults = Counter[str](), list[str]()
    for check, fault in islice(_checked(seed, first, None if cases else 60 * minutes, last), cases):
        made[check] += 1
        if fault:
            faults.append(fault)
            print(fault, flush=True)
    print("| check | cases |\n|---|---|")
    for name, number in made.items():
        print(f"| {name} | {number} |")
    print(f"{made.total()} cases, {len(faults)} faults. Seed {seed}, from case {first}.")
    raise typer.Exit(1 if faults else 0)


def _checked(seed: int, first: int, seconds: float | None, last: Path | None) -> Iterator[tuple[str, str]]:
    """Yield the name of one check after the other, and what it found or nothing."""
    end = None if seconds is None else time.monotonic() + seconds
    for number in count(first):
        if end is not None and time.monotonic() > end:
            return
        if last is not None:  # a call that ends the process cannot be asked
            last.write_text(f"--seed {seed} --first {number} --cases 1\n")
        check = CHECKS[number % len(CHECKS)]
        name, fault = check.__name__.replace("_", " "), ""
        try:
            check(np.random.default_rng((seed, number)))
        except Exception as error:  # whatever it is, the next case may show more
            repeat = f"python -m tools.differential engine --seed {seed} --first {number} --cases 1"
            fault = f"FAULT in {name}: {type(error).__name__}: {error}\n  repeat: {repeat}"
        yield name, fault
