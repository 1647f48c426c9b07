"""Measure one run of a host from outside, and enforce its limits.

What is measured, and why nobody gains by working at other times:

- The clock starts when the server says ``GO`` and stops when the run says ``ENDED``. Both are this process's.
- Before, from the moment that the puzzle is sent until ``PREPARED``, the run may build the puzzle. After,
  from ``ENDED`` until its reply is complete, it may write the reply. Each may take `ALLOWANCE_S` and
  `ALLOWANCE_S_PER_BYTE` for each byte of the job or of the reply (`free_bytes`); the time beyond that is
  added to the wall time.
- CPU time is that of all processes of the run between ``GO`` and ``ENDED``, and in proportion to the wall
  time that is added.
- Memory is the highest from ``GO`` until the reply is complete. Writing it may take `ALLOWANCE_BYTES`, and
  `ALLOWANCE_BYTES_PER_BYTE` for each byte as above, for free.
- Loading the backend, and forking, is free: it happens before host or run hear of a puzzle.

A run is over when none of its processes is left. Whatever ends it first decides the outcome: its reply, a
limit (`nonocsp.run.limits`), or the end of its process.
"""

from __future__ import annotations

import re
import select
import time
from collections.abc import Callable
from contextlib import suppress
from enum import Enum, auto
from typing import NamedTuple, Protocol

from nonocsp.backends.base import Limits, Termination
from nonocsp.run.limits import POLL_S, kill_message, pause_s, reached
from nonocsp.run.process import Verdict, killed_or_crashed
from nonocsp.run.worker.channel import (
    BORN,
    ENDED,
    GO,
    GONE,
    JOB,
    MAX_BYTES,
    NOTED,
    PREPARED,
    READY,
    REPLY,
    Channel,
    OutOfTurn,
    new_nonce,
)
from nonocsp.run.worker.reply import free_bytes
from nonocsp.run.worker.room import OVERDRAWN, Room

ALLOWANCE_S, ALLOWANCE_S_PER_BYTE = 0.003, 0.25e-6
"""How long building the puzzle and writing the reply may take for free."""
ALLOWANCE_BYTES, ALLOWANCE_BYTES_PER_BYTE = 1 << 20, 128
"""How much memory writing the reply may take for free. One grid of 1000x1000 takes 72 bytes for each byte of
its reply, which holds a cell in a bit; many grids take fewer."""
ALLOWANCE_MOST_BYTES = 2 * MAX_BYTES
"""The most that is free: the longest reply, and once more with its header."""
SETUP_S = 60.0
"""The longest time for each step but the run itself: loading, forking, building the puzzle, replying."""
SETUP_BYTES = 1 << 30
"""The most memory beyond the limit that may be in use until a run starts."""
CLOSED_S = 2.0
"""How long a process that has closed its channel may take to end."""


class Result(NamedTuple):
    """What a server reports of one run; the reply is not decoded yet.

    Parameters
    ----------
    termination, message
        How it ended without a reply; None and empty if it replied.
    wall_s, cpu_s, waited_s, peak_bytes
        From outside: seconds of the clock, of CPU time and without a core; None if the peak of the memory is
        unknown.
    started
        When the clock started, in seconds since 1970; None if it did not.
    left
        What it left behind, each in words.
    reply
        Any bytes.
    """

    termination: Termination | None
    message: str
    wall_s: float
    cpu_s: float
    waited_s: float
    peak_bytes: int | None
    started: float | None
    left: list[str]
    reply: bytes


class Phase(Enum):
    """The step that a run is at."""

    LOADING = auto()
    """The host loads its backend."""
    FORKING = auto()
    """The host forks the run's process."""
    PREPARING = auto()
    """The run builds the puzzle."""
    RUNNING = auto()
    """The backend works; limits apply."""
    REPLYING = auto()
    """The reply is written."""
    OVER = auto()
    """The outcome is known."""


_WORDS = {
    Phase.LOADING: READY,
    Phase.FORKING: BORN,
    Phase.PREPARING: PREPARED,
    Phase.RUNNING: ENDED,
    Phase.REPLYING: REPLY,
}
_RUN_PHASES = (Phase.FORKING, Phase.PREPARING, Phase.RUNNING, Phase.REPLYING)


class Tree(Protocol):
    """What `nonocsp.run.worker.usage.RunTree` knows of the processes of a run."""

    def pids(self) -> list[int]:
        """Return the processes of the run."""
        ...

    def find_run(self) -> None:
        """Take note of the run's own process, which has just been forked."""
        ...

    def start(self) -> float:
        """Take note that the run starts now; return the CPU seconds so far."""
        ...

    def cpu_s(self) -> float:
        """Return the CPU seconds so far."""
        ...

    def queued_s(self) -> float:
        """Return how long the run was ready to run but had no core so far."""
        ...

    def rss_bytes(self) -> int:
        """Return the resident memory of the run."""
        ...

    def peak_bytes(self) -> int | None:
        """Return the highest memory of the run, just after `cpu_s`; None if unknown."""
        ...

    def setup_bytes(self) -> int:
        """Return the resident memory before the run starts."""
        ...


class Host(Protocol):
    """A process, or a control group, that has loaded a backend.

    Attributes
    ----------
    channel
        To the host itself.
    nonce
        What it says when it is ready.
    is_ready
        Whether it has said so.
    is_forking
        Whether each run is a process of its own.
    ends_within_s
        How long it may take until its exit code is known, once it has closed its channel.
    """

    channel: Channel
    nonce: bytes
    is_ready: bool
    is_forking: bool
    ends_within_s: float

    @property
    def tree(self) -> Tree:
        """The processes of the run at hand."""
        ...

    def fork(self, nonce: bytes) -> Channel:
        """Have the host fork the process of the next run; return a channel to it."""
        ...

    def exit_code(self) -> int | None:
        """Return how the host ended, negative for a signal; None if it has not."""
        ...

    def reached(self) -> Termination | None:
        """Return the limit at which BenchExec or the kernel ended the host, if one did."""
        ...


class Attempt:
    """A job on a host, from the moment that it is sent until its outcome is known.

    Parameters
    ----------
    host
        It may still be loading.
    job
        The bytes that the run gets.
    limits
        Those of the run.
    room
        The disk for its temporary files.
    beat
        Called at least every `POLL_S` while the run is waited for.

    Attributes
    ----------
    is_host_lost
        Whether the host can take no other job.
    has_run_ended
        Whether the host has said so, or no run was forked.
    """

    def __init__(self, host: Host, job: bytes, limits: Limits, room: Room, beat: Callable[[], None]) -> None:
        self._host, self._job, self._limits, self._room, self._beat = host, job, limits, room, beat
        self._nonce = new_nonce()
        self._channel = host.channel
        self._phase = Phase.LOADING
        self._since = self._next_look = 0.0
        self._wall_s = self._cpu_s = 0.0
        self._cpu_at_job = self._cpu_before = self._cpu_after = self._queued_before = self._waited_s = 0.0
        self._peak: int | None = None
        self._replying_bytes = 0
        self._started: float | None = None
        self._reply = b""
        self._verdict: Verdict | None = None
        self._code: int | None = None
        self.is_host_lost = False
        self.has_run_ended = True

    def follow(self) -> None:
        """Have the job run to its end."""
        self._room.begin()
        self._enter(Phase.LOADING)
        if self._host.is_ready:
            self._fork()
        while not self._is_over:
            self._wait()
            if time.perf_counter() >= self._next_look and not self._is_over:
                self._look()

    def result(self, left: list[str]) -> Result:
        """Return what became of the job, and what it left behind."""
        termination, message = self._verdict or (None, "")
        figures = self._wall_s, max(0.0, self._cpu_s), max(0.0, self._waited_s), self._peak, self._started
        return Result(termination, message, *figures, left, self._reply)

    @property
    def _is_over(self) -> bool:
        return self._phase is Phase.OVER

    @property
    def has_replied(self) -> bool:
        """Whether the run has replied, with whatever bytes."""
        return self._verdict is None

    @property
    def is_cut_off(self) -> bool:
        """Whether a limit ended the run, and not the run itself."""
        return self._verdict is not None and self._verdict[0] not in (Termination.CRASHED, Termination.KILLED)

    def hear_end(self) -> bool:
        """Wait until the host says that the run's process has ended; return whether it says so in time."""
        poll = select.poll()
        poll.register(self._host.channel, select.POLLIN)
        deadline = time.perf_counter() + CLOSED_S
        with suppress(OutOfTurn, EOFError):
            while not self.has_run_ended and (left_s := deadline - time.perf_counter()) > 0:
                if poll.poll(left_s * 1e3):
                    self._hear_end()
        return self.has_run_ended

    def _hear_end(self) -> None:
        """Take note if the host says that the run's process has ended; OutOfTurn for all else."""
        if (code := self._host.channel.poll(self._nonce, GONE)) is not None:
            self.has_run_ended = True
            self._code = int(code) if re.fullmatch(rb"-?[0-9]{1,6}", code) else None

    def _wait(self) -> None:
        """Wait until something is said, or it is time to look; take note of it."""
        poll = select.poll()
        poll.register(self._channel, select.POLLIN | (0 if self._channel.is_flushed else select.POLLOUT))
        if self._channel is not self._host.channel:
            poll.register(self._host.channel, select.POLLIN)
        events = poll.poll(max(0.0, self._next_look - time.perf_counter()) * 1e3)
        self._channel.flush()
        try:
            for descriptor, _ in events:
                if descriptor == self._channel.fileno():
                    self._hear_all()
                else:
                    self._hear_end()
        except OutOfTurn:
            self._lose_host(Termination.CRASHED, "the backend's process sent an unexpected message")
        except EOFError:
            self._judge_host()
        else:
            if self.has_run_ended and self._host.is_forking and self._phase in _RUN_PHASES:
                self._hear_all(is_last=True)  # it may have replied before
                self._judge_exit("the run's process", self._code)

    def _hear_all(self, *, is_last: bool = False) -> None:
        """Take note of all that the run, or its host, has said.

        Parameters
        ----------
        is_last
            Whether nobody waits for more, so that all of it must be there now.
        """
        try:
            while not self._is_over:
                payload = self._channel.poll(self._nonce_now, _WORDS[self._phase])
                if payload is None:
                    return
                self._hear(payload)
                if not (is_last or self._channel.has_received):
                    return
        except EOFError:
            if not self._host.is_forking:
                raise
            self.hear_end()  # it can no longer reply
            self._judge_exit("the run's process", self._code)

    @property
    def _nonce_now(self) -> bytes:
        return self._host.nonce if self._phase is Phase.LOADING else self._nonce

    def _hear(self, payload: bytes) -> None:
        """Take note of the word that the current phase waits for."""
        now = time.perf_counter()
        match self._phase:
            case Phase.LOADING:
                self._host.is_ready = True
                self._fork()
            case Phase.FORKING:
                self._prepare()
            case Phase.PREPARING:
                self._start()
            case Phase.RUNNING:
                self._wall_s += now - self._since
                self._cpu_after = self._host.tree.cpu_s()
                self._cpu_s += self._cpu_after - self._cpu_before
                self._waited_s = self._host.tree.queued_s() - self._queued_before
                self._note_peak(self._host.tree.peak_bytes())
                self._enter(Phase.REPLYING, now)
                if self._host.is_forking:
                    self._channel.hand_over(self._nonce, NOTED, b"")
            case Phase.REPLYING:
                self._reply, free = payload, free_bytes(payload)
                self._charge(now, free)
                self._note_replying_peak(free)
                self._phase = Phase.OVER

    def _fork(self) -> None:
        """Have a process forked for the run, or use the host itself."""
        if not self._host.is_forking:
            self._prepare()
            return
        try:
            self._channel = self._host.fork(self._nonce)
        except OSError:
            self._judge_host()
            return
        self.has_run_ended = False
        self._enter(Phase.FORKING)

    def _prepare(self) -> None:
        """Send the job."""
        tree = self._host.tree
        tree.find_run()
        self._enter(Phase.PREPARING)
        self._channel.hand_over(self._nonce, JOB, self._job)
        self._cpu_at_job = tree.cpu_s()  # while the run begins to read its job: nobody waits for this

    def _start(self) -> None:
        """Start the clock."""
        tree = self._host.tree
        if time.perf_counter() - self._since > ALLOWANCE_S:
            tree.cpu_s()  # remembers what children used that have ended and that nobody reaps
        self._cpu_before = tree.start()  # a run can delay this, so it counts with the preparation
        self._queued_before = tree.queued_s()
        self._charge(time.perf_counter(), len(self._job), self._cpu_before - self._cpu_at_job)
        self._started = time.time()
        self._enter(Phase.RUNNING)
        self._channel.hand_over(self._nonce, GO, b"")

    def _charge(self, now: float, payload_bytes: int, cpu_s: float | None = None) -> None:
        """Add the time of the phase beyond its allowance.

        Parameters
        ----------
        now
            When the phase ended.
        payload_bytes
            Of the job or the reply, as far as they take time for free.
        cpu_s
            CPU seconds of the phase; None to look now, if that is needed.
        """
        took = now - self._since
        excess = took - ALLOWANCE_S - payload_bytes * ALLOWANCE_S_PER_BYTE
        if excess <= 0:
            return
        if cpu_s is None:
            cpu_s = self._host.tree.cpu_s() - self._cpu_after
        self._wall_s += excess
        self._cpu_s += cpu_s * excess / took

    def _look(self) -> None:
        """Enforce limits, and find out whether the host lives."""
        self._beat()
        now = time.perf_counter()
        elapsed, tree = now - self._since, self._host.tree
        self._next_look = now + POLL_S
        if (code := self._host.exit_code()) is not None:
            self._judge_host(code)
        elif self._room.is_overdrawn(tree.pids):
            self._lose_host(Termination.CRASHED, OVERDRAWN)
        elif self._phase in (Phase.LOADING, Phase.FORKING):
            memory = self._limits.memory
            if elapsed > SETUP_S:
                self._lose_host(
                    Termination.CRASHED, f"the worker process was still starting after {SETUP_S:g} s"
                )
            elif memory is not None and tree.setup_bytes() > memory + SETUP_BYTES:
                self._lose_host(
                    Termination.MEMORY, "killed: too much memory was in use before the run started"
                )
        else:
            self._enforce_limits(now, elapsed)

    def _enforce_limits(self, now: float, elapsed: float) -> None:
        """End a run that has taken too much or too long."""
        tree, phase = self._host.tree, self._phase
        free = {Phase.PREPARING: len(self._job), Phase.REPLYING: MAX_BYTES}.get(phase)
        allowed = 0.0 if free is None else ALLOWANCE_S + free * ALLOWANCE_S_PER_BYTE
        wall_s = self._wall_s + max(0.0, elapsed - allowed)
        match phase:
            case Phase.PREPARING:
                cpu_s, rss_bytes = tree.cpu_s() - self._cpu_at_job - allowed, tree.setup_bytes() - SETUP_BYTES
            case Phase.RUNNING:
                cpu_s, rss_bytes = tree.cpu_s() - self._cpu_before, tree.rss_bytes()
                self._note_peak(rss_bytes)
            case _:
                cpu_s = tree.cpu_s() - self._cpu_before - allowed
                self._replying_bytes = max(self._replying_bytes, rss_bytes := tree.rss_bytes())
                rss_bytes -= ALLOWANCE_MOST_BYTES  # nobody knows yet how long the reply is
                if rss_bytes > 0:
                    self._note_peak(rss_bytes)
        limit = reached(self._limits, wall_s, cpu_s, rss_bytes)
        if limit is None:
            cost_s = time.perf_counter() - now
            self._next_look = now + cost_s + pause_s(self._limits, wall_s, rss_bytes, cost_s)
            if phase is not Phase.RUNNING and elapsed > SETUP_S + allowed:
                what = "prepare" if phase is Phase.PREPARING else "reply"
                self._lose_host(Termination.CRASHED, f"the run's process did not {what} for {SETUP_S:g} s")
            return
        self._wall_s, self._cpu_s = wall_s, max(self._cpu_s, cpu_s)
        self._waited_s = tree.queued_s() - self._queued_before
        self._judge(limit, kill_message(self._limits, limit))

    def _note_peak(self, rss_bytes: int | None) -> None:
        if rss_bytes is not None:
            self._peak = max(self._peak or 0, rss_bytes)

    def _note_replying_peak(self, payload_bytes: int) -> None:
        """Note the memory that the run took while it replied; judge it if that is too much.

        Parameters
        ----------
        payload_bytes
            Of the reply, as far as they take memory for free.
        """
        allowed = min(ALLOWANCE_BYTES + payload_bytes * ALLOWANCE_BYTES_PER_BYTE, ALLOWANCE_MOST_BYTES)
        peak = max(self._replying_bytes, self._host.tree.peak_bytes() or 0) - allowed
        if peak <= (self._peak or 0):
            return
        self._note_peak(peak)
        if self._limits.memory is not None and peak > self._limits.memory:
            self._judge(Termination.MEMORY, kill_message(self._limits, Termination.MEMORY))

    def _judge_host(self, code: int | None = None) -> None:
        """Note how the run ended whose host has ended."""
        deadline = time.perf_counter() + self._host.ends_within_s
        while code is None and (code := self._host.exit_code()) is None and time.perf_counter() < deadline:
            time.sleep(0.001)
        self.is_host_lost = True
        if (limit := self._host.reached()) is not None:
            self._stop_clock()
            self._judge(limit, kill_message(self._limits, limit))
        else:
            self._judge_exit("the worker process" if self._host.is_forking else "the run's process", code)

    def _judge_exit(self, what: str, code: int | None) -> None:
        """Note how the run ended whose process has ended."""
        before = " before the run started" if self._started is None else ""
        self._stop_clock()
        self._judge(*killed_or_crashed(what, code, before))

    def _stop_clock(self) -> None:
        """Note the time of a run that did not reply."""
        if self._phase is Phase.RUNNING:
            self._wall_s += time.perf_counter() - self._since
            self._cpu_s += self._host.tree.cpu_s() - self._cpu_before

    def _lose_host(self, termination: Termination, message: str) -> None:
        self._stop_clock()
        self.is_host_lost = True
        self._judge(termination, message)

    def _judge(self, termination: Termination, message: str) -> None:
        """Note how the run ended, unless that is known already."""
        if not self._is_over:
            self._verdict = Verdict(termination, message)
            self._phase = Phase.OVER

    def _enter(self, phase: Phase, now: float | None = None) -> None:
        self._phase, self._since = phase, time.perf_counter() if now is None else now
        pause = POLL_S if phase is not Phase.RUNNING else pause_s(self._limits, self._wall_s, 0, 0.0)
        self._next_look = self._since + pause
