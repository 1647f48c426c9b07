"""Run a backend in a process that `nonocsp.run.template` forked: the only place where its code works.

The process says one word at a time, with two numbers: `BORN` (it has rehearsed, so the memory that a fork
only promises is its own), `PREPARED` (it has read the job; its CPU seconds so far), after ``GO`` `ENDED` (the
CPU seconds of the run, and how long it waited for a core), `REPLIED` (the length of its reply in the file,
and whether the process is as it was). Whatever a backend may patch is bound before any backend is loaded.
"""

from __future__ import annotations

import builtins
import gc
import json
import locale
import os
import resource
import signal
import socket
import struct
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import NoReturn

import numpy as np

from nonocsp.backends import registry
from nonocsp.backends.base import Answer, Backend, Limits, Outcome, Request, Termination
from nonocsp.backends.run import or_crashed, raised, run_backend
from nonocsp.certificates.checking import checked
from nonocsp.engine import StopFlag
from nonocsp.model import Puzzle
from nonocsp.run.jobs import Job, decode_job
from nonocsp.run.processes import waited_s
from nonocsp.run.reply import encode_reply, put

PACKET = struct.Struct("cdd")
"""A word, and two numbers."""
BORN, PREPARED, ENDED, REPLIED = b"B", b"P", b"E", b"R"
ORDER_BYTES = 16
"""An order is a number as text: the length of a job, or 0 for ``GO``."""
_REHEARSAL = Puzzle.from_clues([[1], [1]], [[1], [1]])  # settling paints nothing: the search has to start
_REHEARSAL_WALL_S = 5.0
_CHILDREN = (resource.RUSAGE_CHILDREN,)
_ALL = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
_RESOURCES = (resource.RLIMIT_AS, resource.RLIMIT_NOFILE, resource.RLIMIT_CPU)


def rehearse(backend: Backend) -> None:
    """Have a backend solve something small, for late imports; or only prepare, if it runs a program."""
    if (prepare := getattr(backend, "prepare", None)) is not None:
        prepare()
        return
    request = Request(limits=Limits(wall=_REHEARSAL_WALL_S))
    with suppress(Exception, SystemExit):  # what fails here fails again in the run, which says so
        run_backend(backend, _REHEARSAL, request, StopFlag(), verify=False)


def serve(backend: Backend, spec: str, box: int, mouth: socket.socket, *, is_warm: bool) -> NoReturn:
    """Do runs until one of them leaves this process changed; never return, and never clean up."""
    send, receive, pack, leave = mouth.send, mouth.recv, PACKET.pack, os._exit
    read, fingerprint, cpu_s, own_pid = os.pread, _fingerprint, _cpu_s, os.getpid
    pid, put_reply = own_pid(), put
    counted = _CHILDREN if registry.is_program(spec) else _ALL  # of a program, not what surrounds it here
    try:
        rehearse(backend)
        before = fingerprint() if is_warm else ()
        send(pack(BORN, 0, 0))
        is_as_before = True
        while is_as_before:
            job = decode_job(read(box, int(receive(ORDER_BYTES)), 0))
            waited_before = waited_s(pid)
            send(pack(PREPARED, cpu_s(_ALL), 0))
            receive(ORDER_BYTES)
            started_s = cpu_s(counted)
            outcome = run_job(backend, job)
            if own_pid() != pid:
                leave(0)  # the backend has forked, and both processes came back
            send(pack(ENDED, cpu_s(counted) - started_s, waited_s(pid) - waited_before))
            reply = encoded(checked(outcome, job.puzzle), job.puzzle)
            put_reply(box, reply)
            is_as_before = is_warm and _is_same(fingerprint, before)
            send(pack(REPLIED, len(reply), is_as_before))
        receive(ORDER_BYTES)  # until the template has seen what this process holds
        leave(0)
    except BaseException as error:  # nothing that a backend has patched may keep this process alive
        os.write(2, f"{type(error).__name__}: {error}\n".encode(errors="replace"))
    finally:
        leave(1)


def run_job(backend: Backend, job: Job) -> Outcome:
    """Run a job; whatever the backend raises, KeyboardInterrupt included, is a crash."""
    run = partial(
        run_backend, backend, job.puzzle, job.request, StopFlag(), verify=False
    )  # the driver verifies
    try:
        return or_crashed(run)
    except BaseException as error:
        return Outcome(Answer.UNKNOWN, Termination.CRASHED, message=raised(error))


def encoded(outcome: Outcome, puzzle: Puzzle) -> bytes:
    """Return a reply with what a run found, or why that cannot be reported."""
    try:
        return encode_reply(outcome, puzzle)
    except Exception as error:
        message = f"the backend's answer cannot be reported: {error}"
        return encode_reply(Outcome(Answer.UNKNOWN, Termination.CRASHED, message=message), puzzle)


def _is_same(fingerprint: Callable[[], tuple[object, ...]], before: tuple[object, ...]) -> bool:
    try:
        return fingerprint() == before
    except Exception:  # such as for a current folder that was removed
        return False


def _cpu_s(
    kinds: tuple[int, ...], usage: Callable[[int], resource.struct_rusage] = resource.getrusage
) -> float:
    """Return the CPU seconds of this process, or of the children that it waited for, or of both."""
    return sum(used.ru_utime + used.ru_stime for used in map(usage, kinds))


def _fingerprint() -> tuple[object, ...]:
    """Return what a careless backend may change in its process, as far as that is cheap to see (90 us)."""
    mask = os.umask(0o22)
    os.umask(mask)
    handlers = [signal.getsignal(number) for number in range(1, signal.NSIG)]
    counts = [len(os.listdir(f"/proc/self/{folder}")) for folder in ("task", "fd")] if _HAS_PROC else []  # noqa: PTH208
    python = (
        threading.active_count(),
        sys.gettrace(),
        sys.getprofile(),
        sys.getrecursionlimit(),
        gc.isenabled(),
        len(warnings.filters),
        tempfile.tempdir,
        np.geterr(),
        locale.setlocale(locale.LC_ALL),
    )
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else ()
    timer = signal.getitimer(signal.ITIMER_REAL)[0] > 0
    limits = [resource.getrlimit(kind) for kind in _RESOURCES]
    where = os.getcwd(), os.listdir(), dict(os.environ)  # noqa: PTH109, PTH208
    patched = [dict(vars(module)) for module in _MODULES]
    return mask, handlers, counts, python, cores, timer, limits, where, os.nice(0), patched


_MODULES = builtins, json, np, os, time
"""Whose functions a backend may patch, and nonocsp or the next run may call."""
_HAS_PROC = os.path.isdir("/proc/self/fd")  # noqa: PTH112
