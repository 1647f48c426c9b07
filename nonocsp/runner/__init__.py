"""Executors: ways to measure jobs. `base` says what one is; `create` makes one by its name.

Importing this package loads no executor: each is imported when it is made.
"""

from __future__ import annotations

from importlib import import_module

from nonocsp.model import UsageError, unknown
from nonocsp.runner.jobs import Executor

_HOME = {
    "inline": "InlineExecutor",
    "fork": "ForkExecutor",
    "warm": "WarmExecutor",
    "cgroup": "CgroupExecutor",
    "dask": "DaskExecutor",
}
"""Name of an executor and of its module, and the class in it."""

NAMES = tuple(_HOME)


def create(name: str, jobs: int, *, pin: bool = False, address: str | None = None) -> Executor:
    """Make an executor.

    Parameters
    ----------
    name
        One of `NAMES`.
    jobs
        Runs at a time, at least 1.
    pin
        Whether each run is to have a core of its own to which it is confined.
    address
        Where the cluster is, for ``dask``.

    Raises
    ------
    UsageError
        If there is no such executor, or it does not take an option.
    """
    if name not in _HOME:
        raise unknown("executor", name, NAMES)
    if address is not None and name != "dask":
        raise UsageError(f"executor {name} runs on this machine: it takes no cluster's address")
    module = import_module(f"{__name__}.{name}")
    options = {"address": address} if name == "dask" else {}
    executor: Executor = getattr(module, _HOME[name])(jobs, pin=pin, **options)
    return executor
