"""Enumerating in a forked process: what passes through, what ends it, and that nothing is left."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import psutil
import pytest

from nonocsp.backends.base import Interrupted, Request, Run, Unsupported
from nonocsp.backends.forked import forked
from nonocsp.engine import StopFlag
from nonocsp.model import BackendError, UsageError
from tests.waiting import AMPLE_S


def a_run(wall: float | None = None) -> Run:
    return Run(Request(), StopFlag(), None if wall is None else time.perf_counter() + wall)


def test_a_search_runs_elsewhere_silently_and_only_as_far_as_it_is_asked(capfd):
    run = a_run()

    def search() -> Iterator[tuple[int, int]]:
        os.write(1, b"welcome to the solver")
        for number in range(3):
            run.stats["asked"] = number + 1
            yield number, os.getpid()
        run.stats["end"] = "yes"

    found = forked(run, search)
    (first, pid), (second, same_pid) = next(found), next(found)
    assert (first, second, run.stats) == (0, 1, {"asked": 2})
    assert pid == same_pid != os.getpid()
    found.close()
    assert not psutil.pid_exists(pid)
    assert [number for number, _ in forked(run, search)] == [0, 1, 2]
    assert run.stats == {"asked": 3, "end": "yes"}
    assert capfd.readouterr().out == ""


def deaf() -> Iterator[int]:
    """Block all signals that can be blocked."""
    signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP})
    yield os.getpid()
    time.sleep(600)


def test_a_deadline_ends_a_process_that_listens_to_nothing():
    started = time.perf_counter()
    found = forked(a_run(2.0), deaf)
    pid = next(found)
    with pytest.raises(Interrupted):
        next(found)
    assert 2.0 <= time.perf_counter() - started < AMPLE_S
    assert not psutil.pid_exists(pid)


def test_a_stop_from_another_thread_ends_it():
    run = a_run()
    threading.Timer(0.2, run.stop.set).start()
    with pytest.raises(Interrupted):
        list(forked(run, deaf))


def raising(error: Exception) -> Any:
    raise error


@pytest.mark.parametrize(
    ("end", "expected", "said"),
    [
        (lambda: raising(Unsupported("too wide")), Unsupported, "too wide"),
        (lambda: raising(UsageError("no option")), UsageError, "no option"),
        (lambda: raising(MemoryError("full")), MemoryError, "full"),
        (lambda: 1 // 0, BackendError, "the solver raised ZeroDivisionError"),
        (lambda: os.kill(os.getpid(), signal.SIGKILL), BackendError, "died of SIGKILL"),
        (lambda: os._exit(3), BackendError, "exit code 3"),
    ],
)
def test_errors_with_a_meaning_pass_through_and_any_other_end_is_an_error_that_says_how(end, expected, said):
    def search() -> Iterator[int]:
        yield 1
        end()

    found = forked(a_run(), search)
    assert next(found) == 1
    with pytest.raises(expected, match=said):
        next(found)
