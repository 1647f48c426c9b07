"""Takes its time to be imported."""

from __future__ import annotations

import time

from hostile.base import Hostile

time.sleep(0.7)


class SleepsAtImport(Hostile):
    """Takes longer to be imported than a run may take."""
