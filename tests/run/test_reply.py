"""Jobs and replies arrive unchanged, and nothing that a reply says is believed."""

import json
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from nonocsp.backends.base import Answer, Limits, Outcome, Request, Task, Termination
from nonocsp.model import Grid, Puzzle
from nonocsp.run.jobs import Job, decode_job, encode_job
from nonocsp.run.reply import MAX_MESSAGE, decode_reply, encode_reply

COLOURED = Puzzle.from_clues([[(1, 1), (1, 2)], [(1, 3)]], [[(1, 1)], [(1, 2)], [(1, 3)]])
DOTS = Puzzle.from_clues([[1]] * 3, [[1]] * 3)
COUNT = Request(Task.COUNT, Limits(wall=1.0))
PERMUTATIONS = [
    Grid.from_cells(np.eye(3, dtype=int)[[*order]]) for order in [(0, 1, 2), (0, 2, 1), (1, 0, 2), (2, 1, 0)]
]
SETS = st.integers(1, 2 ** len(COLOURED.palette) - 1)
HEADER = {
    "answer": "multiple",
    "termination": "ok",
    "message": "",
    "wrong": False,
    "stats": {},
    "wall_s": 0.5,
    "cpu_s": 0.25,
    "solutions": 2,
    "partial": False,
    "count": None,
    "count_at_least": 2,
}
GRIDS = encode_reply(Outcome(Answer.MULTIPLE, Termination.OK, tuple(PERMUTATIONS[:2])), DOTS).partition(
    b"\n"
)[2]


def reply(grids: bytes = GRIDS, **changes: Any) -> bytes:
    return json.dumps(HEADER | changes).encode() + b"\n" + grids


@given(arrays(np.uint64, (2, 3), elements=SETS))
def test_a_partial_grid_keeps_every_candidate_set(candidates):
    if Grid(candidates).is_full:
        candidates[0, 0] = 3
    outcome = Outcome(Answer.PARTIAL, Termination.OK, partial=Grid(candidates), stats={"a": 1, "b": "c"})
    assert decode_reply(encode_reply(outcome, COLOURED), COLOURED, Request()).outcome == outcome


@pytest.mark.parametrize(
    ("puzzle", "grids"),
    [
        (DOTS, PERMUTATIONS),
        (COLOURED, [Grid.from_cells([[1, 2, 0], [0, 0, 3]])]),
        (Puzzle.from_clues([[1]], [[1]]), [Grid.from_cells([[1]])]),
    ],
)
def test_solutions_arrive_unchanged(puzzle, grids):
    answer = Answer.MULTIPLE if len(grids) > 1 else Answer.UNIQUE
    stats = {"nodes": 3, "depth": 1.5, "rule": "<&>"}
    number = len(grids)
    outcome = Outcome(answer, Termination.OK, tuple(grids), stats=stats, count=number, count_at_least=number)
    assert decode_reply(encode_reply(outcome, puzzle), puzzle, COUNT).outcome == outcome


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"answer": "unique"}, "answer unique"),
        ({"answer": "perhaps"}, "perhaps"),
        ({"answer": []}, "Expected `str`"),
        ({"answer": "unsat", "solutions": 0, "grids": b"", "termination": "wall"}, "answer unsat"),
        ({"answer": "unknown", "solutions": 0, "grids": b""}, "answer unknown"),
        ({"answer": "partial", "solutions": 0, "grids": b""}, "answer partial"),
        ({"answer": "partial", "solutions": 0, "partial": True, "grids": b"\4" * 72}, "without a colour"),
        (
            {"answer": "partial", "solutions": 0, "partial": True, "grids": (b"\1" + bytes(7)) * 9},
            "answer partial",
        ),
        ({"termination": "cpu"}, "which a run cannot report"),
        ({"proved": True}, "a proof of answer multiple"),
        ({"wrong": True}, "a wrong grid that is no crash"),
        ({"wrong": 1}, "Expected `bool`"),
        ({"solutions": 3}, "bytes of grids"),
        ({"solutions": 10**9}, "at most 1000"),
        ({"message": "x" * (MAX_MESSAGE + 1)}, "message"),
        ({"message": "\ud800"}, "surrogate"),
        ({"stats": {"trace": [1, 2]}}, "'trace' is a value of type list"),
        ({"stats": {"n": 1e999}}, "JSON is malformed"),
        ({"stats": {"n": 1 << 63}}, "a finite number of at most 64 bits"),
        ({"count": "7"}, "Expected `int . null`"),
        ({"wall_s": "1"}, "Expected `float . null`"),
        ({"count": -1}, "a number of solutions is negative"),
        ({"count_at_least": 10**4000}, "a number of solutions is negative, or has more than 4000 digits"),
        ({"count": 10**50, "count_at_least": 2}, "numbers of solutions that do not fit 2 in task count"),
        ({"count_at_least": 1}, "numbers of solutions that do not fit 2"),
    ],
)
def test_a_reply_that_cannot_be_true_is_refused_with_the_reason(changes, said):
    with pytest.raises(ValueError, match=said):
        decode_reply(reply(**changes), DOTS, COUNT)


@pytest.mark.parametrize(
    ("task", "answer", "solutions", "is_accepted"),
    [
        (Task.SOLVE, "solved", 1, True),
        (Task.SOLVE, "unsat", 0, True),
        (Task.SOLVE, "unique", 1, False),
        (Task.SOLVE, "multiple", 2, False),
        (Task.DECIDE, "unique", 1, True),
        (Task.DECIDE, "multiple", 2, True),
        (Task.DECIDE, "multiple", 3, False),
        (Task.DECIDE, "solved", 2, False),
    ],
)
def test_a_task_allows_only_its_own_answers(task, answer, solutions, is_accepted):
    outcome = Outcome(Answer(answer), Termination.OK, tuple(PERMUTATIONS[:solutions]))
    with nullcontext() if is_accepted else pytest.raises(ValueError, match="solutions"):
        assert decode_reply(encode_reply(outcome, DOTS), DOTS, Request(task)).outcome.answer == answer


@pytest.mark.parametrize("said", [b"", b"noise", b"[1]\n", b"{}\n", b"\xff\xfe\n", b"[" * 100_000 + b"\n"])
def test_bytes_that_are_no_reply_are_refused(said):
    with pytest.raises(ValueError):
        decode_reply(said, DOTS, COUNT)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just("ok"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)


@given(st.binary(max_size=200) | st.just(GRIDS), st.dictionaries(st.sampled_from([*HEADER]), JSON))
def test_no_bytes_break_the_decoder_and_what_it_accepts_can_be_encoded(grids, changes):
    try:
        outcome = decode_reply(reply(grids, **changes), DOTS, COUNT).outcome
    except ValueError:
        return
    again = decode_reply(encode_reply(outcome, DOTS), DOTS, COUNT).outcome
    assert (again.answer, again.solutions, again.stats) == (outcome.answer, outcome.solutions, outcome.stats)


def test_a_job_arrives_without_the_goal_and_metadata_of_its_puzzle():
    puzzle = replace(COLOURED, title="flag", goal=Grid.from_cells([[1, 2, 0], [0, 0, 3]]))
    request = Request(Task.COUNT, Limits(wall=1.5, memory=1 << 30), seed=7, bound=9)
    for sent, backend in [(puzzle, "sat:solver=cadical195"), (puzzle, "hybrid"), (DOTS, "hybrid")]:
        job = decode_job(encode_job(Job(sent, backend, request, id="mine")))
        assert (job.backend, job.request, job.id) == (backend, request, "")
        assert job.puzzle.canonical_hash == sent.canonical_hash
        assert (job.puzzle.goal, job.puzzle.title) == (None, "")
