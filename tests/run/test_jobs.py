"""Jobs arrive unchanged in another process."""

from __future__ import annotations

import dataclasses

from nonocsp.backends.base import Limits, Request, Task
from nonocsp.model import Grid, Puzzle
from nonocsp.run.jobs import Job, decode_job, encode_job

COLOURED = Puzzle.from_clues([[(1, 1), (1, 2)], [(1, 3)]], [[(1, 1)], [(1, 2)], [(1, 3)]])


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
