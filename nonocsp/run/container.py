"""Run one job in BenchExec's container, and end it at its limits: one run of `nonocsp.run.benchexec`.

`nonocsp.run.launcher` calls BenchExec. The driver hears what `nonocsp.run.contained` says inside, and watches
the clock: BenchExec looks at it once a second only, and counts the start of Python.
"""

from __future__ import annotations

import json
import os
import selectors
import socket
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from nonocsp.backends import registry
from nonocsp.backends.base import Answer, Outcome, Termination
from nonocsp.model import BackendError
from nonocsp.run import contained, launcher, processes
from nonocsp.run.conditions import conditions, has_escaped, is_delayed
from nonocsp.run.cores import memory_nodes
from nonocsp.run.jobs import Access, Job, Measurement, encode_job
from nonocsp.run.limits import POLL_S, cut_off_if_late, kill_message, killed_or_crashed, reached
from nonocsp.run.provenance import Provenance
from nonocsp.run.reply import Reply, checked_reply

NAME = "benchexec"
HIDDEN = "/run", "/tmp"
"""Folders of which a run sees nothing but an empty one, and the code that it runs."""
SETUP_S, REPLY_S = 120.0, 30.0
"""How long a run may take to load its backend, and to report."""
_END_CPU_S = 0.02
"""More than a run's process needs to reply and end: 2 ms."""
_CHUNK, _HEAD, _PRINTED, _SHOWN = 1 << 16, 1 << 12, 4000, 300


class Launcher:
    """A process that starts containers for one slot (`nonocsp.run.launcher`)."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            command = [sys.executable, "-P", launcher.__file__]
            self._process = subprocess.Popen(command, stdin=theirs.fileno(), start_new_session=True)

    def launch(self, container: dict[str, Any], arguments: dict[str, Any], ends: list[int]) -> None:
        """Start a container; give it standard input, output and error."""
        with suppress(ConnectionError):  # it says so itself: it has no result
            socket.send_fds(self._socket, [json.dumps([container, arguments]).encode()], ends)

    def fileno(self) -> int:
        """Return the descriptor that is readable when there is a result."""
        return self._socket.fileno()

    def result(self) -> bytes:
        """Return the result of the container as JSON; nothing if the process has ended."""
        with suppress(ConnectionError):
            return self._socket.recv(launcher.MOST_BYTES)
        return b""

    def run_tree(self) -> list[int]:
        """Return the processes of the container but its first, which is BenchExec's."""
        first = processes.children(self._process.pid)[:1]
        return processes.descendants(first[0]) if first else []

    @property
    def is_alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def stop(self) -> None:
        """End the run at hand."""
        self._process.terminate()

    def close(self) -> None:
        """Let the process end."""
        self._socket.close()
        self._process.wait()


class ContainerRun:
    """One job in a container.

    Parameters
    ----------
    job
        What to run.
    cores
        Those to which it is confined; None if it may use any.
    access
        What it may use besides.
    code
        Its provenance.
    has_groups
        Whether BenchExec can use control groups.
    """

    def __init__(
        self, job: Job, cores: tuple[int, ...] | None, access: Access, code: Provenance, *, has_groups: bool
    ) -> None:
        self.job, self.cores, self.is_disturbed = job, cores, False
        self._access, self._code, self._has_groups = access, code, has_groups
        self._reached: Termination | None = None
        self._cpu_s, self._peak_bytes = 0.0, 0
        self._began = self._next_look = time.perf_counter()
        self._said, self._printed, self._result = bytearray(), bytearray(), b""

    def measure(self, starter: Launcher) -> Measurement:
        """Run the job.

        Raises
        ------
        BackendError
            If BenchExec cannot start it.
        """
        pipes = [os.pipe() for _ in range(3)]
        (orders, to_run), (said, says), (printed, prints) = pipes
        try:
            starter.launch(self._container(), self._arguments(), [orders, says, prints])
        finally:
            for end in (orders, says, prints):
                os.close(end)
        try:
            self._follow(starter, to_run, {said: self._said, printed: self._printed})
        finally:
            for end in (to_run, said, printed):
                os.close(end)
        if not self._result:
            raise BackendError("the process that starts BenchExec's containers has ended")
        result = json.loads(self._result)
        if "error" in result:
            raise BackendError(f"BenchExec: {result['error']}; nonocsp doctor says more")
        return self._measurement(result)

    def _container(self) -> dict[str, Any]:
        return {
            "use_namespaces": True,
            "container_system_config": False,
            "network_access": self._access.network,
            "dir_modes": _dir_modes(self.job.backend, self._access),
        }

    def _arguments(self) -> dict[str, Any]:
        """Return the arguments of BenchExec's method ``execute_run``."""
        paths = [str(Path(path).absolute()) for path in os.environ.get("PYTHONPATH", "").split(":") if path]
        environment = {"PYTHONPATH": ":".join(paths), "OPENBLAS_NUM_THREADS": "1"}
        cores = [*self.cores] if self.cores else None
        return {
            "args": [sys.executable, "-P", "-m", contained.__name__, ",".join(map(str, cores or ()))],
            "workingDir": "/tmp",
            "environments": {"newEnv": environment | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), "/tmp")},
            "memlimit": self.job.request.limits.memory if self._has_groups else None,
            "cores": cores,
            "memory_nodes": memory_nodes(cores) or None if cores else None,
        }

    def _follow(self, starter: Launcher, orders: int, heard: dict[int, bytearray]) -> None:
        """Send the job, hear what the run says and prints, and end it at its limits."""
        job = encode_job(self.job)
        unsent = memoryview(len(job).to_bytes(contained.LENGTH) + job)
        os.set_blocking(orders, False)
        with selectors.DefaultSelector() as selector:
            selector.register(orders, selectors.EVENT_WRITE)
            for end in (starter.fileno(), *heard):
                selector.register(end, selectors.EVENT_READ)
            while starter.fileno() in selector.get_map():
                for key, _ in selector.select(POLL_S):
                    if key.fd == orders:
                        with suppress(BrokenPipeError):
                            if unsent := unsent[os.write(orders, unsent) :]:
                                continue
                    elif key.fd == starter.fileno():
                        self._result = starter.result()
                    elif chunk := os.read(key.fd, _CHUNK):
                        heard[key.fd].extend(chunk)
                        continue
                    selector.unregister(key.fd)
                del self._printed[:-_PRINTED]
                self._look(starter, time.perf_counter())
        for end, text in heard.items():  # what came just before the end
            os.set_blocking(end, False)
            with suppress(BlockingIOError):
                while chunk := os.read(end, _CHUNK):
                    text.extend(chunk)

    def _look(self, starter: Launcher, now: float) -> None:
        """End the run if it has reached a limit, or is silent for too long."""
        if now < self._next_look:
            return
        self._next_look, limits, story = now + POLL_S, self.job.request.limits, self._story()
        if len(story) != 1:
            since, allowed_s = (story[1][0], REPLY_S) if story else (self._began, SETUP_S)
            self._reached = Termination.CRASHED if now > since + allowed_s else self._reached
        elif not self._reached:
            rss_bytes, (started, cpu_before_s) = 0, story[0]
            if limits.cpu is not None or not self._has_groups:
                tree = starter.run_tree()
                self._cpu_s = max(self._cpu_s, sum(map(processes.cpu_s, tree)))
                rss_bytes = 0 if self._has_groups else sum(processes.shares(pid)[1] for pid in tree)
                self._peak_bytes = max(self._peak_bytes, rss_bytes)
            self._reached = reached(limits, now - started, self._cpu_s - cpu_before_s, rss_bytes)
        if self._reached:
            starter.stop()

    def _story(self) -> list[Any]:
        """Return the lines that the run has said so far, of `nonocsp.run.contained`."""
        lines = bytes(self._said[:_HEAD]).split(b"\n", 3)[:-1]
        try:
            return [json.loads(line) for line in lines]
        except ValueError:
            return []  # from a backend that writes into any descriptor; it is ended as one that does not load

    def _measurement(self, result: dict[str, Any]) -> Measurement:
        story, limits = self._story(), self.job.request.limits
        total_s, total_cpu_s = float(result["walltime"]), float(result.get("cputime", self._cpu_s))
        wall_s = cpu_s = delay_s = 0.0
        started, left = None, ()
        if story:
            started = story[0][0] + time.time() - time.perf_counter()
            wall_s, cpu_s = total_s - (started - result["starttime"]), total_cpu_s - story[0][1]
        if len(story) > 1:
            ended, cpu_s, seen_s, delay_s, left = story[1]
            if (lost_s := total_cpu_s - seen_s) > _END_CPU_S:  # of children that nobody could wait for
                cpu_s += lost_s
            wall_s = ended - story[0][0]
        wall_s, cpu_s = min(max(wall_s, 0.0), total_s), max(cpu_s, 0.0)
        reply = self._reply(result, len(story))
        outcome = replace(reply.outcome, wall_s=wall_s, cpu_s=cpu_s)
        return Measurement(
            outcome=cut_off_if_late(outcome, limits),
            peak_rss_bytes=result.get("memory", self._peak_bytes or None),
            executor=NAME,
            reliable=not (is_delayed(delay_s, wall_s, cpu_s) or has_escaped(self.cores, wall_s, cpu_s)),
            conditions=conditions(self.cores, started=started),
            claimed_wall_s=reply.claimed_wall_s,
            claimed_cpu_s=reply.claimed_cpu_s,
            left=tuple(left),
            provenance=self._code,
        )

    def _reply(self, result: dict[str, Any], said: int) -> Reply:
        """Return what came of a run that said so many lines."""
        limits, limit = self.job.request.limits, self._reached
        verdict: tuple[Termination, str]
        if limits.memory is not None and result.get("terminationreason") == "memory":
            limit = Termination.MEMORY
        if limit is Termination.CRASHED:
            what = "report" if said else "load its backend"
            verdict = limit, f"the run did not {what} within {REPLY_S if said else SETUP_S:g} s"
        elif limit is not None:
            verdict = limit, kill_message(limits, limit)
        elif said == 3:
            return checked_reply(bytes(self._said.split(b"\n", 3)[3]), self.job)
        else:
            words = " ".join(self._printed.decode(errors="replace").split())[-_SHOWN:]
            verdict = killed_or_crashed("the run's process", result["code"])
            if words:
                verdict = verdict[0], f"{verdict[1]}; its last words: {words}"
        return Reply(Outcome(Answer.UNKNOWN, verdict[0], message=verdict[1]), None, None)


def _dir_modes(backend: str, access: Access) -> dict[str, str]:
    """Return how a run sees folders: it can read the code that it runs even where other files are hidden."""
    files: list[Path] = [*map(Path, (*sys.path, sys.prefix, sys.base_prefix))]
    if registry.is_program(backend):
        files += map(Path, registry.program(backend).files)
    folders = {str((path if path.is_dir() else path.parent).absolute()) for path in files if path.exists()}
    return {
        **{"/": "read-only", **dict.fromkeys(HIDDEN, "hidden")},
        **{
            folder: "read-only"
            for folder in folders
            if any(folder.startswith(f"{place}/") for place in HIDDEN)
        },
        **dict.fromkeys(access.writable, "full-access"),
    }
