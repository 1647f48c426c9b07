"""A server process: has the backends loaded, and forks a process for each run, or for many.

Run as ``python -m nonocsp.runner.server``, with ``lasting`` for the second. It says `READY` once.
Then it reads jobs, one line each, on its standard input. The process that runs a job says `STARTED` when
everything outside the measured run is done (the puzzle is built, the backend's modules are imported, and a
rehearsal has touched the memory that a fork only promises), `ENDED` when the backend is through, unless the
reply follows at once, and then the reply. When the process has ended and nothing that it started is left, the
server says `GONE`.

Why one server for each job slot: whatever descends from it belongs to the one run at hand, also what moved to
another group or lost its parent (the server adopts it), so it can be watched and killed without a list; and a
backend that takes its server along disturbs no other run. It costs some 60 MB a slot.

Backends cannot disturb the conversation: it uses private descriptors, and their standard streams lead
nowhere. The server ends when its input does.
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
from nonocsp.backends.base import Backend, Limits, Outcome, Request
from nonocsp.backends.run import or_crashed, run_backend
from nonocsp.engine import StopFlag
from nonocsp.model import Puzzle
from nonocsp.runner.guard import kill_descendants
from nonocsp.runner.jobs import Job
from nonocsp.runner.streams import private_descriptors
from nonocsp.runner.usage import Resident, resident
from nonocsp.runner.wire import decode_job, encode_reply

READY = b"ready"
STARTED = b"started"
"""Followed by the CPU seconds of all that the server has forked so far, this process included, and by the
bytes of memory that this process has from the server."""
ENDED = b"ended"
"""Said only before a reply that takes its time, for it costs a tenth of a millisecond."""
MANY = 10
"""So many solutions are replied at once."""
LIMIT = b"limit"
"""Followed by the name of the limit that ended the run; only a control group says that."""
GONE = b"gone"
"""Followed by the exit code, negative for a signal, the CPU seconds of all that the server has forked, and
what a control group knows of the peak memory."""
LASTING = "lasting"
"""The argument for processes that run many jobs."""

_REHEARSAL_WALL = 5.0
_CLEAR_REFS = Path("/proc/self/clear_refs")
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36


def main(*, is_lasting: bool) -> None:
    """Serve until the input ends."""
    orders, answers = private_descriptors()
    jobs, say = os.fdopen(orders, "rb"), writer(answers)
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
        code = _wait(pid)
        end_children()
        say(b"\n%s %d %f" % (GONE, code, _children_cpu()))  # on a line of its own, whatever was half written


def end_children() -> None:
    """Kill what descends from this process and take note of its end."""
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                kill_descendants(os.getpid())
                time.sleep(0.001)
        except ChildProcessError:  # there is none
            return


def writer(descriptor: int) -> Callable[[bytes], None]:
    """Return what writes a line, whole."""
    file = os.fdopen(descriptor, "wb")

    def say(line: bytes) -> None:
        file.write(line + b"\n")
        file.flush()

    return say


def _run_and_exit(
    job: Job, more: BufferedReader | None, say: Callable[[bytes], None], cpu_before: float
) -> NoReturn:
    """Run a job, and those to come if there are more, as a process that was forked for it."""
    code = 1
    with contextlib.suppress(BaseException):
        _die_with_parent()
        _adopt_orphans()
        worker = Worker(say, cpu_before, is_lasting=more is not None)
        while worker.serve(job) and more and (line := more.readline()):
            job = decode_job(line)
        code = 0
    os._exit(code)


class Worker:
    """The process that runs jobs.

    Parameters
    ----------
    cpu_before
        CPU seconds of those that the server forked before.
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
        self._prepare(job.backend)
        resettable = _reset_peak_rss()
        self._say(b"%s %f %d" % (STARTED, self._cpu_before + sum(os.times()[:4]), self._shared_bytes))
        outcome = _run(job)
        if len(outcome.solutions) > MANY:
            self._say(ENDED)
        end_children()
        size = _size()
        limit = job.request.limits.memory
        if limit is not None and size.now - self._shared_bytes > limit / 2:
            self._is_lasting = False  # the next job would be blamed for what this one has left
        added = max(0, size.peak - self._shared_bytes) if resettable else None
        self._say(encode_reply(outcome, job.puzzle, added, is_last=not self._is_lasting))
        return self._is_lasting

    def _prepare(self, spec: str) -> None:
        """Have a backend ready, the first time that this process runs it."""
        if spec in self._known:
            return
        self._known.add(spec)
        with contextlib.suppress(Exception):
            before = _size().now
            backend = _loaded(spec)
            self._shared_bytes += _size().now - before  # a lasting process loads what its server has not
            _rehearse(backend)


def _run(job: Job) -> Outcome:
    """Run the job, whatever goes wrong."""
    return or_crashed(lambda: run_backend(_loaded(job.backend), job.puzzle, job.request, StopFlag()))


@cache
def _loaded(spec: str) -> Backend:
    """Create a backend and have it import what it needs."""
    backend = registry.create(spec)
    _rehearse(backend)
    gc.collect()
    gc.freeze()  # or every collection inside a measured run would walk through all imported modules
    _trim()
    return backend


def _rehearse(backend: Backend) -> None:
    """Have a backend solve something small."""
    unsettled = Puzzle.from_clues([[1], [1]], [[1], [1]])  # settling paints nothing: the search has to start
    with contextlib.suppress(Exception):
        run_backend(backend, unsettled, Request(limits=Limits(wall=_REHEARSAL_WALL)), StopFlag())


def _trim() -> None:
    """Give free memory back, where that can be done: what a run uses of it would look like the server's."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)


def _wait(pid: int) -> int:
    """Take note of every child that ends; return the exit code of one when it does."""
    while True:
        ended, status = os.waitpid(-1, 0)
        if ended == pid:
            return os.waitstatus_to_exitcode(status)


def _children_cpu() -> float:
    return sum(os.times()[2:4])


def _adopt_orphans() -> None:
    """Become the parent of descendants that lose theirs (Linux only)."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _die_with_parent() -> None:
    """Have this process killed when its parent ends (Linux only)."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _reset_peak_rss() -> bool:
    """Make the kernel forget this process's peak memory; return whether it did (Linux only)."""
    try:
        _CLEAR_REFS.write_text("5")
    except OSError:
        return False
    return True


def _size() -> Resident:
    """Return the memory of this process, with the peak since the last reset; nothing where nobody tells."""
    try:
        return resident("self")
    except OSError:
        return Resident(0, 0)


if __name__ == "__main__":
    main(is_lasting=LASTING in sys.argv[1:])
