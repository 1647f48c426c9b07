"""Executor ``fork``: each run in a process of its own, forked from one that has the backends loaded.

So no run sees what another has left, and nothing has to be imported; that costs some 10 ms a run.
"""

from __future__ import annotations

from typing import ClassVar

from nonocsp.bench.executors.local import LocalExecutor


class ForkExecutor(LocalExecutor):
    """Measures each job in a process of its own."""

    name: ClassVar[str] = "fork"
    is_lasting: ClassVar[bool] = False
