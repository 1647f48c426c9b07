"""Run backends: executors that measure jobs under limits, and pools that work on many puzzles.

`jobs` defines job, measurement and executor; `create` makes an executor by its name. Importing this package
loads no executor.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from nonocsp.model import UsageError, unknown

if TYPE_CHECKING:
    from nonocsp.run.jobs import Access, Executor

_CLASSES = {
    "inline": "inline.InlineExecutor",
    "fork": "local.ForkExecutor",
    "warm": "local.WarmExecutor",
    "benchexec": "benchexec.BenchExecExecutor",
    "dask": "dask_executor.DaskExecutor",
}

NAMES = tuple(_CLASSES)
NOT_ISOLATED = "only executor benchexec isolates runs; leave network and writable out"


def create(
    name: str,
    jobs: int,
    *,
    pin: bool = False,
    cores: int = 1,
    access: Access | None = None,
    address: str | None = None,
    inner: str = "fork",
) -> Executor:
    """Make an executor, one of `NAMES`; UsageError if it does not take an option.

    It makes `jobs` runs at a time, each on as many `cores`, confined to them with `pin`. Runs in containers
    of ``benchexec`` get `access`. With ``dask``, `address` is that of the cluster's scheduler, and executor
    `inner` measures on the workers.
    """
    from nonocsp.run.jobs import NO_ACCESS

    check_name(name)
    if address is not None and name != "dask":
        raise UsageError(f"executor {name} runs on this machine: it takes no cluster's address")
    is_contained = "benchexec" in (name, inner if name == "dask" else name)
    if access not in (None, NO_ACCESS) and not is_contained:
        raise UsageError(NOT_ISOLATED)
    options: dict[str, Any] = {"address": address, "inner": inner} if name == "dask" else {}
    if is_contained or name == "dask":
        options["access"] = access or NO_ACCESS
    module, _, class_name = _CLASSES[name].rpartition(".")
    make = getattr(import_module(f"{__name__}.{module}"), class_name)
    executor: Executor = make(jobs, pin=pin, cores=cores, **options)
    return executor


def check_name(name: str) -> None:
    """Raise `UsageError` if there is no such executor."""
    if name == "cgroup":
        raise UsageError("executor cgroup is now called benchexec")
    if name not in _CLASSES:
        raise unknown("executor", name, NAMES)
