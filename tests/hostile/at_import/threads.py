"""Starts threads that compute and speak when it is imported."""

from __future__ import annotations

import threading
import time

from hostile.base import CRASHED, Hostile
from hostile.speech import say


def _speak() -> None:
    while True:
        say(b"\nready\n")
        _has_spoken.set()
        time.sleep(0.001)


_has_spoken = threading.Event()
threading.Thread(target=_speak, daemon=True).start()
_has_spoken.wait()  # on a busy machine the first run could be over by then


class StartsThreadsAtImport(Hostile):
    """Starts a thread that writes to all descriptors when it is imported."""

    becomes = (CRASHED,)
