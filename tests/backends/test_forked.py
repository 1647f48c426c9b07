"""Enumerating in a forked process: what passes through, what ends it, and that nothing is left."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator

import psutil
import pytest

from nonocsp.backends.base import Interrupted, Request, Run, Unsupported
from nonocsp.backends.forked import forked
from nonocsp.engine import StopFlag
from nonocsp.model import BackendError, UsageError
from tests.waiting import AMPLE_S


def a_run(wall: float | None = None) -> Run:
    return Run(Request(), StopFlag(), None if wall is None else time.perf_counter() + wall)


def test_values_and_statistics_come_back_in_order() -> None:
    run = a_run()

    def search() -> Iterator[int]:
        for number in range(3):
            run.stats["last"] = number
            yield number
        run.stats["end"] = "yes"

    found = [(number, run.stats["last"]) for number in forked(run, search)]
    assert found == [(0, 0), (1, 1), (2, 2)]
    assert run.stats == {"last": 2, "end": "yes"}


def test_the_search_runs_elsewhere_and_only_as_far_as_it_is_asked() -> None:
    run = a_run()

    def search() -> Iterator[int]:
        for number in range(10):
            run.stats["asked"] = number + 1
            yield os.getpid()

    found = forked(run, search)
    pids = {next(found), next(found)}
    assert len(pids) == 1
    assert pids != {os.getpid()}
    assert run.stats["asked"] == 2
    found.close()
    assert not psutil.pid_exists(pids.pop())


def deaf() -> Iterator[int]:
    """Block all signals that can be blocked."""
    signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP})
    yield os.getpid()
    time.sleep(600)


def test_a_deadline_ends_a_process_that_listens_to_nothing() -> None:
    started = time.perf_counter()
    found = forked(a_run(2.0), deaf)
    pid = next(found)
    with pytest.raises(Interrupted):
        next(found)
    assert 2.0 <= time.perf_counter() - started < AMPLE_S
    assert not psutil.pid_exists(pid)


def test_a_stop_from_another_thread_ends_it() -> None:
    run = a_run()
    threading.Timer(0.2, run.stop.set).start()
    with pytest.raises(Interrupted):
        list(forked(run, deaf))


@pytest.mark.parametrize("error", [Unsupported("too wide"), UsageError("no option"), MemoryError("full")])
def test_errors_with_a_meaning_pass_through(error: Exception) -> None:
    def search() -> Iterator[int]:
        yield 1
        raise error

    found = forked(a_run(), search)
    assert next(found) == 1
    with pytest.raises(type(error), match=str(error)):
        next(found)


def test_any_other_exception_is_an_error_of_the_backend_that_names_it() -> None:
    def search() -> Iterator[int]:
        yield 1 // 0

    with pytest.raises(BackendError, match="the solver raised ZeroDivisionError"):
        list(forked(a_run(), search))


@pytest.mark.parametrize(
    ("end", "said"),
    [(lambda: os.kill(os.getpid(), signal.SIGKILL), "died of SIGKILL"), (lambda: os._exit(3), "exit code 3")],
)
def test_a_process_that_dies_is_an_error_that_says_how(end: Callable[[], None], said: str) -> None:
    def search() -> Iterator[int]:
        end()
        yield 1

    with pytest.raises(BackendError, match=said):
        list(forked(a_run(), search))


def test_what_the_solver_prints_is_not_shown(capfd: pytest.CaptureFixture[str]) -> None:
    def search() -> Iterator[int]:
        os.write(1, b"welcome to the solver")
        yield 1

    assert list(forked(a_run(), search)) == [1]
    assert capfd.readouterr().out == ""
