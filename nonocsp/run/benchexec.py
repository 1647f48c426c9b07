"""Measure with executor ``benchexec``: each run in a container of its own, by BenchExec's Python API.

A run sees all files but cannot change them, has an empty ``/tmp`` to write in, no ``/run``, no network and no
process but its own. Use it for backends that you do not trust. It needs user namespaces. Where BenchExec can
use control groups, too, the kernel counts memory, of the whole process; else the driver adds it up every
.05 s. `nonocsp.run.contained` works inside; the clock starts when it has loaded the backend.

Source: Beyer, Löwe, Wendler, Reliable benchmarking: requirements and solutions, STTT 21 (2019).
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from functools import cache
from types import TracebackType
from typing import ClassVar, Self

from nonocsp.extras import missing
from nonocsp.model import UsageError
from nonocsp.run.conditions import SAMPLE_S, SLACK, Bystanders
from nonocsp.run.container import HIDDEN, NAME, ContainerRun, Launcher
from nonocsp.run.cores import physical_cores, usable_threads
from nonocsp.run.jobs import NO_ACCESS, Access, Job, Measurement, Readiness
from nonocsp.run.locks import reserve
from nonocsp.run.processes import tree_cpu_s
from nonocsp.run.provenance import forget_code, provenance

_CHECK_S, _STOP_S = 60.0, 0.05


class BenchExecExecutor:
    """Measures each job in BenchExec's container, up to `jobs` at a time.

    Parameters
    ----------
    jobs
        At least 1. If they need more cores than there are, measurements are marked as not reliable.
    pin
        Whether each run is confined to cores of its own, which are locked until the executor is left.
    cores
        How many cores each run may use.
    access
        What the runs may use besides.

    Raises
    ------
    UsageError
        If BenchExec is not installed or cannot make containers here, with what to do.
    """

    name: ClassVar[str] = NAME

    def __init__(
        self, jobs: int = 1, *, pin: bool = False, cores: int = 1, access: Access = NO_ACCESS
    ) -> None:
        if jobs < 1:
            raise UsageError(f"{jobs} jobs; there must be at least one")
        if problem := benchexec_problem():
            raise UsageError(f"executor benchexec cannot be used here: {problem}")
        access.check()
        self._access = access
        self._reservation = reserve(jobs, cores) if pin else None
        self._free: list[tuple[int, ...] | None] = [None] * jobs
        self._has_cores = jobs * cores <= physical_cores()
        if self._reservation:
            self._free, self._has_cores = [*self._reservation.slots], not self._reservation.problem
        forget_code()
        self._pool = ThreadPoolExecutor(jobs, "benchexec")
        self._idle: list[Launcher] = []
        self._runs: dict[Future[Measurement], tuple[ContainerRun, Launcher]] = {}
        self._bystanders = Bystanders()
        spare = physical_cores() - jobs * cores + SLACK
        self._bystanders.watch(None, usable_threads(), spare, lambda: tree_cpu_s(os.getpid()))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._abandon()
        self._pool.shutdown()
        while self._idle:
            self._idle.pop().close()
        if self._reservation:
            self._reservation.release()

    def readiness(self, backends: Collection[str]) -> dict[str, Readiness]:
        """Return what will measure each backend: the packages of this process."""
        return {backend: Readiness((provenance(backend),)) for backend in backends}

    def run(self, jobs: Iterable[Job | None]) -> Iterator[tuple[Job, Measurement]]:
        """Measure jobs and yield each as it ends; read `jobs` only as fast as they run.

        None in place of a job means that there is none for now: the next is asked for when one has ended.
        """
        queue = iter(jobs)
        self._bystanders.begin()
        self._fill(queue)
        try:
            while self._runs:
                ended = wait(self._runs, SAMPLE_S, FIRST_COMPLETED).done
                is_disturbed = None in self._bystanders.look()
                for run, _ in self._runs.values():
                    run.is_disturbed |= is_disturbed
                measured = [self._take(future) for future in ended]
                self._fill(queue)  # before the caller deals with these: the slots need not wait
                yield from measured
        finally:
            self._abandon()  # the caller wants no more

    def _fill(self, queue: Iterator[Job | None]) -> None:
        while self._free and (job := next(queue, None)) is not None:
            cores, code = self._free.pop(), provenance(job.backend)
            run = ContainerRun(job, cores, self._access, code, has_groups=not lacks_groups())
            run.is_disturbed = None in self._bystanders.disturbed
            starter = self._idle.pop() if self._idle else Launcher()
            self._runs[self._pool.submit(run.measure, starter)] = run, starter

    def _take(self, future: Future[Measurement]) -> tuple[Job, Measurement]:
        run, starter = self._runs.pop(future)
        self._free.append(run.cores)
        if starter.is_alive:
            self._idle.append(starter)
        measurement = future.result()
        reliable = self._has_cores and measurement.reliable and not run.is_disturbed
        return run.job, replace(measurement, reliable=reliable)

    def _abandon(self) -> None:
        """Stop all runs; one that BenchExec is about to start needs another try."""
        while self._runs:
            for _, starter in self._runs.values():
                starter.stop()
            for future in wait(self._runs, _STOP_S).done:
                run, starter = self._runs.pop(future)
                self._free.append(run.cores)
                starter.close()


_CHECK = [
    *(sys.executable, "-P", "-m", "benchexec.runexecutor", "--read-only-dir", "/", "--dir", "/"),
    *(word for folder in HIDDEN for word in ("--hidden-dir", folder)),
    *("--output", os.devnull, "--", "true"),
]
"""Makes such a container and says why if it cannot."""


def benchexec_problem() -> str:
    """Return why BenchExec cannot measure here and what to do; empty if it can."""
    return missing("benchexec") or _tried()[0]


def lacks_groups() -> bool:
    """Return whether BenchExec can use no control groups here; ask `benchexec_problem` first."""
    return _tried()[1]


@cache
def _tried() -> tuple[str, bool]:
    """Return why BenchExec makes no container here, and whether it makes some without control groups."""
    try:
        done = subprocess.run(_CHECK, capture_output=True, text=True, timeout=_CHECK_S, check=False)
    except subprocess.TimeoutExpired:
        return f"{' '.join(_CHECK)} did not end within {_CHECK_S:g} s", True
    if done.returncode == 0 and "walltime=" in done.stdout:
        return "", "Cannot measure" in done.stderr
    said = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    why = said[-1].rpartition(" - ")[2] if said else "it made no container"
    advice = f"allow user namespaces, or use executor fork; to try: {' '.join(_CHECK)}"
    return f"{why.rstrip('.')}; {advice}", True
