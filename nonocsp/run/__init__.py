"""Run backends: executors that measure jobs under limits, and pools that work on many puzzles.

`jobs` defines job, measurement and executor; `create` makes an executor by its name. Importing this package
loads no executor.
"""

from __future__ import annotations

from importlib import import_module

from nonocsp.model import UsageError, unknown
from nonocsp.run.jobs import NO_ACCESS, Access, Executor

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
    access: Access = NO_ACCESS,
    address: str | None = None,
    inner: str = "fork",
) -> Executor:
    """Make an executor.

    Parameters
    ----------
    name
        One of `NAMES`.
    jobs
        Runs at a time, at least 1.
    pin
        Whether each run is confined to cores of its own.
    cores
        How many cores each run may use.
    access
        What runs in the containers of ``benchexec`` may use besides.
    address
        Of the cluster's scheduler, for ``dask``.
    inner
        The executor that measures on the cluster's workers, for ``dask``.

    Raises
    ------
    UsageError
        If there is no such executor, or it does not take an option.
    """
    check_name(name)
    if address is not None and name != "dask":
        raise UsageError(f"executor {name} runs on this machine: it takes no cluster's address")
    module, _, class_name = _CLASSES[name].rpartition(".")
    is_contained = "benchexec" in (name, inner if name == "dask" else name)
    if access != NO_ACCESS and not is_contained:
        raise UsageError(NOT_ISOLATED)
    options: dict[str, object] = {"address": address, "inner": inner} if name == "dask" else {}
    if is_contained or name == "dask":
        options["access"] = access
    make = getattr(import_module(f"{__name__}.{module}"), class_name)
    executor: Executor = make(jobs, pin=pin, cores=cores, **options)
    return executor


def check_name(name: str) -> None:
    """Raise `UsageError` if there is no such executor."""
    if name == "cgroup":
        raise UsageError("executor cgroup is now called benchexec")
    if name not in _CLASSES:
        raise unknown("executor", name, NAMES)
