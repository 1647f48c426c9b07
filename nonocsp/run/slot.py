"""Provide slots: places for one run at a time, each with a server of its own. This is the driver's end."""

from __future__ import annotations

import json
import os
import secrets
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from nonocsp.backends.base import Answer, Outcome, Termination
from nonocsp.model import BackendError, NonocspError
from nonocsp.processes.guard import Guard
from nonocsp.processes.starting import can_isolate, isolating, make_folder
from nonocsp.run.jobs import Job
from nonocsp.run.process import GuardedProcess, confined
from nonocsp.run.worker.reply import Reply, decode_reply
from nonocsp.run.worker.server import FAILED, FULL, ISOLATED, OPEN, READY, RESULT

_CHUNK = 1 << 16
_encode = json.JSONEncoder(check_circular=False, separators=(",", ":")).encode


class NotStarted(NonocspError):
    """A server could not be started, perhaps because the system has no process left for it."""


class SlotResult(NamedTuple):
    """What came of a job in a slot.

    Parameters
    ----------
    reply
        The outcome, with the figures from outside, and what the run claims.
    peak_bytes
        Of the run's memory; None if unknown.
    started
        When the clock started, in seconds since 1970; None if it did not.
    left
        What the run left behind.
    waited_s
        How long the run's threads were ready to run but had no core.
    """

    reply: Reply
    peak_bytes: int | None
    started: float | None
    left: tuple[str, ...]
    waited_s: float = 0.0


class Slot(GuardedProcess):
    """The driver's end of a server.

    Parameters
    ----------
    guard
        Ends the server if this process dies without doing so.
    cores
        The cores to which the server and its runs are confined; None if they may use any.
    mode
        One of `nonocsp.run.worker.server`.

    Raises
    ------
    NotStarted
        If the system starts no process.

    Attributes
    ----------
    is_isolated
        Whether the server has namespaces of its own (`nonocsp.processes.namespace`).
    heard
        How many bytes the server has said so far.
    """

    def __init__(self, guard: Guard, *, cores: tuple[int, ...] | None, mode: str) -> None:
        names = [",".join(map(str, cores))] if cores is not None else []
        self.is_isolated = can_isolate()
        isolation = ISOLATED if self.is_isolated else OPEN
        folder = make_folder()
        try:
            with confined(cores):
                super().__init__(
                    "nonocsp.run.worker.server",
                    guard,
                    *(mode, isolation, *names),
                    before=isolating(is_server=True) if self.is_isolated else (),
                    folder=folder,
                )
        except OSError as error:
            os.rmdir(folder)  # noqa: PTH106
            raise NotStarted(f"cannot start a worker: {error}") from None
        self.cores = cores
        os.set_blocking(self.fileno(), False)
        os.set_blocking(self.input.fileno(), False)
        self._received = bytearray()
        self._unsent = memoryview(b"")
        self._is_ready = self._is_closed = False
        self._nonce = b""
        self._job: Job | None = None
        self.heard = 0

    def send(self, job: Job, line: bytes) -> None:
        """Hand over a job as far as the server takes it now; `flush` sends the rest.

        If the server has died, its output ends; if it takes nothing, it is silent.

        Parameters
        ----------
        job
            To be run.
        line
            What `nonocsp.run.jobs.encode_job` makes of it.
        """
        self._nonce, self._job = secrets.token_hex(16).encode(), job
        limits = job.request.limits
        header = [self._nonce.decode(), job.backend, limits.wall, limits.cpu, limits.memory, len(line)]
        self._unsent = memoryview(_encode(header).encode() + b"\n" + line)
        self.flush()

    @property
    def is_flushed(self) -> bool:
        """Whether the server has taken all of its job."""
        return not self._unsent

    def flush(self) -> None:
        """Send more of what `send` could not send."""
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self.input.fileno(), self._unsent) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self._unsent = memoryview(b"")

    def hear(self) -> SlotResult | None:
        """Return what came of the job; None if it goes on.

        Raises
        ------
        EOFError
            If the server has ended, or says what no server says.
        NotStarted
            If it ended before it was ready for any job, or could not start a process for this one.
        """
        if (result := self._hear()) is not None:
            return result
        if (is_over := not self.is_alive) and (result := self._hear()) is not None:
            return result  # which it wrote before it died
        ended = is_over or self._is_closed
        if ended and not self._is_ready:
            raise NotStarted(f"cannot start a worker: {self.ended_how()} before it was ready")
        if ended:
            raise EOFError
        return None

    def _hear(self) -> SlotResult | None:
        """Return what came of the job if that has arrived completely."""
        with suppress(BlockingIOError):
            while chunk := os.read(self.fileno(), _CHUNK):
                self._received += chunk
                self.heard += len(chunk)
                if len(chunk) < _CHUNK:
                    break
            self._is_closed = not chunk
        while (end := self._received.find(b"\n")) >= 0:
            nonce, _, said = bytes(self._received[:end]).partition(b" ")
            word, _, rest = said.partition(b" ")
            if nonce == READY and not self._is_ready:
                self._is_ready = True
            elif nonce != self._nonce:
                raise EOFError
            elif word == RESULT:
                *figures, size = json.loads(rest)
                if len(self._received) < end + 1 + size:
                    break
                reply = bytes(self._received[end + 1 : end + 1 + size])
                del self._received[: end + 1 + size]
                return self._result(figures, reply)
            elif word == FAILED:
                raise BackendError(json.loads(rest))
            elif word == FULL:
                raise NotStarted(f"cannot start a worker: {json.loads(rest)}")
            del self._received[: end + 1]
        return None

    def end(self) -> int | None:
        """End a server that does not work any more; return its exit code if it has ended by itself."""
        code = self.exit_code()
        self.kill()
        return code

    def _result(self, said: Any, found: bytes) -> SlotResult:
        """Return what a server says of a run; what the run says itself is checked."""
        assert self._job is not None
        termination, message, wall_s, cpu_s, waited_s, peak_bytes, started, left = said
        if termination is None:
            try:
                reply = decode_reply(found, self._job.puzzle, self._job.request)
            except ValueError as error:
                unusable = f"the run's reply cannot be used: {error}"
                reply = Reply(Outcome(Answer.UNKNOWN, Termination.CRASHED, message=unusable), None, None)
        else:
            reply = Reply(Outcome(Answer.UNKNOWN, Termination(termination), message=message), None, None)
        outcome = replace(reply.outcome, wall_s=wall_s, cpu_s=cpu_s)
        return SlotResult(reply._replace(outcome=outcome), peak_bytes, started, tuple(left), waited_s)
