"""End the processes of a session, and say how a process ended."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from subprocess import Popen

import psutil

_DYING_S, _PAUSE_S = 1.0, 0.001
"""How long killed processes, which need time to end, are waited for; and the pause between two looks."""


def end_session(process: Popen[bytes]) -> bool:
    """Kill a process and all that it started, wait for their end, and return whether others still ran.

    It was started with ``start_new_session=True``: its session has even what is in a process group of its
    own.
    """
    if process.poll() is None:
        process.kill()
        process.wait()
    killed: set[int] = set()
    while found := set(_session(process.pid)) - killed:  # those that were forked meanwhile come next
        for pid in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        killed |= found
    deadline = time.monotonic() + _DYING_S
    while any(map(is_alive, killed)) and time.monotonic() < deadline:
        time.sleep(_PAUSE_S)
    return bool(killed)


def is_alive(pid: int) -> bool:
    """Return whether a process exists and has not ended; its parent may not have taken note of that."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def _session(leader: int) -> Iterator[int]:
    for pid in psutil.pids():
        with suppress(ProcessLookupError, PermissionError):
            if os.getsid(pid) == leader:
                yield pid


def how_it_ended(code: int | None) -> str:
    """Put an exit code into words: negative for a signal, None if the process only closed its streams."""
    if code is None:
        return "closed its streams"
    if code < 0:
        return f"died of {signal_name(-code)}"
    return f"ended with exit code {code}"


def signal_name(number: int) -> str:
    """Return the name of a signal, such as ``SIGSEGV``; real-time signals have numbers only."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
