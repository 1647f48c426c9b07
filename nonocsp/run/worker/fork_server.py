"""Fork the hosts of a server, from a process that has never heard of a job.

A process inherits the memory of the one that forks it. A server's memory holds puzzles, and replies of all
backends. A host would find there the puzzle that comes next, perhaps with its solution, before any clock
runs. So each server starts a fork server before its first job, and all hosts are copies of that.

Hosts become children of the server itself: the process that forks them ends, and the server adopts them. That
is possible on Linux only; elsewhere the server forks them.

Source: Linux, ``PR_SET_CHILD_SUBREAPER(2const)``; the name is that of Python's ``multiprocessing``.
"""

from __future__ import annotations

import errno
import json
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import NoReturn

from nonocsp.processes import namespace
from nonocsp.run.worker.channel import Channel
from nonocsp.run.worker.host import die_with_parent, run_host

_BYTES = 1 << 16
"""More than an order has: a spec of up to 8000 characters, as JSON."""
_RETRY_S, _PAUSE_S = 20.0, 0.02
"""How long the system may have no process left, for instance because of a run in another slot."""


class ForkServer:
    """A process that forks hosts; ends with the server.

    Parameters
    ----------
    has_network
        Whether hosts in namespaces of their own keep the server's network.

    Attributes
    ----------
    pid
        Its number; None where the server forks hosts itself.
    """

    def __init__(self, *, has_network: bool) -> None:
        self.pid: int | None = None
        if sys.platform == "linux":
            self._orders, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
            self.pid = os.fork()
            if self.pid == 0:
                give_up_all_but(theirs.fileno())
                _serve(theirs, has_network=has_network)
            theirs.close()

    @property
    def processes(self) -> list[int]:
        """The numbers of what stays between runs: its process, if there is one."""
        return [] if self.pid is None else [self.pid]

    def fork(
        self, spec: str, nonce: bytes, end: socket.socket, *, is_forking: bool, codes: int | None = None
    ) -> tuple[int, list[int]]:
        """Fork a host; return its number, or that of its init process and its files `namespace.SHARED`.

        Parameters
        ----------
        spec
            The backend's.
        nonce, is_forking
            See `nonocsp.run.worker.host.run_host`.
        end
            The host's end of a channel.
        codes
            Where the init process writes how the host ended (`be_init`); None for a host without one.

        Raises
        ------
        OSError
            If the system starts no process.
        """
        if self.pid is None:
            pid = os.fork()
            if pid == 0:
                _be_host(spec, nonce, end.fileno(), is_forking=is_forking)
            return pid, []
        order = json.dumps([spec, nonce.hex(), is_forking]).encode()
        socket.send_fds(self._orders, [order], [end.fileno(), *([] if codes is None else [codes])])
        number, files, _, _ = socket.recv_fds(self._orders, _BYTES, len(namespace.SHARED))
        if not number.isdigit():
            raise OSError(errno.EAGAIN, "no process can be started for a backend")
        return int(number), files


def _serve(orders: socket.socket, *, has_network: bool) -> NoReturn:
    """Fork a host, or an init process, for each order, until the server ends."""
    die_with_parent()
    while True:
        order, descriptors, _, _ = socket.recv_fds(orders, _BYTES, 2)
        if not order:
            os._exit(0)
        spec, nonce, is_forking = json.loads(order)
        end, *codes = descriptors
        be_host = partial(_be_host, spec, bytes.fromhex(nonce), end, is_forking=is_forking)
        number, files = _forked(be_host, codes, has_network=has_network)
        socket.send_fds(orders, [b"%d" % number if number else b"none"], files)
        for descriptor in (*descriptors, *files):
            os.close(descriptor)


def _forked(be_host: Callable[[], NoReturn], codes: list[int], *, has_network: bool) -> tuple[int, list[int]]:
    """Fork a host, or its init process if that can tell codes; return as `ForkServer.fork`, 0 if it fails."""
    deadline = time.monotonic() + _RETRY_S
    while True:
        with suppress(OSError, ValueError):
            if codes:
                return namespace.fork_first(lambda: be_init(be_host, codes[0]), has_network=has_network)
            return _fork_orphan(be_host), []
        if time.monotonic() > deadline:
            return 0, []
        time.sleep(_PAUSE_S)


def _fork_orphan(act: Callable[[], NoReturn]) -> int:
    """Fork a process that the server adopts at once; return its number."""
    numbers, writable = os.pipe()
    between = os.fork()
    if between == 0:
        with suppress(OSError):
            parent = os.getpid()
            orphan = os.fork()
            if orphan == 0:
                while os.getppid() == parent:  # or it would die with that one
                    os.sched_yield()
                act()
            os.write(writable, b"%d" % orphan)
        os._exit(0)
    os.close(writable)
    os.waitpid(between, 0)
    number = os.read(numbers, 16)
    os.close(numbers)
    return int(number)


def _be_host(spec: str, nonce: bytes, end: int, *, is_forking: bool) -> NoReturn:
    give_up_all_but(end)
    run_host(Channel(socket.socket(fileno=end)), spec, nonce, is_forking=is_forking)


def be_init(be_host: Callable[[], NoReturn], codes: int) -> NoReturn:
    """Start a host, reap the processes that lose their parents, and tell how the host ended; never return.

    Parameters
    ----------
    be_host
        What the host does; it does not return.
    codes
        The descriptor of a pipe: gets a full stop when the host has been started, then its exit code.
    """
    with suppress(BaseException):
        host = os.fork()
        if host == 0:
            os.setsid()  # the scheduler gives each session its share
            be_host()
        give_up_all_but(codes)
        os.write(codes, b".")
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        while True:
            while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                if ended.si_pid == host:  # it stays, so that the server can read its CPU clock
                    code = ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
                    os.write(codes, b"%d" % code)
                    while True:
                        signal.pause()
                os.waitpid(ended.si_pid, 0)
            signal.sigwait({signal.SIGCHLD})
    os._exit(1)


def give_up_all_but(kept: int) -> None:
    """Close all descriptors of this process but one, and the standard streams, which lead nowhere."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    os.closerange(3, kept)
    os.closerange(kept + 1, most if most > 0 else 1 << 20)
