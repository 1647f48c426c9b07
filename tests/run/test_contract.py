"""The contract of all executors: what the row of each careless run says, and that nothing is left of the run.

The backends are in `tests/run/careless`. `PROMISES` says which executor promises what, `CASES` how the runs
of each backend end. A case is three runs: the careless one; another of the same backend, which says what it
finds around it; and one of `hybrid`.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from re import search
from typing import Any

import pytest

from nonocsp.backends.base import Answer, Limits, Termination
from nonocsp.run.jobs import Measurement
from tests.run.contract import (
    AMPLE,
    CLEAN,
    DOTS,
    ENDS,
    FRESH,
    LIMITS,
    MIB,
    NAMES,
    PROMISES,
    RING,
    ROWS,
    Session,
    facts,
    job,
    marked,
    opened,
    shared_memory,
)
from tests.waiting import AMPLE_S

OK, WALL, CPU, MEMORY, CRASHED, KILLED = (
    Termination.OK,
    Termination.WALL,
    Termination.CPU,
    Termination.MEMORY,
    Termination.CRASHED,
    Termination.KILLED,
)
SAMPLES = {"fork": 3, "benchexec": 12, "dask": 8}
"""For executors a number n: of every n cases one is quick, the others slow; or, of dask, left out.
The template of `fork` is that of `warm`, with which all cases are quick.
"""

BRIEF = Limits(wall=0.3)
CLOCK_S = 0.02
"""The limit may be counted from a moment before the time is."""


@dataclass(frozen=True)
class Case:
    """A careless backend, how its run must end, and what its row must say."""

    backend: str
    becomes: Termination | tuple[Termination, ...] = OK
    says: str = ""  # a pattern of its message; empty for any
    limits: Limits = AMPLE
    promise: str = ENDS  # what an executor must promise for this case
    leaves: str | None = ""  # likewise, of what is left; None for anything
    least_s: float = 0.0  # surely used; on a busy machine more
    least_cpu_s: float | None = None
    least_mib: int | None = None
    stats: Mapping[str, Any] | None = None  # of the row


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


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run every case with every executor that promises it."""
    if "case" in metafunc.fixturenames:
        pairs = [
            pytest.param(name, case, id=f"{name}-{case.backend}", marks=slow(name, number))
            for name, promises in PROMISES.items()
            for number, case in enumerate(case for case in CASES if case.promise in promises)
            if name != "dask" or number % SAMPLES[name] == 0
        ]
        metafunc.parametrize(("name", "case"), pairs)


def slow(name: str, number: int) -> list[pytest.MarkDecorator]:
    return [pytest.mark.slow] if number % SAMPLES.get(name, 1) else []


@pytest.fixture(scope="module")
def sessions(unruly, tmp_path_factory) -> Iterator[Callable[[str], Session]]:
    """A way to get an executor; it stays until another one is asked for."""
    with ExitStack() as stack:
        found: list[Session] = []

        def get(name: str) -> Session:
            if not (found and found[-1].name == name):
                stack.close()
                found.append(stack.enter_context(opened(name, tmp_path_factory.mktemp("temporary"))))
            return found[-1]

        yield get


@pytest.fixture
def session(name, sessions) -> Session:
    return sessions(name)


def test_a_careless_backend_spoils_no_other_run_and_leaves_nothing(session, case):
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
    if outcome.wall_s < case.least_s - CLOCK_S:
        yield f"wall time {outcome.wall_s}"
    if case.least_cpu_s and not 0 <= outcome.cpu_s - 0.95 * case.least_cpu_s < 0.15:
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
