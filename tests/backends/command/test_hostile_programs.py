"""Programs that do harm: each ends within its limits, spoils its own run only, and a message says why."""

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from nonocsp.backends.base import Answer, Limits, Outcome, Termination
from tests.backends.command.conftest import CAT, ENOUGH, GRID, TWO, Measure
from tests.waiting import wait_until

RIGHT = f"printf '%s\\n' '{GRID[0]}' '{GRID[1]}' '{GRID[2]}'"
HOG = f"""{sys.executable} -I -S -c 'import time; held = b"x" * (400 << 20); time.sleep(300)'"""
WRONG = "printf '%s\\n' '##.' '###' '.#.'"

CRASHES: dict[str, tuple[str, str]] = {
    "prints a gigabyte": ("yes '#.#' | head -c 1000000000", "printed more than 16 MiB"),
    "prints for ever": ("exec yes", "printed more than 16 MiB"),
    "prints half a grid": ("printf '%s\\n' '#.#' '###'", "expected 3 lines of 3 cells"),
    "prints a wrong grid": (WRONG, "wrong answer: row 1 does not have the clue 1 1"),
    "prints the right grid twice": (f"{RIGHT}; echo; {RIGHT}", "the same solution came twice"),
    "prints nothing": ("exit 0", "found nothing"),
    "closes its output": ("exec 1>&-; exit 0", "found nothing"),
    "prints garbage": ("head -c 100000 /dev/zero | tr '\\0' '\\377'", "expected 3 lines of 3 cells"),
    "prints text": ("echo I give up", "found 'I give up'"),
    "dies of a signal": (f"{RIGHT}; kill -SEGV $$", "died of SIGSEGV"),
    "kills itself": ("kill -KILL $$", "died of SIGKILL"),
    "fails with a message": (
        "echo no licence found >&2; exit 3",
        "exit code 3; its last words: no licence found",
    ),
    "runs what does not exist": (
        "exec /nowhere/solver",
        "exit code 127 (a command that it runs was not found)",
    ),
    "runs what is no program": ("exec /etc/passwd", "exit code 126"),
    "needs a terminal": ("exec < /dev/tty", "/dev/tty"),
    "fails after many errors": (
        "head -c 50000000 /dev/zero >&2; echo the end >&2; exit 1",
        "its last words: the end",
    ),
}


def outcome(measure: Measure, text: str, **rest: Any) -> Outcome:
    found: Outcome = measure(text, **rest).outcome
    return found


@pytest.mark.parametrize("name", CRASHES)
def test_a_program_that_breaks_off_or_prints_nonsense_crashes_with_a_reason(name, measure):
    text, reason = CRASHES[name]
    found = outcome(measure, text)
    assert found.termination is Termination.CRASHED
    assert found.answer is Answer.UNKNOWN
    assert reason in found.message
    assert len(found.message) < 1000


@pytest.mark.parametrize(
    ("text", "limits", "termination"),
    [
        ("sleep 300", Limits(wall=0.5), Termination.WALL),
        ("trap '' TERM INT HUP; while :; do sleep 1; done", Limits(wall=0.5), Termination.WALL),
        ("exec 1>&- 2>&-; sleep 300", Limits(wall=0.5), Termination.WALL),
        ("while :; do :; done", Limits(wall=60, cpu=0.3), Termination.CPU),
        (HOG, Limits(wall=60, memory=150 << 20), Termination.MEMORY),
    ],
    ids=["sleeps", "ignores signals", "closes its streams and sleeps", "computes", "takes memory"],
)
def test_a_program_that_does_not_end_is_ended_at_its_limit(text, limits, termination, measure):
    found = outcome(measure, text, limits=limits)
    assert (found.answer, found.termination) == (Answer.UNKNOWN, termination)


def test_a_program_gets_no_input_but_its_own_and_may_print_errors(measure):
    noise = "echo 50% >&2; head -c 50000000 /dev/zero >&2"
    found = outcome(measure, f"cat; {noise}; {RIGHT}")
    assert (found.answer, found.termination) == (Answer.SOLVED, Termination.OK)


def test_what_a_program_printed_before_the_limit_is_kept(measure):
    found = outcome(measure, f"{RIGHT}; printf '#.'; sleep 300", limits=Limits(wall=1))
    assert (found.answer, found.termination) == (Answer.SOLVED, Termination.WALL)
    assert found.solutions[0].strings() == GRID


@pytest.mark.parametrize("how", ["", "setsid "], ids=["in its group", "in a session of its own"])
def test_what_a_program_starts_does_not_outlive_its_run(how, measure):
    nap, wait = f"3{os.getpid()}{len(how)}", "while ! test -s started; do sleep 0.01; done"
    found = outcome(
        measure, f"{how}sh -c 'echo > started; exec sleep {nap}' & {wait}; {RIGHT}", limits=ENOUGH
    )
    assert found.answer is Answer.SOLVED
    wait_until(lambda: not is_sleeping(nap))


def is_sleeping(text: str) -> bool:
    """Return whether a process sleeps for so long."""
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if entry.read_bytes() == f"sleep\0{text}\0".encode():
                return True
    return False


def test_a_pattern_that_takes_for_ever_is_ended_at_the_wall_limit(measure):
    found = outcome(
        measure, f"printf '%040d!\\n' 0; {RIGHT}", rules={"unique": "^(0+)+$"}, limits=Limits(wall=1)
    )
    assert found.termination is Termination.WALL


JSON = [
    ("echo '{\"grid\": [[NaN, 0, 1], [1, 1, 1], [0, 1, 0]]}'", "NaN is no number of JSON"),
    ("head -c 200000 /dev/zero | tr '\\0' '['", "nested too deeply"),
    ("head -c 2000000 /dev/zero | tr '\\0' '['", "larger than any answer"),
    ('echo \'{"solutions": [["#.#", "###"]]}\'', "expected a list of 3 rows, not 2 rows"),
    ("echo '{\"solutions\": [[[1, 0, 9], [1, 1, 1], [0, 1, 0]]]}'", "9 is no cell"),
    ('echo \'{"solutions": {"a": 1}}\'', "solutions: expected a list of grids"),
    ('echo \'{"answer": "unique", "solutions": []}\'', "claims unique, but no grid can be read"),
    ("echo hello", "expected JSON and found 'hello'"),
]
CONTRADICTIONS = [
    ("echo UNIQUE", "claims unique, but no grid can be read"),
    (f"echo NO SOLUTION; {RIGHT}", "claims unsat and prints 1 grids"),
    (f"echo UNIQUE NO SOLUTION; {RIGHT}", "unsat and unique both match"),
    ("printf '%s\\n' UNIQUE '#.' '.#' '' '.#' '#.'", "claims unique and prints 2 grids"),
    (f"echo UNIQUE; {RIGHT}; exit 9", "claims unique, and its exit code 9 says unsat"),
]
RULES = {"unique": "UNIQUE", "unsat": "NO SOLUTION", "exit_codes": {9: "unsat"}}


@pytest.mark.parametrize(
    ("text", "reason", "declared"),
    [
        *((*case, {"output": "json"}) for case in JSON),
        *((*case, {"rules": RULES}) for case in CONTRADICTIONS),
    ],
)
def test_json_that_is_no_answer_and_a_contradiction_crash_with_a_reason(text, reason, declared, measure):
    found = outcome(measure, text, puzzle=TWO if "2 grids" in reason else CAT, **declared)
    assert found.termination is Termination.CRASHED
    assert reason in found.message


@pytest.mark.parametrize("made", ["ln -s /etc/passwd", "mkfifo", "mkdir"])
def test_an_answer_that_is_no_file_is_not_read(made, measure):
    found = outcome(measure, f"{made} answer.txt", output_file="answer.txt")
    assert found.termination is Termination.CRASHED
    assert "answer" in found.message


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\x7fELF\x02\x01\x01\x00 of another processor", "no program for this processor"),
        (b"#!/nowhere/interpreter\n", "the interpreter that its first line names is missing"),
    ],
)
def test_a_program_that_cannot_start_says_why(content, reason, script, measure):
    path = Path(script(""))
    path.write_bytes(content)
    found = outcome(measure, "", command=[str(path), "{puzzle}"])
    assert found.termination is Termination.CRASHED
    assert f"cannot start {path}" in found.message
    assert reason in found.message
