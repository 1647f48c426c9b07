"""The driver's end of a worker process: how it ended, and of one that measures, lines and what it uses."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import psutil

from nonocsp.bench.executors.guard import Guard, kill_group
from nonocsp.bench.executors.worker import READY
from nonocsp.model import BackendError

_REAP_S = 1.0


class Usage(NamedTuple):
    """What a worker and its children use at one moment: CPU seconds so far, resident bytes now."""

    cpu_s: float
    rss_bytes: int


class GuardedProcess:
    """A Python module run as a process alone in its group, between two pipes.

    Parameters
    ----------
    module
        Run as ``python -m module``.
    guard
        Ends the process if this one dies without doing so.
    """

    def __init__(self, module: str, guard: Guard) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        self._root = psutil.Process(self._process.pid)
        self._guard = guard
        guard.watch(self._process.pid)

    def fileno(self) -> int:
        """Return the descriptor that is readable when the process has said something or ended."""
        return self._output.fileno()

    @property
    def is_alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def ended_how(self) -> str:
        """Return, for a process that has ended by itself, how: a signal's name or an exit code."""
        try:
            code = self._process.wait(_REAP_S)
        except subprocess.TimeoutExpired:
            return "the worker process closed its streams"
        if code < 0:
            return f"the worker process died of {signal.Signals(-code).name}"
        return f"the worker process ended with exit code {code}"

    def kill(self) -> None:
        """End the process and everything it started."""
        children = _children(self._root)
        kill_group(self._process.pid)
        for child in children:  # those that moved to a group of their own
            with contextlib.suppress(psutil.NoSuchProcess):
                child.kill()
        self._process.wait()
        self._guard.forget(self._process.pid)

    def close(self) -> None:
        """Close the streams of a process that was killed."""
        self._input.close()
        self._output.close()


class WorkerProcess(GuardedProcess):
    """A process that measures jobs one by one."""

    def __init__(self, guard: Guard) -> None:
        super().__init__("nonocsp.bench.executors.worker", guard)
        os.set_blocking(self._output.fileno(), False)
        self._received = b""
        self._is_ready = False

    def send(self, line: bytes) -> None:
        """Send one line. A worker that has died says so by its end, not here."""
        with contextlib.suppress(BrokenPipeError):
            self._input.write(line)

    def lines(self) -> Iterator[bytes]:
        """Yield the complete lines that have arrived; raise EOFError, after them, if the worker has ended.

        Raises
        ------
        BackendError
            If it ended before it was ready for any job: then no worker can do better.
        """
        ended = self._process.poll() is not None  # asked first: what it wrote before it died is read below
        chunks = [self._received]
        try:
            while chunk := os.read(self.fileno(), 1 << 20):
                chunks.append(chunk)
            ended = True
        except BlockingIOError:
            pass
        *lines, self._received = b"".join(chunks).split(b"\n")
        for line in lines:
            if line == READY:
                self._is_ready = True
            else:
                yield line
        if ended and not self._is_ready:
            raise BackendError(f"cannot start a worker: {self.ended_how()} before it was ready")
        if ended:
            raise EOFError

    def usage(self) -> Usage:
        """Return what the process tree uses; the children that ended count with their CPU time."""
        usages = [_usage(process) for process in (self._root, *_children(self._root))]
        return Usage(sum(usage.cpu_s for usage in usages), sum(usage.rss_bytes for usage in usages))


def _usage(process: psutil.Process) -> Usage:
    try:
        with process.oneshot():
            return Usage(sum(process.cpu_times()[:4]), process.memory_info().rss)
    except psutil.Error:
        return Usage(0.0, 0)


def _children(process: psutil.Process) -> list[psutil.Process]:
    """Return all descendants of a process."""
    try:
        if _may_have_children(process.pid):
            return process.children(recursive=True)
    except psutil.Error:
        pass
    return []


def _may_have_children(pid: int) -> bool:
    """Return whether listing the children is worth it; Linux says cheaply that there are none."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208  (a tenth of the time of pathlib)
        return any(Path(f"/proc/{pid}/task/{thread}/children").read_bytes() for thread in threads)
    except OSError:
        return True
