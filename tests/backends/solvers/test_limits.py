"""Backends around other solvers in processes of their own: answers, limits of CPU time and memory, kills."""

from __future__ import annotations

from collections.abc import Iterator

import psutil
import pytest

from nonocsp.backends.base import Answer, Limits, Request, Termination
from nonocsp.backends.registry import create as create_backend
from nonocsp.datasets.random_images import random_set
from nonocsp.model import BackendError, Puzzle
from nonocsp.run import Executor, create
from nonocsp.run.jobs import Job
from nonocsp.testing import n_dom
from tests.waiting import AMPLE_S

SPECS = ("asp", "milp", "cpmpy", "minizinc")


def available() -> Iterator[object]:
    for spec in SPECS:
        try:
            create_backend(spec)
        except BackendError as error:
            yield pytest.param(spec, marks=pytest.mark.skip(reason=str(error)))
        else:
            yield spec


@pytest.fixture(scope="module", params=["fork", "warm"])
def executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    with create(request.param, 1) as executor:
        yield executor


def hard() -> Puzzle:
    (puzzle,) = random_set(2017, count=1, rows=60, columns=60, density=0.5)
    return puzzle


@pytest.mark.slow
@pytest.mark.parametrize("spec", list(available()))
def test_a_solver_answers_and_obeys_its_limits(executor: Executor, spec: str) -> None:
    requests = [
        (n_dom(3), Limits(wall=AMPLE_S)),
        (hard(), Limits(cpu=0.5, wall=AMPLE_S)),
        (hard(), Limits(memory=24 << 20, wall=AMPLE_S)),
        (hard(), Limits(wall=0.5)),
        (n_dom(3), Limits(wall=AMPLE_S)),
    ]
    jobs = [Job(puzzle, spec, Request(limits=limits)) for puzzle, limits in requests]
    measured = [one for _, one in executor.run(jobs)]
    ends = [one.outcome.termination for one in measured]
    assert ends == [Termination.OK, Termination.CPU, Termination.MEMORY, Termination.WALL, Termination.OK]
    assert measured[0].outcome.answer is measured[-1].outcome.answer is Answer.UNIQUE
    assert measured[1].outcome.cpu_s >= 0.5
    assert measured[3].outcome.wall_s >= 0.5
    running = [process.name() for process in psutil.Process().children(recursive=True)]
    assert not [name for name in running if "minizinc" in name or "gecode" in name]
