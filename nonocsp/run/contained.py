"""Run one job inside BenchExec's container: what `nonocsp.run.benchexec` starts there.

The job comes on standard input, behind its length. Standard output gets three lines of JSON, then the reply:

- ``[time, CPU]`` when the backend is loaded and starts: seconds of the clock, and the CPU seconds of this
  process so far;
- ``[time, CPU, total CPU, delay, left]`` when it has finished: the CPU seconds of the run, and of this
  process so far; how long the run waited for a core, and the processes that it left;
- ``[bytes]`` of the reply.

What the backend prints goes to standard error. Whatever it may patch is bound before it is loaded.
"""

from __future__ import annotations

import fcntl
import json
import os
import select
import signal
import sys
from contextlib import suppress
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from time import perf_counter, sleep
from typing import NoReturn

from nonocsp.backends import registry
from nonocsp.run.child import encoded, rehearse, run_job
from nonocsp.run.jobs import decode_job
from nonocsp.run.processes import adopt_orphans, waited_s

LENGTH = 8
"""Bytes that say how long the job is."""
_PASSES, _PASS_S, _NAMED = 200, 0.001, 20


def main(cores: str) -> NoReturn:
    """Run the job of standard input, and end without cleaning up.

    Parameters
    ----------
    cores
        Those to which the run is confined, such as ``0,2``; empty if it may use any.
    """
    leave, write, encode, pid, mouth = os._exit, os.write, json.dumps, os.getpid(), os.dup(1)
    os.dup2(2, 1)
    try:
        if cores:
            os.sched_setaffinity(0, map(int, cores.split(",")))
        adopt_orphans()
        job = decode_job(_receive())
        is_program, backend = registry.is_program(job.backend), registry.create(job.backend)
        rehearse(backend)
        own_s, children_s, delay_s = _cpu_s(RUSAGE_SELF), _cpu_s(RUSAGE_CHILDREN), waited_s(pid)
        write(mouth, f"[{perf_counter()}, {own_s + children_s}]\n".encode())
        outcome = run_job(backend, job)
        ended = perf_counter()
        used_s = 0.0 if is_program else _cpu_s(RUSAGE_SELF) - own_s  # this process is not the program's
        if os.getpid() != pid:
            leave(1)  # the backend has forked, and both processes came back
        delay_s, left = waited_s(pid) - delay_s, _end_others(pid)
        used_s += _cpu_s(RUSAGE_CHILDREN) - children_s
        total_s = _cpu_s(RUSAGE_SELF) + _cpu_s(RUSAGE_CHILDREN)
        reply = encoded(outcome, job.puzzle)
        said = f"{encode([ended, used_s, total_s, delay_s, left])}\n[{len(reply)}]\n".encode() + reply
        while said:
            said = said[write(mouth, said) :]
        leave(0)
    except BaseException as error:  # nothing that a backend has patched may keep this process alive
        write(2, f"{type(error).__name__}: {error}\n".encode(errors="replace"))
    finally:
        leave(1)


def _receive() -> bytes:
    """Return the job; have the kernel kill this process, and so the container, when the driver ends."""
    orders = os.dup(0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    size, job = int.from_bytes(os.read(orders, LENGTH)), b""
    while len(job) < size:
        if not (more := os.read(orders, size - len(job))):
            raise EOFError("the driver has ended")
        job += more
    fcntl.fcntl(orders, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(orders, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(orders, fcntl.F_SETFL, os.O_ASYNC)
    if select.select([orders], [], [], 0)[0]:
        raise EOFError("the driver has ended")
    return job


def _end_others(pid: int) -> list[str]:
    """Kill all other processes of the container but its first; return the names of those that still ran."""
    left: dict[int, str] = {}
    for _ in range(_PASSES):
        pids = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
        others = [other for other in pids if other not in (1, pid)]
        if not others:
            break
        for other in others:
            with suppress(OSError):
                name, _, rest = Path(f"/proc/{other}/stat").read_text(errors="replace").rpartition(")")
                if not rest.startswith(" Z"):
                    left.setdefault(other, name.partition("(")[2])
                os.kill(other, signal.SIGKILL)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        sleep(_PASS_S)
    return [*left.values()][:_NAMED]


def _cpu_s(whose: int) -> float:
    """Return the CPU seconds of this process, or of the children that it waited for."""
    used = getrusage(whose)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main(sys.argv[1])
