"""Test the comparison of campaigns on identical code, and on a backend that takes 10 % longer.

Thousands of pairs of campaigns follow a model of the noise of sessions (`aa_model`). The rule of
`nonocsp.bench.scoring.verdicts` judges them as its reports ask: sessions are added until no backend is
undecided. With ``--recipe`` they are added as examples/ci/speed.sh does. A comparison of identical code is
false if it calls any backend.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from nonocsp.bench.scoring import Verdict
from nonocsp.bench.scoring.verdicts import Judge
from tools.benchmarks.harness.aa_model import CAP, Noise, blocks, draw

CALLED = (Verdict.REGRESSION, Verdict.IMPROVEMENT)
NOISES = (
    Noise(8, common=0.01, own=0.01),
    Noise(8, common=0.1, own=0.03),
    Noise(8, common=0.1, own=0.05, stray=0.03),
    Noise(8, common=0.1, own=0.03, memory=0.8),
    Noise(8, common=0.02, own=0.06),
    Noise(2, common=0.03, own=0.03),
    Noise(1, common=0.03, own=0.03),
    Noise(20, common=0.1, own=0.03),
)
LOOKS = (5, 10, 20)
"""After how many sessions of each version examples/ci/speed.sh asks for a verdict."""


def main(
    pairs: Annotated[int, typer.Option(help="Pairs of campaigns drawn from each model.")] = 1000,
    recipe: Annotated[bool, typer.Option("--recipe", help="Look as examples/ci/speed.sh does.")] = False,
) -> None:
    """Print the shares of false and of found changes."""
    looks, most = (LOOKS, LOOKS[-1]) if recipe else ((), CAP)
    table = Table("noise", "identical: called", "sessions", "10 % slower: found", "sessions", "others called",
                  title=f"{pairs} pairs of campaigns each, at most {most} sessions")  # fmt: skip
    for number, noise in enumerate(NOISES):
        rng = np.random.default_rng(number)
        same = [followed(draw(noise, 0.0, rng), looks=looks) for _ in range(pairs)]
        slower = [followed(draw(noise, 0.1, rng), looks=looks, first_alone=not looks) for _ in range(pairs)]
        false = sum(any(verdict in CALLED for verdict in found) for found, _ in same)
        hits = sum(found[0] is Verdict.REGRESSION for found, _ in slower)
        others = sum(any(verdict in CALLED for verdict in found[1:]) for found, _ in slower)
        sessions = [f"{np.median([count for _, count in found]):.0f}" for found in (same, slower)]
        table.add_row(
            *(str(noise), f"{false / pairs:.1%}", sessions[0]),
            *(f"{hits / pairs:.1%}", sessions[1], f"{others / pairs:.1%}"),
        )
    Console(width=120).print(table)


def followed(
    times: np.ndarray, *, looks: Sequence[int] = (), first_alone: bool = False
) -> tuple[list[Verdict], int]:
    """Add sessions as the reports ask, until all backends, or the first one, are decided.

    With `looks`, which are numbers of sessions, only these are looked at, and a regression ends it too.
    Returns the last verdicts and the sessions of each version.
    """
    of_each, last = (looks[0], looks[-1]) if looks else (1, CAP)
    while True:
        judge = Judge(blocks(times[: 2 * of_each]))
        verdicts = [judge.verdict(b) for b in range(times.shape[1])]
        watched = verdicts[:1] if first_alone else verdicts
        needed = [judge.needed(b) or 0 for b, one in enumerate(watched) if one is Verdict.UNDECIDED]
        if not needed or of_each >= last or (looks and Verdict.REGRESSION in verdicts):
            return verdicts, of_each
        of_each = looks[looks.index(of_each) + 1] if looks else min(CAP, max(of_each + 1, *needed))
