"""One run from start to end, with a host that a test plays: outcome, figures, limits."""

from __future__ import annotations

import select
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import repeat
from threading import Thread

import pytest

from nonocsp.backends.base import Limits, Termination
from nonocsp.run.limits import GRACE_S
from nonocsp.run.worker import attempt as module
from nonocsp.run.worker.attempt import ALLOWANCE_S, Attempt, Result
from nonocsp.run.worker.channel import (
    BORN,
    ENDED,
    FORK,
    GO,
    GONE,
    JOB,
    PREPARED,
    READY,
    REPLY,
    Channel,
    new_nonce,
)
from nonocsp.run.worker.room import OVERDRAWN, Room
from tests.waiting import wait_until

CRASHED, KILLED = Termination.CRASHED, Termination.KILLED
NONE = Limits()
MIB = 1 << 20


class Tree:
    """Processes that use the amounts that a test sets."""

    def __init__(self) -> None:
        self.used_s = 0.0
        self.now_bytes = self.loading_bytes = 0
        self.peaks: Iterator[int | None] = repeat(7)

    def pids(self) -> list[int]:
        return []

    def find_run(self) -> None:
        pass

    def start(self) -> float:
        return self.used_s

    def cpu_s(self) -> float:
        return self.used_s

    def queued_s(self) -> float:
        return 0.0

    def rss_bytes(self) -> int:
        return self.now_bytes

    def peak_bytes(self) -> int | None:
        return next(self.peaks)

    def setup_bytes(self) -> int:
        return self.loading_bytes


class Host:
    """A host whose words a test says from another thread; it runs its jobs itself."""

    is_forking = False
    ends_within_s = 0.2

    def __init__(self) -> None:
        self.nonce, self.is_ready = new_nonce(), True
        self.tree, self.room = Tree(), Room(tempfile.gettempdir())
        mine, theirs = socket.socketpair()
        self.channel, self.other = Channel(mine), Channel(theirs)
        self.code: int | None = None
        self.limit: Termination | None = None
        self.beats = 0

    def fork(self, nonce: bytes) -> Channel:
        raise NotImplementedError

    def exit_code(self) -> int | None:
        return self.code

    def reached(self) -> Termination | None:
        return self.limit

    def beat(self) -> None:
        self.beats += 1

    def begin(self) -> bytes:
        """Take the job and say that it is prepared; return the nonce when the run may begin."""
        job = self.other.receive()
        assert job.word == JOB
        self.other.send(job.nonce, PREPARED)
        assert self.other.receive() == (job.nonce, GO, b"")
        return job.nonce

    def end(self, code: int) -> None:
        self.code = code
        self.other.close()

    def close(self) -> None:
        self.channel.close()
        self.other.close()


class ForkingHost(Host):
    """A host whose runs have a channel of their own, with the ends `mine` and `run`."""

    is_forking = True

    def __init__(self) -> None:
        super().__init__()
        self.mine, self.run = map(Channel, socket.socketpair())

    def fork(self, nonce: bytes) -> Channel:
        self.channel.send(nonce, FORK)
        return self.mine

    def close(self) -> None:
        super().close()
        self.mine.close()
        self.run.close()


@pytest.fixture
def host() -> Iterator[Host]:
    with closing(Host()) as host:
        yield host


def follow(host: Host, play: Callable[[], None], limits: Limits = NONE) -> tuple[Result, Attempt]:
    """Follow a job while `play` acts as its host; no run takes longer than that."""
    attempt = Attempt(host, b"the job", limits, host.room, host.beat)
    actor = Thread(target=play)
    began = time.perf_counter()
    actor.start()
    attempt.follow()
    took_s = time.perf_counter() - began
    actor.join()
    result = attempt.result([])
    assert 0.0 <= result.wall_s <= took_s
    return result, attempt


def test_time_counts_from_the_start_to_the_end_of_the_run(host: Host) -> None:
    def play() -> None:
        nonce = host.begin()
        time.sleep(0.1)
        host.tree.used_s = 0.75
        host.other.send(nonce, ENDED)
        host.other.send(nonce, REPLY, b"found")

    before = time.time()
    found, attempt = follow(host, play)
    assert (found.termination, found.reply, found.peak_bytes, found.cpu_s) == (None, b"found", 7, 0.75)
    assert found.wall_s >= 0.1
    assert found.started is not None
    assert before <= found.started <= time.time() - 0.1
    assert attempt.has_replied
    assert not attempt.is_host_lost


def test_time_to_prepare_or_reply_counts_beyond_an_allowance(host: Host) -> None:
    def play() -> None:
        job = host.other.receive()
        time.sleep(0.1)
        host.tree.used_s += 0.1
        host.other.send(job.nonce, PREPARED)
        host.other.receive()
        host.other.send(job.nonce, ENDED)
        time.sleep(0.1)
        host.tree.used_s += 0.1
        host.other.send(job.nonce, REPLY, b"")

    found, _ = follow(host, play)
    assert found.wall_s >= 0.2 - 2 * ALLOWANCE_S - 0.001
    assert 0.15 <= found.cpu_s <= 0.2


def test_time_in_which_a_run_keeps_the_server_from_starting_its_clock_counts(host: Host) -> None:
    def start() -> float:
        time.sleep(0.1)
        host.tree.used_s = 0.1
        return 0.1

    def play() -> None:
        host.other.send(host.begin(), ENDED)
        host.end(0)

    host.tree.start = start  # type: ignore[method-assign]
    found, _ = follow(host, play)
    assert found.wall_s >= 0.1 - ALLOWANCE_S
    assert found.cpu_s >= 0.08


def test_a_limit_on_cpu_time_holds_for_children_while_the_puzzle_is_built(host: Host) -> None:
    def play() -> None:
        host.other.receive()
        wait_until(lambda: host.beats)
        host.tree.used_s = 1.5

    found, _ = follow(host, play, Limits(cpu=1.0, wall=9.0))
    assert (found.termination, found.started) == (Termination.CPU, None)
    assert 1.4 <= found.cpu_s <= 1.5


@pytest.mark.parametrize(
    ("peak", "reply", "counted", "termination"),
    [
        (MIB, b"{}\n", 7, None),
        (9 * MIB, b"{}\n" + bytes(MIB), 7, None),
        (4 * MIB, b"{}\n", 3 * MIB, None),
        (8 * MIB, b"{}\n", 7 * MIB, Termination.MEMORY),
        (8 * MIB, b"{" + b" " * MIB + b"}\n", 13 * MIB // 2, Termination.MEMORY),
    ],
)
def test_memory_to_reply_counts_beyond_an_allowance(
    host: Host, peak: int, reply: bytes, counted: int, termination: Termination | None
) -> None:
    def play() -> None:
        nonce = host.begin()
        host.other.send(nonce, ENDED)
        host.other.send(nonce, REPLY, reply)

    host.tree.peaks = iter([7, peak])
    found, attempt = follow(host, play, Limits(memory=5 * MIB))
    assert found.peak_bytes is not None
    assert counted - MIB / 10 <= found.peak_bytes <= counted
    assert (found.termination, attempt.is_cut_off) == (termination, termination is not None)


def test_memory_to_reply_that_is_gone_before_the_reply_counts(host: Host) -> None:
    def play() -> None:
        nonce = host.begin()
        host.other.send(nonce, ENDED)
        host.tree.now_bytes, beats = 8 * MIB, host.beats
        wait_until(lambda: host.beats > beats + 1)
        host.tree.now_bytes = 0
        host.other.send(nonce, REPLY, b"{}\n")

    found, _ = follow(host, play)
    assert (found.peak_bytes or 0) > 6 * MIB


def test_a_large_reply_may_take_its_time(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ALLOWANCE_S_PER_BYTE", 1e-3)
    slept: list[float] = []

    def play() -> None:
        nonce = host.begin()
        host.other.send(nonce, ENDED)
        began = time.perf_counter()
        time.sleep(0.1)
        slept.append(time.perf_counter() - began)
        host.other.send(nonce, REPLY, b"{}\n" + bytes(1 << 20))

    began = time.perf_counter()
    found, _ = follow(host, play)
    assert len(found.reply) == 3 + (1 << 20)
    assert found.wall_s <= time.perf_counter() - began - slept[0]


def test_a_reply_gains_no_time_by_a_long_header(host: Host) -> None:
    def play() -> None:
        nonce = host.begin()
        host.other.send(nonce, ENDED)
        time.sleep(0.1)
        host.other.send(nonce, REPLY, b"{%s}\n" % (b" " * 1_000_000))  # a header may take .25 s a megabyte

    found, _ = follow(host, play)
    assert found.wall_s >= 0.1 - 2 * ALLOWANCE_S


@pytest.mark.parametrize("word", [READY, ENDED, REPLY, GONE, JOB, b"?"])
def test_a_word_that_nobody_waits_for_ends_the_run(host: Host, word: bytes) -> None:
    def play() -> None:
        host.other.send(host.other.receive().nonce, word)

    found, attempt = follow(host, play)
    assert (found.termination, found.message) == (CRASHED, "the backend's process sent an unexpected message")
    assert attempt.is_host_lost


@pytest.mark.parametrize("said", [b"\ngone 0 0\n" * 9, bytes(100)])
def test_noise_ends_the_run(host: Host, said: bytes) -> None:
    def play() -> None:
        host.begin()
        host.other._socket.sendall(said)

    found, attempt = follow(host, play)
    assert (found.termination, found.message) == (CRASHED, "the backend's process sent an unexpected message")
    assert attempt.is_host_lost


def test_the_nonce_of_another_run_is_refused(host: Host) -> None:
    nonces: list[bytes] = []

    def first() -> None:
        nonces.append(host.begin())
        host.other.send(nonces[0], ENDED)
        host.other.send(nonces[0], REPLY, b"1")

    def second() -> None:
        host.begin()
        host.other.send(nonces[0], ENDED)

    assert follow(host, first)[0].reply == b"1"
    assert follow(host, second)[0].message == "the backend's process sent an unexpected message"


@pytest.mark.parametrize(
    ("code", "termination", "said"),
    [
        (3, CRASHED, "the run's process ended with exit code 3"),
        (-11, CRASHED, "the run's process died of SIGSEGV"),
        (-15, KILLED, "killed from outside with SIGTERM"),
        (-9, KILLED, "killed from outside with SIGKILL, perhaps by the system because memory ran out"),
    ],
)
def test_a_process_that_ends_without_a_reply_is_reported_with_its_exit(
    host: Host, code: int, termination: Termination, said: str
) -> None:
    def play() -> None:
        host.begin()
        time.sleep(0.05)
        host.tree.used_s = 0.5
        host.end(code)

    found, attempt = follow(host, play)
    assert (found.termination, found.message, found.cpu_s) == (termination, said, 0.5)
    assert found.wall_s >= 0.05
    assert attempt.is_host_lost


def test_a_process_that_ends_before_its_run_has_used_nothing(host: Host) -> None:
    def play() -> None:
        host.other.receive()
        host.end(1)

    found, _ = follow(host, play)
    assert found.message == "the run's process ended with exit code 1 before the run started"
    assert (found.wall_s, found.cpu_s, found.started) == (0.0, 0.0, None)


def test_a_process_that_ends_before_it_takes_its_job_is_reported_with_its_exit(host: Host) -> None:
    def play() -> None:
        select.select([host.other], [], [])
        host.end(3)  # what has arrived is lost, and the system says so

    assert follow(host, play)[0].message == "the run's process ended with exit code 3 before the run started"


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (b"3", "the run's process ended with exit code 3"),
        (b"-9", "killed from outside with SIGKILL, perhaps by the system because memory ran out"),
        *(
            (said, "the run's process closed its streams")
            for said in (b"--3", b"", b"1_0", b"\xb2", b"9" * 99)
        ),
    ],
)
def test_an_exit_code_that_a_host_reports_is_a_number_or_none(said: bytes, message: str) -> None:
    def play() -> None:
        nonce = host.other.receive().nonce
        host.run.send(nonce, BORN)
        host.run.receive()
        host.run.send(nonce, PREPARED)
        host.run.receive()
        host.other.send(nonce, GONE, said)

    with closing(ForkingHost()) as host:
        assert follow(host, play)[0].message == message


def test_a_process_that_only_closes_its_channel_is_a_crash(host: Host) -> None:
    def play() -> None:
        host.begin()
        host.other.close()

    assert follow(host, play)[0].message == "the run's process closed its streams"


def test_a_run_that_fills_the_disk_is_ended_with_its_host(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_full: list[bool] = []
    monkeypatch.setattr(host.room, "is_overdrawn", lambda pids: bool(is_full) and pids() == [])

    def play() -> None:
        host.begin()
        is_full.append(True)

    found, attempt = follow(host, play)
    assert (found.termination, found.message) == (CRASHED, OVERDRAWN)
    assert found.wall_s > 0.0
    assert attempt.is_host_lost


def test_a_limit_that_a_control_group_enforced_ends_up_in_the_result(host: Host) -> None:
    def play() -> None:
        host.begin()
        host.limit = Termination.MEMORY
        host.end(-9)

    found, attempt = follow(host, play, Limits(memory=1 << 20))
    assert (found.termination, found.message) == (
        Termination.MEMORY,
        "killed: the memory limit of 1 MiB was reached",
    )
    assert attempt.is_cut_off


@pytest.mark.parametrize(
    ("limits", "used_s", "now_bytes", "termination"),
    [
        (Limits(wall=0.1), 0.0, 0, Termination.WALL),
        (Limits(cpu=1.0, wall=9.0), 1.5, 0, Termination.CPU),
        (Limits(memory=1000, wall=9.0), 0.0, 1001, Termination.MEMORY),
    ],
)
def test_a_run_at_its_limit_is_cut_off(
    host: Host, limits: Limits, used_s: float, now_bytes: int, termination: Termination
) -> None:
    def play() -> None:
        host.begin()
        host.tree.used_s, host.tree.now_bytes = used_s, now_bytes

    found, attempt = follow(host, play, limits)
    assert (found.termination, found.cpu_s) == (termination, used_s)
    assert attempt.is_cut_off
    if termination is Termination.WALL:
        assert found.wall_s >= 0.1 + GRACE_S


def test_a_limit_holds_before_the_start_and_after_the_end(host: Host) -> None:
    found, _ = follow(host, lambda: None, Limits(wall=0.1))
    assert found.termination is Termination.WALL


def test_a_step_that_takes_too_long_is_a_crash(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SETUP_S", 0.1)
    host.is_ready = False
    found, attempt = follow(host, lambda: None)
    assert (found.termination, found.message) == (
        CRASHED,
        "the worker process was still starting after 0.1 s",
    )
    assert attempt.is_host_lost


def test_memory_before_the_run_may_exceed_the_limit_by_a_margin(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    host.is_ready = False
    host.tree.loading_bytes = 1000 + module.SETUP_BYTES
    with monkeypatch.context() as patch:
        patch.setattr(module, "SETUP_S", 0.2)
        assert follow(host, lambda: None, Limits(memory=1000))[0].termination is CRASHED
    host.tree.loading_bytes += 1
    assert follow(host, lambda: None, Limits(memory=1000))[0].termination is Termination.MEMORY


def test_the_driver_hears_of_a_long_run(host: Host) -> None:
    def play() -> None:
        host.begin()
        wait_until(lambda: host.beats >= 2)
        host.end(0)

    follow(host, play)
