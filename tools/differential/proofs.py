"""Check the proofs that ``hybrid`` writes: of random puzzles, n-Dom and the puzzles of files: ``proofs``.

A proof that fails is a fault of the solver even if its verdict is right. Options vary, so that each stage has
to decide puzzles that another one would: no backtracking, few probes or none, cells, starts or both, and
reductions after a few dozen clauses. The exit code is 1 if a proof failed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from nonocsp import save
from nonocsp.backends.base import Limits, Outcome, Request, Termination
from nonocsp.backends.hybrid import Hybrid, HybridOptions
from nonocsp.certificates.maker import Certificate, prove
from nonocsp.engine.verification import check_drat
from nonocsp.formats import load_all
from nonocsp.model import Puzzle
from nonocsp.testing import n_dom
from tools.differential.puzzles import random_puzzles

EAGER = "cells_first=1+reduce_first=50+reduce_interval=30+dive_first=20+dive_interval=40+dive_conflicts=20"
LARGEST_DOM = 8


def main(
    files: Annotated[list[Path] | None, typer.Argument(help="Sets of puzzles.")] = None,
    *,
    random: Annotated[int, typer.Option(min=0, help="Random puzzles.")] = 1000,
    seed: Annotated[int, typer.Option(help="Of the random puzzles and the options.")] = 0,
    limit: Annotated[float, typer.Option(help="Seconds for a puzzle.")] = 10.0,
    folder: Annotated[Path, typer.Option(help="For puzzles whose proofs fail.")] = Path("failures"),
) -> None:
    """Prove verdicts, and check the proofs."""
    ended, faults = Counter[str](), 0
    for number, puzzle in enumerate(_puzzles(files or [], random, seed)):
        options = varied(np.random.default_rng((seed, number)))
        request = Request(limits=Limits(wall=limit), seed=number)
        outcome, certificate = prove(puzzle, request, Hybrid(options))
        ended[_kind(outcome)] += 1
        fault = checked(certificate) if certificate else ""
        if outcome.termination is Termination.CRASHED:
            fault = outcome.message
        if fault:
            faults += 1
            folder.mkdir(parents=True, exist_ok=True)
            save(puzzle, folder / f"{puzzle.canonical_hash[:12]}.json", format="json")
            print(f"{puzzle.canonical_hash[:12]} {options}: {fault}", flush=True)
    for kind, count in sorted(ended.items()):
        print(f"{count:>8} {kind}")
    print(f"{faults} faults")
    raise typer.Exit(faults > 0)


def _puzzles(files: list[Path], random: int, seed: int) -> Iterator[Puzzle]:
    yield from map(n_dom, range(2, LARGEST_DOM + 1))
    yield from islice(random_puzzles(seed), random)
    for file in files:
        yield from load_all(file)


def varied(random: np.random.Generator) -> HybridOptions:
    """Return random options."""
    model = random.choice(["cells", "starts", "both"])
    return HybridOptions(
        backtracking=bool(random.integers(2)),
        budget=int(random.choice([0, 3, 100])),
        search=f"model={model}+{EAGER}",
    )


def checked(certificate: Certificate) -> str:
    """Return what is wrong with the proof of a certificate; empty if nothing is."""
    formula = certificate.formula
    return check_drat(formula.literals(), certificate.proof, None)[1] if formula else ""


def _kind(outcome: Outcome) -> str:
    """Return the verdict, and the last stage that took part."""
    stages = {"conflicts": "learning", "probes": "probing"}
    stage = next((name for key, name in stages.items() if outcome.stats.get(key)), "line solving")
    parts = " in components" if int(outcome.stats.get("components", 0)) > 1 else ""
    return f"{outcome.answer} by {stage}{parts}"
