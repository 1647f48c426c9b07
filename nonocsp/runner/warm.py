"""Executor ``warm``: many runs in one process, so that a solve of 1 ms costs little more than that.

What a backend leaves behind in its process (caches, freed memory) is there for the next run; one that crashes
or is killed costs a new process, some 10 ms.
"""

from __future__ import annotations

from typing import ClassVar

from nonocsp.runner.local import LocalExecutor
from nonocsp.runner.slot import ServerSlot


class WarmExecutor(LocalExecutor):
    """Measures jobs in processes that run many of them, one after the other."""

    name: ClassVar[str] = "warm"

    def _new_slot(self, core: int | None) -> ServerSlot:
        return ServerSlot(self._guard, core=core, is_lasting=True)
