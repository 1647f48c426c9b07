"""A warm worker process: reads jobs on standard input, runs them one by one, replies on its standard output.

Run as ``python -m nonocsp.bench.executors.worker``. It says `READY` once; for each job it writes `STARTED`
when everything outside the measured run is done (the puzzle is built, the backend's modules are imported),
`ENDED` when the backend is through, and then the reply. Backends cannot disturb the conversation: it uses
private descriptors, and their standard streams lead nowhere. The worker ends when its input does.
"""

from __future__ import annotations

import contextlib
import gc
import os
from functools import cache
from pathlib import Path

from nonocsp.backends import registry
from nonocsp.backends.base import Backend, Limits, Outcome, Request
from nonocsp.backends.run import or_crashed, run_backend
from nonocsp.bench.executors.base import Job
from nonocsp.bench.executors.streams import private_descriptors
from nonocsp.bench.executors.wire import decode_job, encode_reply
from nonocsp.engine import StopFlag
from nonocsp.model import Puzzle

READY = b"ready"
STARTED = b"started"
"""Followed by the CPU seconds that the process and its children had used by then."""
ENDED = b"ended"

_WARM_UP_WALL = 5.0
_CLEAR_REFS, _STATUS = Path("/proc/self/clear_refs"), Path("/proc/self/status")


def main() -> None:
    """Serve until the input ends."""
    orders, answers = private_descriptors()
    jobs, replies = os.fdopen(orders, "rb"), os.fdopen(answers, "wb", buffering=0)
    replies.write(READY + b"\n")
    for line in jobs:
        job = decode_job(line)
        with contextlib.suppress(Exception):  # what fails here fails again inside the run, which reports it
            _warm_backend(job.backend)
        resettable = _reset_peak_rss()
        replies.write(b"%s %f\n" % (STARTED, sum(os.times()[:4])))
        outcome = _run(job)
        replies.write(ENDED + b"\n")
        replies.write(encode_reply(outcome, job.puzzle, _peak_rss() if resettable else None))


@cache
def _warm_backend(spec: str) -> Backend:
    """Create a backend and let it solve something small, so that its imports are not measured."""
    backend = registry.create(spec)
    unsettled = Puzzle.from_clues([[1], [1]], [[1], [1]])  # settling paints nothing: the search has to start
    with contextlib.suppress(Exception):
        run_backend(backend, unsettled, Request(limits=Limits(wall=_WARM_UP_WALL)), StopFlag())
    gc.collect()
    gc.freeze()  # or every collection inside a measured run would walk through all imported modules
    return backend


def _run(job: Job) -> Outcome:
    """Run the job; whatever goes wrong, the worker lives on."""
    return or_crashed(lambda: run_backend(_warm_backend(job.backend), job.puzzle, job.request, StopFlag()))


def _reset_peak_rss() -> bool:
    """Make the kernel forget this process's peak memory; return whether it did (Linux only)."""
    try:
        _CLEAR_REFS.write_text("5")
    except OSError:
        return False
    return True


def _peak_rss() -> int:
    """Return the peak resident memory of this process since the last reset, in bytes."""
    (kibibytes,) = (line.split()[1] for line in _STATUS.read_text().splitlines() if line.startswith("VmHWM"))
    return int(kibibytes) * 1024


if __name__ == "__main__":
    main()
