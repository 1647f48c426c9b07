"""Run jobs in processes for a driver: keep a host for each backend, measure its runs, end what they leave.

``python -m nonocsp.run.worker.server MODE`` reads jobs from its standard input and writes what comes of
them to its standard output. It never imports or runs the code of a backend: its hosts do
(`nonocsp.run.worker.host`), and they hold nothing but a channel to it. So a backend can disturb
only its own runs: no other backend shares its process, and the server forwards only the reply that it waits
for.

A job is a line ``[nonce, backend, wall, cpu, memory, bytes]`` and that many bytes, which the server hands on
as they are. It answers with lines that begin with the job's nonce:

- ``running``, at least every `BEAT_S` seconds;
- ``result``, a `nonocsp.run.worker.attempt.Result` as JSON with the number of bytes of the reply, and then
  these bytes;
- ``full`` and a message, if the system has no process for it now.

It writes `READY` once, and ends when its input does. Modes: `FORK` (a process for each run)
and `WARM` (one for many).

Every job slot has a server of its own. So whatever descends from it, and is none of its idle hosts, belongs
to the one run at hand, even a process that changed its group or lost its parent (the server adopts it). It
can be watched and killed without a list.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import select
import signal
import sys
import tempfile
import time
import warnings
from collections import OrderedDict
from collections.abc import Callable

from nonocsp.backends.base import Limits
from nonocsp.processes.starting import TEMPORARY
from nonocsp.run.leftovers import Premises, bounded
from nonocsp.run.process import private_descriptors
from nonocsp.run.worker.attempt import Attempt, Result
from nonocsp.run.worker.fork_server import ForkServer
from nonocsp.run.worker.host import settle_memory
from nonocsp.run.worker.hosts import ForkedHost, reap_children
from nonocsp.run.worker.room import Room

READY = b"ready"
RUNNING, RESULT, FAILED, FULL = b"running", b"result", b"failed", b"full"
FORK, WARM = "fork", "warm"
ISOLATED, OPEN = "isolated", "open"
"""Arguments: whether the server is in namespaces of its own."""
BEAT_S = 1.0
IDLE_S = 0.01
"""How long a server waits for its next job until it makes sure that its hosts stand still."""
MAX_HOSTS = 32
"""Hosts that a server keeps; the one that was idle for longest is ended. Backends take turns, so with more of
them in a campaign each would be loaded again for each run."""

_encode = json.JSONEncoder(check_circular=False, separators=(",", ":")).encode
_PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER = 4, 36


class Server:
    """Runs jobs one after the other.

    Parameters
    ----------
    say
        Sends bytes to the driver.
    mode
        `FORK` or `WARM`.
    isolation
        `ISOLATED` or `OPEN`.
    cores
        To which control groups are confined; None if they may use any.
    """

    def __init__(
        self, say: Callable[[bytes], None], mode: str, isolation: str, cores: str | None = None
    ) -> None:
        self._say, self._mode, self._cores = say, mode, cores
        folder = tempfile.tempdir = os.environ[TEMPORARY[0]]  # or it is tried out, and the disk may be full
        self._premises = _make_premises(folder, is_isolated=isolation != OPEN)
        self._room = Room(folder)
        self._fork_server = ForkServer(has_network=False)
        self._hosts: OrderedDict[str, ForkedHost] = OrderedDict()
        self._last = ""

    def run(self, nonce: bytes, backend: str, limits: Limits, job: bytes) -> None:
        """Run a job and say what came of it.

        Parameters
        ----------
        nonce
            The driver's.
        backend
            The backend's spec.
        limits
            Those of the run.
        job
            The bytes that the run gets.
        """
        try:
            result = self._run_in_host(backend, limits, job, self._beat(nonce))
        except OSError as error:
            self._say(b"%s %s %s\n" % (nonce, FULL, json.dumps(str(error)).encode()))
            return
        *figures, left, reply = result
        said = [*figures, bounded([*left, *self._premises.clear()]), len(reply)]
        self._say(b"%s %s %s\n" % (nonce, RESULT, _encode(said).encode()) + reply)
        if backend in self._hosts:
            self._hosts[backend].stop()

    def rest(self) -> None:
        """Have the host of the last run stand still, before others run or while there is no job."""
        last, self._last = self._last, ""
        if last in self._hosts and not self._hosts[last].rest():
            self._end(last)
        if last:
            self._premises.renew()  # it may have gone on until it stood still

    def _run_in_host(self, backend: str, limits: Limits, job: bytes, beat: Callable[[], None]) -> Result:
        """Measure a job; once more if an idle host has disturbed it, and without that host."""
        while True:
            host = self._host(backend)
            attempt = Attempt(host, job, limits, self._room, beat)
            attempt.follow()
            left, is_good = host.clean_up(attempt)
            keeps_memory = limits.memory is not None and host.tree.kept_bytes > limits.memory / 2
            if not is_good or keeps_memory or self._room.is_kept(host.processes):
                self._end(backend)  # the next run would be blamed for what this one has left
            restless = [
                spec for spec, other in self._hosts.items() if spec != backend and not other.has_rested
            ]
            for spec in restless:
                self._end(spec)
            if not restless:
                return attempt.result(left)
            self._premises.renew()

    def _host(self, backend: str) -> ForkedHost:
        """Return a host that waits for a job; the others stand still."""
        if backend != self._last:
            self.rest()
        self._last = backend
        host = self._hosts.get(backend)
        if host is not None and not host.is_silent:  # it has spoken between jobs, or ended
            self._end(backend)
            host = None
        if host is None:
            if len(self._hosts) == MAX_HOSTS:
                self._end(next(iter(self._hosts)))
            assert self._fork_server is not None
            host = ForkedHost(
                backend,
                self._fork_server,
                lambda: self._idle(backend),
                lambda: self._end_others(backend),
                is_forking=self._mode == FORK,
                is_isolated=self._premises.is_isolated,
            )
            self._hosts[backend] = host
        else:
            host.resume()
        self._hosts.move_to_end(backend)
        return host

    def _end_others(self, backend: str) -> None:
        """End all hosts but that of a backend."""
        for spec in [*self._hosts.keys() - {backend}]:
            self._end(spec)

    def _idle(self, backend: str) -> list[int]:
        """Return the processes that stay between runs, but for those of a backend."""
        hosts = [pid for spec, host in self._hosts.items() if spec != backend for pid in host.processes]
        return [*(self._fork_server.processes if self._fork_server else []), *hosts]

    def _end(self, backend: str) -> None:
        self._hosts.pop(backend).end()
        reap_children(without=self._idle(backend))  # or they would count as a run's

    def _beat(self, nonce: bytes) -> Callable[[], None]:
        """Return a function that says, but not too often, that the run goes on."""
        next_beat = time.monotonic() + BEAT_S

        def beat() -> None:
            nonlocal next_beat
            if (now := time.monotonic()) >= next_beat:
                next_beat = now + BEAT_S
                self._say(b"%s %s\n" % (nonce, RUNNING))

        return beat


def _make_premises(around: str, *, is_isolated: bool) -> Premises:
    """Have this process's hosts work in a folder of their own below its own folder for temporary files."""
    folder = os.path.join(around, "run")  # noqa: PTH118
    premises = Premises(folder, is_isolated)
    premises.clear()
    os.environ.update(dict.fromkeys(TEMPORARY, folder))
    return premises


def main(mode: str, isolation: str, cores: str | None) -> None:
    """Serve until the input ends.

    Parameters
    ----------
    mode
        `FORK` or `WARM`.
    isolation
        `ISOLATED` or `OPEN`.
    cores
        To which control groups are confined, such as ``0,2``; None if they may use any.
    """
    orders, answers = private_descriptors()
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # which the system ignores if it comes from a run
    resource.setrlimit(resource.RLIMIT_CORE, (1, 1))  # with 0, systems still start what collects cores
    if sys.platform == "linux":  # descendants that lose their parent become this process's children
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)  # hosts cannot trace it
    warnings.simplefilter("ignore")  # Python warns of forks beside threads; those here survive them
    settle_memory()

    def say(message: bytes) -> None:
        while message:
            message = message[os.write(answers, message) :]

    server = Server(say, mode, isolation, cores)
    say(READY + b"\n")
    with os.fdopen(orders, "rb") as jobs:
        while True:
            if not select.select([orders], [], [], IDLE_S)[0]:
                server.rest()
            if not (line := jobs.readline()):
                break
            nonce, backend, wall, cpu, memory, size = json.loads(line)
            server.run(nonce.encode(), backend, Limits(wall, cpu, memory), jobs.read(size))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None)
