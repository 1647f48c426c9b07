"""Scores of single backends, against examples worked out by hand and against NumPy and SciPy."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import gmean

from nonocsp.bench.scoring import Score, score_all, scores
from tests.bench.scoring.tables import row, rows_of, runs_of, tables

NO_LIMIT = {"wall": None, "cpu": None, "memory": None}


def of_one(table: str, **options: float | None) -> Score:
    (score,) = scores(runs_of(table, **options))
    return score


def test_the_counts_add_up() -> None:
    endings = [
        *(("unique", "ok"), ("multiple", "ok"), ("unsat", "ok"), ("partial", "ok")),
        *(("solved", "wall"), ("unknown", "cpu"), ("unknown", "memory"), ("unknown", "crashed")),
    ]
    (result,) = score_all(row(answer, 1.0, ended, index=i) for i, (answer, ended) in enumerate(endings))
    assert (result.runs, result.decided, result.timeouts, result.failed) == (8, 3, 2, 2)
    assert (result.unique, result.multiple, result.unsat, result.solved, result.partial) == (1, 1, 1, 1, 1)


EXAMPLE = """
         a  b  c  d  e  f  g  h
    sat  1  2  3  T  T  M  M  P
"""


def test_par_counts_every_undecided_run_as_two_or_ten_limits() -> None:
    result = of_one(EXAMPLE)
    assert result.par2_s == (1 + 2 + 3 + 5 * 20) / 8
    assert result.par10_s == (1 + 2 + 3 + 5 * 100) / 8


def test_the_penalty_of_each_run_depends_on_its_own_limit() -> None:
    limits = [NO_LIMIT | {"wall": wall} for wall in (1.0, 5.0)]
    (result,) = score_all(row("unknown", wall_s=0.1, termination="crashed", limits=each) for each in limits)
    assert result.par2_s == (2 + 10) / 2


def test_the_shifted_geometric_mean_counts_a_time_out_as_its_limit() -> None:
    result = scores(runs_of("a b c\nsat 1 3 T", limit_s=7.0), shift_s=1.0)[0]
    assert result.shifted_mean_s == pytest.approx((2 * 4 * 8) ** (1 / 3) - 1)


def test_quantiles_count_an_undecided_run_as_its_limit() -> None:
    result = of_one("a b c d e\nsat 1 2 4 T M")
    assert (result.p25_s, result.median_s, result.p75_s, result.max_s) == (2.0, 4.0, 10.0, 10.0)
    assert result.p5_s == pytest.approx(1.2)
    assert result.p95_s == pytest.approx(10.0)


def test_the_total_is_the_sum_of_the_run_times() -> None:
    assert of_one("a b c d\nsat 1 2 T M").total_s == pytest.approx(1 + 2 + 10.01 + 0.25)


def test_figures_that_are_infinite_without_a_limit_are_none() -> None:
    decided = of_one("a b c\nsat 1 2 4", limit_s=None)
    assert None not in (decided.par2_s, decided.par10_s, decided.shifted_mean_s, decided.p95_s)
    result = of_one("a b c d e\nsat 1 2 4 P P", limit_s=None)
    assert {result.par2_s, result.par10_s, result.shifted_mean_s, result.p95_s, result.max_s} == {None}
    assert (result.p25_s, result.median_s) == (2.0, 4.0)


def test_a_backend_is_scored_over_its_own_runs_and_says_how_many_are_missing() -> None:
    first, second = score_all(rows_of("a b c\nsat 1 2 3\ncpsat . 4 ."))
    assert [(first.runs, first.missing), (second.runs, second.missing)] == [(3, 0), (1, 2)]
    assert (first.par2_s, second.par2_s) == (2.0, 4.0)


@given(tables())
def test_figures_agree_with_numpy_and_scipy(table: str) -> None:
    runs = runs_of(table)
    for b, score in enumerate(scores(runs, shift_s=0.5)):
        ran = runs.has_run[b]
        decided, wall_s = runs.is_decided[b, ran], runs.wall_s[b, ran]
        times = np.where(decided, wall_s, 10.0)
        assert score.shifted_mean_s == pytest.approx(gmean(times + 0.5) - 0.5, abs=1e-12)
        assert score.par2_s == pytest.approx(np.where(decided, wall_s, 20.0).mean())
        assert score.par10_s == pytest.approx(np.where(decided, wall_s, 100.0).mean())
        shown = [score.p5_s, score.p25_s, score.median_s, score.p75_s, score.p95_s, score.max_s]
        assert shown == pytest.approx(np.quantile(times, [0.05, 0.25, 0.5, 0.75, 0.95, 1.0]))


@given(tables())
def test_the_order_of_rows_changes_nothing_but_the_order_of_backends(table: str) -> None:
    rows = rows_of(table)
    one, other = ({s.backend: s for s in score_all(each)} for each in (rows, rows[::-1]))
    assert one.keys() == other.keys()
    for backend, score in one.items():
        assert _rounded(score) == _rounded(other[backend])


def _rounded(score: Score) -> Score:
    """Sums of floats depend on their order in the last digits."""
    return replace(
        score,
        **{
            name: value if value is None else float(f"{value:.9g}")
            for name in score.__slots__
            if isinstance(value := getattr(score, name), float)
        },
    )


@given(tables())
def test_scores_never_contain_nan_or_inf(table: str) -> None:
    for limit_s in (None, 10.0):
        for score in scores(runs_of(table, limit_s)):
            figures = [getattr(score, name) for name in score.__slots__]
            assert all(math.isfinite(f) for f in figures if isinstance(f, float))


def test_a_campaign_without_rows_has_no_scores() -> None:
    assert score_all([]) == []


def test_a_backend_without_runs_has_no_figures() -> None:
    runs = runs_of("a b\nsat 1 .\ncpsat . 2").of_instances(np.array([0]))
    absent = scores(runs)[1]
    assert (absent.runs, absent.missing, absent.borda) == (0, 1, 0.0)
    assert {absent.par2_s, absent.median_s, absent.max_s, absent.shifted_mean_s} == {None}
