"""Both ends of a process of a pool, which starts as ``python -P -m nonocsp.run.pool_process SOCKET LIFE``.

The arguments are file descriptors. Through the socket come pickles: first the work, then batches of numbered
puzzles. Each puzzle is answered with its number and result, and each batch with None. Nobody writes to the
pipe LIFE. When the driver dies, it closes, and the system kills the process with its group.
"""

from __future__ import annotations

import fcntl
import os
import pickle
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from nonocsp.backends.ending import end_session, how_it_ended
from nonocsp.model import Puzzle
from nonocsp.run.processes import descendants

MAX_BATCH, BATCH_S = 64, 0.02
"""Puzzles in a batch, and how long it may take: those that were not begun by then go back to the pool."""
LATE_S = 0.1
"""How long a process may be silent before others get what lies behind its current puzzle."""
REAP_S = 1.0
"""How long a process that closed its socket may take to end by itself."""

Numbered = tuple[int, Puzzle]
"""A puzzle and its place in the supply, from 0."""


class PoolProcess:
    """The driver's end: which puzzles the process has, and how far it is."""

    def __init__(self, work: object) -> None:
        ours, theirs = socket.socketpair()
        life, self._life = os.pipe()  # of this process alone: only one can have the signal of a pipe
        with theirs, os.fdopen(life):
            descriptors = theirs.fileno(), life
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", __name__, *map(str, descriptors)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=descriptors,
                start_new_session=True,  # Ctrl-C in the terminal is for the driver alone
                env={"OPENBLAS_NUM_THREADS": "1", **os.environ},  # its threads are not used and take 30 ms
            )
        self.link = Connection(ours.detach())
        self.batch: list[Numbered] = []
        """The puzzles without a result, in order: the process works on the first."""
        self.size = 1  # of the next batch
        self.is_ready = self.is_free = False
        self._given, self._heard = 0, 0.0
        self._send(work)

    def assign(self, batch: list[Numbered]) -> None:
        """Give a free process a batch."""
        self.batch, self._given, self.is_free = batch, len(batch), False
        self._heard = time.perf_counter()
        self._send(batch)

    def hear(self) -> tuple[int, Any] | None:
        """Return the next number and result; None at the end of a batch; EOFError or OSError if it died."""
        answer: tuple[int, Any] | None = _receive(self.link)
        self._heard = time.perf_counter()
        if answer and self.batch and self.batch[0][0] == answer[0]:
            del self.batch[0]
        return answer

    def finish(self) -> list[Numbered]:
        """Note that the process waits for a batch; return the puzzles for which it had no time."""
        rest, self.batch = self.batch, []
        self.size = max(1, self._given - len(rest) if rest else min(2 * self._given, MAX_BATCH))
        self.is_ready = self.is_free = True
        return rest

    def recall(self) -> list[Numbered]:
        """Return the puzzles behind the one that takes long; the batch then ends with it."""
        behind, self.batch, self._given = self.batch[1:], self.batch[:1], 0
        return behind

    @property
    def is_late(self) -> bool:
        """Whether the process has been silent for long while it works."""
        return bool(self.batch) and time.perf_counter() - self._heard > LATE_S

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    def ended_how(self) -> str:
        """Say how a process has ended that nobody here killed."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(REAP_S)
        return f"the worker process {how_it_ended(self._process.returncode)}"

    def kill(self) -> None:
        """Kill the process, what descends from it, and its session."""
        for pid in descendants(self._process.pid):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        end_session(self._process)
        os.close(self._life)
        self.link.close()

    def _send(self, message: object) -> None:
        """Send; a process that has died says so by its end, not here."""
        with suppress(OSError):
            _send(self.link, message)


def _send(link: Connection, message: object) -> None:
    link.send_bytes(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))


def _receive(link: Connection) -> Any:
    """Return the next message; raise EOFError or OSError if there are no more, or only half of one."""
    return pickle.loads(link.recv_bytes())


def _main(link: Connection, life: int) -> None:
    """Answer batches until the driver ends."""
    if sys.platform == "linux":  # elsewhere a process ends after its puzzle
        fcntl.fcntl(life, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(life, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(life, fcntl.F_SETFL, os.O_ASYNC)
    work = _receive(link).start()
    _send(link, None)
    os.dup2(0, 2)  # errors until here are for the user; now /dev/null, as for the output
    with suppress(EOFError, OSError):
        while True:
            batch, until = _receive(link), time.perf_counter() + BATCH_S
            for number, puzzle in batch:
                _send(link, (number, work(puzzle)))
                if time.perf_counter() > until:
                    break
            _send(link, None)


if __name__ == "__main__":
    _main(Connection(int(sys.argv[1])), int(sys.argv[2]))
