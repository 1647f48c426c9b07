"""Executor ``fork``: each run in a process of its own, forked from one that has the backends loaded.

So no run sees what another has left, and nothing has to be imported; that costs some 10 ms a run.
"""

from __future__ import annotations

from typing import ClassVar

from nonocsp.runner.local import LocalExecutor
from nonocsp.runner.slot import ServerSlot


class ForkExecutor(LocalExecutor):
    """Measures each job in a process of its own."""

    name: ClassVar[str] = "fork"

    def _new_slot(self, core: int | None) -> ServerSlot:
        return ServerSlot(self._guard, core=core, is_lasting=False)
