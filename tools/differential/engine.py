"""Call every function of the engine at random until the time is over.

Case n of a seed is one check with its own random numbers, so its number alone repeats it. Small cases are
compared with the enumeration of ``tests/oracle.py``; large ones are checked only for properties of every
right answer. Prints Markdown: the command that repeats each fault, and how often each check ran. In a build
with sanitizers (`make sanitize`) the engine reports further faults itself.
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
    cases: Annotated[int | None, typer.Option(min=1, help="This many instead of --minutes.")] = None,
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
    """Yield the name of one check after the other, and its fault if it found one."""
    end = None if seconds is None else time.monotonic() + seconds
    for number in count(first):
        if end is not None and time.monotonic() > end:
            return
        if last is not None:  # written before the call, which may end the process
            last.write_text(f"--seed {seed} --first {number} --cases 1\n")
        check = CHECKS[number % len(CHECKS)]
        name, fault = check.__name__.replace("_", " "), ""
        try:
            check(np.random.default_rng((seed, number)))
        except Exception as error:  # any fault: go on, the next case may show more
            repeat = f"python -m tools.differential engine --seed {seed} --first {number} --cases 1"
            fault = f"FAULT in {name}: {type(error).__name__}: {error}\n  repeat: {repeat}"
        yield name, fault
