"""Scores of each set, and by CPU time, against examples computed by hand."""

from __future__ import annotations

import pytest

from nonocsp.bench.scoring import Runs, pairwise, scores, set_scores
from nonocsp.bench.scoring.sets import BUDGET_S, set_of
from tests.bench.scoring.tables import LIMIT_S, row


def run(backend: str, puzzle: str, index: int, wall_s: float, answer: str = "solved", **rest: object) -> dict:
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
def test_the_set_of_a_puzzle_is_its_file_rule_or_folder(puzzle: str, name: str) -> None:
    assert set_of(puzzle) == name


def test_sets_are_scored_on_their_own_in_the_order_of_their_puzzles() -> None:
    late = {"termination": "wall", "answer": "unknown", "wall_s": LIMIT_S}
    rows = [
        run("a", "x#2", 2, 2.0), run("a", "x#1", 1, 1.0), run("a", "y#1", 1, 4.0),
        run("b", "x#1", 1, 3.0), run("b", "x#2", 2, 0.0) | late, run("b", "y#1", 1, 3.0),
    ]  # fmt: skip
    found = {(score.set, score.backend): score for score in set_scores(Runs.of(rows))}
    assert [(key, score.rank) for key, score in found.items()] == [
        (("x", "a"), 1), (("x", "b"), 2), (("y", "a"), 2), (("y", "b"), 1),
    ]  # fmt: skip
    assert [score.solved for score in found.values()] == [2, 1, 1, 1]
    assert [score.total_s for score in found.values()] == [3.0, 13.0, 4.0, 3.0]
    assert found["x", "b"].par2_s == (3.0 + 2 * LIMIT_S) / 2
    assert found["x", "b"].decided == 1


def test_what_comes_after_the_time_of_the_set_is_not_solved() -> None:
    slow = [run("slow", f"x#{i}", i, 9.0) for i in (1, 2, 3)]
    fast = [run("fast", f"x#{i}", i, seconds) for i, seconds in ((1, 20.0), (2, 1.0), (3, 0.5))]
    found = {score.backend: score for score in set_scores(Runs.of([*slow, *fast]))}
    budget = 3 * BUDGET_S
    assert (found["slow"].solved, found["slow"].total_s) == (2, pytest.approx(min(27.0, budget)))
    assert (found["fast"].solved, found["fast"].total_s) == (3, 21.5)
    assert (found["fast"].rank, found["slow"].rank) == (1, 2)


def test_a_solution_counts_even_if_the_run_was_cut_off_before_its_proof() -> None:
    rows = [run("a", "x#1", 1, 5.0, "solved", task="decide", termination="wall")]
    (found,) = set_scores(Runs.of(rows))
    assert (found.solved, found.decided) == (1, 0)


def test_repeats_count_with_their_mean_and_an_incomplete_set_has_no_rank() -> None:
    rows = [
        run("a", "x#1", 1, 1.0), run("a", "x#1", 1, 3.0, repeat=1), run("b", "x#1", 1, 1.5),
    ]  # fmt: skip
    a, b = set_scores(Runs.of(rows))
    assert (a.rank, a.solved, a.total_s, a.runs) == (1, 1.0, 2.0, 2)
    assert (b.rank, b.runs) == (None, 1)


def test_by_cpu_time_every_score_is_about_cpu_time_and_its_limit() -> None:
    limits = {"wall": 10.0, "cpu": 4.0, "memory": None}
    rows = [
        run("threads", "x#1", 1, 1.0, cpu_s=8.0, limits=limits),
        run("threads", "x#2", 2, 4.0, "unknown", cpu_s=5.0, limits=limits, termination="cpu"),
        run("one", "x#1", 1, 2.0, cpu_s=2.0, limits=limits),
        run("one", "x#2", 2, 9.0, "unknown", cpu_s=1.0, limits=limits, termination="crashed"),
    ]
    wall = Runs.of(rows)
    cpu = wall.compared_by("cpu")
    assert [score.total_s for score in scores(wall)] == [5.0, 11.0]
    assert [score.total_s for score in scores(cpu)] == [13.0, 3.0]
    assert [score.par2_s for score in scores(wall)] == [(1.0 + 20.0) / 2, (2.0 + 20.0) / 2]
    assert [score.par2_s for score in scores(cpu)] == [(8.0 + 10.0) / 2, (2.0 + 10.0) / 2]
    assert (pairwise(wall)[0].wins, pairwise(cpu)[0].wins) == (1, 0)
    assert [score.borda for score in scores(cpu)] == [2.0 / 10.0, 8.0 / 10.0]
    assert set_scores(cpu)[1].total_s == 3.0
    assert (cpu.has_run == wall.has_run).all()
