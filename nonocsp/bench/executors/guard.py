"""Ends the workers of a driver that died without doing so itself, such as by ``kill -9``.

A guard is a tiny process beside the workers. It learns their process groups through a pipe; when the pipe
closes it kills the groups that are still registered. So no worker outlives its driver, nor do processes that
a backend started, not even while a backend holds the interpreter and could not notice.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterable


class Guard:
    """The driver's end: starts the guard process and keeps it informed."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C in the terminal is for the driver alone
        )

    def watch(self, group: int) -> None:
        """Have a process group killed when this process ends."""
        self._tell(f"+{group}\n")

    def forget(self, group: int) -> None:
        """Leave a process group alone: it has ended."""
        self._tell(f"-{group}\n")

    def close(self) -> None:
        """End the guard; groups that are still watched are killed."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def _tell(self, message: str) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # someone killed the guard: the work itself goes on
            self._process.stdin.write(message.encode())
            self._process.stdin.flush()


def kill_group(group: int) -> None:
    """Kill every process of a group that is still there."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def guard(messages: Iterable[str]) -> None:
    """Follow the messages ``+group`` and ``-group`` to their end, then kill the groups that are left."""
    groups: set[int] = set()
    for message in messages:
        group = int(message[1:])
        if message[0] == "+":
            groups.add(group)
        else:
            groups.discard(group)
    for group in groups:
        kill_group(group)


if __name__ == "__main__":
    guard(sys.stdin)
