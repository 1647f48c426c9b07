"""Load a backend once, fork the processes of its runs, and measure them from outside.

The template loads and rehearses the backend, and from then on runs none of its code. Each run is a fork of it
(``fork``); with ``warm``, one fork does run after run until a run leaves it changed. As parent and child
subreaper of whatever a run starts, the template can time it, count it and end it. Limits are enforced by
looking: at first after 5 ms, then as often as memory could reach its limit. When the driver dies, its socket
closes: the template ends its run, then itself.
"""

from __future__ import annotations

import ctypes
import faulthandler
import gc
import os
import pickle
import resource
import select
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, NoReturn

import msgspec

from nonocsp.backends import registry
from nonocsp.backends.base import Backend, Limits, Termination
from nonocsp.model import NonocspError, bounds
from nonocsp.run.child import BORN, ENDED, PREPARED, REPLIED, rehearse, serve
from nonocsp.run.limits import FIRST_LOOK_S, GRACE_S, kill_message, killed_or_crashed, pause_s, reached
from nonocsp.run.processes import (
    IS_LINUX,
    adopt_orphans,
    descendants,
    die_with_parent,
    outlive_parent,
    shared_files,
)
from nonocsp.run.reply import MAX_BYTES, put
from nonocsp.run.run_process import TEMPORARY, RunProcess, Said, Seen

SETUP_S = 60.0
"""The longest time for each step but the run itself: forking, reading the job, replying."""
_SPOOL_BYTES, _LAST_WORDS = 1 << 20, 300
"""How much of what runs print is kept, and how many characters of it a message repeats."""


class _Stopped(Exception):
    """A run must end before it replied, with a termination and a message; without, it has ended by itself."""


class Template:
    """Measures the runs of a backend, one after the other; if the driver says anything meanwhile, it died."""

    def __init__(
        self, backend: Backend, spec: str, driver: Connection, folder: str, *, is_warm: bool
    ) -> None:
        self._driver, self._folder = driver, folder
        self._box = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115  (for jobs and replies)
        self._serve = partial(serve, backend, spec, self._box.fileno(), is_warm=is_warm)
        self._spool = os.open(f"{folder}/output", os.O_RDWR | os.O_CREAT | os.O_APPEND)
        for descriptor in (1, 2):
            os.dup2(self._spool, descriptor)
        self._own = frozenset(descendants(os.getpid()))  # what loading started stays
        self._warm: RunProcess | None = None

    def measure(self, limits: Limits, job: bytes) -> tuple[Seen, bytes]:
        """Run a job; return what was seen of the run, and its reply.

        EOFError if the driver has died, or something of the run cannot be ended.
        """
        seen, shared, reply, is_as_before = Seen(), shared_files(), b"", 0.0
        os.truncate(self._spool, 0)
        run = self._process()
        try:
            if run.is_new:
                self._hear(run, BORN, Limits())
            put(self._box.fileno(), job)
            run.say(len(job))
            run.begin(self._hear(run, PREPARED, Limits()).first, seen)
            run.stop(seen, self._hear(run, ENDED, limits))
            run.note_end(shared)
            _, size, is_as_before = self._hear(run, REPLIED, Limits(wall=SETUP_S + bounds.PROOF_SECONDS))
            reply = os.pread(self._box.fileno(), min(int(size), MAX_BYTES), 0)
        except _Stopped as stopped:
            run.stop(seen)
            run.note_end(shared)
            when = "" if seen.started else " before the run started"
            how = stopped.args or killed_or_crashed("the run's process", run.await_end(), when)
            seen.termination, seen.message = how
            if seen.termination in (Termination.CRASHED, Termination.KILLED):
                seen.message += self._last_words()
        is_full = limits.memory is not None and run.kept_bytes > limits.memory / 2
        is_kept = bool(is_as_before) and not is_full
        try:
            seen.left = run.finish(is_kept=is_kept, at_once=seen.termination is not None)
        except TimeoutError:
            raise EOFError from None  # this template is of no more use
        self._warm = run if is_kept and not seen.left else None
        run.account(seen)
        return seen, reply

    def close(self) -> None:
        """End the process that waits for a job, and all that was started here."""
        if self._warm:
            self._warm.finish(is_kept=False, at_once=True)

    def _process(self) -> RunProcess:
        """Return a process that waits for a job: the warm one, if it is still alive."""
        if self._warm and not self._warm.has_ended:
            return self._warm
        if self._warm:
            self._warm.finish(is_kept=False, at_once=True)
        return RunProcess.fork(self._serve, self._driver.fileno(), self._folder, self._own)

    def _hear(self, run: RunProcess, word: bytes, limits: Limits) -> Said:
        """Wait for a word of the run, and look after its limits meanwhile; without any it has `SETUP_S`.

        `_Stopped` if it says something else, ends, or reaches a limit; EOFError if the driver has died.
        """
        since = time.perf_counter()
        is_running = word == ENDED
        wall_s = limits.wall + GRACE_S if limits.wall is not None else float("inf") if is_running else SETUP_S
        look_at = since + FIRST_LOOK_S
        watched: list[Any] = [run.ear, *([run.pidfd] if run.pidfd is not None else []), self._driver]
        while True:
            now = time.perf_counter()
            if now - since >= wall_s:
                if is_running:
                    raise _Stopped(Termination.WALL, kill_message(limits, Termination.WALL))
                raise _Stopped(Termination.CRASHED, f"the run's process said nothing for {wall_s:g} s")
            if now >= look_at:
                look_at = now + self._look(run, limits, now - since)
            ready, _, _ = select.select(watched, [], [], max(0.0, min(look_at, since + wall_s) - now))
            if self._driver in ready:
                raise EOFError
            if run.ear in ready and (said := run.hear()):
                if said.word == word:
                    return said
                raise _Stopped(Termination.CRASHED, "two processes of the run answered")
            if run.ear in ready or run.has_ended:
                raise _Stopped

    def _look(self, run: RunProcess, limits: Limits, wall_s: float) -> float:
        """Raise `_Stopped` if the run has used too much; return when to look again, in seconds."""
        began = time.perf_counter()
        cpu_s, memory = run.sample()
        if os.fstat(self._spool).st_size > _SPOOL_BYTES:
            os.truncate(self._spool, 0)
        if (limit := reached(limits, wall_s, cpu_s, memory)) is not None:
            raise _Stopped(limit, kill_message(limits, limit))
        return pause_s(limits, memory, time.perf_counter() - began)

    def _last_words(self) -> str:
        """Return the end of what a run has printed, or what Python said of a fatal error, for a message."""
        words = os.pread(self._spool, _SPOOL_BYTES, 0).decode("utf-8", "replace")
        begin = words.find("Fatal Python error")
        kept = words[begin:][:_LAST_WORDS] if begin >= 0 else words.strip()[-_LAST_WORDS:]
        shown = " ".join("".join(char if char.isprintable() else " " for char in kept).split())
        return f"; its last words: {shown}" if shown else ""


def be_template(
    end: socket.socket, spec: str, mode: str, cores: Sequence[int] | None, folder: str
) -> NoReturn:
    """Load a backend, and measure its runs until the driver ends; never return.

    The driver hears why the backend cannot be loaded, or an empty message; then for each job, which it sends
    as limits and bytes, what was seen of the run, and its reply.
    """
    code, template = 1, None
    with suppress(BaseException):
        die_with_parent()
        driver = Connection(end.detach())
        adopt_orphans()
        if cores:
            os.sched_setaffinity(0, cores)
        resource.setrlimit(resource.RLIMIT_CORE, (1, 1))  # with 0, systems still start what collects cores
        own = tempfile.mkdtemp(prefix="nonocsp-", dir=folder)
        os.environ.update(dict.fromkeys(TEMPORARY, own))
        tempfile.tempdir = own
        faulthandler.enable(2)
        try:
            backend = _load(spec)
        except BaseException as error:  # plug-ins raise anything, SystemExit included
            why = str(error) if isinstance(error, NonocspError) else f"{type(error).__name__}: {error}"
            driver.send_bytes(why.encode(errors="replace") or b"?")
            os._exit(0)
        template = Template(backend, spec, driver, own, is_warm=mode == "warm")
        outlive_parent()  # from now on it notices the driver's end itself, and ends its run first
        driver.send_bytes(b"")
        with suppress(EOFError, OSError):
            while True:
                limits, job = pickle.loads(driver.recv_bytes())
                seen, reply = template.measure(limits, job)
                driver.send_bytes(msgspec.json.encode(seen))
                driver.send_bytes(reply)
        code = 0
    if template:
        with suppress(BaseException):
            template.close()
    os._exit(code)


def _load(spec: str) -> Backend:
    """Create a backend, have it import what it needs, and prepare this process for forks."""
    backend = registry.create(spec)
    if not _keeps_threads(backend):
        rehearse(backend)
    gc.collect()
    gc.freeze()  # or every collection inside a measured run would walk through all imported modules
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)  # what a run uses of free memory would count as the template's
    return backend


def _keeps_threads(backend: Backend) -> bool:
    """Return whether a rehearsal leaves threads, which a fork would lack, or breaks its process."""
    # in a fork of the process that made it, a pool of OpenMP never stops waiting for its threads
    if (pid := os.fork()) == 0:
        with suppress(BaseException):
            before = threading.active_count(), _threads()
            rehearse(backend)
            os._exit((threading.active_count(), _threads()) != before)
        os._exit(2)
    return os.waitpid(pid, 0)[1] != 0


def _threads() -> int:
    """Return the number of threads of this process, as far as the system says."""
    return len(os.listdir("/proc/self/task")) if IS_LINUX else 0  # noqa: PTH208


def main(spec: str, cores: str, folder: str) -> NoReturn:
    """Serve in a container, where standard input is the socket to the driver."""
    driver = socket.socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # a backend may read its input
    be_template(driver, spec, "fork", [*map(int, filter(None, cores.split(",")))], folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
