"""Provide slots: places for one run at a time, to start it, hear it, watch it and kill it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Protocol

import psutil

from nonocsp.model import BackendError
from nonocsp.runner.guard import Guard, kill_descendants
from nonocsp.runner.process import GuardedProcess, can_isolate, confined
from nonocsp.runner.server import LASTING, READY
from nonocsp.runner.usage import Usage, usage_below


class Slot(Protocol):
    """A place for one run at a time.

    Attributes
    ----------
    cores
        The cores to which its runs are confined; None if they may use any.
    is_isolated
        Whether its runs cannot reach any other process.
    """

    cores: tuple[int, ...] | None
    is_isolated: bool

    @property
    def is_alive(self) -> bool:
        """Whether it can take another job."""
        ...

    def fileno(self) -> int:
        """Return a descriptor that is readable when the run has written something."""
        ...

    def send(self, line: bytes) -> None:
        """Start a job; what was written before is dropped."""
        ...

    def lines(self) -> Iterable[bytes]:
        """Return the lines that arrived, in the words of `nonocsp.runner.server`; EOFError at the end."""
        ...

    def usage(self, shared_bytes: int) -> Usage:
        """Return what the run uses, without the memory that it shares with its server."""
        ...

    def size(self) -> int:
        """Return the memory of the server itself, in bytes."""
        ...

    def cpu_s(self) -> float:
        """Return the CPU seconds of everything that belongs to the slot."""
        ...

    def total_cpu_s(self) -> float:
        """Return the CPU seconds of all that has run on the slot's cores."""
        ...

    def exit_code(self) -> int | None:
        """Return the exit code of a slot that is not alive, negative for a signal; None if nobody knows."""
        ...

    def kill_run(self) -> None:
        """Kill the run and everything that it started."""
        ...

    def kill(self) -> None:
        """Kill the slot and its run."""
        ...

    def close(self) -> None:
        """Release the files of a slot that was killed."""
        ...


class ServerSlot(GuardedProcess):
    """The driver's end of a server.

    Parameters
    ----------
    cores
        The cores to which the server and all that it forks are confined.
    is_lasting
        Whether one process runs many jobs.
    """

    def __init__(self, guard: Guard, *, cores: tuple[int, ...] | None, is_lasting: bool) -> None:
        with confined(cores):
            super().__init__(
                "nonocsp.runner.server",
                guard,
                *([LASTING] if is_lasting else []),
                is_isolated=can_isolate(),
            )
        self.cores = cores
        os.set_blocking(self.fileno(), False)
        self._received = b""
        self._is_ready = False

    def send(self, line: bytes) -> None:
        """Hand over a job; a server that has died shows that by the end of its output."""
        with suppress(EOFError, BrokenPipeError):
            for _ in self.lines():
                pass
            self._input.write(line + b"\n")

    def lines(self) -> Iterator[bytes]:
        """Yield the complete lines that have arrived; raise EOFError, after them, if the server has ended.

        Raises
        ------
        BackendError
            If it ended before it was ready for any job: another would fare no better.
        """
        ended = not self.is_alive  # asked first: what it wrote before it died is read below
        lines, self._received, is_closed = split_lines(self.fileno(), self._received)
        ended |= is_closed
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
        """Return what the server's descendants use."""
        return usage_below(psutil.Process(self.module_pid), shared_bytes)

    def size(self) -> int:
        """Return the resident memory of the server itself."""
        with suppress(psutil.Error):
            return int(psutil.Process(self.module_pid).memory_info().rss)
        return 0

    def cpu_s(self) -> float:
        """Return the CPU seconds of the server and all that descends from it."""
        with suppress(psutil.Error):
            server = psutil.Process(self.module_pid)
            return sum(server.cpu_times()[:2]) + usage_below(server, 0).cpu_s
        return 0.0

    def total_cpu_s(self) -> float:
        """Return the same: the server has taken note of the CPU seconds of the runs that ended."""
        return self.cpu_s()

    def kill_run(self) -> None:
        """Kill the processes that the server has forked, and everything that they started."""
        kill_descendants(self.module_pid)


def split_lines(descriptor: int, received: bytes) -> tuple[list[bytes], bytes, bool]:
    """Read whatever is there, and split it into lines.

    Parameters
    ----------
    descriptor
        Does not block.
    received
        The incomplete last line of the call before.

    Returns
    -------
    tuple[list[bytes], bytes, bool]
        Complete lines, an incomplete last line, and whether the other end is closed.
    """
    chunks, is_closed = [received], False
    with suppress(BlockingIOError):
        while chunk := os.read(descriptor, 1 << 20):
            chunks.append(chunk)
        is_closed = True
    *lines, rest = b"".join(chunks).split(b"\n")
    return lines, rest, is_closed
