"""Start a host in a control group of its own, by BenchExec's ``runexec``, and run one job there.

The kernel counts the CPU time and the memory of all processes of the group, and ends them at the limit;
nothing escapes between two looks. CPU time is what the group used between the start and the end of the run.
Memory counts from the start of the process, with the interpreter and what it imports. Starting these takes
half a second a run.

Source: Beyer, Löwe, Wendler, Reliable benchmarking: requirements and solutions, STTT 21 (2019).
"""

from __future__ import annotations

import os
import socket
import struct
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from nonocsp.backends.base import Limits, Termination
from nonocsp.model import BackendError
from nonocsp.runner.guard import descendants, kill_descendants
from nonocsp.runner.leftovers import process_names
from nonocsp.runner.limits import kill_message
from nonocsp.runner.machine.cores import memory_nodes
from nonocsp.runner.process import PYTHON, TEMPORARY, Verdict, killed_or_crashed
from nonocsp.runner.worker.attempt import SETUP_S, Attempt, Result
from nonocsp.runner.worker.channel import Channel, new_nonce
from nonocsp.runner.worker.usage import queued_s

RUNEXEC = "benchexec.runexecutor"
_END_S, _ACCEPT_S = 5.0, 0.05
_LIMITS = {
    "memory": Termination.MEMORY,
    "cputime": Termination.CPU,
    "cputime-soft": Termination.CPU,
    "walltime": Termination.WALL,
}


def run_in_group(
    backend: str, limits: Limits, job: bytes, beat: Callable[[], None], cores: str | None
) -> Result:
    """Run a job in a control group.

    Parameters
    ----------
    backend, limits, job
        What to run.
    beat
        Called while the run is waited for.
    cores
        To which the group is confined, such as ``0,2``; None if it may use any.

    Raises
    ------
    BackendError
        If BenchExec could not start the run at all.
    """
    with tempfile.TemporaryDirectory(prefix="nonocsp-") as folder:
        host = GroupHost(Path(folder), backend, limits.memory, cores)
        try:
            if not host.connect(beat):
                return host.end_before_start(limits)
            attempt = Attempt(host, job, limits, beat)
            attempt.follow()
            left = [] if attempt.is_cut_off else host.left()
            result = attempt.result(left)
            told = host.finish(is_over=attempt.has_replied)
        finally:
            host.close()
        if "memory" in told:
            result = result._replace(peak_bytes=int(told["memory"].rstrip("B")))
        return result


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
        self._told: dict[str, str] = {}
        orders, name = folder / "orders", f"nonocsp-{uuid4().hex}"
        orders.write_bytes(self.nonce + spec.encode())
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(f"\0{name}")  # no file: its path could be too long
        self._listener.listen(1)
        self._listener.settimeout(_ACCEPT_S)
        self._process = subprocess.Popen(
            [
                *(*PYTHON, "-m", RUNEXEC, "--quiet", "--no-container"),
                *("--input", str(orders), "--output", os.devnull),
                *(["--memlimit", f"{memory}B"] if memory is not None else []),
                *confinement(cores),
                *("--", *PYTHON, "-m", "nonocsp.runner.worker.host", name, os.environ[TEMPORARY[0]]),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
        )

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
        code = self.exit_code()
        if (limit := self.reached()) is not None:
            verdict = Verdict(limit, kill_message(limits, limit))
        elif "cputime" in self._told and "failed" not in self._told.values():
            verdict = killed_or_crashed("the run's process", code, " before the run started")
        elif self._told:
            check = f"python -m {RUNEXEC} --no-container -- true"
            raise BackendError(f"BenchExec could not start a run; try: {check}")
        else:
            verdict = Verdict(Termination.CRASHED, f"the run's process did not start within {SETUP_S:g} s")
        peak = int(self._told["memory"].rstrip("B")) if "memory" in self._told else None
        return Result(*verdict, 0.0, 0.0, 0.0, peak, None, [], b"")

    def fork(self, nonce: bytes) -> Channel:
        """Never called: the host runs the job itself."""
        raise NotImplementedError

    def exit_code(self) -> int | None:
        """Return how the run ended, negative for a signal; None if it has not."""
        if self._process.poll() is None or not self._tell():
            return None
        if "exitsignal" in self._told:
            return -int(self._told["exitsignal"])
        return int(self._told["returnvalue"]) if "returnvalue" in self._told else None

    def reached(self) -> Termination | None:
        """Return the limit at which the kernel or BenchExec ended the run; None if there was none."""
        return _LIMITS.get(self._told.get("terminationreason", ""))

    def left(self) -> list[str]:
        """Return the names of the processes of the group but the host."""
        return process_names(descendants(self._host))

    def finish(self, *, is_over: bool) -> dict[str, str]:
        """End the run; return what BenchExec says of it.

        Parameters
        ----------
        is_over
            Whether the host may end by itself.
        """
        self.channel.close()
        if not is_over:
            kill_descendants(self._process.pid)
        self._tell()
        return self._told

    def close(self) -> None:
        """End what is left."""
        kill_descendants(self._process.pid)
        self._process.kill()
        self._process.wait()
        self._listener.close()

    def _tell(self) -> bool:
        """Read what BenchExec says of the run, once; return whether it has ended."""
        if not self._told:
            with suppress(subprocess.TimeoutExpired):
                said, _ = self._process.communicate(timeout=_END_S)
                pairs = (line.partition("=") for line in said.decode().splitlines())
                self._told = {key: value for key, _, value in pairs}
        return bool(self._told)


class GroupTree:
    """What the kernel counts for the control group of a process.

    Parameters
    ----------
    pid
        Any process of the group.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._usage, self._factor = _cpu_file(pid)

    def clock_s(self) -> float:
        """Return the CPU seconds so far."""
        return self.cpu_s()

    def start(self) -> float:
        """Return the CPU seconds so far."""
        return self.cpu_s()

    def cpu_s(self) -> float:
        """Return the CPU seconds that the group has used so far."""
        with suppress(OSError):
            return int(self._usage.read_text().split("usage_usec")[-1].split()[0]) * self._factor
        return 0.0

    def queued_s(self) -> float:
        """Return how long the processes of the group waited for a core so far."""
        return queued_s([self._pid, *descendants(self._pid)])

    def rss_bytes(self) -> int:
        """Return 0: the kernel watches the memory itself."""
        return 0

    def peak_bytes(self) -> int | None:
        """Return None: BenchExec tells it in the end."""
        return None

    def setup_bytes(self) -> int:
        """Return 0: the kernel watches the memory itself."""
        return 0


def confinement(cores: str | None) -> list[str]:
    """Return runexec's options that confine a group to some cores, and to the memory that is near them."""
    if cores is None:
        return []
    nodes = memory_nodes([*map(int, cores.split(","))])
    return ["--cores", cores, *(["--memoryNodes", ",".join(map(str, nodes))] if nodes else [])]


def _cpu_file(pid: int) -> tuple[Path, float]:
    """Return the file with the CPU time of a process's control group, and its unit in seconds."""
    groups = {}
    for line in Path(f"/proc/{pid}/cgroup").read_text().splitlines():
        _, controllers, place = line.split(":", 2)
        groups.update(dict.fromkeys(controllers.split(","), place))
    for line in Path("/proc/self/mounts").read_text().splitlines():
        _, mount, kind, options, *_ = line.split()
        if kind == "cgroup" and "cpuacct" in options.split(",") and "cpuacct" in groups:
            return Path(mount, groups["cpuacct"].lstrip("/"), "cpuacct.usage"), 1e-9
    for line in Path("/proc/self/mounts").read_text().splitlines():
        _, mount, kind, *_ = line.split()
        if kind == "cgroup2":
            return Path(mount, groups.get("", "/").lstrip("/"), "cpu.stat"), 1e-6
    raise BackendError(
        "no control group counts the CPU time of runs; python -m benchexec.check_cgroups says why"
    )


def _peer(end: socket.socket) -> int:
    """Return the process at the other end of a socket, as the kernel says."""
    size = struct.calcsize("3i")
    return int(struct.unpack("3i", end.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))[0])
