"""Score each backend over the runs of a campaign; nothing that was cut off is left out.

An undecided run costs its limit in quantiles and in the shifted geometric mean, twice or ten times that in
PAR-2 and PAR-10. Where a figure would be infinite, it is None. docs/reference/scoring.md has every formula.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from nonocsp.backends.base import Answer, Evidence, Termination
from nonocsp.bench.scoring.means import SHIFT_S, mean, quantile, shifted_mean
from nonocsp.bench.scoring.runs import ANSWERS, PENALTY, TERMINATIONS, BoolArray, CodeArray, FloatArray, Runs
from nonocsp.bench.table import EVIDENCE, NO_RUN

QUANTILES = {"p5_s": 0.05, "p25_s": 0.25, "median_s": 0.5, "p75_s": 0.75, "p95_s": 0.95, "max_s": 1.0}
PENALTIES = (1.0, PENALTY, 10.0)
"""How many wall limits an undecided run counts: in quantiles and the geometric mean, in PAR-2, in PAR-10."""
VIRTUAL_BEST = "virtual best"


@dataclass(frozen=True, slots=True)
class Score:
    """How a backend did; all times are in seconds, of the kind that the runs are compared by.

    `missing` instances only other backends have run. `decided` runs ended by themselves with an answer that
    settles the task; `unsat` … `partial` have this answer, cut off or not; `proved` … `claimed` say how far,
    if the campaign certifies; `timeouts` were ended by their wall or CPU limit, `failed` in any other way.
    Quantiles are interpolated linearly; an undecided run counts its limit, in `par2_s` and `par10_s` twice
    and ten times. `total_s` is what all runs took, as measured. None is infinite, where an undecided run had
    no limit. `Contribution` explains the last three.
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
    proved: int
    checked_grid: int
    claimed: int
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


def scores(runs: Runs, *, shift_s: float = SHIFT_S) -> list[Score]:
    """Return the scores of all backends, in their order; `shift_s` is that of the geometric mean."""
    costs_s = [runs.cost_s(penalty) for penalty in PENALTIES]
    found = []
    for b, (points, part) in enumerate(zip(borda(runs).tolist(), contributions(runs), strict=True)):
        present = runs.has_run[b]
        times, twice, tenfold = (cost_s[b, present] for cost_s in costs_s)
        endings = _counts(runs.termination[b, present], TERMINATIONS)
        answers = _counts(runs.answer[b, present], ANSWERS)
        evidence = _counts(runs.evidence[b, runs.evidence[b] != NO_RUN], EVIDENCE)
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
            proved=evidence[Evidence.PROVED],
            checked_grid=evidence[Evidence.CHECKED_GRID],
            claimed=evidence[Evidence.CLAIMED],
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


@dataclass(frozen=True, slots=True)
class Contribution:
    """What a backend adds to the virtual best: how much worse that gets without it.

    It decided the `fastest` instances in less time than any other, and those `alone` as the only one. Without
    it PAR-2 of the virtual best grows by `contribution_s`, over the instances that another backend has run
    too (Xu, Hutter, Hoos, Leyton-Brown, "Evaluating component solver contributions to portfolio-based
    algorithm selectors", SAT 2012). None if that is infinite or there are no such instances.
    """

    backend: str
    fastest: int
    alone: int
    contribution_s: float | None


def virtual_best(runs: Runs) -> Runs:
    """Return the runs of the virtual best, as those of one backend: a bound for every way to choose.

    On each instance it has the run of the backend that decided it fastest, else one that is not decided.
    """
    if not runs.backends:
        return runs
    return runs.chosen(VIRTUAL_BEST, _preference_s(runs).argmin(axis=0))


def incomplete(runs: Runs) -> BoolArray:
    """Return which backends stopped by themselves without a verdict on some instance, shape (B,)."""
    is_partial = runs.answer == ANSWERS.index(Answer.PARTIAL)
    return np.asarray((is_partial & (runs.termination == TERMINATIONS.index(Termination.OK))).any(axis=1))


def ranking(runs: Runs) -> list[int]:
    """Return the numbers of the backends, the best first; incomplete methods come last.

    The least PAR-2 is best; of several with the same, or with an infinite one, the one that decided most.
    """
    cost_s, decided, is_last = runs.cost_s(PENALTY), runs.is_decided.sum(axis=1), incomplete(runs)
    par2_s = [mean(own[there]) for own, there in zip(cost_s, runs.has_run, strict=True)]
    return sorted(
        range(len(runs.backends)),
        key=lambda b: (is_last[b], np.inf if (par2 := par2_s[b]) is None else par2, -decided[b]),
    )


def single_best(runs: Runs) -> str | None:
    """Return the backend with the least PAR-2 of those that have run every instance; None if there is none.

    Of several with the same, or with an infinite one, it is the one that decided most, then the first.
    """
    complete = np.flatnonzero(runs.has_run.all(axis=1)).tolist() if runs.instances else []
    cost_s, decided = runs.cost_s(PENALTY), runs.is_decided.sum(axis=1)
    best = min(complete, key=lambda b: (cost_s[b].mean(), -decided[b]), default=None)
    return None if best is None else runs.backends[best]


def contributions(runs: Runs) -> list[Contribution]:
    """Return what each backend adds, in their order."""
    if not runs.backends:
        return []
    preference_s = _preference_s(runs)
    leads = runs.is_decided & (preference_s == preference_s.min(axis=0))
    is_fastest = leads & (leads.sum(axis=0) == 1)
    is_alone = runs.is_decided & (runs.is_decided.sum(axis=0) == 1)
    order = preference_s.argsort(axis=0, kind="stable")
    growth_s = np.zeros(len(runs.instances))  # how much more the second counts in PAR-2 than the first
    if len(order) > 1:
        first_s, second_s = np.take_along_axis(runs.cost_s(PENALTY), order[:2], axis=0)
        np.subtract(second_s, first_s, out=growth_s, where=first_s != second_s)
    found = []
    for b, backend in enumerate(runs.backends):
        others_have_run = np.delete(runs.has_run, b, axis=0).any(axis=0)
        found.append(
            Contribution(
                backend,
                fastest=int(is_fastest[b].sum()),
                alone=int(is_alone[b].sum()),
                contribution_s=mean(np.where(order[0] == b, growth_s, 0.0)[others_have_run]),
            )
        )
    return found


def _preference_s(runs: Runs) -> FloatArray:
    """Return a key by which decided runs come first, by time, then undecided ones, then missing ones."""
    undecided = np.where(runs.has_run, np.finfo(float).max, np.inf)
    return np.where(runs.is_decided, runs.time_s, undecided)


def borda(runs: Runs) -> FloatArray:
    """Return the points of each backend, shape (B,), by the rule of the MiniZinc challenge.

    Two backends that have run an instance meet there ("Scoring Procedure", https://www.minizinc.org). One
    gets a point if only it decided; if both did, the share ``t' / (t + t')`` of its time t, or a half if both
    took none.
    """
    points = np.zeros(len(runs.backends))
    for b, mine in enumerate(runs.is_decided):
        others = np.delete(np.arange(len(runs.backends)), b)
        rivals = np.ix_(others, mine)
        own_s, their_s = runs.time_s[b, mine], runs.time_s[rivals]
        total_s = own_s + their_s
        shares = np.divide(their_s, total_s, out=np.full_like(total_s, 0.5), where=total_s > 0)
        points[b] = np.where(runs.is_decided[rivals], shares, runs.has_run[rivals]).sum()
    return points
