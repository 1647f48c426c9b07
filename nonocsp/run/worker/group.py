"""Start a host in a control group of its own, by BenchExec's ``runexec``, and run one job there.

The kernel counts the CPU time and the memory of all processes of the group, and ends them at the limit;
nothing escapes between two looks. CPU time is what the group used between the start and the end of the run.
Memory counts from the start of the process, with the interpreter and what it imports. Starting these takes
half a second a run.

Three things keep the figures honest:

- Since Linux 5.19, no run can leave its group or write the group's files
  (`nonocsp.run.worker.confinement`). Before, a run of root can still reset the group's counters.
- On any Linux, a run that is found outside its group at a look, or at its end, is ``crashed``.
- No run can open runexec's descriptors or memory, so runexec alone writes its report. If runexec does not
  end by itself, the run has no figures, and the server removes its group.

Sources: Beyer, Löwe, Wendler, Reliable benchmarking: requirements and solutions, STTT 21 (2019); Linux,
``cgroups(7)``, ``PR_SET_DUMPABLE(2const)``.
"""

from __future__ import annotations

import os
import re
import select
import signal
import socket
import struct
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from nonocsp.backends.base import Limits, Termination
from nonocsp.backends.ending import how_it_ended
from nonocsp.full_disk import once_there_is_room
from nonocsp.model import BackendError
from nonocsp.processes.guard import descendants, kill_descendants
from nonocsp.processes.starting import PYTHON, TEMPORARY
from nonocsp.run.cores import memory_nodes
from nonocsp.run.leftovers import process_names
from nonocsp.run.limits import kill_message
from nonocsp.run.process import Verdict, killed_or_crashed
from nonocsp.run.worker.attempt import SETUP_S, Attempt, Result
from nonocsp.run.worker.channel import Channel, new_nonce
from nonocsp.run.worker.control_groups import GroupTree, Membership, made_by_benchexec, remove_groups
from nonocsp.run.worker.hosts import reap_children
from nonocsp.run.worker.room import Room

RUNEXEC = "benchexec.runexecutor"
LEFT = "the run left its control group, so its CPU time and memory were not counted"
REPORT_S = 30.0
"""How long runexec may take to report once the run has ended."""
REPORT_BYTES = 1 << 16
"""More than runexec ever reports: some 1 KiB, and 30 bytes for each core."""

_HIDDEN = f"""import ctypes, runpy
ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE
runpy.run_module({RUNEXEC!r}, run_name="__main__", alter_sys=True)
"""
"""Runs runexec in a process whose descriptors and memory others cannot open. It starts with the program, so
that no run comes before it."""
_END_S, _ACCEPT_S, _WAIT_S = 5.0, 0.05, 1.0
_LIMITS = {
    "memory": Termination.MEMORY,
    "cputime": Termination.CPU,
    "cputime-soft": Termination.CPU,
    "walltime": Termination.WALL,
}


def run_in_group(
    backend: str, limits: Limits, job: bytes, room: Room, beat: Callable[[], None], *, cores: str | None
) -> Result:
    """Run a job in a control group.

    Parameters
    ----------
    backend, limits, job
        What to run.
    room
        The disk for the run's temporary files.
    beat
        Called while the run is waited for.
    cores
        To which the group is confined, such as ``0,2``; None if it may use any.

    Raises
    ------
    BackendError
        If BenchExec could not start the run at all.
    """
    with once_there_is_room(lambda: tempfile.TemporaryDirectory(prefix="nonocsp-")) as folder:
        host = GroupHost(Path(folder), backend, limits.memory, cores)

        def look() -> None:
            beat()
            host.check_group()

        try:
            if not host.connect(beat):
                return host.end_before_start(limits)
            with closing(host.tree):
                attempt = Attempt(host, job, limits, room, look)
                attempt.follow()
                host.check_group()
                left = [] if attempt.is_cut_off else host.left()
                host.finish(beat, is_over=attempt.has_replied)
                return host.judge(attempt.result(left))
        finally:
            host.close()


class Report(NamedTuple):
    """What runexec reports of a run.

    Parameters
    ----------
    code
        How the run's process ended, negative for a signal; None if it was not started.
    limit
        The limit at which the kernel or BenchExec ended it; None if there was none.
    peak_bytes
        The largest memory of the group; None if the kernel does not tell.
    """

    code: int | None
    limit: Termination | None
    peak_bytes: int | None


class GroupHost:
    """A host in a control group; it takes one job.

    Parameters
    ----------
    folder
        For its orders.
    spec
        The backend's.
    memory
        The most bytes that the group may use; None for no limit.
    cores
        To which it is confined, such as ``0,2``; None if it may use any.
    """

    is_forking, ends_within_s = False, _END_S

    def __init__(self, folder: Path, spec: str, memory: int | None, cores: str | None) -> None:
        self.nonce, self.is_ready = new_nonce(), False
        self._said, self._has_left, self._groups = b"", False, set[Path]()
        orders, name = folder / "orders", f"nonocsp-{uuid4().hex}"
        once_there_is_room(lambda: orders.write_bytes(self.nonce + spec.encode()))
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(f"\0{name}")  # no file: its path could be too long
        self._listener.listen(1)
        self._listener.settimeout(_ACCEPT_S)
        self._process = subprocess.Popen(
            [
                *(*PYTHON, "-c", _HIDDEN, "--quiet", "--no-container"),
                *("--input", str(orders), "--output", os.devnull),
                *(["--memlimit", f"{memory}B"] if memory is not None else []),
                *confinement(cores),
                *("--", *PYTHON, "-m", "nonocsp.run.worker.confinement", name, os.environ[TEMPORARY[0]]),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdout is not None
        self._output = self._process.stdout
        os.set_blocking(self._output.fileno(), False)

    def connect(self, beat: Callable[[], None]) -> bool:
        """Wait until the host connects, which nobody else may; return whether it does."""
        deadline = time.monotonic() + SETUP_S
        while time.monotonic() < deadline and self._process.poll() is None:
            beat()
            with suppress(TimeoutError):
                end, _ = self._listener.accept()
                self._host = _peer(end)
                if self._host in descendants(self._process.pid):
                    end.setblocking(True)
                    self.channel, self.tree = Channel(end), GroupTree(self._host)
                    self._membership, self._groups = Membership(self._host), made_by_benchexec([self._host])
                    return True
                end.close()
        return False

    def end_before_start(self, limits: Limits) -> Result:
        """Return the result of a run whose host did not connect.

        Raises
        ------
        BackendError
            If BenchExec did not even start it.
        """
        code, report = self.exit_code(), self._report
        if self._process.returncode is None:
            verdict = Verdict(Termination.CRASHED, f"the run's process did not start within {SETUP_S:g} s")
        elif report is not None and report.limit is not None:
            verdict = Verdict(report.limit, kill_message(limits, report.limit))
        elif code is not None and (report is not None or code < 0):
            what = "BenchExec" if report is None else "the run's process"
            verdict = killed_or_crashed(what, code, " before the run started")
        else:
            check = f"python -m {RUNEXEC} --no-container -- true"
            raise BackendError(f"BenchExec could not start a run; try: {check}")
        peak = None if report is None else report.peak_bytes
        return Result(*verdict, 0.0, 0.0, 0.0, peak, None, [], b"")

    def fork(self, nonce: bytes) -> Channel:
        """Never called: the host runs the job itself."""
        raise NotImplementedError

    def exit_code(self) -> int | None:
        """Return how the run ended, or how runexec did without a report; None if neither is known."""
        has_ended = self._process.poll() is not None  # so that what is read now is all
        self._hear()
        if not has_ended:
            return None
        return self._process.returncode if self._report is None else self._report.code

    def reached(self) -> Termination | None:
        """Return the limit at which the kernel or BenchExec ended the run; None if there was none."""
        return None if self._report is None else self._report.limit

    def check_group(self) -> None:
        """Kill the run if one of its threads is outside the control group."""
        orphans = descendants(os.getpid(), without=[self._process.pid])
        run = [self._host, *descendants(self._host), *orphans]
        if not self._has_left and self._membership.is_broken_by(run):
            self._has_left = True
            kill_descendants(self._process.pid)

    def left(self) -> list[str]:
        """Return the names of the processes of the group but the host."""
        return process_names(descendants(self._host))

    def finish(self, beat: Callable[[], None], *, is_over: bool) -> None:
        """End the run, and wait for what runexec reports.

        Parameters
        ----------
        beat
            Called while it is waited for.
        is_over
            Whether the host may end by itself.
        """
        self.channel.close()
        if not is_over:
            kill_descendants(self._process.pid)
        output = select.poll()
        output.register(self._output, select.POLLIN)
        deadline = time.monotonic() + REPORT_S
        while self._process.poll() is None and len(self._said) < REPORT_BYTES and time.monotonic() < deadline:
            beat()
            self._process.send_signal(signal.SIGCONT)  # a run may have stopped it
            output.poll(_WAIT_S * 1e3)
            self._hear()
        self._hear()

    def judge(self, result: Result) -> Result:
        """Return a result with runexec's figures, or with the reason why there are none."""
        if self._has_left or (result.termination is None and self.tree.is_lost):
            return result._replace(termination=Termination.CRASHED, message=LEFT, peak_bytes=None, reply=b"")
        if (report := self._report) is not None:
            return result._replace(peak_bytes=report.peak_bytes)
        result = result._replace(peak_bytes=None)  # nobody else knows it
        if result.termination is not None:
            return result
        code = self._process.returncode
        how = how_it_ended(code) if code else "gave no usable report"
        termination = killed_or_crashed("BenchExec", code).termination
        return result._replace(
            termination=termination, message=f"BenchExec {how}, so the run was not measured", reply=b""
        )

    def close(self) -> None:
        """End what is left, and remove the group if runexec could not."""
        groups = self._groups or made_by_benchexec(descendants(os.getpid()))
        kill_descendants(os.getpid())  # runexec, and what has left both it and its group
        remove_groups(groups)
        self._process.wait()
        reap_children(without=())
        self._output.close()
        self._listener.close()

    @property
    def _report(self) -> Report | None:
        """What runexec reports; None unless it has ended by itself and said no more than it does."""
        if self._process.returncode != 0 or len(self._said) >= REPORT_BYTES:
            return None
        return read_report(self._said)

    def _hear(self) -> None:
        """Read what runexec has said, up to `REPORT_BYTES`, without waiting."""
        with suppress(BlockingIOError):
            while chunk := os.read(self._output.fileno(), REPORT_BYTES - len(self._said)):
                self._said += chunk


def read_report(said: bytes) -> Report:
    """Return what runexec's output tells; values that are no numbers are unknown."""
    pairs = (line.partition("=") for line in said.decode(errors="replace").splitlines())
    told = {key: value for key, _, value in pairs}

    def number(key: str) -> int | None:
        found = re.fullmatch(r"([0-9]{1,18})B?", told.get(key, ""))
        return int(found[1]) if found else None

    killed_by, code = number("exitsignal"), number("returnvalue")
    limit = _LIMITS.get(told.get("terminationreason", ""))
    return Report(code if killed_by is None else -killed_by, limit, number("memory"))


def confinement(cores: str | None) -> list[str]:
    """Return runexec's options that confine a group to some cores, and to the memory that is near them."""
    if cores is None:
        return []
    nodes = memory_nodes([*map(int, cores.split(","))])
    return ["--cores", cores, *(["--memoryNodes", ",".join(map(str, nodes))] if nodes else [])]


def _peer(end: socket.socket) -> int:
    """Return the process at the other end of a socket, as the kernel says."""
    size = struct.calcsize("3i")
    return int(struct.unpack("3i", end.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))[0])
