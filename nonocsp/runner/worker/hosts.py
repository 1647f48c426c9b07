"""Start hosts, stop those that are idle, and end them: a server's end."""

from __future__ import annotations

import os
import resource
import signal
import socket
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any

from nonocsp.backends.base import Termination
from nonocsp.runner.guard import children_of, is_alive, kill_descendants
from nonocsp.runner.leftovers import process_names
from nonocsp.runner.worker.attempt import CLOSED_S, Attempt
from nonocsp.runner.worker.channel import FORK, Channel, new_nonce
from nonocsp.runner.worker.host import run_host
from nonocsp.runner.worker.process_files import IS_LINUX, ProcessFiles
from nonocsp.runner.worker.usage import RunTree

_PASSES, _PASS_S = 50, 0.001
"""How often processes are killed while new ones appear, and the pause after each time."""
_LIMITS = [value for name, value in vars(resource).items() if name.startswith("RLIMIT_")]
_HARMLESS = 1 << (signal.SIGSTOP - 1) | 1 << (signal.SIGCHLD - 1)
"""Signals that a stopped host may have: from its server, and from its children."""

Setting = tuple[Any, ...]


class ForkedHost:
    """A host that this process forks.

    Parameters
    ----------
    spec
        The backend's.
    idle
        Returns the other hosts of this process.
    is_forking
        Whether each run gets a process of its own.
    """

    ends_within_s = CLOSED_S

    def __init__(self, spec: str, idle: Callable[[], Collection[int]], *, is_forking: bool) -> None:
        self.is_forking, self.is_ready = is_forking, False
        self.nonce = new_nonce()
        mine, theirs = socket.socketpair()
        self.pid = os.fork()
        if self.pid == 0:
            _give_up_all_but(theirs.fileno())
            run_host(Channel(theirs), spec, self.nonce, is_forking=is_forking)
        theirs.close()
        self.channel = Channel(mine)
        self.tree = RunTree(self.pid, idle, is_forked=is_forking)
        self._idle, self._files = idle, ProcessFiles(self.pid)
        self._run: Channel | None = None
        self._setting: Setting | None = None

    def fork(self, nonce: bytes) -> Channel:
        """Have the host fork the process of the next run; return a channel, which the next call closes."""
        if self._run is not None:
            self._run.close()
        mine, theirs = socket.socketpair()
        self._run = Channel(mine)
        self.channel.send_end(nonce, FORK, theirs)
        theirs.close()
        return self._run

    def exit_code(self) -> int | None:
        """Return how the host ended, negative for a signal; None if it has not. What is left of it stays."""
        ended = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if ended is None:
            return None
        return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status

    def reached(self) -> Termination | None:
        """Return None: only a control group ends hosts at a limit."""
        return None

    @property
    def is_silent(self) -> bool:
        """Whether the host has said nothing since its last run."""
        return self.channel.is_silent

    def pause(self) -> None:
        """Stop the host while others run: it can neither take their CPU time nor start processes."""
        self.stop()
        self._end_others(self.tree.others())  # that it has started since its last run
        self._setting = setting(self.pid)

    def stop(self) -> float:
        """Stop the host again, in case another backend's run has woken it; return its CPU seconds."""
        os.kill(self.pid, signal.SIGSTOP)
        return self.cpu_s()

    def cpu_s(self) -> float:
        """Return the CPU seconds of the host itself; 0 if it has ended."""
        with suppress(OSError):
            return self._files.clock_s()
        return 0.0

    @property
    def is_as_left(self) -> bool:
        """Whether the run of another backend has changed nothing about this host while it was stopped."""
        return setting(self.pid) == self._setting and not _has_signals(self.pid)

    def resume(self) -> None:
        """Let a stopped host go on."""
        os.kill(self.pid, signal.SIGCONT)

    def clean_up(self, attempt: Attempt) -> tuple[list[str], bool]:
        """End all processes of a run; return what it left behind, and whether the host can be used again."""
        is_good = not attempt.is_host_lost and (self.is_forking or attempt.has_replied)
        others = self.tree.others()
        is_ended = attempt.is_cut_off or attempt.is_host_lost  # by this process, not by itself
        left = [] if is_ended else process_names({*others} - {self.tree.run})
        if not is_good:
            os.kill(self.pid, signal.SIGKILL)
        return left, self._end_others(others, attempt) and is_good

    def _end_others(self, others: list[int], attempt: Attempt | None = None) -> bool:
        """Kill processes of the run and what they start meanwhile; return whether all have ended in time."""
        if not others:
            return True
        is_quiet, passes, killed = False, 0, set[int]()
        deadline = time.monotonic() + CLOSED_S
        while passes < _PASSES and time.monotonic() < deadline:
            for pid in others:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            if attempt and not attempt.is_host_lost and not attempt.has_run_ended and not attempt.hear_end():
                break
            passes += not killed.issuperset(others)  # those killed before need time, on a busy machine much
            killed.update(others)
            others = [pid for pid in self.tree.others() if is_alive(pid)]
            if is_quiet := not others:
                break
            time.sleep(_PASS_S)
        reap_children(without=[self.pid, *self._idle()])
        return is_quiet

    def end(self) -> None:
        """Kill the host and all that descends from it."""
        self.stop()
        kill_descendants(self.pid)
        os.kill(self.pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        self.channel.close()
        self._files.close()
        self.tree.close()
        if self._run is not None:
            self._run.close()


def setting(pid: int) -> Setting | None:
    """Return what other processes of the user can change (priority, cores, limits); None if unknown."""
    if not IS_LINUX:
        return ()
    with suppress(OSError):
        return (
            os.getpriority(os.PRIO_PROCESS, pid),
            os.sched_getscheduler(pid),
            os.sched_getaffinity(pid),
            ProcessFiles(pid, is_kept=False).read("oom_score_adj"),
            *(resource.prlimit(pid, kind) for kind in _LIMITS),
        )
    return None


def _has_signals(pid: int) -> bool:
    """Return whether signals wait for a stopped process that are not `_HARMLESS`."""
    if not IS_LINUX:
        return False
    lines = ProcessFiles(pid, is_kept=False).read("status").split(b"\n")
    pending = [int(line.split()[1], 16) for line in lines if line.startswith((b"SigPnd:", b"ShdPnd:"))]
    return any(signals & ~_HARMLESS for signals in pending)


def reap_children(without: Collection[int]) -> None:
    """Reap the ended children of this process, except some; most are adopted orphans."""
    for pid in children_of(os.getpid()):
        if pid not in without:
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


def _give_up_all_but(kept: int) -> None:
    """Close all descriptors of this process but one, and the standard streams, which lead nowhere."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    os.closerange(3, kept)
    os.closerange(kept + 1, most if most > 0 else 1 << 20)
