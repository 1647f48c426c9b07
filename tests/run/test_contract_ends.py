"""The contract of all executors, beyond single runs: what comes back, and what ends when one of them ends."""

import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from uuid import uuid4

import psutil
import pytest

from nonocsp.backends.base import Answer, Limits, Request, Task, Termination
from nonocsp.model import Puzzle
from nonocsp.run.jobs import Job
from tests.run.contract import (
    AMPLE,
    DOTS,
    PROMISES,
    RING,
    Session,
    job,
    make,
    marked,
    opened,
    shared_memory,
)
from tests.waiting import wait_until

pytestmark = pytest.mark.usefixtures("unruly")

SLOW = ("benchexec", "dask")
COMB = Puzzle.from_clues([[1] * 300] * 600, [[600], []] * 300)
"""A puzzle whose job is longer than a pipe holds."""
SPIN = """
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
static double used_ms(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e3
         + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e3;
}
int main(int count, char **words) {
    double until = used_ms() + atof(words[1]);
    while (used_ms() < until);
    printf("used %.3f\\n", used_ms());
    return 0;
}
"""
DRIVER = """
import sys
from tests.run.contract import AMPLE, DOTS, job, make
with make(sys.argv[1]) as executor:
    list(executor.run([job("leaves-a-daemon", DOTS), job("sleeps", DOTS)]))
"""


def executors(*names: str) -> pytest.MarkDecorator:
    """Parametrize a test by executors; it is slow with slow ones."""
    chosen = [pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else []) for name in names]
    return pytest.mark.parametrize("name", chosen)


@pytest.fixture
def session(name, tmp_path) -> Iterator[Session]:
    with opened(name, tmp_path) as session:
        yield session


@executors(*PROMISES)
def test_what_a_run_finds_comes_back_unchanged(session):
    asked = [
        Job(DOTS, "calm", Request(Task.COUNT), "all"),
        Job(DOTS, "calm", Request(Task.SOLVE), "one"),
        Job(DOTS, "settle", Request(), "stuck"),
        Job(COMB, "settle", Request(limits=AMPLE), "long"),
    ]
    seen = {given.id: (given, measurement.outcome) for given, measurement in session.executor.run(asked)}
    assert all(seen[each.id][0] is each for each in asked)
    every, one, stuck, long = (seen[each.id][1] for each in asked)
    assert (every.answer, every.count, len({*every.solutions})) == (Answer.MULTIPLE, 6, 6)
    assert (one.answer, len(one.solutions)) == (Answer.SOLVED, 1)
    assert stuck.answer is Answer.PARTIAL
    assert stuck.partial is not None
    assert long.answer is Answer.UNIQUE
    assert all(outcome.wall_s > 0 and outcome.cpu_s > 0 for _, outcome in seen.values())


@executors(*PROMISES)
def test_jobs_are_read_only_as_fast_as_they_run(session, name):
    read: list[int] = []

    def jobs() -> Iterator[Job]:
        for number in range(1000):
            read.append(number)
            yield Job(RING, "hybrid", Request(), id=str(number))

    running = session.executor.run(jobs())
    next(running)
    running.close()
    assert len(read) < 200 if name == "dask" else len(read) <= 2  # a cluster has some batches ahead


@executors("inline", "fork", "warm", "benchexec")
@pytest.mark.parametrize(
    ("backend", "said"),
    [
        ("nonesuch", "unknown backend 'nonesuch'"),
        ("raises-when-imported", "no licence"),
    ],
)
def test_a_backend_that_cannot_be_loaded_costs_only_its_own_runs(session, backend, said):
    bad = [Job(DOTS, backend, Request(limits=AMPLE), str(number)) for number in range(2)]
    jobs = bad[0], job("hybrid", RING), bad[1]
    first, good, second = session.measure(*jobs)
    for each in (first, second):
        assert each.outcome.termination is Termination.CRASHED
        assert said in each.outcome.message
    assert good.outcome.answer is Answer.UNIQUE


@executors("fork", "warm", "benchexec")
def test_a_run_that_loses_its_parent_again_and_again_is_the_only_one_that_is_lost(session):
    over = Event()
    killer = Thread(target=kill_parents, args=(session.mark, over))
    killer.start()
    try:
        lost, good = session.measure(job("sleeps", DOTS), job("hybrid", RING))
    finally:
        over.set()
        killer.join()
    assert lost.outcome.termination in (Termination.KILLED, Termination.CRASHED)
    assert good.outcome.answer is Answer.UNIQUE
    wait_until(lambda: "lingering" not in marked(session.mark))


def kill_parents(mark: str, over: Event) -> None:
    """Kill the process that started a lingering one, whenever there is one."""
    while not over.wait(0.05):
        for run in lingering(mark):
            with suppress(psutil.Error, AttributeError):
                if (parent := run.parent()).pid != os.getpid():
                    parent.kill()


def lingering(mark: str) -> list[psutil.Process]:
    """Return the processes of runs of `sleeps`, and those that other backends have left."""
    found = []
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if process.name() == "lingering" and process.environ().get("CARELESS_MARK") == mark:
                found.append(process)
    return found


@executors("fork", "warm", "benchexec")
def test_leaving_an_executor_early_ends_its_runs(name, tmp_path):
    with opened(name, tmp_path) as session:
        running = session.executor.run([job("hybrid", RING), job("sleeps", DOTS), job("sleeps", DOTS)])
        next(running)
        wait_until(lambda: "lingering" in marked(session.mark))
        running.close()
    assert "lingering" not in marked(session.mark)


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("fork", signal.SIGKILL),
        ("warm", signal.SIGINT),
        pytest.param("benchexec", signal.SIGKILL, marks=pytest.mark.slow),
        pytest.param("benchexec", signal.SIGINT, marks=pytest.mark.slow),
        pytest.param("dask", signal.SIGKILL, marks=pytest.mark.slow),
        pytest.param("dask", signal.SIGINT, marks=pytest.mark.slow),
    ],
)
def test_nothing_survives_the_driver(name, end, repository, tmp_path, monkeypatch):
    make(name).__exit__(None, None, None)  # or skip
    mark = uuid4().hex
    monkeypatch.setenv("CARELESS_MARK", mark)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(repository), prepend=os.pathsep)
    driver = subprocess.Popen([sys.executable, "-c", DRIVER, name], stderr=subprocess.DEVNULL, cwd=tmp_path)
    wait_until(lambda: driver.poll() is not None or "lingering" in marked(mark))
    assert driver.poll() is None
    driver.send_signal(end)
    driver.wait()
    wait_until(lambda: not marked(mark) and not shared_memory(mark))
    if name != "dask":
        wait_until(lambda: not [*tmp_path.glob("nonocsp*")])


@executors("warm")
def test_shared_memory_of_another_program_stays(session):
    other = Path("/dev/shm") / f"of-another-{uuid4().hex}"
    writer = Thread(target=lambda: (wait_until(lambda: lingering(session.mark)), other.write_bytes(b"mine")))
    writer.start()
    try:
        sleeping, _ = session.measure(job("sleeps", DOTS, Limits(wall=1.0)), job("hybrid", RING))
        writer.join()
        assert other.read_bytes() == b"mine"
    finally:
        other.unlink(missing_ok=True)
    assert not sleeping.left


@executors("fork", "benchexec")
def test_cpu_time_of_a_program_is_what_it_used(session, spin):
    asked = [
        Job(DOTS, declared(spin, ms), Request(limits=AMPLE), f"{ms} {number}")
        for number in range(3)
        for ms in (0, 8, 30)
    ]
    off: dict[str, list[float]] = {}
    for given, measurement in session.executor.run(asked):
        used_ms, outcome = measurement.outcome.stats["used_ms"], measurement.outcome
        assert isinstance(used_ms, float), outcome
        off.setdefault(given.backend, []).append(1e3 * outcome.cpu_s - used_ms)
        assert used_ms >= int(given.id.split()[0])
    limits = {declared(spin, ms): 1 + 0.02 * ms for ms in (0, 8, 30)}
    assert all(abs(statistics.median(off[spec])) <= limit for spec, limit in limits.items()), off.values()


def declared(program: Path, ms: int) -> str:
    """Return the spec of a program that computes for some time, says how long it was, and claims nothing."""
    rules = {"unknown": "used", "statistics": {"used_ms": r"used (\S+)"}}
    return json.dumps({"name": f"spin{ms}", "command": [str(program), str(ms)], "rules": rules})


@pytest.fixture(scope="module")
def spin(tmp_path_factory) -> Path:
    """A program that computes for as many milliseconds as its argument says."""
    if not (compiler := shutil.which("cc")):
        pytest.skip("no C compiler")
    folder = tmp_path_factory.mktemp("spin")
    (folder / "spin.c").write_text(SPIN)
    subprocess.run([compiler, "-O1", "-o", folder / "spin", folder / "spin.c"], check=True)
    return folder / "spin"
