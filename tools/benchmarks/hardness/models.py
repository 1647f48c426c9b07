"""Predict the logarithm of a backend's time from features by random forests, always on puzzles held out.

The forests and the importance of a feature, which is how much the score falls on held-out puzzles when the
feature's values are permuted, are those of scikit-learn (Breiman, Random forests, 2001).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.inspection import permutation_importance
from sklearn.metrics import r2_score, roc_auc_score
from sklearn.model_selection import KFold, LeaveOneGroupOut, cross_val_predict

from tools.benchmarks.hardness.extraction import FEATURES, GROUPS, TIERS
from tools.benchmarks.hardness.measured import Measured

FOLDS = 5
TREES = 50
SEED = 22
FEWEST = 20
"""Undecided, and decided puzzles that it takes to predict which is which."""
POINTS = 12
"""Groups of puzzles, by their predicted time, whose measured times are told."""

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Fit:
    """How well the features tell the time of a backend.

    Parameters
    ----------
    decided
        Share of the puzzles that it decided.
    score
        R² of the logarithm of the time on held-out puzzles, an undecided one counting twice the limit.
    score_decided
        R² on those that it decided, by forests that saw only such ones; None if they are too few.
    transfer
        R² where a whole set is held out at a time; None if there is only one.
    by_tier
        R² with the features of each of `TIERS`.
    auc
        Area under the ROC curve of the prediction whether it decides a puzzle; None if nearly all are alike.
    factor
        The median factor between predicted and measured time.
    importance
        By how much R² falls when a feature is permuted, by its name.
    effect
        By how many powers of ten the predicted time grows from the 10 % to the 90 % quantile of a feature,
        all others as they are, by its name.
    points
        Medians of predicted times, and the 10 %, 50 % and 90 % quantiles of the measured ones, in seconds, of
        groups of puzzles by predicted time.
    """

    decided: float
    score: float
    score_decided: float | None
    transfer: float | None
    by_tier: dict[str, float]
    auc: float | None
    factor: float
    importance: dict[str, float]
    effect: dict[str, float]
    points: list[list[float]]


def fit(measured: Measured, backend: str) -> Fit:
    """Fit forests to the times of a backend and judge them on puzzles held out.

    Parameters
    ----------
    measured
        The puzzles.
    backend
        The name of a column of its times.
    """
    inputs, seconds = measured.features, measured.costs[backend].to_numpy()
    times, is_decided = np.log10(seconds), np.isfinite(measured.times[backend].to_numpy())
    predicted, importance, effect = _held_out(inputs, times)
    score = float(r2_score(times, predicted))
    by_tier = {}
    for tier, groups in TIERS.items():
        size = sum(len(GROUPS[group]) for group in groups)
        by_tier[tier] = score if size == len(FEATURES) else _score(inputs[:, :size], times)
    of_decided = None
    if is_decided.sum() >= 5 * FEWEST:
        of_decided = _score(inputs[is_decided], times[is_decided])
    transfer = None
    if measured.table["set"].nunique() > 1:
        elsewhere = cross_val_predict(
            forest(), inputs, times, cv=LeaveOneGroupOut(), groups=measured.table["set"]
        )
        transfer = float(r2_score(times, elsewhere))
    return Fit(
        decided=float(is_decided.mean()),
        score=score,
        score_decided=of_decided,
        transfer=transfer,
        by_tier=by_tier,
        auc=_auc(inputs, is_decided),
        factor=float(10 ** np.median(np.abs(times - predicted))),
        importance=dict(zip(FEATURES, importance.tolist(), strict=True)),
        effect=dict(zip(FEATURES, effect.tolist(), strict=True)),
        points=[*_points(predicted, times)],
    )


def forest() -> RandomForestRegressor:
    """Return the regression that all fits use."""
    return RandomForestRegressor(TREES, min_samples_leaf=2, max_features=0.5, random_state=SEED)


def folds() -> KFold:
    """Return the partition that every fit is judged by."""
    return KFold(FOLDS, shuffle=True, random_state=SEED)


def _score(inputs: Array, times: Array) -> float:
    """Return R² of the predicted times, each by a forest that did not see its puzzle."""
    return float(r2_score(times, cross_val_predict(forest(), inputs, times, cv=folds())))


def _held_out(inputs: Array, times: Array) -> tuple[Array, Array, Array]:
    """Return the predicted times, and the mean importance and effect of each feature."""
    predicted, importance, effect = np.empty_like(times), [], []
    for train, test in folds().split(inputs):
        model = forest().fit(inputs[train], times[train])
        predicted[test] = model.predict(inputs[test])
        found = permutation_importance(model, inputs[test], times[test], n_repeats=3, random_state=SEED)
        importance.append(found.importances_mean)
        effect.append([_effect(model, inputs[test], column) for column in range(inputs.shape[1])])
    return predicted, np.mean(importance, axis=0), np.mean(effect, axis=0)


def _effect(model: RandomForestRegressor, inputs: Array, column: int) -> float:
    """Return how much the mean prediction grows from the low to the high values of a feature."""
    means = []
    for value in np.quantile(inputs[:, column], (0.1, 0.9)):
        changed = inputs.copy()
        changed[:, column] = value
        means.append(model.predict(changed).mean())
    return float(means[1] - means[0])


def _auc(inputs: Array, is_decided: NDArray[np.bool_]) -> float | None:
    if min(is_decided.sum(), (~is_decided).sum()) < FEWEST:
        return None
    model = RandomForestClassifier(TREES, min_samples_leaf=2, random_state=SEED)
    chance = cross_val_predict(model, inputs, is_decided, cv=folds(), method="predict_proba")
    return float(roc_auc_score(is_decided, chance[:, 1]))


def _points(predicted: Array, times: Array) -> Iterator[list[float]]:
    order = np.argsort(predicted, kind="stable")
    for part in np.array_split(order, min(POINTS, len(order))):
        quantiles = np.quantile(times[part], (0.1, 0.5, 0.9)).tolist()
        yield [float(10**value) for value in (np.median(predicted[part]), *quantiles)]
