"""Score each backend over the runs of a campaign; nothing that was cut off is left out.

An undecided run always costs something: its limit in quantiles and in the shifted geometric mean, twice
or ten times that in PAR-2 and PAR-10 (the penalised average run time of the SAT competitions). Where a figure
would be infinite, because an undecided run had no limit, it is None. Every formula and its source are
in docs/reference/scoring.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from nonocsp.backends.base import Answer, Termination
from nonocsp.bench.scoring.borda import borda
from nonocsp.bench.scoring.figures import SHIFT_S, mean, quantile, shifted_mean
from nonocsp.bench.scoring.portfolio import contributions
from nonocsp.bench.scoring.runs import ANSWERS, TERMINATIONS, CodeArray, Runs

if TYPE_CHECKING:
    from nonocsp.bench.rows import RunRow

QUANTILES = {"p5_s": 0.05, "p25_s": 0.25, "median_s": 0.5, "p75_s": 0.75, "p95_s": 0.95, "max_s": 1.0}
PENALTIES = (1.0, 2.0, 10.0)
"""How many wall limits an undecided run counts: in quantiles and the geometric mean, in PAR-2, in PAR-10."""


@dataclass(frozen=True, slots=True)
class Score:
    """How a backend did. All times are of the kind that the runs are compared by, in seconds.

    Parameters
    ----------
    runs
        All runs, whatever became of them.
    missing
        Instances that other backends have run and this one has not: its figures are over fewer.
    decided
        Runs that ended by themselves with an answer that settles the task.
    unsat, unique, multiple, solved, partial
        Runs with this answer, cut off or not.
    timeouts
        Runs that their wall or CPU limit ended.
    failed
        Runs that ended in any other way than by themselves or by a time limit.
    p5_s, p25_s, median_s, p75_s, p95_s, max_s
        Quantiles of the time to decide, interpolated linearly; an undecided run counts its limit. None
        where that is infinite.
    total_s
        What all its runs took together, decided or not, as measured.
    shifted_mean_s
        Shifted geometric mean; an undecided run counts its limit. None if one had no limit.
    par2_s, par10_s
        Mean over all runs, an undecided one counting twice (ten times) its limit. None if one had no
        limit.
    borda
        Points by the rule of the MiniZinc challenge.
    fastest, alone, contribution_s
        The part in the virtual best, see `Contribution`.
    """

    backend: str
    runs: int
    missing: int
    decided: int
    unsat: int
    unique: int
    multiple: int
    solved: int
    partial: int
    timeouts: int
    failed: int
    p5_s: float | None
    p25_s: float | None
    median_s: float | None
    p75_s: float | None
    p95_s: float | None
    max_s: float | None
    total_s: float
    shifted_mean_s: float | None
    par2_s: float | None
    par10_s: float | None
    borda: float
    fastest: int
    alone: int
    contribution_s: float | None


def score_all(rows: Iterable[RunRow]) -> list[Score]:
    """Return the scores of all backends, in the order in which they first appear."""
    return scores(Runs.of(rows))


def scores(runs: Runs, *, shift_s: float = SHIFT_S) -> list[Score]:
    """Return the scores of all backends, in their order.

    Parameters
    ----------
    runs
        The campaign.
    shift_s
        Shift of the geometric mean, in seconds.
    """
    costs_s = [runs.cost_s(penalty) for penalty in PENALTIES]
    found = []
    for b, (points, part) in enumerate(zip(borda(runs).tolist(), contributions(runs), strict=True)):
        present = runs.has_run[b]
        times, twice, tenfold = (cost_s[b, present] for cost_s in costs_s)
        endings = _counts(runs.termination[b, present], TERMINATIONS)
        answers = _counts(runs.answer[b, present], ANSWERS)
        timeouts = endings[Termination.WALL] + endings[Termination.CPU]
        score = Score(
            backend=runs.backends[b],
            runs=len(times),
            missing=len(runs.instances) - len(times),
            decided=int(runs.is_decided[b].sum()),
            unsat=answers[Answer.UNSAT],
            unique=answers[Answer.UNIQUE],
            multiple=answers[Answer.MULTIPLE],
            solved=answers[Answer.SOLVED],
            partial=answers[Answer.PARTIAL],
            timeouts=timeouts,
            failed=len(times) - timeouts - endings[Termination.OK],
            **{name: quantile(times, share) for name, share in QUANTILES.items()},
            total_s=float(runs.time_s[b, present].sum()),
            shifted_mean_s=shifted_mean(times, shift_s),
            par2_s=mean(twice),
            par10_s=mean(tenfold),
            borda=points,
            fastest=part.fastest,
            alone=part.alone,
            contribution_s=part.contribution_s,
        )
        found.append(score)
    return found


def _counts(codes: CodeArray, names: tuple[StrEnum, ...]) -> dict[StrEnum, int]:
    return dict(zip(names, np.bincount(codes, minlength=len(names)).tolist(), strict=True))
