"""``python -m tools.differential backends``: compare all backends on random puzzles for a given time.

Prints Markdown: how the runs of each backend ended, and a failing test with a shrunk puzzle for each
disagreement. Ctrl-C ends the comparison like the time limit.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from nonocsp.backends.registry import names_without_extra, split_specs
from nonocsp.bench.agreement import Checked, Tally
from nonocsp.model import Puzzle
from nonocsp.run.cores import usable_cores
from nonocsp.run.many import work_on
from tools.differential.comparing import ENUMERATION, Comparing
from tools.differential.puzzles import random_puzzles
from tools.differential.rounds import Round, rounds
from tools.differential.shrinking import reduced
from tools.differential.table import is_fault, table

A_ROUND = 5000
"""Puzzles of a round."""


def main(
    *,
    minutes: Annotated[float, typer.Option(min=0, help="Of wall time.")] = 10,
    puzzles: Annotated[int | None, typer.Option(min=1, help="This many instead of --minutes.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Of everything; default: any.")] = None,
    first_round: Annotated[int, typer.Option(min=0, help="The round to begin with.")] = 0,
    backends: Annotated[str, typer.Option(help="Specs; default: all without an extra, any options.")] = "",
    limit: Annotated[float, typer.Option(help="Wall seconds a run.")] = 0.2,
    jobs: Annotated[int, typer.Option(min=1, help="Puzzles at a time.")] = usable_cores(),
    save: Annotated[Path, typer.Option(help="Folder for puzzles that show a fault.")] = Path("failures"),
) -> None:
    """Compare all backends, and an enumeration, on random puzzles."""
    seed = secrets.randbelow(2**32) if seed is None else seed
    specs = split_specs(backends) or names_without_extra()
    tally = Tally([*dict.fromkeys(map(_name, specs)), ENUMERATION])
    deadline = None if puzzles else time.monotonic() + 60 * minutes
    found = list[str]()
    plan = rounds(seed, specs, limit, first_round)
    with Console(stderr=True).status("starting") as progress:
        try:
            for round, number, checked in islice(_checked(plan, jobs, deadline), puzzles):
                tally.add(_by_name(checked))
                if not checked.is_sound:
                    found.append(_report(round, number, checked, save))
                progress.update(f"{tally}; {round}")
        except KeyboardInterrupt:
            found.append("stopped\n")
    print("\n".join([*table(tally), "", f"Seed {seed}, from round {first_round}.", "", *found]))
    raise typer.Exit(1 if is_fault(tally) else 0)


def _checked(
    plan: Iterator[Round], jobs: int, deadline: float | None
) -> Iterator[tuple[Round, int, Checked]]:
    """Yield the findings on one puzzle after the other, with round and number."""
    for round in plan:
        work = Comparing([*round.specs, ENUMERATION], round.request)
        for number, checked in enumerate(work_on(_puzzles(round), work, jobs=jobs)):
            yield round, number, checked
            if deadline is not None and time.monotonic() > deadline:
                return


def _puzzles(round: Round) -> Iterator[Puzzle]:
    return islice(random_puzzles(*round.seed), A_ROUND)


def _by_name(checked: Checked) -> Checked:
    """Drop the options, which differ from round to round."""
    return replace(checked, outcomes={_name(spec): found for spec, found in checked.outcomes.items()})


def _name(spec: str) -> str:
    return spec.partition(":")[0]


def _report(round: Round, number: int, checked: Checked, folder: Path) -> str:
    """Shrink and save the puzzle of a fault, and return the report."""
    puzzle = next(islice(_puzzles(round), number, None))
    return f"Puzzle {number + 1} of {round}\n\n{reduced(puzzle, checked, folder)}"
