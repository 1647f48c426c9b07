"""The matrix of runs says what the rows say."""

import itertools
import math

import numpy as np
import pytest

from nonocsp.backends.base import Answer, Termination
from nonocsp.bench.scoring import Runs, is_decided
from nonocsp.bench.scoring.runs import ANSWERS, TERMINATIONS
from tests.bench.scoring.tables import row, runs_of

LIMITS = {"wall": 10.0, "cpu": None, "memory": None}


@pytest.mark.parametrize(
    ("task", "answers"),
    [
        ("solve", {"solved", "unique", "multiple", "unsat"}),
        ("decide", {"unique", "multiple", "unsat"}),
        ("count", {"unique", "multiple", "unsat"}),
    ],
)
def test_a_run_is_decided_if_its_answer_completes_its_task(task, answers):
    endings = list(itertools.product(map(str, Answer), map(str, Termination)))
    rows = [row(answer, 1.0, end, task=task, repeat=n) for n, (answer, end) in enumerate(endings)]
    runs = Runs.of(rows)
    expected = [end == "ok" and answer in answers for answer, end in endings]
    assert [is_decided(entry) for entry in rows] == runs.is_decided[0].tolist() == expected
    kept = zip(runs.answer[0], runs.termination[0], strict=True)
    assert [(ANSWERS[answer], TERMINATIONS[end]) for answer, end in kept] == endings


def test_a_table_of_runs_and_a_part_of_it():
    runs = runs_of("""
              cat  owl  cat
        fast  1    T    2
        slow  .    3    P
    """)
    assert runs.backends == ("fast", "slow")
    assert [(i.puzzle, i.repeat) for i in runs.instances] == [("cat", 0), ("owl", 0), ("cat", 1)]
    assert runs.puzzle_of.tolist() == [0, 1, 0]
    np.testing.assert_array_equal(runs.wall_s, [[1.0, 10.01, 2.0], [math.nan, 3.0, 0.25]])
    np.testing.assert_array_equal(runs.is_decided, [[True, False, True], [False, True, False]])
    np.testing.assert_array_equal(runs.cost_s(2.0), [[1.0, 20.0, 2.0], [math.nan, 3.0, 20.0]])
    np.testing.assert_array_equal(runs.censored_s, [[1.0, 10.0, 2.0], [math.nan, 3.0, 10.0]])
    part = runs.of_instances(np.array([2, 0])).of_backends(runs.has_run.all(axis=1))
    assert (part.backends, part.wall_s.tolist()) == (("fast",), [[2.0, 1.0]])
    assert [(instance.puzzle, instance.repeat) for instance in part.instances] == [("cat", 1), ("cat", 0)]


@pytest.mark.parametrize(
    ("change", "instances"),
    [
        ({"puzzle_hash": "other"}, 2),
        ({"puzzle": "other"}, 2),
        ({"seed": 1}, 2),
        ({"repeat": 1}, 2),
        ({"task": "solve"}, 2),
        ({"limits": LIMITS | {"wall": 5.0}}, 2),
        ({"limits": LIMITS | {"wall": None}}, 2),
        ({"bound": 5}, 1),  # no solutions are counted
        ({"wall_s": 2.0}, 1),
    ],
)
def test_different_requests_are_different_instances(change, instances):
    assert len(Runs.of([row(), row(**change)]).instances) == instances


def test_the_bound_matters_where_solutions_are_counted_and_the_last_row_of_a_run_counts():
    assert len(Runs.of([row(task="count"), row(task="count", bound=5)]).instances) == 2
    assert Runs.of([row(wall_s=1.0), row(wall_s=2.0)]).wall_s.tolist() == [[2.0]]


@pytest.mark.parametrize(
    ("taken", "limit_s"),
    [
        ([(4.0, 4.0), (None, 2.0)], 10.0),
        ([(4.0, 4.0), (12.0, 2.0)], 12.0),
        ([(4.0, 4.5), (4.0, 2.0)], 4.5),
        ([(None, 10.0), (None, 80.0)], 80.0),
        ([(None, 10.0), (None, math.nan)], 10.0),
    ],
)
def test_by_cpu_time_the_limit_is_that_of_the_longest_run(taken, limit_s):
    rows = [
        row("unknown", 1.0, "cpu", backend=f"b{b}", cpu_s=cpu_s, limits=LIMITS | {"cpu": cpu})
        for b, (cpu, cpu_s) in enumerate(taken)
    ]
    for some in itertools.permutations(rows):
        runs = Runs.of(some).compared_by("cpu")
        assert {*runs.cost_s(2.0)[runs.has_run]} == {2 * limit_s}
        parts = runs, runs.of_backends(np.array([1])), runs.chosen("virtual", np.array([0]))
        assert [part.limit_s.tolist() for part in parts] == [[limit_s]] * 3


def test_by_cpu_time_every_instance_has_its_own_limit_and_one_without_limits_has_none():
    limits = [LIMITS, LIMITS | {"cpu": 3.0}, LIMITS | {"wall": None}]
    rows = [row(puzzle=f"p{n}", puzzle_hash=f"p{n}", cpu_s=1.0, limits=each) for n, each in enumerate(limits)]
    runs = Runs.of(rows).compared_by("cpu")
    assert runs.limit_s.tolist() == [10.0, 3.0, math.inf]
    assert runs.of_instances(np.array([2, 1])).limit_s.tolist() == [math.inf, 3.0]
