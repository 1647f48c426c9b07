"""The contract of all executors: what a row says after each kind of carelessness; and nothing of it is left.

The backends are in `tests/run/careless`. `PROMISES` says which executor promises what, `CASES` how the runs
of each backend end. A case is three runs: the careless one, one of the same backend that says what it finds
around it, and one of `hybrid`. By default the slow executors get a sample; ``--whole-contract`` gives them
every case.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from re import search
from typing import Any
from uuid import uuid4

import pytest

from nonocsp.backends.base import Answer, Limits, Request, Task, Termination
from nonocsp.model import Puzzle, UsageError
from nonocsp.run import create
from nonocsp.run.jobs import Executor, Job, Measurement
from tests.waiting import AMPLE_S, wait_until

OK, WALL, CPU, MEMORY, CRASHED, KILLED = (
    Termination.OK,
    Termination.WALL,
    Termination.CPU,
    Termination.MEMORY,
    Termination.CRASHED,
    Termination.KILLED,
)
ROWS = "what a backend yields, counts and raises becomes a row, and no wrong grid becomes an answer"
ENDS = "a backend that breaks or leaves its process, or never ends, ends its own run only"
LIMITS = "limits hold for all processes of a run, and its figures are seen from outside"
FRESH = "no run notices what an earlier one has changed"
CLEAN = "nothing that a run leaves is there after it"
NAMES = "`left` says what that was"
PROMISES: dict[str, set[str]] = {
    "inline": {ROWS},  # and the wall limit of a backend that looks at it
    "fork": {ROWS, ENDS, LIMITS, FRESH, CLEAN, NAMES},
    "warm": {ROWS, ENDS, LIMITS, FRESH, CLEAN, NAMES},
    "benchexec": {ROWS, ENDS, LIMITS, FRESH, CLEAN},  # its container ends with all that is in it
    "dask": {ROWS, ENDS, LIMITS, FRESH, CLEAN, NAMES},  # those of `fork`, which measures on its workers
}
SAMPLES = {"benchexec": 5, "dask": 5}
"""For slow executors a number n: one of every n cases runs."""

DOTS = Puzzle.from_clues([[1]] * 3, [[1]] * 3)
CROSS = Puzzle.from_clues([[1], [1], [4], [1]], [[1], [1], [4], [1]])
RING = Puzzle.from_clues([[5], [1, 1], [1, 1], [1, 1], [5]], [[5], [1, 1], [1, 1], [1, 1], [5]])
MIB = 1 << 20
AMPLE = Limits(wall=AMPLE_S)
BRIEF = Limits(wall=0.3)


@dataclass(frozen=True)
class Case:
    """A careless backend, how its run must end, and what its row must say.

    Parameters
    ----------
    says, leaves
        Regular expressions of the message and of what is left; with None anything, or nothing, may be left.
    promise
        What an executor must promise for this case.
    least_s, least_cpu_s, least_mib
        What the run surely uses. It uses little more, but on a busy machine wall time.
    stats
        The statistics of the row.
    """

    backend: str
    becomes: Termination | tuple[Termination, ...] = OK
    says: str = ""
    limits: Limits = AMPLE
    promise: str = ENDS
    leaves: str | None = ""
    least_s: float = 0.0
    least_cpu_s: float | None = None
    least_mib: int | None = None
    stats: Mapping[str, Any] | None = None


CASES = (
    Case("calm", promise=ROWS, stats={}),
    Case("yields-a-wrong-grid", CRASHED, "wrong answer", promise=ROWS),
    Case("yields-another-size", CRASHED, promise=ROWS),
    Case("yields-it-twice", CRASHED, "came twice", promise=ROWS),
    Case("yields-an-array", CRASHED, "yield a Grid", promise=ROWS),
    Case("yields-text", CRASHED, "yield a Grid", promise=ROWS),
    Case("returns-a-number", CRASHED, "int", promise=ROWS),
    Case("counts-in-numpy", promise=ROWS, stats={"nodes": 7, "share": 0.5, "found": 1}),
    Case("counts-in-lists", OK, "depths", promise=ROWS, stats={"nodes": 7}),
    Case("counts-nothing", OK, "gap", promise=ROWS, stats={"nodes": 7}),
    Case("raises", CRASHED, "RuntimeError: no idea", promise=ROWS),
    Case("quits", CRASHED, "SystemExit: enough", promise=ROWS),
    Case("recurses", CRASHED, "RecursionError", promise=ROWS),
    Case("runs-out-of-memory", MEMORY, "memory", promise=ROWS),
    Case("obeys", WALL, "wall limit of 0.3 s", BRIEF, ROWS, least_s=0.3),
    Case("comes-late", WALL, "wall limit of 0.3 s", BRIEF, ROWS, least_s=0.3),
    Case("changes-the-puzzle", CRASHED, "wrong answer"),
    Case("raises-base-exception", CRASHED, "Timeout"),
    Case("raises-keyboard-interrupt", CRASHED, "KeyboardInterrupt"),
    Case("raises-a-novel", CRASHED, "xxxx"),
    Case("raises-without-words", CRASHED, "Mute"),
    Case("seg-faults", CRASHED, "SIGSEGV"),
    Case("aborts", CRASHED, "SIGABRT"),
    Case("exits", CRASHED, "(?s)exit code 7.*out of licences"),
    Case("exits-in-a-thread", CRASHED, "exit code 0"),
    Case("becomes-a-daemon", CRASHED, "exit code 0", leaves=None),
    Case("becomes-another-program", CRASHED, "exit code 0"),
    Case("is-killed", KILLED, "SIGKILL"),
    Case("rings-an-alarm", CRASHED, "SIGALRM"),
    Case("closes-descriptors", CRASHED),
    Case("forks-and-both-return", (OK, CRASHED), leaves=None),
    Case("forks-and-the-child-raises", (OK, CRASHED), leaves=None),
    Case("sleeps", WALL, "wall limit of 0.3 s", BRIEF, least_s=0.3),
    Case("holds-the-lock", WALL, "wall limit of 0.3 s", BRIEF, least_s=0.3),
    Case("spins-in-a-lock", WALL, "wall limit of 0.3 s", BRIEF, least_s=0.3),
    Case("ignores-signals", WALL, "wall limit of 0.3 s", BRIEF, least_s=0.3),
    Case("stops-itself", WALL, "wall limit of 0.3 s", BRIEF, least_s=0.3),
    Case("waits-forever", WALL, "wall limit of 0.3 s", BRIEF, leaves=None),
    Case("breeds", WALL, "wall limit of 0.3 s", BRIEF, leaves=None),
    Case("forks-to-many", WALL, "wall limit of 0.3 s", BRIEF, leaves=None),
    Case("prints-a-gigabyte"),
    Case("reads-its-input"),
    Case("closes-its-streams"),
    Case("spins", CPU, "CPU limit of 0.3 s", Limits(cpu=0.3, wall=AMPLE_S), LIMITS),
    Case("spins-in-a-child", CPU, "CPU limit of 0.3 s", Limits(cpu=0.3, wall=AMPLE_S), LIMITS, None),
    Case("spins-in-children-that-end", CPU, "CPU limit", Limits(cpu=0.5, wall=AMPLE_S), LIMITS, None),
    Case("hoards", MEMORY, "memory limit of 150 MiB", Limits(AMPLE_S, memory=150 * MIB), LIMITS),
    Case("hoards-in-children", MEMORY, "memory", Limits(AMPLE_S, memory=200 * MIB), LIMITS, None),
    Case("hoards-for-a-moment", promise=LIMITS, least_mib=190),
    Case("shares-with-children", limits=Limits(AMPLE_S, memory=450 * MIB), promise=LIMITS, least_mib=190),
    Case("reports-wrong-times", promise=LIMITS, least_s=0.2, least_cpu_s=0.2),
    Case("works-in-children", promise=LIMITS, least_s=0.2, least_cpu_s=0.2),
    Case("works-in-orphans", promise=LIMITS, least_s=0.2, least_cpu_s=0.2, leaves=None),
    Case("patches-modules", (OK, CRASHED), promise=FRESH),
    Case("changes-its-folder", promise=FRESH),
    Case("changes-its-umask", promise=FRESH),
    Case("changes-its-signals", promise=FRESH),
    Case("leaves-a-timer", promise=FRESH),
    Case("changes-its-locale", promise=FRESH),
    Case("changes-its-environment", promise=FRESH),
    Case("changes-its-limits", promise=FRESH),
    Case("changes-python", promise=FRESH),
    Case("leaves-descriptors", promise=FRESH),
    Case("leaves-a-thread", promise=CLEAN),
    Case("leaves-a-thread-that-must-end", promise=CLEAN),
    Case("leaves-a-program", promise=CLEAN, leaves="process sleep"),
    Case("leaves-a-daemon", promise=CLEAN, leaves="process lingering"),
    Case("leaves-a-pool", promise=CLEAN, leaves="process lingering"),
    Case("leaves-a-zombie", promise=CLEAN, leaves=None),
    Case("leaves-files", promise=CLEAN, leaves="file model.lp"),
    Case("leaves-a-closed-folder", promise=CLEAN, leaves="cache"),
    Case("removes-its-folder", promise=CLEAN, leaves=None),
    Case("leaves-shared-memory", promise=CLEAN, leaves="shared memory"),
    Case("leaves-tracked-memory", promise=CLEAN, leaves=None),
)


@dataclass(frozen=True)
class Session:
    """An executor at work, and how to find what its runs have left."""

    name: str
    executor: Executor
    mark: str
    calm: Mapping[str, Any]
    honest: tuple[object, ...]

    def measure(self, *jobs: Job) -> list[Measurement]:
        found = {job.id: measurement for job, measurement in self.executor.run(jobs)}
        return [found[job.id] for job in jobs]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run every case with every executor that promises it."""
    if "case" in metafunc.fixturenames:
        whole = metafunc.config.getoption("whole_contract")
        pairs = [
            pytest.param(name, case, id=f"{name}-{case.backend}")
            for name, promises in PROMISES.items()
            for number, case in enumerate(case for case in CASES if case.promise in promises)
            if whole or number % SAMPLES.get(name, 1) == 0
        ]
        metafunc.parametrize(("session", "case"), pairs, indirect=["session"], scope="module")
    elif "session" in metafunc.fixturenames:
        metafunc.parametrize("session", [*PROMISES], indirect=True, scope="module")


@pytest.fixture(scope="module")
def session(
    request: pytest.FixtureRequest, unruly: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Session]:
    """An executor, after which nothing that its runs left may be there."""
    mark, temporary = uuid4().hex, tmp_path_factory.mktemp("temporary")
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        for variable in ("TMPDIR", "TEMP", "TMP"):
            patch.setenv(variable, str(temporary))
        patch.setattr(tempfile, "tempdir", None)
        patch.setenv("CARELESS_MARK", mark)
        executor = stack.enter_context(make(request.param))
        calm = Session(request.param, executor, mark, {}, ())
        first, second = calm.measure(job("calm", RING), job("hybrid", RING))
        yield Session(request.param, executor, mark, first.outcome.stats, facts(second))
        stack.close()
        wait_until(lambda: not [*marked(mark), *temporary.glob("nonocsp*"), *shared_memory(mark)])


def make(name: str) -> Executor:
    """Return an executor, or skip the test with the reason why it cannot measure here."""
    if name == "dask":
        pytest.importorskip("distributed")
    try:
        return create(name, 1)
    except UsageError as error:
        if name != "benchexec":
            raise
        pytest.skip(str(error))


def job(backend: str, puzzle: Puzzle, limits: Limits = AMPLE) -> Job:
    return Job(puzzle, backend, Request(Task.COUNT, limits), id=f"{backend} {puzzle.shape}")


def facts(measurement: Measurement) -> tuple[object, ...]:
    """Return what two measurements of one run share."""
    outcome = measurement.outcome
    return outcome.answer, outcome.termination, outcome.solutions, outcome.message, measurement.left


def marked(mark: str) -> list[str]:
    """Return the names of the processes with the mark in their environment, but this one's tracker."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with suppress(OSError):
                if f"CARELESS_MARK={mark}".encode() not in (entry / "environ").read_bytes():
                    continue
                if b"multiprocessing.resource_tracker" not in (entry / "cmdline").read_bytes():
                    found.append((entry / "comm").read_text().strip())
    return found


def shared_memory(mark: str) -> list[str]:
    return [name for name in os.listdir("/dev/shm") if mark in name]  # noqa: PTH208


def test_a_careless_backend_spoils_no_other_run_and_leaves_nothing(session: Session, case: Case) -> None:
    careless, again, honest = session.measure(
        job(case.backend, DOTS, case.limits), job(case.backend, RING), job("hybrid", RING)
    )
    faults = [*faults_of(case, careless, session), *faults_after(again, honest, session)]
    outcome = careless.outcome
    assert not faults, f"{outcome.termination}: {outcome.message[:500]!r}, left {careless.left}; {faults}"


def faults_of(case: Case, seen: Measurement, session: Session) -> Iterator[str]:
    """Yield what is wrong with the row of the careless run."""
    outcome = seen.outcome
    becomes = case.becomes if isinstance(case.becomes, tuple) else (case.becomes,)
    if outcome.termination not in becomes:
        yield f"expected {case.becomes}"
    if not search(case.says, outcome.message) or len(outcome.message) > 100_000:
        yield f"expected a message like {case.says!r}"
    if outcome.termination is OK and (outcome.answer, len(outcome.solutions)) != (Answer.MULTIPLE, 6):
        yield f"the answer {outcome.answer} with {len(outcome.solutions)} solutions"
    if case.stats is not None and {**outcome.stats} != case.stats:
        yield f"statistics {outcome.stats}"
    if NAMES in PROMISES[session.name] and case.leaves is not None:
        named = " ".join(seen.left)
        if not (search(case.leaves, named) if case.leaves else not named):
            yield f"expected that this is left: {case.leaves!r}"
    if outcome.wall_s < case.least_s:
        yield f"wall time {outcome.wall_s}"
    if case.least_cpu_s and not case.least_cpu_s <= outcome.cpu_s < case.least_cpu_s + 0.15:
        yield f"CPU time {outcome.cpu_s}"
    peak = seen.peak_rss_bytes
    if case.least_mib and peak and not case.least_mib <= peak / MIB < case.least_mib + 150:
        yield f"peak {peak / MIB:.0f} MiB"


def faults_after(again: Measurement, honest: Measurement, session: Session) -> Iterator[str]:
    """Yield what is wrong with the runs after the careless one, and what of it is still there."""
    if again.outcome.termination is not OK or again.outcome.answer is not Answer.UNIQUE:
        yield f"the next run of the backend is {again.outcome}"
    if FRESH in PROMISES[session.name]:
        for name, now in again.outcome.stats.items():
            if now != session.calm[name]:
                yield f"the next run has {name} {now}, not {session.calm[name]}"
    if facts(honest) != session.honest or honest.outcome.cpu_s > 0.1:
        yield f"hybrid is {facts(honest)} after {honest.outcome.cpu_s} s"
    if CLEAN in PROMISES[session.name]:
        there = [name for name in marked(session.mark) if name in ("lingering", "sleep", "cat")]
        if left := there + shared_memory(session.mark):
            yield f"still there: {left}"
