"""Programs that tests write, and what becomes of them under the limits of a run."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from nonocsp.backends.base import Limits, Request, Task
from nonocsp.model import Puzzle
from nonocsp.run.inline import InlineExecutor
from nonocsp.run.jobs import Job, Measurement
from nonocsp.run.local import WarmExecutor

CAT = Puzzle.from_clues([[1, 1], [3], [1]], [[2], [2], [2]], title="cat")
"""Has one solution, `GRID`."""
GRID = ["#.#", "###", ".#."]
TWO = Puzzle.from_clues([[1], [1]], [[1], [1]], title="two solutions")

ENOUGH = Limits(wall=20)

Script = Callable[[str], str]
Measure = Callable[..., Measurement]


@pytest.fixture
def script(tmp_path) -> Script:
    def write(text: str) -> str:
        path = tmp_path / "program"
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return str(path)

    return write


@pytest.fixture(scope="module")
def enforcing() -> Iterator[WarmExecutor]:
    with WarmExecutor() as executor:
        yield executor


@pytest.fixture
def measure(script, enforcing) -> Measure:
    """Runs a shell script as a declared backend: in this process, or elsewhere under limits."""

    def run(
        text: str,
        puzzle: Puzzle = CAT,
        task: Task = Task.DECIDE,
        limits: Limits | None = None,
        **declared: Any,
    ) -> Measurement:
        if "command" not in declared:
            declared["command"] = [script(text), "{puzzle}"]
        spec = json.dumps({"name": "program", **declared})
        executor = enforcing if limits else InlineExecutor()
        ((_, measurement),) = executor.run([Job(puzzle, spec, Request(task, limits or ENOUGH))])
        return measurement

    return run
