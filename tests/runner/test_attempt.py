"""One run from start to end, as its slot reports it: outcome, figures, and kills."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from nonocsp.backends.base import Answer, Limits, Outcome, Request, Termination
from nonocsp.model import Puzzle
from nonocsp.runner import attempt as module
from nonocsp.runner.attempt import DEATH_S, SETUP_BYTES, SETUP_S, Attempt, AttemptResult
from nonocsp.runner.jobs import Job, encode_reply
from nonocsp.runner.limits import GRACE_S, POLL_S
from nonocsp.runner.usage import Usage

PUZZLE = Puzzle.from_clues([[1]], [[1]])
SOLVED = Outcome(Answer.UNIQUE, Termination.OK, wall_s=0.5, cpu_s=0.4)
CRASHED, KILLED, WALL, MEMORY = Termination.CRASHED, Termination.KILLED, Termination.WALL, Termination.MEMORY

OUT_OF_MEMORY = "killed from outside with SIGKILL, perhaps by the system because memory ran out"


class Slot:
    """A slot that reports what a test scripts, and records the calls to it."""

    cores = (3,)
    is_isolated = True

    def __init__(self) -> None:
        self.said: list[bytes] = []
        self.is_closed = False
        self.code: int | None = None
        self.used = Usage(0.0, 0)
        self.server_bytes = 0
        self.done: list[str] = []

    def lines(self) -> Iterator[bytes]:
        said, self.said = self.said, []
        yield from said
        if self.is_closed:
            raise EOFError

    def usage(self, shared_bytes: int) -> Usage:
        return self.used

    def size(self) -> int:
        return self.server_bytes

    def exit_code(self) -> int | None:
        return self.code

    def kill_run(self) -> None:
        self.done.append("kill run")

    def kill(self) -> None:
        self.done.append("kill")


class Trial:
    """An attempt in a slot, on a clock that only the test moves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, limits: Limits) -> None:
        self.now = 100.0
        monkeypatch.setattr(module.time, "perf_counter", lambda: self.now)
        self.slot = Slot()
        job = Job(PUZZLE, "hybrid", Request(limits=limits))
        self.attempt = Attempt(job, self.slot)  # type: ignore[arg-type]

    def look(self, *said: bytes, after: float = 0.0) -> AttemptResult | None:
        self.now += after
        self.slot.said += said
        return self.attempt.look()

    def end(self, *said: bytes, after: float = 0.0) -> AttemptResult:
        result = self.look(*said, after=after)
        assert result is not None
        return result


@pytest.fixture
def trial(monkeypatch: pytest.MonkeyPatch) -> Trial:
    return Trial(monkeypatch, Limits(wall=1.0, memory=1 << 20))


def reply(*, is_last: bool, peak: int | None = 7) -> bytes:
    return encode_reply(SOLVED, PUZZLE, peak, is_last=is_last)


def test_a_reply_from_a_reused_process_ends_the_attempt_at_once(trial: Trial) -> None:
    assert trial.look(b"started 2.0 10") is None
    assert trial.end(reply(is_last=False)) == (SOLVED, 7)
    assert trial.slot.done == []


def test_an_attempt_waits_until_a_single_use_process_has_ended(trial: Trial) -> None:
    assert trial.look(b"started 2.0 10", b"ended", reply(is_last=True)) is None
    assert trial.end(b"gone 0 2.5") == (SOLVED, 7)


def test_the_peak_is_the_larger_of_observed_and_reported_memory(trial: Trial) -> None:
    trial.look(b"started 2.0 10")
    trial.slot.used = Usage(2.1, 500)
    assert trial.look(after=POLL_S) is None
    assert trial.end(reply(is_last=False)).peak_rss_bytes == 500


def test_the_peak_is_unknown_if_the_process_cannot_measure_it(trial: Trial) -> None:
    trial.look(b"started 2.0 10")
    trial.look(after=POLL_S)
    assert trial.end(reply(is_last=False, peak=None)).peak_rss_bytes is None


def test_the_peak_of_a_control_group_takes_precedence(trial: Trial) -> None:
    trial.look(b"started 2.0 10", reply(is_last=True))
    assert trial.end(b"gone 0 2.5 12345").peak_rss_bytes == 12345


@pytest.mark.parametrize(
    ("code", "termination", "said"),
    [
        (3, CRASHED, "the run's process ended with exit code 3"),
        (-signal.SIGSEGV, CRASHED, "the run's process died of SIGSEGV"),
        (-signal.SIGTERM, KILLED, "killed from outside with SIGTERM"),
        (
            -signal.SIGKILL,
            KILLED,
            OUT_OF_MEMORY,
        ),
    ],
)
def test_a_process_that_ends_without_a_reply_is_reported_with_its_exit(
    trial: Trial, code: int, termination: Termination, said: str
) -> None:
    trial.look(b"started 2.0 10")
    outcome, _ = trial.end(b"gone %d 2.75" % code, after=0.3)
    assert (outcome.answer, outcome.termination, outcome.message) == (Answer.UNKNOWN, termination, said)
    assert (outcome.wall_s, outcome.cpu_s) == (pytest.approx(0.3), 0.75)


def test_a_process_that_ends_before_its_run_has_used_nothing(trial: Trial) -> None:
    outcome, peak = trial.end(b"gone 1 9.5", after=2.0)
    assert outcome.message == "the run's process ended with exit code 1 before the run started"
    assert (outcome.wall_s, outcome.cpu_s, peak) == (0.0, 0.0, None)


def test_the_end_of_a_server_ends_the_attempt(trial: Trial) -> None:
    trial.look(b"started 2.0 10")
    trial.slot.is_closed, trial.slot.code = True, None
    assert trial.end().outcome.message == "the worker process closed its streams"


def test_a_run_at_its_wall_limit_is_killed_until_nothing_is_left(trial: Trial) -> None:
    trial.look(b"started 2.0 10")
    assert trial.look(after=1.0 + GRACE_S - 0.01) is None
    assert trial.slot.done == []
    assert trial.look(after=0.02) is None
    assert trial.slot.done == ["kill run"]
    assert trial.look(reply(is_last=True), after=POLL_S) is None  # too late: it is no longer heard
    assert trial.slot.done == ["kill run", "kill run"]
    outcome, _ = trial.end(b"gone -9 2.5")
    assert (outcome.termination, outcome.message) == (WALL, "killed: the wall limit of 1 s was reached")
    assert outcome.wall_s == pytest.approx(1.0 + GRACE_S + 0.01)


def test_a_server_that_does_not_report_the_end_is_killed(trial: Trial) -> None:
    trial.look(b"started 2.0 10", reply(is_last=True))
    trial.look(after=DEATH_S)
    assert trial.slot.done == ["kill run"]
    trial.look(after=POLL_S)
    assert trial.slot.done == ["kill run", "kill"]


def test_memory_beyond_the_limit_ends_a_run(trial: Trial) -> None:
    trial.look(b"started 2.0 10")
    trial.slot.used = Usage(2.1, (1 << 20) + 1)
    trial.look(after=POLL_S)
    outcome, peak = trial.end(b"gone -9 2.5")
    assert (outcome.termination, outcome.message, peak) == (
        MEMORY,
        "killed: the memory limit of 1 MiB was reached",
        (1 << 20) + 1,
    )


def test_a_limit_reported_by_a_control_group_ends_up_in_the_outcome(trial: Trial) -> None:
    trial.look(b"started 2.0 10", b"limit memory")
    assert trial.end(b"gone -9 2.5 99").outcome.termination is MEMORY


def test_a_server_that_does_not_start_the_run_is_killed(trial: Trial) -> None:
    assert trial.look(after=SETUP_S) is None
    assert trial.slot.done == []
    assert trial.look(after=POLL_S) is None
    assert trial.slot.done == ["kill"]
    trial.slot.is_closed, trial.slot.code = True, -9
    outcome = trial.end().outcome
    assert (outcome.termination, outcome.message) == (
        CRASHED,
        "the worker process was still starting after 60 s",
    )


def test_memory_before_the_run_may_exceed_the_limit_by_a_margin(trial: Trial) -> None:
    trial.slot.server_bytes = (1 << 20) + SETUP_BYTES
    trial.look(after=POLL_S)
    assert trial.slot.done == []
    trial.slot.server_bytes += 1
    trial.look(after=POLL_S)
    assert trial.slot.done == ["kill"]
    trial.slot.is_closed, trial.slot.code = True, -9
    assert trial.end().outcome.termination is MEMORY


def test_a_run_that_does_not_reply_is_killed(trial: Trial) -> None:
    trial.look(b"started 2.0 10", b"ended")
    trial.look(after=SETUP_S)
    assert trial.slot.done == []
    trial.look(after=POLL_S)
    assert trial.slot.done == ["kill run"]
    outcome = trial.end(b"gone -9 2.5").outcome
    assert (outcome.termination, outcome.message) == (CRASHED, "the run's process did not reply for 60 s")


def test_an_unreadable_reply_is_a_crash(trial: Trial) -> None:
    assert trial.look(b"started 2.0 10", b"{") is None
    assert trial.slot.done == ["kill run"]
    assert trial.end(b"gone -9 2.5").outcome.message == "the reply of the run's process cannot be read"


def test_conditions_are_recorded_at_the_start_of_the_run(
    trial: Trial, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        module, "conditions", lambda cores, is_isolated: f"cores {cores} now, isolated: {is_isolated}"
    )
    trial.look(b"started 2.0 10")
    assert trial.attempt.conditions == "cores (3,) now, isolated: True"


def test_checks_are_at_least_one_poll_interval_apart(trial: Trial) -> None:
    assert trial.attempt.next_look == 0.0
    trial.look()
    assert trial.attempt.next_look == trial.now + POLL_S
    trial.look(b"started 2.0 10", reply(is_last=True), after=0.01)
    assert trial.attempt.next_look == trial.now + POLL_S
