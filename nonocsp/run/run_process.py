"""Know the process of a run, from the template that forked it: hear it, sample it, end it, measure it.

*Wall* is the template's clock from ``GO`` until `ENDED`. *CPU* of a run that replied is ``getrusage`` of that
time plus ``wait4`` of orphans, of any other ``wait4``. *Memory* is the highest sum over its processes that a
look has found, at least the highest of its own process; both beyond what that had before the run.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import socket
import tempfile
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple, NoReturn, Self

import msgspec

from nonocsp.backends.base import Termination
from nonocsp.run import processes
from nonocsp.run.child import PACKET

TEMPORARY = ("TMPDIR", "TEMP", "TMP")
"""The variables that name the folder for temporary files."""
LINGER_S, TRACKER_S = 0.1, 2.0
"""How long what a run leaves has to end by itself; multiprocessing's tracker removes shared memory then."""
_KILL_S, _PAUSE_S = 60.0, 0.0005
_MOST_LEFT = 10
_FORK_TRIES, _FORK_PAUSE_S = 100, 0.02


class Seen(msgspec.Struct):
    """What a template has seen of one run; it travels as JSON, because it may come from a container."""

    termination: Termination | None = None  # how it ended without a reply
    message: str = ""
    wall_s: float = 0.0
    cpu_s: float = 0.0
    waited_s: float = 0.0  # for a core
    peak_bytes: int | None = None  # None if it never started
    started: float | None = None  # seconds since 1970
    left: list[str] = []  # in words; all of it is gone


class Said(NamedTuple):
    """A word of a run, and its numbers (`nonocsp.run.child`)."""

    word: bytes
    first: float
    second: float


class RunProcess:
    """A process for runs, forked from this one; the processes `own` are the template's, not of the run."""

    def __init__(self, pid: int, ear: socket.socket, folder: str, own: frozenset[int]) -> None:
        self.pid, self.ear, self._folder, self._own = pid, ear, folder, own
        self.pidfd = os.pidfd_open(pid) if processes.IS_LINUX else None
        self.is_new = True  # it has done no run yet
        self._base_bytes = self._peak = 0
        self._kept_before_s = self._cpu_before_s = self._sampled_s = self._orphans_s = 0.0
        self._clock = 0.0
        self._has_finished = False
        self._shared: set[str] = set()
        self._ended: tuple[int, float] | None = None  # exit status and CPU seconds

    @classmethod
    def fork(
        cls, serve: Callable[[socket.socket], NoReturn], driver: int, folder: str, own: frozenset[int]
    ) -> Self:
        """Fork a process, which serves in a temporary folder of its own, and has not the driver's socket."""
        place = tempfile.mkdtemp(dir=folder)
        ear, mouth = socket.socketpair()
        template = os.getpid()
        with mouth:
            if (pid := _fork()) == 0:
                try:
                    processes.die_with_parent()
                    if os.getppid() != template:
                        os._exit(1)
                    os.setsid()
                    ear.close()
                    os.close(driver)
                    os.environ.update(dict.fromkeys(TEMPORARY, place))
                    tempfile.tempdir = place
                    os.chdir(place)
                    serve(mouth)
                finally:
                    os._exit(1)
        return cls(pid, ear, place, own)

    def say(self, number: int) -> None:
        """Give an order; whether the process has ended is found out by listening."""
        with suppress(OSError):
            self.ear.send(b"%d" % number)

    def hear(self) -> Said | None:
        """Return what was said; None if nobody is left to say anything."""
        with suppress(OSError):
            if len(packet := self.ear.recv(PACKET.size)) == PACKET.size:
                return Said(*PACKET.unpack(packet))
        return None

    @property
    def has_ended(self) -> bool:
        """Whether the process has ended."""
        self._reap()
        return self._ended is not None

    def await_end(self) -> int | None:
        """Give a process that says nothing more a moment to end; return its exit code."""
        until = time.perf_counter() + LINGER_S
        while not self.has_ended and time.perf_counter() < until:
            time.sleep(_PAUSE_S)
        return None if self._ended is None else os.waitstatus_to_exitcode(self._ended[0])

    @property
    def kept_bytes(self) -> int:
        """What the process has beyond what it had before its first run."""
        return processes.memory(self.pid)[0] - self._base_bytes

    def begin(self, cpu_s: float, seen: Seen) -> None:
        """Take note of what a process has that used `cpu_s` so far, start its clock, and let it go."""
        if self.is_new:  # what a warm process keeps of earlier runs counts
            self._base_bytes = processes.memory(self.pid)[0]
            self.is_new = False
        processes.forget_peak(self.pid)
        self._cpu_before_s, self._kept_before_s = cpu_s, self._of_own_s()
        self._sampled_s = self._orphans_s = 0.0
        self._peak, self._shared, self._has_finished = 0, set(), False
        seen.started, self._clock = time.time(), time.perf_counter()
        self.say(0)

    def stop(self, seen: Seen, said: Said | None = None) -> None:
        """Stop the clock: the backend has finished and said so, or the run ends without."""
        if seen.started is None or self._has_finished:
            return
        seen.wall_s = time.perf_counter() - self._clock
        if said:
            self._has_finished, seen.cpu_s, seen.waited_s = True, said.first, said.second

    def sample(self) -> tuple[float, int]:
        """Return the CPU seconds of the run so far, and the memory of all its processes now."""
        self._reap()
        tree = self._tree()
        self._sampled_s = max(self._sampled_s, sum(map(processes.cpu_s, tree)) - self._cpu_before_s)
        resident = sum(processes.memory(pid)[0] for pid in tree) - self._base_bytes
        if len(tree) > 1 and resident > self._peak and processes.IS_LINUX:
            # What they share was counted twice, so count each one's share, less what the template has, too.
            anonymous, share = processes.shares(os.getpid())
            shares = sum(processes.shares(pid)[1] for pid in tree)
            resident = min(resident, shares - max(0, anonymous - share))
        self._peak = max(self._peak, resident)
        return self._sampled_s + self._others_s(), resident

    def note_end(self, shared: set[str]) -> None:
        """Take note, while the process still lives, of the peak of its memory and of its shared memory."""
        self._peak = max(self._peak, processes.memory(self.pid)[1] - self._base_bytes)
        if new := processes.shared_files() - shared:
            self._shared |= processes.in_use(new, self._tree())

    def finish(self, *, is_kept: bool, at_once: bool) -> list[str]:
        """End what the run has left, and the process unless it is kept; return what was left."""
        if not is_kept:
            self.say(0)
        if not (is_kept or at_once or self.pidfd is None):
            select.select([self.pidfd], [], [], LINGER_S)
        tree = self._linger({self.pid} if is_kept else set(), 0.0 if at_once else LINGER_S)
        left = sorted(f"process {processes.name(pid)}" for pid in tree - {self.pid})
        left += _files(self._folder)
        if left and is_kept:  # the end of their parent lets others end, such as multiprocessing's tracker
            os.kill(self.pid, signal.SIGKILL)
            self._linger(set(), LINGER_S)
        if left or not is_kept:  # zombies go only with their parent
            self._kill()
            self.ear.close()
            if self.pidfd is not None:
                os.close(self.pidfd)
            _remove(self._folder)
        left += processes.remove_shared(self._shared)
        more = len(left) - _MOST_LEFT
        return [*left[: _MOST_LEFT - 1], f"and {more + 1} more"] if more > 0 else left

    def account(self, seen: Seen) -> None:
        """Fill in CPU time and memory, once all that the run has left is ended."""
        if seen.started is None:
            return
        if not self._has_finished:
            ended_s = self._ended[1] - self._cpu_before_s if self._ended else 0.0
            seen.cpu_s = max(self._sampled_s, ended_s)
        seen.cpu_s += self._others_s()
        seen.peak_bytes = max(0, self._peak)

    def _tree(self) -> set[int]:
        return {*processes.descendants(os.getpid())} - self._own

    def _linger(self, stays: set[int], seconds: float) -> set[int]:
        """Give processes that shall not stay a moment to end by themselves; return those that have not."""
        until = time.perf_counter() + seconds
        self._reap()
        while tree := self._tree() - stays:
            if (late_s := time.perf_counter() - until) >= 0:
                may_wait = seconds > 0 and not stays and late_s < TRACKER_S
                if not (may_wait and any(map(processes.is_tracker, tree))):
                    break
            time.sleep(_PAUSE_S)
            self._reap()
        return tree

    def _kill(self) -> None:
        """Kill until nothing is left; a process that forks meanwhile is found by the next turn."""
        until = time.perf_counter() + _KILL_S
        while tree := self._tree():
            for pid in tree:
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(_PAUSE_S)
            self._reap()
            if time.perf_counter() > until:
                raise TimeoutError

    def _reap(self) -> None:
        """Wait for what has ended: the process, and orphans of the run."""
        with suppress(ChildProcessError):
            while (ended := os.wait4(-1, os.WNOHANG))[0]:
                pid, status, usage = ended
                used_s = usage.ru_utime + usage.ru_stime
                if pid == self.pid:
                    self._ended = status, used_s
                elif pid not in self._own:
                    self._orphans_s += used_s

    def _of_own_s(self) -> float:
        return sum(map(processes.cpu_s, self._own))

    def _others_s(self) -> float:
        """Return the CPU seconds that orphans of the run have used, and what loading had started."""
        return self._orphans_s + self._of_own_s() - self._kept_before_s


def _fork() -> int:
    """Fork this process; wait while the system can start none, perhaps because of a run in another slot."""
    for _ in range(_FORK_TRIES):
        with suppress(BlockingIOError), warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # the template waits for no other thread
            return os.fork()
        time.sleep(_FORK_PAUSE_S)
    return os.fork()


def _files(folder: str) -> list[str]:
    """Return in words what is in the folder of a run; it may be locked, or gone."""
    try:
        os.chmod(folder, 0o700)  # noqa: PTH101
        return [f"file {processes.printable(name)[:60]}" for name in sorted(os.listdir(folder))]  # noqa: PTH208
    except OSError:
        return ["the temporary folder itself, removed"]


def _remove(folder: str) -> None:
    """Remove a folder, whatever rights its folders have."""
    shutil.rmtree(folder, ignore_errors=True)
    for place, names, _ in os.walk(folder):  # nothing, unless some were locked
        for path in (os.path.join(place, name) for name in names):  # noqa: PTH118
            if not os.path.islink(path):  # noqa: PTH114
                os.chmod(path, 0o700)  # noqa: PTH101
    shutil.rmtree(folder, ignore_errors=True)
