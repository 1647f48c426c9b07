"""Measure with executor ``cgroup``: each run in a control group of its own, by BenchExec's ``runexec``.

The kernel itself counts the memory of all processes of the run and ends them at the limit, and counts their
CPU time; nothing escapes between two looks. What is counted is everything since the start of the process,
the interpreter and what it imports included, which is also what a run costs: half a second to start.

Source: Beyer, Löwe, Wendler, Reliable benchmarking: requirements and solutions, STTT 21 (2019).
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

import psutil

from nonocsp.extras import missing
from nonocsp.model import BackendError, UsageError
from nonocsp.runner.guard import Guard, kill_descendants
from nonocsp.runner.jobs import decode_job
from nonocsp.runner.local import LocalExecutor
from nonocsp.runner.process import PYTHON, GuardedProcess
from nonocsp.runner.server import GONE, LIMIT, SINGLE
from nonocsp.runner.slot import split_lines
from nonocsp.runner.usage import Usage, usage_below

RUNEXEC = "benchexec.runexecutor"
_CHECK_S, _END_S = 30.0, 5.0
_LIMITS = {"memory": "memory", "cputime": "cpu", "cputime-soft": "cpu", "walltime": "wall"}


class CgroupExecutor(LocalExecutor):
    """Measures each job in a process and a control group of its own.

    Raises
    ------
    UsageError
        If BenchExec is not installed or cannot use control groups here, with what to do.
    """

    name: ClassVar[str] = "cgroup"

    def __init__(self, jobs: int = 1, *, pin: bool = False, cores: int = 1) -> None:
        if problem := cgroup_problem():
            raise UsageError(f"executor cgroup cannot be used here: {problem}")
        super().__init__(jobs, pin=pin, cores=cores)

    def _new_slot(self, cores: tuple[int, ...] | None) -> CgroupSlot:
        return CgroupSlot(self._guard, cores)


def cgroup_problem() -> str:
    """Return why BenchExec cannot measure here and what to do; empty if it can."""
    if problem := missing("cgroup"):
        return problem
    check = [*PYTHON, "-m", "benchexec.check_cgroups"]
    try:
        done = subprocess.run(check, capture_output=True, text=True, timeout=_CHECK_S, check=False)
    except subprocess.TimeoutExpired:
        return f"{' '.join(check)} did not end within {_CHECK_S:g} s"
    if done.returncode == 0:
        return ""
    said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    return f"{said[-1].strip() if said else 'its check failed'}; {' '.join(check)} says how to get there"


class CgroupSlot:
    """A place for one run at a time: what `nonocsp.runner.slot.Slot` is, without a server.

    Parameters
    ----------
    cores
        To which the runs are confined.
    """

    def __init__(self, guard: Guard, cores: tuple[int, ...] | None) -> None:
        self.cores = cores
        self.is_isolated = False
        self._guard = guard
        self._folder = tempfile.TemporaryDirectory(prefix="nonocsp-")
        self._job, self._pipe = Path(self._folder.name, "job"), Path(self._folder.name, "pipe")
        os.mkfifo(self._pipe)
        self._replies = os.open(self._pipe, os.O_RDWR | os.O_NONBLOCK)  # as a writer too: it never ends
        self._received = b""
        self._run: _Runexec | None = None
        self._ended_cpu_s = 0.0
        self.is_alive = True

    def fileno(self) -> int:
        """Return the descriptor that is readable when a run has said something."""
        return self._replies

    def send(self, line: bytes) -> None:
        """Start a job in a control group of its own."""
        self._job.write_bytes(line + b"\n")
        memory = decode_job(line).request.limits.memory
        self._run = _Runexec(
            RUNEXEC,
            self._guard,
            *("--quiet", "--no-container", "--input", str(self._job), "--output", os.devnull),
            *(["--memlimit", f"{memory}B"] if memory is not None else []),
            *(["--cores", ",".join(map(str, self.cores))] if self.cores is not None else []),
            *("--", *PYTHON, "-m", "nonocsp.runner.server", SINGLE, str(self._pipe)),
        )

    def lines(self) -> Iterator[bytes]:
        """Yield the lines that have arrived; then, if the run has ended, how."""
        ended = self._run is not None and not self._run.is_alive  # asked first: what it wrote is read below
        lines, self._received, _ = split_lines(self._replies, self._received)
        yield from lines
        if not ended:
            return
        self._received = b""
        told = self._finish()
        reason = told.get("terminationreason")
        if reason in _LIMITS:
            yield b"%s %s" % (LIMIT, _LIMITS[reason].encode())
        code = -int(told["exitsignal"]) if "exitsignal" in told else int(told["returnvalue"])
        cpu_s, memory = float(told["cputime"].rstrip("s")), int(told["memory"].rstrip("B"))
        yield b"%s %d %f %d" % (GONE, code, cpu_s, memory)

    def usage(self, shared_bytes: int) -> Usage:
        """Return what the run uses, as seen from here; the control group knows better."""
        if self._run is not None:
            with suppress(psutil.Error):
                return usage_below(psutil.Process(self._run.pid), shared_bytes)
        return Usage(0.0, 0)

    def size(self) -> int:
        """Return 0: there is no server."""
        return 0

    def cpu_s(self) -> float:
        """Return the CPU seconds of the run at hand."""
        return self.usage(0).cpu_s

    def total_cpu_s(self) -> float:
        """Return the CPU seconds of all runs so far."""
        return self._ended_cpu_s + self.usage(0).cpu_s

    def exit_code(self) -> int | None:
        """Return None: a slot does not end by itself."""
        return None

    def kill_run(self) -> None:
        """End the run; BenchExec ends what else is in its control group."""
        if self._run is not None:
            kill_descendants(self._run.pid)

    def kill(self) -> None:
        """End the run and the slot."""
        self.kill_run()
        self._finish()
        self.is_alive = False

    def close(self) -> None:
        """Remove what was written."""
        os.close(self._replies)
        self._folder.cleanup()

    def _finish(self) -> dict[str, str]:
        """Return what BenchExec says of the run at its end.

        Raises
        ------
        BackendError
            If it could not start the run at all.
        """
        run, self._run = self._run, None
        if run is None:
            return {}
        told = run.result()
        run.kill()
        run.close()
        if told.get("terminationreason") == "failed" or "cputime" not in told:
            raise BackendError(
                f"BenchExec could not start a run; try: python -m {RUNEXEC} --no-container -- true"
            )
        self._ended_cpu_s += float(told["cputime"].rstrip("s"))
        return told


class _Runexec(GuardedProcess):
    """BenchExec's ``runexec``, run once."""

    def result(self) -> dict[str, str]:
        """Wait for the end and return what it says."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_S)
        os.set_blocking(self.fileno(), False)
        said = (self._output.read() or b"").decode()
        pairs = (line.partition("=") for line in said.splitlines())
        return {key: value for key, _, value in pairs}
