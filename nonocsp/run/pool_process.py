"""The driver's end of a process of a pool: which puzzles it has, and how far it is."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

import psutil

from nonocsp.backends.ending import end_session, how_it_ended
from nonocsp.run.pool_worker import BATCH_S, receive, send
from nonocsp.run.window import Numbered

MAX_BATCH = 64
"""Puzzles in a batch."""
REAP_S = 1.0
"""How long a process that closed its socket may take to end by itself."""


class PoolProcess:
    """A process of `nonocsp.run.pool_worker` that does some work."""

    def __init__(self, work: object) -> None:
        ours, theirs = socket.socketpair()
        life, self._life = os.pipe()  # of this process alone: only one can have the signal of a pipe
        with theirs, os.fdopen(life):
            descriptors = theirs.fileno(), life
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "nonocsp.run.pool_worker", *map(str, descriptors)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=descriptors,
                start_new_session=True,  # Ctrl-C in the terminal is for the driver alone
                env={"OPENBLAS_NUM_THREADS": "1", **os.environ},  # its threads are not used and take 30 ms
            )
        self._link = Connection(ours.detach())
        self._batch: list[Numbered] = []
        self._done = self._kept = 0
        self._given = 0.0
        self.size = 1  # of the next batch
        self.has_started = False
        self._send(work)

    def fileno(self) -> int:
        """Return the descriptor that can be read when there is something to hear."""
        return self._link.fileno()

    @property
    def is_free(self) -> bool:
        """Whether the process waits for a batch."""
        return self.has_started and not self._batch

    @property
    def busy_s(self) -> float:
        """How long the process has had its batch; 0 if it has none."""
        return time.perf_counter() - self._given if self._batch else 0.0

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    def assign(self, batch: list[Numbered]) -> None:
        """Give a free process a batch."""
        self._batch, self._done, self._kept = batch, 0, len(batch)
        self._given = time.perf_counter()
        self._send([puzzle for _, puzzle in batch])

    def hear(self) -> tuple[int, Any] | None:
        """Return the next number and result; None at the end of a batch; EOFError or OSError if it died."""
        if (answer := receive(self._link)) is None:
            return None
        self._done += 1
        return self._batch[self._done - 1][0], answer[0]

    def finish(self) -> list[Numbered]:
        """Note that the process waits for a batch; return the puzzles for which it had no time."""
        rest = self.rest
        self.size = max(1, min(int(self._done * BATCH_S / max(self.busy_s, 1e-6)), 2 * self.size, MAX_BATCH))
        self._batch, self.has_started = [], True
        return rest

    @property
    def rest(self) -> list[Numbered]:
        """The puzzles without a result, in order: the process works on the first."""
        return self._batch[self._done : self._kept]

    def recall(self) -> list[Numbered]:
        """Return the puzzles behind the one that takes long: the process will not begin them."""
        behind = self.rest[1:]
        self._kept = self._done + 1
        return behind

    def ended_how(self) -> str:
        """Say how a process has ended that nobody here killed: a signal's name or an exit code."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(REAP_S)
        return f"the worker process {how_it_ended(self._process.returncode)}"

    def kill(self) -> None:
        """Kill the process, what descends from it, and its session."""
        with suppress(psutil.Error):
            for process in psutil.Process(self._process.pid).children(recursive=True):
                with suppress(psutil.Error):
                    process.kill()
        end_session(self._process)
        os.close(self._life)
        self._link.close()

    def _send(self, message: object) -> None:
        """Send; a process that has died says so by its end, not here."""
        with suppress(OSError):
            send(self._link, message)
