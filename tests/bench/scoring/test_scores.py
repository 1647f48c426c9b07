"""Figures of backends and portfolios: worked out by hand, and against NumPy, SciPy and the rules."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import gmean

from nonocsp.bench import scoring
from nonocsp.bench.scoring import (
    Runs,
    Score,
    borda,
    contributions,
    scores,
    single_best,
    virtual_best,
)
from nonocsp.bench.scoring.runs import ANSWERS
from nonocsp.bench.scoring.sets import set_of
from tests.bench.scoring.tables import LIMIT_S, row, rows_of, runs_of, tables, threaded_runs_of

NO_LIMIT = {"wall": None, "cpu": None, "memory": None}
EXAMPLE = """
         a  b  c  d  e  f  g  h
    sat  1  2  3  T  T  M  M  P
"""


def of_one(table: str, **options: float | None) -> Score:
    (score,) = scores(runs_of(table, **options))
    return score


def test_the_counts_add_up():
    endings = [
        *(("unique", "ok"), ("multiple", "ok"), ("unsat", "ok"), ("partial", "ok")),
        *(("solved", "wall"), ("unknown", "cpu"), ("unknown", "memory"), ("unknown", "crashed")),
    ]
    (result,) = scores(Runs.of(row(answer, 1.0, ended, index=i) for i, (answer, ended) in enumerate(endings)))
    assert (result.runs, result.decided, result.timeouts, result.failed) == (8, 3, 2, 2)
    assert (result.unique, result.multiple, result.unsat, result.solved, result.partial) == (1, 1, 1, 1, 1)


def test_undecided_runs_count_as_multiples_of_their_own_limits():
    result = of_one(EXAMPLE)
    assert (result.par2_s, result.par10_s) == ((1 + 2 + 3 + 5 * 20) / 8, (1 + 2 + 3 + 5 * 100) / 8)
    assert result.total_s == pytest.approx(1 + 2 + 3 + 2 * 10.01 + 3 * 0.25)
    limits = [NO_LIMIT | {"wall": wall} for wall in (1.0, 5.0)]
    (result,) = scores(
        Runs.of(row("unknown", wall_s=0.1, termination="crashed", limits=each) for each in limits)
    )
    assert result.par2_s == (2 + 10) / 2
    result = scores(runs_of("a b c\nsat 1 3 T", limit_s=7.0), shift_s=1.0)[0]
    assert result.shifted_mean_s == pytest.approx((2 * 4 * 8) ** (1 / 3) - 1)


def test_figures_that_are_infinite_without_a_limit_are_none():
    decided = of_one("a b c\nsat 1 2 4", limit_s=None)
    assert None not in (decided.par2_s, decided.par10_s, decided.shifted_mean_s, decided.p95_s)
    result = of_one("a b c d e\nsat 1 2 4 P P", limit_s=None)
    assert {result.par2_s, result.par10_s, result.shifted_mean_s, result.p95_s, result.max_s} == {None}
    assert (result.p25_s, result.median_s) == (2.0, 4.0)


def test_a_backend_is_scored_over_its_own_runs_and_says_how_many_are_missing():
    first, second = scores(Runs.of(rows_of("a b c\nsat 1 2 3\ncpsat . 4 .")))
    assert [(first.runs, first.missing), (second.runs, second.missing)] == [(3, 0), (1, 2)]
    assert (first.par2_s, second.par2_s) == (2.0, 4.0)
    absent = scores(runs_of("a b\nsat 1 .\ncpsat . 2").of_instances(np.array([0])))[1]
    assert (absent.runs, absent.missing, absent.borda) == (0, 1, 0.0)
    assert {absent.par2_s, absent.median_s, absent.max_s, absent.shifted_mean_s} == {None}


def test_a_campaign_without_rows_has_no_scores_and_no_best():
    runs = Runs.of([])
    assert (scores(Runs.of([])), single_best(runs), virtual_best(runs).backends) == ([], None, ())


@given(tables())
def test_figures_agree_with_numpy_and_scipy(table):
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


def points(runs: Runs, one: int, other: int, instance: int) -> float:
    """Return what the challenge's rule gives a backend against another, written as it reads."""
    solved, time = runs.is_decided[:, instance], runs.wall_s[:, instance]
    if not solved[one] or not runs.has_run[other, instance]:
        return 0.0
    if not solved[other]:
        return 1.0
    return float(time[other] / (time[other] + time[one])) if time[other] + time[one] else 0.5


@given(tables())
def test_borda_points_follow_the_rule(table):
    runs = runs_of(table)
    expected = [0.0] * len(runs.backends)
    for one, other in permutations(range(len(runs.backends)), 2):
        expected[one] += sum(points(runs, one, other, i) for i in range(len(runs.instances)))
    assert borda(runs) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("table", "limit_s", "best"),
    [
        ("cat owl\na 1 9\nb 4 5", 10.0, "b"),
        ("cat owl\na 1 T\nb 9 9", 10.0, "b"),
        ("cat owl\na 1 .\nb 9 T", 10.0, "b"),
        ("cat owl\na 5 5\nb 5 5", 10.0, "a"),
        ("cat owl\na . 5\nb 5 .", 10.0, None),
        ("cat owl fox\na 1 P P\nb 9 9 P", None, "b"),  # the one that decided most
    ],
)
def test_the_single_best_ran_everything(table, limit_s, best):
    assert single_best(runs_of(table, limit_s)) == best


@given(tables(), st.booleans())
def test_the_virtual_best_is_beaten_nowhere_and_loses_each_contribution(table, by_cpu):
    runs = threaded_runs_of(table, threads=4) if by_cpu else runs_of(table)
    best, parts = virtual_best(runs), contributions(runs)
    assert (best.is_decided >= runs.is_decided).all()
    assert not (best.cost_s(2.0) > runs.cost_s(2.0)).any()
    assert all(ANSWERS[code] == "unique" for code in best.answer[0, best.is_decided[0]])
    decided = runs.is_decided.sum(axis=0)
    assert sum(part.alone for part in parts) == (decided == 1).sum()
    assert sum(part.fastest for part in parts) <= (decided > 0).sum()
    assert all(part.fastest >= part.alone for part in parts)
    for b, part in enumerate(parts):
        others = runs.of_backends(np.arange(len(runs.backends)) != b)
        met = others.has_run.any(axis=0)
        assert (part.contribution_s is None) is not met.any()
        assert part.contribution_s is None or part.contribution_s >= 0.0
        if met.any() and not by_cpu:  # without the backend, limits by CPU time may differ
            costs = (virtual_best(each.of_instances(met)).cost_s(2.0).mean() for each in (others, runs))
            assert part.contribution_s == pytest.approx(next(costs) - next(costs))


def run(backend: str, puzzle: str, index: int, wall_s: float, answer: str = "solved", **rest: Any) -> Any:
    asked = {"backend": backend, "puzzle": puzzle, "puzzle_hash": f"{puzzle} {index}", "index": index}
    return row(answer, wall_s, **({"task": "solve"} | asked | rest))


@pytest.mark.parametrize(
    ("puzzle", "name"),
    [
        ("datasets/tcga/tcga-2026.txt.gz#17", "datasets/tcga/tcga-2026.txt.gz"),
        ("random-5x5-0.5-seed1#2", "random-5x5-0.5-seed1"),
        ("pictures/cat.non", "pictures"),
        ("4-Dom", "single puzzles"),
    ],
)
def test_the_set_of_a_puzzle_is_its_file_rule_or_folder(puzzle, name):
    assert set_of(puzzle) == name


def test_a_set_is_named_by_the_stem_of_its_file_unless_two_have_the_same():
    puzzles = ("a/tcga-2026.txt.gz#1", "a/x.non#1", "b/x.txt#1", "random-5x5-0.5-seed1#1", "art/cat.non")
    found = scoring.set_scores(Runs.of([run("a", puzzle, 1, 1.0) for puzzle in puzzles]))
    assert [score.set for score in found] == [
        "tcga-2026",
        "a/x.non",
        "b/x.txt",
        "random-5x5-0.5-seed1",
        "art",
    ]


def test_sets_are_scored_on_their_own_in_the_order_of_their_puzzles():
    rows = [
        run("a", "x#2", 2, 2.0), run("a", "x#1", 1, 1.0), run("a", "y#1", 1, 4.0), run("b", "x#1", 1, 3.0),
        run("b", "x#2", 2, LIMIT_S, "unknown", termination="wall"), run("b", "y#1", 1, 3.0),
    ]  # fmt: skip
    found = {(score.set, score.backend): score for score in scoring.set_scores(Runs.of(rows))}
    assert {key: (score.rank, score.solved, score.total_s) for key, score in found.items()} == {
        ("x", "a"): (1, 2, 3.0), ("x", "b"): (2, 1, 13.0), ("y", "a"): (2, 1, 4.0), ("y", "b"): (1, 1, 3.0),
    }  # fmt: skip
    assert [*found] == [("x", "a"), ("x", "b"), ("y", "a"), ("y", "b")]
    assert (found["x", "b"].par2_s, found["x", "b"].decided) == ((3.0 + 2 * LIMIT_S) / 2, 1)


def test_a_set_counts_solutions_without_a_proof_the_mean_of_repeats_and_no_incomplete_set():
    (found,) = scoring.set_scores(
        Runs.of([run("a", "x#1", 1, 5.0, "solved", task="decide", termination="wall")])
    )
    assert (found.solved, found.decided) == (1, 0)
    rows = [run("a", "x#1", 1, 1.0), run("a", "x#1", 1, 3.0, repeat=1), run("b", "x#1", 1, 1.5)]
    a, b = scoring.set_scores(Runs.of(rows))
    assert (a.rank, a.solved, a.total_s, a.runs) == (1, 1.0, 2.0, 2)
    assert (b.rank, b.runs) == (None, 1)


def test_by_cpu_time_every_score_is_about_cpu_time_and_its_limit():
    limits = {"wall": 10.0, "cpu": 4.0, "memory": None}
    rows = [
        run("threads", "x#1", 1, 1.0, cpu_s=8.0, limits=limits),
        run("threads", "x#2", 2, 4.0, "unknown", cpu_s=5.0, limits=limits, termination="cpu"),
        run("one", "x#1", 1, 2.0, cpu_s=2.0, limits=limits),
        run("one", "x#2", 2, 9.0, "unknown", cpu_s=1.0, limits=limits, termination="crashed"),
    ]
    wall = Runs.of(rows)
    cpu = wall.compared_by("cpu")
    assert [(score.total_s, score.par2_s) for score in scores(wall)] == [(5.0, 21 / 2), (11.0, 22 / 2)]
    assert [(score.total_s, score.par2_s) for score in scores(cpu)] == [(13.0, 18 / 2), (3.0, 12 / 2)]
    assert (scoring.pairwise(wall)[0].wins, scoring.pairwise(cpu)[0].wins) == (1, 0)
    assert [score.borda for score in scores(cpu)] == [2.0 / 10.0, 8.0 / 10.0]
    assert scoring.set_scores(cpu)[1].total_s == 3.0
    assert (cpu.has_run == wall.has_run).all()
