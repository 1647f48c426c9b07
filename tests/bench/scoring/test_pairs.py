"""Pairs of backends, against examples worked out by hand and against properties that any comparison has."""

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.stats import wilcoxon

from nonocsp.bench.scoring import Runs, pairwise
from tests.bench.scoring.tables import runs_of, tables


def test_wins_losses_and_ties_are_counted():
    (pair,) = pairwise(
        runs_of("""
                cat  owl  fox  elk  hen  bat  cat
        quick   1    T    3    T    5    .    2
        slow    2    4    3    M    P    6    1
    """)
    )
    assert (pair.first, pair.second, pair.instances, pair.puzzles) == ("quick", "slow", 6, 5)
    assert (pair.wins, pair.losses, pair.ties) == (2, 2, 2)
    (pair,) = pairwise(runs_of("cat owl\nlate 10.02 1\nnever T 2"))  # within the grace period
    assert (pair.wins, pair.losses, pair.ties) == (2, 0, 0)


def test_ratio_and_test_count_an_undecided_run_as_its_limit():
    table = """
                a    b    c    d    e    f    g
        quick   1    2    T    4    .5   M    .25
        slow    2    3    9    T    1    T    1
    """
    (pair,) = pairwise(runs_of(table), shift_s=1.0)
    first, second = np.array([1, 2, 10, 4, 0.5, 10, 0.25]), np.array([2, 3, 9, 10, 1, 10, 1])
    means = [np.prod(times + 1) ** (1 / 7) - 1 for times in (first, second)]
    assert pair.ratio == pytest.approx(means[0] / means[1])
    logs = np.log(first + 1) - np.log(second + 1)
    assert pair.p_value == pytest.approx(wilcoxon(logs, zero_method="pratt").pvalue)
    assert pair.interval is not None
    assert pair.interval[0] < pair.ratio < 1.2


def test_there_is_no_figure_where_there_is_nothing_to_compare():
    assert pairwise(Runs.of([])) == pairwise(runs_of("cat owl\nonly T 2")) == []
    (pair,) = pairwise(runs_of("cat owl\na 1 .\nb . 2"))
    assert (pair.instances, pair.puzzles, pair.ratio, pair.interval, pair.p_value) == (0, 0, None, None, None)
    (pair,) = pairwise(runs_of("a b c d e f\nfast 1 1 1 1 1 1\nstuck P P P P P 2", limit_s=None))
    assert (pair.wins, pair.ratio, pair.interval, pair.p_value) == (
        6,
        None,
        None,
        2 / 64,
    )  # the order is known
    (pair,) = pairwise(runs_of("a b c d e f\nx T M P T M P\ny T P M M T P"))
    assert (pair.ties, pair.ratio, pair.interval, pair.p_value) == (6, 1.0, (1.0, 1.0), None)


@settings(max_examples=40)
@given(tables(columns=6))
def test_swapping_a_pair_swaps_wins_and_losses_and_the_order_of_instances_does_not_matter(table):
    runs = runs_of(table)
    backwards = runs.of_backends(np.arange(len(runs.backends))[::-1])
    backwards = backwards.of_instances(np.arange(len(runs.instances))[::-1])
    mirrored = {(pair.second, pair.first): pair for pair in pairwise(backwards)}
    for pair in pairwise(runs):
        other = mirrored[pair.first, pair.second]
        assert (pair.wins, pair.losses, pair.ties) == (other.losses, other.wins, other.ties)
        assert (pair.instances, pair.puzzles) == (other.instances, other.puzzles)
        assert pair.p_value == pytest.approx(other.p_value)
        if pair.ratio and other.ratio:
            assert pair.ratio * other.ratio == pytest.approx(1.0)
