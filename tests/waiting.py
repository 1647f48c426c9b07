"""Wait for events, however long a busy machine takes for them; only a test that fails waits for `AMPLE_S`."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection

import psutil

AMPLE_S = 90.0


def wait_until(has_happened: Callable[[], object]) -> None:
    """Return as soon as something has happened."""
    deadline = time.monotonic() + AMPLE_S
    while not has_happened():
        assert time.monotonic() < deadline, f"it did not happen within {AMPLE_S:g} s"
        time.sleep(0.01)


def wait_for_ends(processes: Collection[psutil.Process]) -> None:
    """Return as soon as processes have ended, even if nobody takes note of it."""
    wait_until(lambda: all(map(has_ended, processes)))


def has_ended(process: psutil.Process) -> bool:
    """Return whether a process has ended, even if nobody takes note of it."""
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
