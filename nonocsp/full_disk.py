"""Wait while the disk is full: runs can fill it for a moment (`nonocsp.run.worker.room`)."""

from __future__ import annotations

import errno
import time
from collections.abc import Callable
from typing import TypeVar

from nonocsp.model import UsageError

T = TypeVar("T")

WAIT_S, _RETRY_S = 10.0, 0.01
"""Seconds for which a full disk is waited for, and between two tries."""
_FULL = (errno.ENOSPC, errno.EDQUOT)


def once_there_is_room(write: Callable[[], T]) -> T:
    """Write something; while the disk is full, try again for `WAIT_S` seconds.

    Parameters
    ----------
    write
        Can be called again if it raises OSError, or UsageError in its place.
    """
    deadline = time.monotonic() + WAIT_S
    while True:
        try:
            return write()
        except (OSError, UsageError) as error:
            cause = error if isinstance(error, OSError) else error.__context__
            if getattr(cause, "errno", None) not in _FULL or time.monotonic() > deadline:
                raise
        time.sleep(_RETRY_S)
