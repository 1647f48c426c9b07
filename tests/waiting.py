"""Wait for events, however long a busy machine takes for them; only a test that fails waits for `AMPLE_S`."""

import time
from collections.abc import Callable, Collection

import psutil

from nonocsp.backends.ending import is_alive

AMPLE_S = 90.0


def wait_until(has_happened: Callable[[], object]) -> None:
    """Return as soon as something has happened."""
    deadline = time.monotonic() + AMPLE_S
    while not has_happened():
        assert time.monotonic() < deadline, f"it did not happen within {AMPLE_S:g} s"
        time.sleep(0.01)


def wait_for_ends(processes: Collection[psutil.Process]) -> None:
    """Return as soon as processes have ended, even if nobody takes note of it."""
    wait_until(lambda: not any(is_alive(process.pid) for process in processes))
