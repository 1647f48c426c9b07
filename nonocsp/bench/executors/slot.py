"""The driver's end of a server: what it says, what its runs use, and the core that they are confined to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress

import psutil

from nonocsp.bench.executors.guard import Guard, kill_descendants
from nonocsp.bench.executors.process import GuardedProcess
from nonocsp.bench.executors.server import LASTING, READY
from nonocsp.bench.executors.usage import Usage, usage_below
from nonocsp.model import BackendError


class Slot(GuardedProcess):
    """A place for one run at a time: a server, and a core if runs are pinned.

    Parameters
    ----------
    core
        To which the server and all that it forks are confined.
    is_lasting
        Whether one process runs many jobs.
    """

    def __init__(self, guard: Guard, *, core: int | None, is_lasting: bool) -> None:
        super().__init__("nonocsp.bench.executors.server", guard, *([LASTING] if is_lasting else []))
        self.core = core
        if core is not None:
            os.sched_setaffinity(self.pid, {core})
        self._server = psutil.Process(self.pid)
        os.set_blocking(self.fileno(), False)
        self._received = b""
        self._is_ready = False

    def send(self, line: bytes) -> None:
        """Hand over a job, and forget what was said before. A server that has died says so by its end."""
        with suppress(EOFError, BrokenPipeError):
            for _ in self.lines():
                pass
            self._input.write(line + b"\n")

    def lines(self) -> Iterator[bytes]:
        """Yield the complete lines that have arrived; raise EOFError, after them, if the server has ended.

        Raises
        ------
        BackendError
            If it ended before it was ready for any job: then no other can do better.
        """
        ended = not self.is_alive  # asked first: what it wrote before it died is read below
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

    def usage(self, shared_bytes: int) -> Usage:
        """Return what the run uses beyond memory that it shares with the server."""
        return usage_below(self._server, shared_bytes)

    def size(self) -> int:
        """Return the resident memory of the server itself, in bytes."""
        with suppress(psutil.Error):
            return int(self._server.memory_info().rss)
        return 0

    def cpu_s(self) -> float:
        """Return the CPU seconds of the server and all that descends from it."""
        with suppress(psutil.Error):
            return sum(self._server.cpu_times()[:2]) + usage_below(self._server, 0).cpu_s
        return 0.0

    def kill_run(self) -> None:
        """End what the server has forked, and everything that this started."""
        kill_descendants(self.pid)
