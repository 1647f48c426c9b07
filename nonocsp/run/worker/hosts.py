"""Start hosts, stop those that are idle, and end them: a server's end.

If the server is isolated, each host is alone in PID, mount and IPC namespaces of its own, below an *init*
process (`Init`). So no run sees the host of another backend or what that holds in shared memory, and when a
server kills an init, the kernel kills all that the backend ever started, at once.
"""

from __future__ import annotations

import errno
import os
import select
import signal
import socket
import time
from collections.abc import Callable, Collection
from contextlib import suppress

from nonocsp.backends.base import Termination
from nonocsp.processes.guard import children_of, is_alive, kill_descendants
from nonocsp.run.leftovers import Shared, process_names
from nonocsp.run.worker.attempt import CLOSED_S, Attempt
from nonocsp.run.worker.channel import FORK, Channel, new_nonce
from nonocsp.run.worker.fork_server import ForkServer
from nonocsp.run.worker.process_files import is_stopped
from nonocsp.run.worker.usage import RunTree

_PASSES, _PASS_S = 50, 0.001
"""How often processes are killed while new ones appear, and the pause after each time."""


class Init:
    """The first process of the namespaces of a host.

    It starts the host, reaps the processes that lose their parents, and tells how the host ended
    (`nonocsp.run.worker.fork_server.be_init`). It never runs foreign code, and the kernel ignores signals
    to it from inside.

    Parameters
    ----------
    fork
        Forks the process, which writes to a descriptor; returns its number and files
        (`nonocsp.processes.namespace.fork_first`).

    Attributes
    ----------
    pid, host
        The numbers of the init process and of the host.
    shared
        What processes share in the namespaces.
    """

    def __init__(self, fork: Callable[[int], tuple[int, list[int]]]) -> None:
        self._codes, told = os.pipe()
        try:
            self.pid, files = fork(told)
        finally:
            os.close(told)
        if not os.read(self._codes, 1):
            raise OSError("a process ended that should start a host in namespaces of its own")
        self.host = children_of(self.pid)[0]  # the host may have lost some of its own to it by now
        self.shared = Shared(files)
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
        self.shared.close()


class ForkedHost:
    """A host that this process forks.

    Parameters
    ----------
    spec
        The backend's.
    fork_server
        Forks the host.
    idle
        Returns the other processes that this one keeps.
    make_room
        Ends the other hosts: they may hold what the system has too little of.
    is_forking
        Whether each run gets a process of its own.
    is_isolated
        Whether this process can make namespaces.

    Raises
    ------
    OSError
        If the system starts no process.

    Attributes
    ----------
    pid
        The number of the host.
    processes
        The numbers of the processes that stay between runs: the host, and its init process.
    """

    ends_within_s = CLOSED_S

    def __init__(
        self,
        spec: str,
        fork_server: ForkServer,
        idle: Callable[[], Collection[int]],
        make_room: Callable[[], None],
        *,
        is_forking: bool,
        is_isolated: bool,
    ) -> None:
        self.is_forking, self.is_ready = is_forking, False
        self.nonce = new_nonce()
        self._make_room = make_room
        mine, theirs = socket.socketpair()

        def fork(codes: int | None = None) -> tuple[int, list[int]]:
            return fork_server.fork(spec, self.nonce, theirs, is_forking=is_forking, codes=codes)

        with theirs:
            self._init = Init(fork) if is_isolated else None
            self.pid = self._init.host if self._init else fork()[0]
        self.processes = [self._init.pid, self.pid] if self._init else [self.pid]
        self.channel = Channel(mine)
        origin = fork_server.pid or os.getpid()
        init, shared = (self._init.pid, self._init.shared) if self._init else (None, None)
        self.tree = RunTree(self.pid, idle, origin=origin, init=init, shared=shared, is_forked=is_forking)
        self._idle, self._rested_s = idle, 0.0
        self._run: Channel | None = None

    def fork(self, nonce: bytes) -> Channel:
        """Have the host fork the process of the next run; return a channel, which the next call closes."""
        if self._run is not None:
            self._run.close()
        mine, theirs = socket.socketpair()
        self._run = Channel(mine)
        with theirs:
            try:
                self.channel.send_end(nonce, FORK, theirs)
            except OSError as error:
                if error.errno != errno.ETOOMANYREFS:
                    raise
                self._make_room()  # one of them has descriptors on the way, which Linux counts for each user
                self.channel.send_end(nonce, FORK, theirs)
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
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGSTOP)

    def rest(self) -> bool:
        """Wait until the host stands still; return whether it does, and nothing else of it is left."""
        deadline = time.monotonic() + CLOSED_S
        while not is_stopped(self.pid):
            if time.monotonic() > deadline:
                return False
            os.sched_yield()  # sleeping takes a tenth of a millisecond
        is_alone = self._end_others(self.tree.others())  # that it has started since its last run
        self._rested_s = self.tree.host_s()
        return is_alone

    @property
    def has_rested(self) -> bool:
        """Whether the host has stood still since `rest`: a timer of its own can wake it (``SIGCONT``)."""
        return self.tree.host_s() == self._rested_s

    def resume(self) -> None:
        """Let a stopped host go on."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGCONT)

    def clean_up(self, attempt: Attempt) -> tuple[list[str], bool]:
        """End all processes of a run; return what it left behind, and whether the host can be used again."""
        if not self.is_forking:  # or it could work on while this process clears up
            self.stop()
        is_good = not attempt.is_host_lost and (self.is_forking or attempt.has_replied)
        others = self.tree.others()
        is_ended = attempt.is_cut_off or attempt.is_host_lost  # by this process, not by itself
        left = [] if is_ended else process_names({*others} - {self.tree.run})
        if self._init and not is_good:  # killing the init process ends the others
            return left + self._init.shared.clear()[0], False
        if not is_good:
            os.kill(self.pid, signal.SIGKILL)
        is_good = self._end_others(others, attempt) and is_good
        found, is_clear = self._init.shared.clear() if self._init else ([], True)
        return left + found, is_good and is_clear

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
