"""Test the comparison of campaigns on identical code, and on a backend that takes 10 % longer.

Real sessions of identical code (`aa_sessions`) and sessions drawn from a model (`aa_model`) are compared by
the rule of `nonocsp.bench.scoring.verdicts`: once with a fixed number of sessions, and once as its reports
ask, until no backend is undecided. The older rule, Wilcoxon's test over the puzzles of two campaigns, is
applied to neighbouring sessions. A comparison is false if it calls any backend of identical code.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from nonocsp.bench.scoring import Runs, Verdict, compare
from nonocsp.bench.scoring.changes import THRESHOLD
from nonocsp.bench.scoring.evidence import evidence, is_significant
from nonocsp.bench.scoring.means import SHIFT_S
from nonocsp.bench.scoring.permutation import MIN_SESSIONS
from nonocsp.bench.scoring.verdicts import Judge
from tools.benchmarks.harness.aa_model import CAP, Noise, blocks, draw
from tools.benchmarks.harness.aa_sessions import PLAIN, Sessions, measure

SHOWN = (Verdict.REGRESSION, Verdict.SAME, Verdict.UNDECIDED)
CALLED = (Verdict.REGRESSION, Verdict.IMPROVEMENT)
STEP = 4
"""Sessions between the starts of comparisons of real sessions."""
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
Found = Sequence[tuple[str, Verdict, int | None]]
"""Backend, verdict and sessions needed."""


def main(
    folder: Annotated[
        Path | None, typer.Argument(help="Where real sessions are kept, and continued.")
    ] = None,
    seeds: Annotated[str, typer.Option(help="Of real sessions.")] = "1,2,3,4",
    sessions: Annotated[int, typer.Option(help="Real sessions of each seed.")] = 60,
    pairs: Annotated[int, typer.Option(help="Pairs of campaigns drawn from each model.")] = 1000,
) -> None:
    """Print the shares of false and of found changes."""
    if pairs:
        _simulate(pairs)
    if folder is not None:
        numbers = [int(seed) for seed in seeds.split(",")]
        for seed in numbers:
            measure(folder, seed, sessions)
        for by in ("wall", "cpu"):
            _evaluate(folder, numbers, by)


def _simulate(pairs: int) -> None:
    """Print what becomes of pairs of campaigns whose sessions follow a model."""
    table = Table("noise", "identical: called", "sessions", "10 % slower: found", "sessions", "others called",
                  title=f"{pairs} pairs of campaigns each, at most {CAP} sessions")  # fmt: skip
    for number, noise in enumerate(NOISES):
        rng = np.random.default_rng(number)
        same = [_followed(_model(draw(noise, 0.0, rng)), CAP) for _ in range(pairs)]
        slower = [_followed(_model(draw(noise, 0.1, rng)), CAP, "0") for _ in range(pairs)]
        false = sum(any(verdict in CALLED for _, verdict, _ in found) for found, _ in same)
        hits = sum(found[0][1] is Verdict.REGRESSION for found, _ in slower)
        others = sum(any(verdict in CALLED for _, verdict, _ in found[1:]) for found, _ in slower)
        table.add_row(str(noise), f"{false / pairs:.1%}", f"{np.median([n for _, n in same]):.0f}",
                      f"{hits / pairs:.1%}", f"{np.median([n for _, n in slower]):.0f}",
                      f"{others / pairs:.1%}")  # fmt: skip
    Console(width=120).print(table)


def _model(times: np.ndarray) -> Callable[[int], Found]:
    """Return a function that judges the first sessions of each version."""

    def judge(of_each: int) -> Found:
        found = Judge(blocks(times[: 2 * of_each]), THRESHOLD, 0)
        return [(str(b), found.verdict(b), found.needed(b)) for b in range(times.shape[1])]

    return judge


def _evaluate(folder: Path, seeds: Sequence[int], by: str) -> None:
    """Print what becomes of campaigns that are made of real sessions."""
    table = Table("seed", "older rule: false", "5 sessions: false", "as asked: false", "10 %: found", "same",
                  "still undecided", "sessions", title=f"real sessions, {by} time")  # fmt: skip
    totals = np.zeros((7, 2), int)
    for seed in seeds:
        taken = Sessions(folder, seed, by)
        old = [_old_rule(taken.campaign([s]), taken.campaign([s + 1])) for s in range(0, taken.count - 1, 2)]
        fixed = [_is_false(_real(taken, s)(MIN_SESSIONS)) for s in _starts(taken, 2 * MIN_SESSIONS)]
        asked = [_followed(_real(taken, s), (taken.count - s) // 2) for s in _starts(taken, taken.count // 2)]
        slowed = [
            _followed(_real(taken, s, is_slowed=True), (taken.count - s) // 2, PLAIN)
            for s in _starts(taken, taken.count // 2)
        ]
        verdicts = [next(verdict for name, verdict, _ in found if name == PLAIN) for found, _ in slowed]
        counts = [
            (sum(old), len(old)),
            (sum(fixed), len(fixed)),
            (sum(_is_false(found) for found, _ in asked), len(asked)),
            *(
                (verdicts.count(v), len(slowed))
                for v in (Verdict.REGRESSION, Verdict.SAME, Verdict.UNDECIDED)
            ),
            (sum(n for _, n in slowed), len(slowed)),
        ]
        totals += counts
        table.add_row(str(seed), *_texts(counts))
    table.add_row("all", *_texts(totals.tolist()))
    Console(width=120).print(table)


def _texts(counts: Sequence[Sequence[int]]) -> Iterator[str]:
    *shares, (sessions, comparisons) = counts
    yield from (f"{part} of {whole}" for part, whole in shares)
    yield f"{sessions / max(comparisons, 1):.0f}"


def _starts(taken: Sessions, length: int) -> range:
    return range(0, taken.count - length + 1, STEP)


def _real(taken: Sessions, start: int, *, is_slowed: bool = False) -> Callable[[int], Found]:
    """Return a function that compares sessions that alternate from a start on; the order is random."""
    first = int(np.random.default_rng(start).integers(2))

    def judge(of_each: int) -> Found:
        every = range(start, start + 2 * of_each)
        before, after = list(every[first::2]), list(every[1 - first :: 2])
        found = compare(taken.campaign(before), taken.campaign(after, is_slowed=is_slowed))
        return [(change.backend, change.verdict, change.sessions_needed) for change in found.changes]

    return judge


def _followed(judge: Callable[[int], Found], most: int, backend: str = "") -> tuple[Found, int]:
    """Add sessions as the reports ask, until nothing is undecided; return the last findings and sessions.

    Parameters
    ----------
    judge
        Returns what a number of sessions of each version says.
    most
        The most sessions.
    backend
        The one that matters; empty for all.
    """
    of_each = 1
    while True:
        found = judge(of_each)
        open_ = [
            n or 0 for name, verdict, n in found if verdict is Verdict.UNDECIDED and backend in ("", name)
        ]
        if not open_ or of_each >= most:
            return found, of_each
        of_each = min(most, max(of_each + 1, *open_))


def _is_false(found: Found) -> bool:
    return any(verdict in CALLED for _, verdict, _ in found)


def _old_rule(before: Runs, after: Runs) -> bool:
    """Return whether the older rule calls any backend."""
    found = evidence(after.censored_s, before.censored_s, before.puzzle_of, shift_s=SHIFT_S, seed=0)
    return any(
        is_significant(one.corrected_p_value)
        and one.ratio is not None
        and abs(math.log(one.ratio)) > math.log1p(THRESHOLD)
        for one in found
    )


if __name__ == "__main__":
    typer.run(main)
