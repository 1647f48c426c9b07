"""Run jobs in processes: those that a server forks, or a single one that is started for one job.

``python -m nonocsp.runner.server`` starts a server, which forks a process for each run; with ``lasting``, one
for many runs. It writes `READY` once, then reads jobs, one line each, from its standard input. The process
that runs a job writes

- `STARTED` when all is done that is not measured: the puzzle is built, the backend's modules are imported,
  and a rehearsal has touched the memory that a fork only promises;
- `ENDED` when the backend has finished, unless the reply follows at once;
- the reply.

The server writes `GONE` when the process and everything that it started have ended. It ends when its input
does.

``python -m nonocsp.runner.server single PIPE`` reads one job from its standard input, runs it without a fork
and writes the same words to a named pipe.

Every job slot has a server of its own. So whatever descends from it belongs to the one run at hand, even a
process that changed its group or lost its parent (the server adopts it): it can be watched and killed without
a list. And a backend that kills its server disturbs no other run. That costs some 60 MB a slot.

Backends cannot disturb the conversation: it uses private descriptors, and their standard streams are
``/dev/null``.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable
from functools import cache
from io import BufferedReader
from pathlib import Path
from typing import NoReturn

from nonocsp.backends import registry
from nonocsp.backends.base import Backend, Limits, Request
from nonocsp.backends.run import or_crashed, run_backend
from nonocsp.engine import StopFlag
from nonocsp.model import Puzzle
from nonocsp.runner.guard import kill_descendants
from nonocsp.runner.jobs import Job, decode_job, encode_reply
from nonocsp.runner.process import private_descriptors
from nonocsp.runner.usage import Resident, resident

READY = b"ready"
STARTED = b"started"
"""Followed by the CPU seconds of all that the server has forked so far, this process included, and by the
bytes of memory that this process has from the server."""
ENDED = b"ended"
"""Said only before a reply that takes its time, for it costs a tenth of a millisecond."""
MANY = 10
"""A reply with more solutions than this takes its time."""
LIMIT = b"limit"
"""Followed by the name of the limit that ended the run; only a control group says that."""
GONE = b"gone"
"""Followed by the exit code, negative for a signal, the CPU seconds of all that the server has forked, and
what a control group knows of the peak memory."""
LASTING = "lasting"
"""The argument for processes that run many jobs."""
SINGLE = "single"
"""The argument, followed by the path of a pipe, for a process that runs one job and is not forked."""

_REHEARSAL_WALL = 5.0
_CLEAR_REFS = Path("/proc/self/clear_refs")
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36


def serve(*, is_lasting: bool) -> None:
    """Serve until the input ends."""
    orders, answers = private_descriptors()
    jobs, say = os.fdopen(orders, "rb"), _writer(answers)
    _adopt_orphans()
    warnings.simplefilter("ignore")  # Python warns of forks beside threads; those here survive them
    say(READY)
    while line := jobs.readline():
        job = decode_job(line)
        with contextlib.suppress(Exception):  # what fails here fails again inside the run, which reports it
            _loaded(job.backend)
        used = _children_cpu()
        pid = os.fork()
        if pid == 0:
            _run_and_exit(job, jobs if is_lasting else None, say, used)
        ended = 0
        while ended != pid:  # this reaps orphans that end meanwhile, too
            ended, status = os.waitpid(-1, 0)
        _end_children()
        end = GONE, os.waitstatus_to_exitcode(status), _children_cpu()
        say(b"\n%s %d %f" % end)  # on a line of its own, whatever was half written


def run_single(pipe: str) -> NoReturn:
    """Run the job that standard input holds, and write to a pipe what comes of it."""
    orders, unused = private_descriptors()
    os.close(unused)
    with os.fdopen(orders, "rb") as file:
        job = decode_job(file.readline())
    _Worker(_writer(os.open(pipe, os.O_WRONLY)), 0.0, is_lasting=False).serve(job)
    os._exit(0)


def _end_children() -> None:
    """Kill what descends from this process and take note of its end."""
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                kill_descendants(os.getpid())
                time.sleep(0.001)
        except ChildProcessError:  # there is none
            return


def _writer(descriptor: int) -> Callable[[bytes], None]:
    """Return a function that writes whole lines to a descriptor."""
    file = os.fdopen(descriptor, "wb")

    def say(line: bytes) -> None:
        file.write(line + b"\n")
        file.flush()

    return say


def _run_and_exit(
    job: Job, more: BufferedReader | None, say: Callable[[bytes], None], cpu_before: float
) -> NoReturn:
    """Run a job, and those that `more` brings, as a process that was forked for it."""
    code = 1
    with contextlib.suppress(BaseException):
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)  # die with the server
        _adopt_orphans()
        worker = _Worker(say, cpu_before, is_lasting=more is not None)
        while worker.serve(job) and more and (line := more.readline()):
            job = decode_job(line)
        code = 0
    os._exit(code)


class _Worker:
    """Runs jobs in this process.

    Parameters
    ----------
    cpu_before
        CPU seconds of the processes that the server forked before.
    is_lasting
        Whether it may run another job after this one.
    """

    def __init__(self, say: Callable[[bytes], None], cpu_before: float, *, is_lasting: bool) -> None:
        self._say = say
        self._cpu_before = cpu_before
        self._is_lasting = is_lasting
        self._shared_bytes = _size().now
        self._known: set[str] = set()

    def serve(self, job: Job) -> bool:
        """Run a job and reply; return whether this process is good for another."""
        if job.backend not in self._known:
            self._known.add(job.backend)
            with contextlib.suppress(Exception):
                before = _size().now
                backend = _loaded(job.backend)
                self._shared_bytes += _size().now - before  # a lasting process loads what its server has not
                _rehearse(backend)
        try:
            _CLEAR_REFS.write_text("5")  # Linux forgets this process's peak memory
            is_reset = True
        except OSError:
            is_reset = False
        self._say(b"%s %f %d" % (STARTED, self._cpu_before + sum(os.times()[:4]), self._shared_bytes))
        outcome = or_crashed(lambda: run_backend(_loaded(job.backend), job.puzzle, job.request, StopFlag()))
        if len(outcome.solutions) > MANY:
            self._say(ENDED)
        _end_children()
        size = _size()
        limit = job.request.limits.memory
        if limit is not None and size.now - self._shared_bytes > limit / 2:
            self._is_lasting = False  # the next job would be blamed for what this one has left
        added = max(0, size.peak - self._shared_bytes) if is_reset else None
        self._say(encode_reply(outcome, job.puzzle, added, is_last=not self._is_lasting))
        return self._is_lasting


@cache
def _loaded(spec: str) -> Backend:
    """Create a backend and have it import what it needs."""
    backend = registry.create(spec)
    _rehearse(backend)
    gc.collect()
    gc.freeze()  # or every collection inside a measured run would walk through all imported modules
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)  # what a run uses of free memory would count as the server's
    return backend


def _rehearse(backend: Backend) -> None:
    """Have a backend solve something small."""
    unsettled = Puzzle.from_clues([[1], [1]], [[1], [1]])  # settling paints nothing: the search has to start
    with contextlib.suppress(Exception):
        run_backend(backend, unsettled, Request(limits=Limits(wall=_REHEARSAL_WALL)), StopFlag())


def _children_cpu() -> float:
    return sum(os.times()[2:4])


def _adopt_orphans() -> None:
    """Become the parent of descendants that lose theirs (Linux only)."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _size() -> Resident:
    """Return the memory of this process, with the peak since the last reset; zeros if unknown."""
    try:
        return resident("self")
    except OSError:
        return Resident(0, 0)


if __name__ == "__main__":
    if SINGLE in sys.argv:
        run_single(sys.argv[-1])
    serve(is_lasting=LASTING in sys.argv)
