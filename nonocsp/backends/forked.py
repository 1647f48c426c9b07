"""Enumerate in a process of its own, for solvers that nothing else can stop.

Some solvers hold Python's lock while they search, others look at no flag for many seconds. A forked process
needs no import and no copy of the model, and can be killed at any time. Its CPU time counts once it has ended
(`nonocsp.backends.run`). If it is killed, its statistics since the last solution are lost.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import NoReturn, TypeVar

from nonocsp.backends.base import Run, Unsupported
from nonocsp.backends.ending import how_it_ended
from nonocsp.backends.interruption import POLL
from nonocsp.model import BackendError, NonocspError

T = TypeVar("T")

_PR_SET_PDEATHSIG = 1


def forked(run: Run, search: Callable[[], Iterator[T]]) -> Iterator[T]:
    """Yield what ``search()`` yields in a forked process, which waits whenever nothing more is asked of it.

    Import before the call whatever the search needs: that is the caller's set-up. The process sends its
    statistics along. Errors of nonocsp, `Unsupported` and `MemoryError` pass through; a dead process is a
    `BackendError`.
    """
    ours, theirs = Pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the process never waits for another thread
        pid = os.fork()
    if pid == 0:
        ours.close()
        _serve(theirs, run, search)
    theirs.close()
    status = None
    try:
        while True:
            run.check()
            ours.send(None)
            while not ours.poll(POLL):
                run.check()
            found, error, stats = ours.recv()
            run.stats.update(stats)
            if error is not None:
                raise error
            if not found:
                return
            yield from found
    except (EOFError, ConnectionError):
        _, status = os.waitpid(pid, 0)
        code = os.waitstatus_to_exitcode(status)
        raise BackendError(f"the solver's process {how_it_ended(code)}") from None
    finally:
        ours.close()
        if status is None:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _serve(channel: Connection, run: Run, search: Callable[[], Iterator[T]]) -> NoReturn:
    """Send what the search yields, one by one when asked; never return."""
    with suppress(BaseException):
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # solvers print
        found: list[T] = []
        error: BaseException | None = None
        try:
            channel.recv()
            for found_next in search():
                channel.send(([found_next], None, run.stats))
                channel.recv()
        except (EOFError, ConnectionError):
            os._exit(1)
        except (NonocspError, Unsupported, MemoryError) as raised:
            error = raised
        except Exception as raised:
            error = BackendError(f"the solver raised {type(raised).__name__}: {raised}")
        channel.send((found, error, run.stats))
    os._exit(0)
