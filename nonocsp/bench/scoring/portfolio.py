"""Find the virtual best backend, the single best one, and what each backend adds to the virtual best.

The *virtual best* picks, on each instance, the backend that decided it fastest: a bound for every way to
choose between them. The *single best* is the one to take if only one can be had. What a backend adds is how
much worse the virtual best gets without it (its marginal contribution; Xu, Hutter, Hoos and Leyton-Brown,
"Evaluating component solver contributions to portfolio-based algorithm selectors", SAT 2012).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nonocsp.bench.scoring.figures import mean
from nonocsp.bench.scoring.runs import FloatArray, Runs

VIRTUAL_BEST = "virtual best"
PENALTY = 2.0
"""Of PAR-2, by which backends are compared here."""


@dataclass(frozen=True, slots=True)
class Contribution:
    """What a backend adds to the virtual best.

    Parameters
    ----------
    fastest
        Instances that it decided, and in less time than any other backend.
    alone
        Instances that it decided and no other backend did.
    contribution_s
        By how many seconds PAR-2 of the virtual best grows without it, over the instances that another
        backend has run too. None if that is infinite or there are no such instances.
    """

    backend: str
    fastest: int
    alone: int
    contribution_s: float | None


def virtual_best(runs: Runs) -> Runs:
    """Return the runs of the virtual best, as those of one backend.

    Where no backend decided, it has the run of one that did not.
    """
    if not runs.backends:
        return runs
    return runs.chosen(VIRTUAL_BEST, _preference_s(runs).argmin(axis=0))


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
