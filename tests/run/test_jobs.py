"""Jobs and measurements arrive unchanged in another process."""

from __future__ import annotations

import dataclasses

from nonocsp.backends.base import Answer, Limits, Outcome, Request, Task, Termination
from nonocsp.model import Grid, Puzzle
from nonocsp.run.jobs import (
    Conditions,
    Job,
    Measurement,
    decode_job,
    decode_measurement,
    encode_job,
    encode_measurement,
)
from nonocsp.run.provenance import Provenance

COLOURED = Puzzle.from_clues([[(1, 1), (1, 2)], [(1, 3)]], [[(1, 1)], [(1, 2)], [(1, 3)]])


def test_a_measurement_arrives_unchanged() -> None:
    outcome = Outcome(
        Answer.UNKNOWN,
        Termination.CRASHED,
        solutions=(Grid.from_cells([[1, 2, 0], [0, 0, 3]]),),
        stats={"nodes": 3, "depth": 1.5, "rule": "<&>"},
        wall_s=0.1 + 0.2,
        cpu_s=1e-9,
        message="two\nlines",
        wrong=True,
    )
    seen = Conditions("2026-01-02T03:04:05.678+00:00", [1, 3], 0.5, None, "here")
    measurement = Measurement(
        outcome,
        123,
        "dask",
        reliable=True,
        conditions=seen,
        claimed_wall_s=0.25,
        left=("process 7",),
        provenance=Provenance({"python": "3.13"}, "a machine", "0123456789abcdef"),
    )
    line = encode_measurement(measurement, COLOURED)
    assert b"\n" not in line
    assert decode_measurement(line, COLOURED.palette, "dask", measurement.provenance) == measurement


def test_a_job_arrives_without_the_goal_and_metadata_of_its_puzzle() -> None:
    puzzle = dataclasses.replace(COLOURED, title="flag", goal=Grid.from_cells([[1, 2, 0], [0, 0, 3]]))
    request = Request(Task.COUNT, Limits(wall=1.5, memory=1 << 30), seed=7, bound=9)
    job = decode_job(encode_job(Job(puzzle, "sat:solver=cadical195", request, id="mine")))
    assert (job.backend, job.request, job.id) == ("sat:solver=cadical195", request, "")
    assert job.puzzle.canonical_hash == puzzle.canonical_hash
    assert (job.puzzle.goal, job.puzzle.title) == (None, "")


def test_the_jobs_of_one_puzzle_differ_in_all_but_the_puzzle() -> None:
    other = Puzzle.from_clues([[1]], [[1]])
    asked = [(COLOURED, "sat"), (COLOURED, "hybrid"), (other, "hybrid"), (COLOURED, "sat")]
    came = [decode_job(encode_job(Job(puzzle, backend, Request()))) for puzzle, backend in asked]
    assert [(job.puzzle.canonical_hash, job.backend) for job in came] == [
        (puzzle.canonical_hash, backend) for puzzle, backend in asked
    ]
