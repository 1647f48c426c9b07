"""The permutation test, against a naive one and against Student's power."""

from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from nonocsp.bench.scoring import Verdict
from nonocsp.bench.scoring.permutation import LEVEL, POWER, differences, sessions_needed
from nonocsp.bench.scoring.verdicts import Judge
from tools.benchmarks.harness.aa_model import Noise, blocks, draw

IS_AFTER = np.arange(40) % 2 == 1


def naive_p(values: np.ndarray, is_after: np.ndarray) -> list[float]:
    """Student's t of every distinct arrangement of the labels, and the true one once more."""

    def sizes(labels: np.ndarray) -> np.ndarray:
        return np.abs(stats.ttest_ind(values[labels], values[~labels]).statistic)

    arrangements = {tuple(order) for order in permutations(is_after.tolist())}
    largest = np.array([sizes(np.array(labels)).max() for labels in sorted(arrangements)])
    true = sizes(is_after)
    return [(1 + int((largest >= size - 1e-9).sum())) / (1 + len(largest)) for size in true]


@pytest.mark.parametrize("seed", range(2))
def test_p_values_are_those_of_trying_every_arrangement(seed):
    is_after = IS_AFTER[:7]
    values = np.random.default_rng(seed).normal(size=(7, 3)) + np.outer(is_after, [0.0, 0.0, 1.0])
    found = differences(values, is_after)
    assert found.p_value == pytest.approx(naive_p(values, is_after))
    assert found.mean == pytest.approx(values[is_after].mean(axis=0) - values[~is_after].mean(axis=0))
    pooled = np.sqrt((4 * values[~is_after].var(axis=0) + 3 * values[is_after].var(axis=0)) / 5)
    assert found.deviation == pytest.approx(pooled)
    thrice = differences(values, is_after, comparisons=3).p_value
    assert thrice == pytest.approx(np.minimum(3 * found.p_value, 1.0))


def test_with_many_blocks_random_arrangements_are_drawn_and_the_true_one_counts():
    values = np.column_stack([IS_AFTER + 0.01 * np.arange(40), np.random.default_rng(0).normal(size=40)])
    found = differences(values, IS_AFTER)
    assert 0 < found.p_value[0] < 1e-3
    assert found.p_value[1] > LEVEL


@pytest.mark.parametrize("deviation", [0.01, 0.03, 0.06, 0.1])
@pytest.mark.parametrize("quantities", [1, 16])
def test_the_sessions_needed_find_a_change_of_10_percent(deviation, quantities):
    blocks = 10**6  # as if the deviation were known
    sessions = sessions_needed(deviation, blocks, quantities)
    freedom = 2 * sessions - 2
    critical = stats.t.ppf(1 - LEVEL / 2 / quantities, freedom)
    shift = np.log(1.1) / deviation * np.sqrt(sessions / 2)
    assert stats.nct.sf(critical, freedom, shift) >= POWER - 0.02
    assert sessions_needed(deviation, 10, quantities) >= sessions
    assert sessions_needed(2 * deviation, blocks, quantities) >= sessions


@pytest.mark.parametrize(
    ("noise", "sessions"),
    [(Noise(6, common=0.1, own=0.02, stray=0.02), 24), (Noise(6, common=0.2, own=0.1, stray=0.3), 5)],
    ids=["usual", "often waiting for a core"],
)
def test_identical_code_is_rarely_called_a_change(noise, sessions):
    rng = np.random.default_rng(7)
    called = found = 0
    for _ in range(60):
        same, slower = (Judge(blocks(draw(noise, slowed, rng)[: 2 * sessions])) for slowed in (0.0, 0.1))
        called += any(same.verdict(b) in (Verdict.REGRESSION, Verdict.IMPROVEMENT) for b in range(6))
        found += slower.verdict(0) is Verdict.REGRESSION
    assert called <= 3
    assert found >= 48 or sessions < 24
