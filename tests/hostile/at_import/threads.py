"""Starts threads that compute and speak when it is imported."""

from __future__ import annotations

import threading
import time

from hostile.base import CRASHED, Hostile
from hostile.speech import say


def _speak() -> None:
    while True:
        say(b"\nready\n")
        time.sleep(0.001)


threading.Thread(target=_speak, daemon=True).start()


class StartsThreadsAtImport(Hostile):
    """Starts a thread that writes to all descriptors when it is imported."""

    becomes = (CRASHED,)
