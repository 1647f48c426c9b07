"""Score each backend over the runs of a campaign; nothing that was cut off is left out.

An undecided run costs its limit in quantiles and in the shifted geometric mean, twice or ten times that in
PAR-2 and PAR-10. Where a figure would be infinite, it is None. docs/reference/scoring.md has every formula.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from nonocsp.backends.base import Answer, ProofLevel, Termination
from nonocsp.bench.scoring.means import SHIFT_S, mean, quantile, shifted_mean
from nonocsp.bench.scoring.runs import ANSWERS, PENALTY, TERMINATIONS, BoolArray, CodeArray, FloatArray, Runs
from nonocsp.bench.table import EVIDENCE, NO_RUN

QUANTILES = {"p5_s": 0.05, "p25_s": 0.25, "median_s": 0.5, "p75_s": 0.75, "p95_s": 0.95, "max_s": 1.0}
PENALTIES = (1.0, PENALTY, 10.0)
"""How many wall limits an undecided run counts: in quantiles and the geometric mean, in PAR-2, in PAR-10."""
VIRTUAL_BEST = "virtual best"


@dataclass(frozen=True, slots=True)
class Score:
    """How a backend did, in seconds of the kind that runs are compared by; None is infinite, for no limit."""

    backend: str
    runs: int
    missing: int  # instances that only other backends have run
    decided: int  # ended by themselves with an answer that settles the task
    unsat: int  # with this answer, cut off or not, as those below
    unique: int
    multiple: int
    solved: int
    partial: int
    proved: int  # with this evidence, which rows have if the campaign certifies, as those below
    checked_grid: int
    claimed: int
    timeouts: int  # ended by their wall or CPU limit
    failed: int  # ended in any other way
    p5_s: float | None  # interpolated linearly; an undecided run counts its limit
    p25_s: float | None
    median_s: float | None
    p75_s: float | None
    p95_s: float | None
    max_s: float | None
    total_s: float  # of all runs, as measured
    shifted_mean_s: float | None
    par2_s: float | None  # an undecided run counts twice its limit
    par10_s: float | None  # ten times
    borda: float
    fastest: int  # as in `Contribution`
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
            proved=evidence[ProofLevel.PROVED],
            checked_grid=evidence[ProofLevel.CHECKED_GRID],
            claimed=evidence[ProofLevel.CLAIMED],
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
    """What a backend adds to the virtual best (Xu, Hutter, Hoos, Leyton-Brown, SAT 2012)."""

    backend: str
    fastest: int  # instances that it decided in less time than any other
    alone: int  # instances that only it decided
    contribution_s: float | None  # growth of PAR-2 without it, where others have run too; None: infinite


def virtual_best(runs: Runs) -> Runs:
    """Return the runs of the virtual best, as of one backend: on each instance the fastest decided one."""
    if not runs.backends:
        return runs
    return runs.chosen(VIRTUAL_BEST, _preference_s(runs).argmin(axis=0))


def incomplete(runs: Runs) -> BoolArray:
    """Return which backends stopped by themselves without a verdict on some instance, shape (B,)."""
    is_partial = runs.answer == ANSWERS.index(Answer.PARTIAL)
    return np.asarray((is_partial & (runs.termination == TERMINATIONS.index(Termination.OK))).any(axis=1))


def ranking(runs: Runs) -> list[int]:
    """Return the numbers of the backends by PAR-2, then by decided runs; incomplete methods come last."""
    cost_s, decided, is_last = runs.cost_s(PENALTY), runs.is_decided.sum(axis=1), incomplete(runs)
    par2_s = [mean(own[there]) for own, there in zip(cost_s, runs.has_run, strict=True)]
    return sorted(
        range(len(runs.backends)),
        key=lambda b: (is_last[b], np.inf if (par2 := par2_s[b]) is None else par2, -decided[b]),
    )


def single_best(runs: Runs) -> str | None:
    """Return the first by PAR-2, then by decided runs, of the backends that have run everything, if any."""
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
