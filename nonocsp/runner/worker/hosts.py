"""Start hosts, stop those that are idle, and end them: a server's end.

If the server is isolated, each host is alone in PID and mount namespaces of its own, below an *init* process
(`Init`). So no run sees the host of another backend, and when a server kills an init, the kernel kills all
that the backend ever started, at once.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import socket
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import NoReturn

from nonocsp.backends.base import Termination
from nonocsp.processes import namespace
from nonocsp.processes.guard import children_of, is_alive, kill_descendants
from nonocsp.runner.leftovers import process_names
from nonocsp.runner.worker.attempt import CLOSED_S, Attempt
from nonocsp.runner.worker.channel import FORK, Channel, new_nonce
from nonocsp.runner.worker.host import run_host
from nonocsp.runner.worker.process_files import is_stopped
from nonocsp.runner.worker.usage import RunTree

_PASSES, _PASS_S = 50, 0.001
"""How often processes are killed while new ones appear, and the pause after each time."""


class Init:
    """The first process of the namespaces of a host.

    It starts the host, reaps the processes that lose their parents, and tells how the host ended. It never
    runs foreign code, and the kernel ignores signals to it from inside.

    Parameters
    ----------
    act
        What the host does; it does not return.

    Attributes
    ----------
    pid, host
        The numbers of the init process and of the host.
    """

    def __init__(self, act: Callable[[], NoReturn]) -> None:
        self._codes, told = os.pipe()
        self.pid = namespace.fork_first(lambda: _be_init(act, told))
        os.close(told)
        if not os.read(self._codes, 1):
            raise OSError("a process ended that should start a host in namespaces of its own")
        (self.host,) = children_of(self.pid)
        self._code: int | None = None

    def exit_code(self) -> int | None:
        """Return how the host ended, negative for a signal; None if it has not."""
        if self._code is None and select.select([self._codes], [], [], 0)[0]:
            self._code = int(os.read(self._codes, 16) or -signal.SIGKILL)
        return self._code

    def end(self) -> None:
        """Kill all processes of the namespaces, and wait until none is left."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self._codes)


def _be_init(act: Callable[[], NoReturn], told: int) -> NoReturn:
    """Start a host, reap orphans, and tell how the host ended."""
    with suppress(BaseException):
        host = os.fork()
        if host == 0:
            os.setsid()  # the scheduler gives each session its share
            act()
        _give_up_all_but(told)
        os.write(told, b".")
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        while True:
            while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                if ended.si_pid == host:  # it stays, so that the server can read its CPU clock
                    code = ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
                    os.write(told, b"%d" % code)
                    while True:
                        signal.pause()
                os.waitpid(ended.si_pid, 0)
            signal.sigwait({signal.SIGCHLD})
    os._exit(1)


class ForkedHost:
    """A host that this process forks.

    Parameters
    ----------
    spec
        The backend's.
    idle
        Returns the other processes that this one keeps.
    is_forking
        Whether each run gets a process of its own.
    is_isolated
        Whether this process can make namespaces.

    Attributes
    ----------
    pid
        The number of the host.
    processes
        The numbers of the processes that stay between runs: the host, and its init process.
    """

    ends_within_s = CLOSED_S

    def __init__(
        self, spec: str, idle: Callable[[], Collection[int]], *, is_forking: bool, is_isolated: bool
    ) -> None:
        self.is_forking, self.is_ready = is_forking, False
        self.nonce = new_nonce()
        mine, theirs = socket.socketpair()

        def act() -> NoReturn:
            _give_up_all_but(theirs.fileno())
            run_host(Channel(theirs), spec, self.nonce, is_forking=is_forking)

        self._init = Init(act) if is_isolated else None
        self.pid = self._init.host if self._init else os.fork()
        if self.pid == 0:
            act()
        theirs.close()
        self.processes = [self._init.pid, self.pid] if self._init else [self.pid]
        self.channel = Channel(mine)
        self.tree = RunTree(self.pid, idle, init=self._init.pid if self._init else None, is_forked=is_forking)
        self._idle = idle
        self._run: Channel | None = None

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
        if self._init:
            return self._init.exit_code()
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

    def stop(self) -> None:
        """Tell the host to stand still until its next run; that takes effect when it is next scheduled."""
        os.kill(self.pid, signal.SIGSTOP)

    def rest(self) -> bool:
        """Wait until the host stands still; return whether it does, and nothing else of it is left."""
        deadline = time.monotonic() + CLOSED_S
        while not is_stopped(self.pid):
            if time.monotonic() > deadline:
                return False
            os.sched_yield()  # sleeping takes a tenth of a millisecond
        return self._end_others(self.tree.others())  # that it has started since its last run

    def resume(self) -> None:
        """Let a stopped host go on."""
        os.kill(self.pid, signal.SIGCONT)

    def clean_up(self, attempt: Attempt) -> tuple[list[str], bool]:
        """End all processes of a run; return what it left behind, and whether the host can be used again."""
        is_good = not attempt.is_host_lost and (self.is_forking or attempt.has_replied)
        others = self.tree.others()
        is_ended = attempt.is_cut_off or attempt.is_host_lost  # by this process, not by itself
        left = [] if is_ended else process_names({*others} - {self.tree.run})
        if self._init and not is_good:
            return left, False  # killing the init process ends the others
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
        if not self._init:
            reap_children(without=[self.pid, *self._idle()])
        return is_quiet

    def end(self) -> None:
        """Kill the host and all that descends from it."""
        if self._init:
            self._init.end()
        else:
            os.kill(self.pid, signal.SIGSTOP)
            kill_descendants(self.pid)
            os.kill(self.pid, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(self.pid, 0)
        self.channel.close()
        self.tree.close()
        if self._run is not None:
            self._run.close()


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
