"""Executor benchexec beyond the contract: what its containers may use; its error messages."""

import json
import socket
import sys

import pytest

from nonocsp.backends.base import Answer, Limits, Request
from nonocsp.model import Puzzle, UsageError
from nonocsp.run import benchexec, create
from nonocsp.run.jobs import Access, Executor, Job, Measurement
from tests.waiting import AMPLE_S

pytestmark = pytest.mark.usefixtures("unruly")

DOTS = Puzzle.from_clues([[1]] * 3, [[1]] * 3)
MIB = 2**20
REACH = """import os, socket, sys
def works(use, *given):
    try:
        use(*given)
    except OSError:
        return "."
    return "#"
folder, port = sys.argv[1:]
fixed = works(open, folder + "/file", "w"), works(socket.create_connection, ("127.0.0.1", int(port)), 1)
private = works(open, os.environ["TMPDIR"] + "/file", "w")
print("".join([*fixed, private]))
"""


@pytest.fixture(scope="module")
def real():
    """Skip a test that needs containers."""
    if problem := benchexec.benchexec_problem():
        pytest.skip(problem)


def measure(executor: Executor, backend: str, puzzle: Puzzle = DOTS) -> Measurement:
    limits = Limits(wall=AMPLE_S, memory=500 * MIB)
    ((_, measurement),) = executor.run([Job(puzzle, backend, Request(limits=limits))])
    return measurement


def program(*command: str) -> str:
    return json.dumps({"name": "program", "command": [sys.executable, "-c", *command], "input": "nin"})


def test_a_run_is_measured_on_its_own_cores(real):
    with create("benchexec", 1, pin=True) as executor:
        found = measure(executor, "brute")
    assert (found.outcome.answer, found.executor) == (Answer.MULTIPLE, "benchexec")
    assert found.conditions.cores is not None


def test_runs_reach_no_file_and_no_network_unless_they_may(real, tmp_path):
    clues = Puzzle.from_clues([[1]], [[], [], [1]]), Puzzle.from_clues([[3]], [[1]] * 3)
    with socket.create_server(("127.0.0.1", 0)) as server:
        reach = program(REACH, str(tmp_path), str(server.getsockname()[1]))
        for access, puzzle in zip((Access(), Access(True, (str(tmp_path),))), clues, strict=True):
            with create("benchexec", 1, access=access) as executor:
                assert measure(executor, reach, puzzle=puzzle).outcome.solutions
    assert (tmp_path / "file").exists()


@pytest.mark.parametrize("options", [{"name": "fork"}, {"name": "dask", "inner": "warm"}])
def test_only_containers_take_access(options):
    with pytest.raises(UsageError, match="only executor benchexec isolates runs"):
        create(options.pop("name"), 1, access=Access(network=True), **options)


def test_the_errors_say_what_to_do(monkeypatch):
    with pytest.raises(UsageError, match="executor cgroup is now called benchexec"):
        create("cgroup", 1)
    monkeypatch.setattr("nonocsp.extras.find_spec", lambda name: object())
    monkeypatch.setattr(benchexec, "_CHECK", [sys.executable, "-c", "import sys; sys.exit('x - Forbidden.')"])
    benchexec.benchexec_problem.cache_clear()
    with pytest.raises(UsageError, match="cannot be used here: Forbidden; allow user namespaces"):
        create("benchexec", 1)
    benchexec.benchexec_problem.cache_clear()
    monkeypatch.setattr("nonocsp.extras.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'nonocsp\[benchexec\]'"):
        create("benchexec", 1)
