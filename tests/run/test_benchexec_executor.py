"""Executor benchexec, where BenchExec makes containers; otherwise its error messages."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from nonocsp.backends.base import Answer, Limits, Request, Termination
from nonocsp.model import Puzzle, UsageError
from nonocsp.run import benchexec, create
from nonocsp.run.jobs import Access, Executor, Job, Measurement
from tests.waiting import AMPLE_S, wait_until

pytestmark = pytest.mark.usefixtures("unruly")

DOTS = Puzzle.from_clues([[1]] * 3, [[1]] * 3)
AMPLE = Limits(wall=AMPLE_S)
MIB = 2**20
SPIN = "import time, sys\nwhile time.process_time() < float(sys.argv[1]): pass\nprint('#..\\n.#.\\n..#')"
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
def real() -> None:
    """Skip a test that needs containers."""
    if problem := benchexec.benchexec_problem():
        pytest.skip(problem)


@pytest.fixture
def executor(real: None) -> Iterator[Executor]:
    with create("benchexec", 1) as executor:
        yield executor


def measure(executor: Executor, backend: str, limits: Limits = AMPLE, puzzle: Puzzle = DOTS) -> Measurement:
    ((_, measurement),) = executor.run([Job(puzzle, backend, Request(limits=limits))])
    return measurement


def program(*command: str) -> str:
    return json.dumps({"name": "program", "command": [sys.executable, "-c", *command], "input": "nin"})


@pytest.mark.parametrize(
    ("how", "limits", "termination", "says"),
    [
        ("hang", Limits(wall=0.3), Termination.WALL, "wall limit of 0.3 s"),
        ("spin", Limits(cpu=0.3, wall=30.0), Termination.CPU, "CPU limit of 0.3 s"),
        ("allocate", Limits(memory=200 * MIB, wall=30.0), Termination.MEMORY, "200 MiB"),
        ("segfault", AMPLE, Termination.CRASHED, "SIGSEGV"),
        ("close", AMPLE, Termination.CRASHED, "its last words: OSError"),
    ],
)
def test_a_run_ends_at_its_limits_or_says_how_it_crashed(
    executor: Executor, how: str, limits: Limits, termination: Termination, says: str
) -> None:
    bad = measure(executor, f"unruly:how={how}", limits)
    assert bad.outcome.termination is termination
    assert says in bad.outcome.message
    assert measure(executor, "brute").outcome.termination is Termination.OK


def test_a_run_is_measured_on_its_own_cores(real: None) -> None:
    with create("benchexec", 1, pin=True) as executor:
        found = measure(executor, "brute", Limits(wall=AMPLE_S, memory=500 * MIB))
    assert (found.outcome.answer, found.executor) == (Answer.MULTIPLE, "benchexec")
    assert found.conditions.cores is not None


@pytest.mark.parametrize("spun_s", [0.03, 0.1])
def test_the_cpu_time_of_a_program_is_what_it_uses(executor: Executor, spun_s: float) -> None:
    outcome = measure(executor, program(SPIN, str(spun_s))).outcome
    assert outcome.termination is Termination.OK
    assert spun_s <= outcome.cpu_s < spun_s + 0.02  # Python's own end
    assert outcome.wall_s >= spun_s


def test_runs_reach_no_file_and_no_network_unless_they_may(real: None, tmp_path: Path) -> None:
    clues = Puzzle.from_clues([[1]], [[], [], [1]]), Puzzle.from_clues([[3]], [[1]] * 3)
    with socket.create_server(("127.0.0.1", 0)) as server:
        reach = program(REACH, str(tmp_path), str(server.getsockname()[1]))
        for access, puzzle in zip((Access(), Access(True, (str(tmp_path),))), clues, strict=True):
            with create("benchexec", 1, access=access) as executor:
                assert measure(executor, reach, puzzle=puzzle).outcome.solutions
    assert (tmp_path / "file").exists()


HANG = """import sys
from tests.run.test_benchexec_executor import AMPLE, DOTS, Job, Request, create
if __name__ == "__main__":
    with create("benchexec", 1) as executor:
        list(executor.run([Job(DOTS, "unruly:how=hang", Request(limits=AMPLE))]))
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_nothing_outlives_the_driver(real: None, number: int, tmp_path: Path) -> None:
    (tmp_path / "hang.py").write_text(HANG)
    path = f"{Path.cwd()}:{os.environ.get('PYTHONPATH', '')}"
    command = [sys.executable, str(tmp_path / "hang.py")]
    environment = {**os.environ, "PYTHONPATH": path}
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as driver:

        def contained() -> list[psutil.Process]:
            below = psutil.Process(driver.pid).children(recursive=True)
            return [one for one in below if "nonocsp.run.template" in _words(one)]

        wait_until(contained)
        below = psutil.Process(driver.pid).children(recursive=True)
        driver.send_signal(number)
        wait_until(lambda: not any(process.is_running() for process in below))


def _words(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


@pytest.mark.parametrize("options", [{"name": "fork"}, {"name": "dask", "inner": "warm"}])
def test_only_containers_take_access(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="only executor benchexec isolates runs"):
        create(options.pop("name"), 1, access=Access(network=True), **options)


def test_the_errors_say_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
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
