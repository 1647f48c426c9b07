"""Tests and intervals, against SciPy, enumeration, and campaigns whose truth is known."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import bootstrap, gmean, rankdata, wilcoxon

from nonocsp.bench.scoring.runs import FloatArray
from nonocsp.bench.scoring.significance import PairedTest, holm, paired_tests, signed_rank_p

SHIFT_S = 0.01


def of_two(first: FloatArray, second: FloatArray, puzzle_of: FloatArray | None = None) -> PairedTest:
    puzzles = np.arange(len(first)) if puzzle_of is None else puzzle_of
    (found,) = paired_tests(first[np.newaxis], second[np.newaxis], puzzles, shift_s=SHIFT_S)
    return found


def times(*shape: int, seed: int = 1, sigma: float = 2.0) -> FloatArray:
    return np.random.default_rng(seed).lognormal(-2.0, sigma, shape)


def ratio(first: FloatArray, second: FloatArray, axis: int = -1) -> FloatArray:
    one, other = (gmean(each + SHIFT_S, axis=axis) - SHIFT_S for each in (first, second))
    return np.asarray(one / other)


def test_ratio_and_interval_agree_with_scipys_percentile_bootstrap():
    first = times(200)
    second = first * times(200, seed=2, sigma=0.5) * 8
    found = of_two(first, second)
    expected = bootstrap(
        (first, second), ratio, paired=True, vectorized=True, n_resamples=4000, method="percentile", rng=3
    ).confidence_interval
    assert found.ratio == pytest.approx(ratio(first, second))
    assert found.interval == pytest.approx(tuple(expected), rel=0.03)


def test_nineteen_of_twenty_intervals_contain_the_true_ratio():
    campaigns, puzzles, factor = 400, 60, 1.3
    first, noise = times(campaigns, puzzles), times(campaigns, puzzles, seed=2, sigma=0.3) * np.exp(2.0)
    found = paired_tests(factor * first * noise, first, np.arange(puzzles), shift_s=1e-9)
    held = [low <= factor <= high for low, high in (f.interval for f in found if f.interval)]
    assert len(held) == campaigns
    assert 0.91 <= np.mean(held) <= 0.98


@pytest.mark.parametrize(
    "differences",
    [
        [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
        [0.0, 0.0, -2.0, 3.0, 4.0, 5.0, 6.0, 7.0],
        [0.0, 0.0, 0.0, 1.0, 2.0, 2.0, 2.0, -1.0, 4.0],
        [*[0.0] * 40, 1.0, 1.0, -1.0, 2.0, 2.0, 5.0, -6.0, 7.0],
        [*[0.0] * 9, *range(1, 13), -1.5],
        [np.inf, np.inf, -np.inf, 1.0, 2.0, 2.0, 0.0],
        [1.0, -1.0, 2.0, -2.0, 3.0, -3.0],
    ],
)
def test_the_p_value_is_the_share_of_sign_patterns_at_least_as_extreme(differences):
    differs = np.array(differences) != 0
    ranks = rankdata(np.abs(differences))[differs]
    found = np.sign(differences)[differs] @ ranks
    signs = np.array(list(product([-1, 1], repeat=len(ranks))))
    share = np.mean(np.abs(signs @ ranks) >= abs(found) - 1e-9)
    assert signed_rank_p(np.array(differences)) == pytest.approx(share)


def test_without_zeros_and_ties_it_is_scipys_exact_one_and_with_too_many_puzzles_approximate():
    differences = times(40) - 0.1
    assert signed_rank_p(differences) == pytest.approx(wilcoxon(differences, method="exact").pvalue)
    many = np.concatenate([np.zeros(2000), np.log(times(1000)) + 2.1])
    assert signed_rank_p(many) == wilcoxon(many, zero_method="pratt").pvalue
    few = many[::10]
    assert signed_rank_p(few) == pytest.approx(wilcoxon(few, zero_method="pratt").pvalue, rel=0.1)


@pytest.mark.parametrize("differences", [[], [3.0] * 5, [0.0] * 6, [*[0.0] * 40, *[3.0] * 5]])
def test_too_few_puzzles_with_a_difference_have_no_p_value(differences):
    assert signed_rank_p(np.array(differences)) is None


def test_holm_multiplies_each_p_value_by_the_number_not_smaller():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert (holm([0.5, 0.5]), holm([0.02, None, 0.03]), holm([])) == ([1.0, 1.0], [0.04, None, 0.04], [])


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_rejects_what_the_step_down_procedure_rejects(p_values):
    alpha, rejected = 0.05, set[int]()
    for step, place in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        if p_values[place] * (len(p_values) - step) > alpha:
            break
        rejected.add(place)
    assert {i for i, p in enumerate(holm(p_values)) if p is not None and p <= alpha} == rejected


def test_each_puzzle_counts_once_in_the_test_and_each_repeat_counts_in_the_ratio():
    puzzle_of = np.repeat(np.arange(12), [6, 4, *[1] * 10])
    first, second = times(2, len(puzzle_of))
    found = of_two(first, second, puzzle_of)
    logs = np.log(first + SHIFT_S) - np.log(second + SHIFT_S)
    means = [logs[puzzle_of == puzzle].mean() for puzzle in range(12)]
    assert found.p_value == pytest.approx(wilcoxon(means).pvalue)
    assert found.ratio == pytest.approx(ratio(first, second))
    once, twice = (of_two(*(np.repeat(it[:12], n) for it in (first, second, np.arange(12)))) for n in (1, 2))
    assert (twice.p_value, twice.ratio) == (once.p_value, pytest.approx(once.ratio))
    assert twice.interval == pytest.approx(once.interval)


def test_incomplete_pairs_and_other_comparisons_do_not_matter():
    first, second = times(2, 3, 40)
    first[1, :7] = np.nan
    together = paired_tests(first, second, np.arange(40), shift_s=SHIFT_S)
    for k, found in enumerate(together):
        alone = of_two(first[k], second[k])
        assert (found.ratio, found.p_value) == pytest.approx((alone.ratio, alone.p_value))
        assert found.interval == pytest.approx(alone.interval)
    holes, alone = np.full(5, np.nan), of_two(first[0], second[0])
    found = of_two(np.concatenate([first[0], holes, times(5)]), np.concatenate([second[0], times(5), holes]))
    assert (found.ratio, found.p_value) == pytest.approx((alone.ratio, alone.p_value))
    assert found.interval == pytest.approx(alone.interval)


@pytest.mark.parametrize(
    ("first", "second", "ratio", "p_value"),
    [
        ([np.inf, 1, 1, 1, 1, 1, 1], [1, 2, 2, 2, 2, 2, 2], None, 23 / 64),
        ([np.inf] * 6, [1, 2, 3, 4, 5, 6], None, 2 / 64),
        ([1, 2, 3, 4, 5, 6], [np.inf] * 6, None, 2 / 64),
        ([np.inf] * 6, [np.inf] * 6, None, None),
        ([0] * 6, [0] * 6, None, None),
        ([0] * 6, [1, 2, 3, 4, 5, 6], 0.0, 2 / 64),
        ([1], [2], 0.5, None),
        ([np.nan], [2], None, None),
        ([], [], None, None),
    ],
)
def test_undefined_figures_are_none(first, second, ratio, p_value):
    found = of_two(np.array(first, float), np.array(second, float))
    assert found.ratio == (None if ratio is None else pytest.approx(ratio, rel=0.01))
    assert found.p_value == (None if p_value is None else pytest.approx(p_value))
    assert found.interval is None or np.isfinite(found.interval).all()
    if ratio is None or len(first) < 2:
        assert found.interval is None


def test_repeats_with_infinite_differences_both_ways_tie():
    found = of_two(np.array([np.inf, 1.0] * 6), np.array([1.0, np.inf] * 6), np.repeat(np.arange(6), 2))
    assert (found.ratio, found.interval, found.p_value) == (None, None, None)
