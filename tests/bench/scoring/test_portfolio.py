"""The virtual best, the single best and contributions: worked out by hand, and by their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from nonocsp.bench.scoring import Runs, contributions, scores, single_best, virtual_best
from nonocsp.bench.scoring.runs import ANSWERS
from tests.bench.scoring.tables import runs_of, tables, threaded_runs_of

EXAMPLE = """
            cat   owl   fox   elk
    quick   1     T     4     M
    slow    3     2     4     T
    other   T     9     .     T
"""


def test_the_virtual_best_has_the_fastest_decided_run_of_each_instance() -> None:
    best = virtual_best(runs_of(EXAMPLE))
    assert best.backends == ("virtual best",)
    assert best.wall_s.tolist() == [[1.0, 2.0, 4.0, 0.25]]
    assert best.is_decided.tolist() == [[True, True, True, False]]
    assert scores(best)[0].par2_s == (1 + 2 + 4 + 20) / 4


def test_the_contribution_of_each_backend_to_the_virtual_best_is_computed() -> None:
    quick, slow, other = contributions(runs_of(EXAMPLE))
    assert (quick.fastest, quick.alone, quick.contribution_s) == (1, 0, 2 / 4)
    assert (slow.fastest, slow.alone, slow.contribution_s) == (1, 0, 7 / 4)
    assert (other.fastest, other.alone, other.contribution_s) == (0, 0, 0.0)


def test_a_backend_that_alone_decides_contributes_the_time_out_penalty() -> None:
    only, never = contributions(runs_of("cat owl\nonly 3 1\nnever T 2"))
    assert (only.fastest, only.alone, only.contribution_s) == (2, 1, (17 + 1) / 2)
    assert (never.fastest, never.alone, never.contribution_s) == (0, 0, 0.0)


def test_a_lone_backend_is_both_virtual_and_single_best() -> None:
    runs = runs_of("cat owl\nonly 3 T")
    assert virtual_best(runs).wall_s.tolist() == runs.wall_s.tolist()
    assert single_best(runs) == "only"
    (part,) = contributions(runs)
    assert (part.fastest, part.alone, part.contribution_s) == (1, 1, None)


def test_without_a_limit_a_backend_that_alone_decides_has_no_finite_contribution() -> None:
    only, never = contributions(runs_of("cat owl\nonly 3 1\nnever P 2", limit_s=None))
    assert (only.alone, only.contribution_s) == (1, None)
    assert never.contribution_s == 0.0


@pytest.mark.parametrize(
    ("table", "best"),
    [
        ("cat owl\na 1 9\nb 4 5", "b"),
        ("cat owl\na 1 T\nb 9 9", "b"),
        ("cat owl\na 1 .\nb 9 T", "b"),
        ("cat owl\na 5 5\nb 5 5", "a"),
        ("cat owl\na . 5\nb 5 .", None),
    ],
)
def test_the_single_best_has_the_least_par2_among_backends_that_ran_everything(
    table: str, best: str | None
) -> None:
    assert single_best(runs_of(table)) == best


def test_without_a_limit_the_single_best_decided_most_instances() -> None:
    assert single_best(runs_of("cat owl fox\na 1 P P\nb 9 9 P", limit_s=None)) == "b"


def test_by_cpu_time_a_backend_that_decides_nothing_does_not_beat_one_of_many_threads() -> None:
    runs = threaded_runs_of("a b c\nlazy T T T\nbusy 9 9 T", threads=8)
    lazy, busy = scores(runs)
    assert (lazy.par2_s, busy.par2_s) == pytest.approx(
        ((2 * 18 * 2 + 2 * 20.02) / 3, (2 * 18 + 2 * 20.02) / 3)
    )
    assert single_best(runs) == "busy"
    assert (lazy.contribution_s, busy.contribution_s) == pytest.approx((0.0, 2 * 18 / 3))


@given(tables())
def test_by_cpu_time_no_contribution_is_negative_and_no_backend_beats_the_virtual_best(table: str) -> None:
    runs = threaded_runs_of(table, threads=4)
    assert all(part.contribution_s is None or part.contribution_s >= 0.0 for part in contributions(runs))
    assert not (virtual_best(runs).cost_s(2.0) > runs.cost_s(2.0)).any()


def test_a_campaign_without_rows_has_no_best() -> None:
    runs = Runs.of([])
    assert single_best(runs) is None
    assert virtual_best(runs).backends == ()


@given(tables())
def test_the_virtual_best_is_no_worse_than_any_backend_anywhere(table: str) -> None:
    runs = runs_of(table)
    best = virtual_best(runs)
    assert (best.is_decided >= runs.is_decided).all()
    assert not (best.cost_s(2.0) > runs.cost_s(2.0)).any()
    assert set(best.answer[0]) <= set(runs.answer.flat) | {-1}
    assert all(ANSWERS[code] == "unique" for code in best.answer[0, best.is_decided[0]])


@given(tables())
def test_a_contribution_is_the_loss_of_the_virtual_best_without_the_backend(table: str) -> None:
    runs = runs_of(table)
    for b, part in enumerate(contributions(runs)):
        others = runs.of_backends(np.arange(len(runs.backends)) != b)
        met = others.has_run.any(axis=0)
        if not met.any():
            assert part.contribution_s is None
            continue
        with_it, without = (
            virtual_best(each.of_instances(met)).cost_s(2.0).mean() for each in (runs, others)
        )
        assert part.contribution_s == pytest.approx(without - with_it)


@given(tables())
def test_an_instance_decided_by_one_backend_alone_counts_as_its_fastest(table: str) -> None:
    runs = runs_of(table)
    decided = runs.is_decided.sum(axis=0)
    parts = contributions(runs)
    assert sum(part.alone for part in parts) == (decided == 1).sum()
    assert sum(part.fastest for part in parts) <= (decided > 0).sum()
    assert all(part.fastest >= part.alone for part in parts)
