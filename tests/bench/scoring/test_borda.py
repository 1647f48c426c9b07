"""Borda points, against examples worked out by hand and against the challenge's rule, written as it reads."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from hypothesis import given

from nonocsp.bench.scoring import Runs, borda
from tests.bench.scoring.tables import runs_of, tables


def test_three_backends_on_four_puzzles() -> None:
    runs = runs_of("""
                cat   owl   fox   elk
        quick   1     T     0     M
        slow    3     2     0     T
        other   T     2     1     .
    """)
    quick = (3 / 4 + 1) + 0 + (1 / 2 + 1) + 0
    slow = (1 / 4 + 1) + (1 + 2 / 4) + (1 / 2 + 1) + 0
    other = 0 + (1 + 2 / 4) + 0 + 0
    assert borda(runs) == pytest.approx([quick, slow, other])


def points(runs: Runs, one: int, other: int, instance: int) -> float:
    solved, time = runs.is_decided[:, instance], runs.wall_s[:, instance]
    if not solved[one] or not runs.has_run[other, instance]:
        return 0.0
    if not solved[other]:
        return 1.0
    return float(time[other] / (time[other] + time[one])) if time[other] + time[one] else 0.5


@given(tables())
def test_borda_points_follow_the_rule(table: str) -> None:
    runs = runs_of(table)
    expected = [0.0] * len(runs.backends)
    for one, other in permutations(range(len(runs.backends)), 2):
        expected[one] += sum(points(runs, one, other, i) for i in range(len(runs.instances)))
    assert borda(runs) == pytest.approx(expected)


@given(tables())
def test_an_instance_gives_a_point_for_every_pair_in_which_one_backend_decided(table: str) -> None:
    runs = runs_of(table)
    decided, ran = runs.is_decided, runs.has_run
    given_away = sum(
        int(((decided[i] | decided[j]) & ran[i] & ran[j]).sum())
        for i, j in combinations(range(len(runs.backends)), 2)
    )
    assert borda(runs).sum() == pytest.approx(given_away)
