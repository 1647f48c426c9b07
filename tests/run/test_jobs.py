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
    other = Puzzle.from_clues([[1]], [[1]])
    for sent, backend in [(puzzle, "sat:solver=cadical195"), (puzzle, "hybrid"), (other, "hybrid")]:
        job = decode_job(encode_job(Job(sent, backend, request, id="mine")))
        assert (job.backend, job.request, job.id) == (backend, request, "")
        assert job.puzzle.canonical_hash == sent.canonical_hash
        assert (job.puzzle.goal, job.puzzle.title) == (None, "")
