"""Account for portfolios: what a choice of a backend by features costs beside hybrid alone.

A selector predicts the time of every backend by a random forest that has not seen the puzzle, and takes the
backend with the least. It pays for its features, on every puzzle. One with a head start runs hybrid for
`HEAD_START_S` first, which decides most puzzles, and only then computes features; if it takes hybrid, that
run goes on. The virtual best, which takes the fastest backend of the same runs, bounds all of them; it needs
no features, and gains from chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import bootstrap
from sklearn.model_selection import cross_val_predict

from tools.benchmarks.hardness.extraction import GROUPS, TIERS
from tools.benchmarks.hardness.measured import Measured
from tools.benchmarks.hardness.models import SEED, folds, forest

ALONE = "hybrid"
HEAD_START_S = 0.02
PENALTY = 2.0
"""An undecided run counts this often the limit."""
GOALS = {"log": np.log10, "seconds": np.asarray}
"""What forests predict: the logarithm, or the time itself, in which the slow puzzles weigh most."""

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Account:
    """What a way to decide puzzles costs.

    Parameters
    ----------
    name
        What it is called.
    total_s
        CPU seconds of all puzzles; an undecided one takes the limit.
    par2_s
        Mean seconds, an undecided puzzle counting twice the limit.
    undecided
        Number of puzzles.
    ratio, low, high
        PAR-2 as a multiple of that of hybrid alone on the same puzzles, and its 95 % interval.
    choices
        How often each backend was taken.
    """

    name: str
    total_s: float
    par2_s: float
    undecided: int
    ratio: float
    low: float
    high: float
    choices: dict[str, int]


def accounts(measured: Measured) -> list[Account]:
    """Return what hybrid alone, the virtual best and all selectors cost on puzzles that some backend decides.

    Parameters
    ----------
    measured
        The puzzles; they need times of hybrid.
    """
    measured = measured.select(np.isfinite(measured.times).any(axis=1).to_numpy())
    times, limit_s = measured.times, measured.limit_s
    alone = times[ALONE].to_numpy()
    best = times.idxmin(axis=1).to_numpy(str)
    ways = [
        ("hybrid alone", alone, np.full(len(times), ALONE)),
        ("virtual best", _of(times, best), best),
        *_selectors(measured),
    ]
    return [account(name, spent, chosen, alone, limit_s) for name, spent, chosen in ways]


def account(name: str, spent: Array, chosen: NDArray[np.str_], alone: Array, limit_s: float) -> Account:
    """Return the account of a way to decide puzzles.

    Parameters
    ----------
    name
        What it is called.
    spent
        Seconds of each puzzle, infinite if undecided; beyond the limit counts as undecided.
    chosen
        The backend of each puzzle.
    alone
        Seconds of hybrid alone.
    limit_s
        The limit of a puzzle.
    """
    costs, before = (np.where(own > limit_s, PENALTY * limit_s, own) for own in (spent, alone))
    interval = bootstrap(
        (costs, before),
        lambda a, b, axis: a.mean(axis=axis) / b.mean(axis=axis),
        paired=True,
        n_resamples=2000,
        method="percentile",
        rng=np.random.default_rng(SEED),
    ).confidence_interval
    names, counts = np.unique(chosen, return_counts=True)
    return Account(
        name=name,
        total_s=float(np.minimum(spent, limit_s).sum()),
        par2_s=float(costs.mean()),
        undecided=int((spent > limit_s).sum()),
        ratio=float(costs.mean() / before.mean()),
        low=float(interval.low),
        high=float(interval.high),
        choices=dict(sorted(zip(names.tolist(), counts.tolist(), strict=True), key=lambda one: -one[1])),
    )


def spent_by(
    times: pd.DataFrame, chosen: NDArray[np.str_], features_s: Array, head_start_s: float = 0.0
) -> Array:
    """Return the seconds that a selector spends on each puzzle; infinite if its choice does not decide it.

    Parameters
    ----------
    times
        Seconds of each backend on each puzzle.
    chosen
        The backend that it takes for each puzzle.
    features_s
        Seconds for the features of each puzzle.
    head_start_s
        Seconds for which hybrid runs before; 0 for none.
    """
    alone, own = times[ALONE].to_numpy(), _of(times, chosen)
    if not head_start_s:
        return features_s + own
    after = np.where(chosen == ALONE, alone, head_start_s + own) + features_s
    return np.where(alone <= head_start_s, alone, after)


def _selectors(measured: Measured) -> Iterator[tuple[str, Array, NDArray[np.str_]]]:
    """Yield the cross-validated selectors: with few features and all, with either goal, with a head start."""
    for tier, groups in TIERS.items():
        names = [name for group in groups for name in GROUPS[group]]
        inputs = measured.table[names].to_numpy(float)
        features_s = measured.table[[f"cost {group}" for group in groups]].sum(axis=1).to_numpy()
        for goal, scale in GOALS.items():
            chosen = _chosen(measured, inputs, scale(measured.costs.to_numpy()))
            yield f"{tier}, {goal}", spent_by(measured.times, chosen, features_s), chosen
            if tier == "all features":
                spent = spent_by(measured.times, chosen, features_s, HEAD_START_S)
                yield f"{tier}, {goal}, head start", spent, chosen
                yield (
                    f"{tier}, {goal}, features for free",
                    spent_by(measured.times, chosen, 0 * features_s),
                    chosen,
                )


def _chosen(measured: Measured, inputs: Array, goals: Array) -> NDArray[np.str_]:
    """Return the backend with the least predicted goal, for each puzzle by forests that did not see it."""
    predicted = cross_val_predict(forest(), inputs, goals, cv=folds())
    return measured.times.columns.to_numpy(str)[predicted.argmin(axis=1)]


def _of(times: pd.DataFrame, chosen: NDArray[np.str_]) -> Array:
    """Return the time of the chosen backend, for each puzzle."""
    return times.to_numpy()[np.arange(len(times)), times.columns.get_indexer(chosen)]
