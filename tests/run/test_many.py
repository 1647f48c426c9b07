"""`nonocsp.solve_many` gives the outcomes of `nonocsp.solve`, in order, however processes end."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice
from typing import Any

import numpy as np
import psutil
import pytest

import nonocsp
from nonocsp import Answer, Grid, Palette, Puzzle, Termination
from nonocsp.backends.base import Outcome
from nonocsp.model import BackendError, FormatError, UsageError
from nonocsp.run import many
from nonocsp.run.fork_server import ForkServer
from nonocsp.testing import n_dom
from tests.waiting import AMPLE_S, wait_for_ends

pytestmark = pytest.mark.usefixtures("unruly")

DOTS = Puzzle.from_clues([[1]] * 3, [[1]] * 3)
SQUARE = Puzzle.from_clues([[1], [1]], [[1], [1]])
EMPTY = Puzzle.from_clues([[], []], [[], []])
"""Even the unruly backend solves it."""
WAYS: list[dict[str, Any]] = [{"jobs": 1}, {"jobs": 2}, {"jobs": 2, "memory": 2**31}]
every_way = pytest.mark.parametrize("way", WAYS, ids=["here", "pool", "executor"])


def random_puzzles(number: int) -> list[Puzzle]:
    """Return puzzles of one to three colours and many sizes, a tenth of them without a solution."""
    rng = np.random.default_rng(4)
    puzzles = [DOTS, SQUARE]
    for _ in range(number - 2):
        cells = rng.integers(0, rng.integers(2, 5), rng.integers(2, 8, 2))
        puzzle = Puzzle.from_grid(Grid.from_cells(cells), palette=Palette.of(3), title=str(cells.shape))
        turned = tuple(clue.reversed() for clue in puzzle.rows)
        puzzles.append(replace(puzzle, rows=turned, goal=None) if rng.random() < 0.1 else puzzle)
    return puzzles


def what_matters(outcome: Outcome) -> tuple[object, ...]:
    """Return everything but the times and the candidates of undecided cells."""
    partial = outcome.partial and outcome.partial.colours(unknown=99).tolist()
    counts = {key: value for key, value in outcome.stats.items() if isinstance(value, int)}
    return outcome.answer, outcome.termination, outcome.solutions, partial, counts


def descendants() -> set[psutil.Process]:
    return set(psutil.Process().children(recursive=True))


@pytest.mark.parametrize(
    ("way", "backend", "task"),
    [
        (WAYS[0], "settle", "solve"),
        (WAYS[0], "sat", "count"),
        (WAYS[1], "probing", "decide"),
        (WAYS[1], "sat", "count"),
        (WAYS[2], "settle", "solve"),
    ],
)
def test_the_outcomes_equal_those_of_solve_in_the_same_order(way, backend, task):
    puzzles = random_puzzles(40)
    expected = [nonocsp.solve(puzzle, backend, task, seed=3, bound=5) for puzzle in puzzles]
    found = list(nonocsp.solve_many(iter(puzzles), backend, task, seed=3, bound=5, **way))
    assert [*map(what_matters, found)] == [*map(what_matters, expected)]
    assert {outcome.answer for outcome in expected} > {Answer.UNSAT}


@every_way
def test_an_endless_supply_is_read_only_as_far_as_needed(way):
    assert list(nonocsp.solve_many([], **way)) == []
    supply = count()
    outcomes = nonocsp.solve_many((SQUARE for _ in supply), "settle", **way)
    assert len([*islice(outcomes, 700)]) == 700
    outcomes.close()
    assert next(supply) < 700 + 2 * 256 + 200


@pytest.mark.parametrize(
    ("way", "how", "said"),
    [
        (WAYS[0], "raise", "RuntimeError: no idea"),
        (WAYS[0], "quit", "SystemExit: enough"),
        (WAYS[1], "lie", "wrong answer"),
        (WAYS[1], "segfault", "SIGSEGV"),
        (WAYS[1], "close", "exit code 0"),
        ({"jobs": None}, "segfault", "SIGSEGV"),
        (WAYS[2], "segfault", "SIGSEGV"),
    ],
)
def test_a_puzzle_that_crashes_a_backend_affects_no_other(way, how, said, monkeypatch):
    monkeypatch.setattr("nonocsp.run.cores.usable_cores", lambda: 2)
    puzzles = [DOTS if number in (5, 11) else EMPTY for number in range(20)]
    outcomes = list(nonocsp.solve_many(puzzles, f"unruly:how={how}", **way))
    for puzzle, outcome in zip(puzzles, outcomes, strict=True):
        if puzzle is EMPTY:
            assert (outcome.termination, outcome.answer) == (Termination.OK, Answer.UNIQUE)
        else:
            assert (outcome.termination, outcome.answer) == (Termination.CRASHED, Answer.UNKNOWN)
            assert said in outcome.message


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"backend": "stella"}, UsageError, "unknown backend 'stella'"),
        ({"backend": "sat:solver=stella"}, UsageError, "solver=stella does not fit"),
        ({"task": "guess"}, UsageError, "unknown task 'guess'; there are solve, decide, count"),
        ({"jobs": 0}, UsageError, "0 jobs; there must be at least one"),
        ({"puzzles": DOTS}, TypeError, "not iterable"),
    ],
)
def test_an_invalid_request_is_an_error_at_once(arguments, error, message):
    with pytest.raises(error, match=message):
        nonocsp.solve_many(**{"puzzles": [DOTS], "jobs": 2, **arguments})


@every_way
def test_an_error_of_the_supply_is_raised_after_the_earlier_outcomes(way):
    def supply() -> Iterator[Puzzle]:
        yield from [SQUARE] * 30
        raise FormatError("broken", file="set.txt", line=31)

    not_a_puzzle: Any = [*[SQUARE] * 30, "set.txt"]
    for puzzles, error, said in [
        (supply(), FormatError, "31: broken"),
        (not_a_puzzle, TypeError, r"item 31 is of type str, not a Puzzle; .* reads files"),
    ]:
        outcomes = nonocsp.solve_many(puzzles, "settle", **way)
        assert len(list(islice(outcomes, 30))) == 30
        with pytest.raises(error, match=said):
            next(outcomes)


@every_way
def test_a_wall_limit_holds_for_each_puzzle(way):
    slow = Puzzle.from_clues([[1]] * 16, [[1]] * 16)
    outcomes = nonocsp.solve_many([SQUARE, slow, SQUARE], task="count", bound=10**9, wall=0.2, **way)
    ends = [outcome.termination for outcome in outcomes]
    assert ends == [Termination.OK, Termination.WALL, Termination.OK]


@pytest.mark.parametrize("backend", ["settle", "sat"])
def test_a_small_set_starts_no_process_with_default_jobs(backend, monkeypatch):
    monkeypatch.setattr("nonocsp.run.cores.usable_cores", lambda: 3)
    monkeypatch.setattr(many, "PATIENCE_S", 60.0)
    monkeypatch.setattr("nonocsp.run.pool.Pool", None)
    puzzles = random_puzzles(150)
    found = [*nonocsp.solve_many(puzzles, backend)]
    assert [*map(what_matters, found)] == [what_matters(nonocsp.solve(puzzle, backend)) for puzzle in puzzles]


def test_a_slow_puzzle_starts_processes_for_those_behind_it(monkeypatch):
    monkeypatch.setattr("nonocsp.run.cores.usable_cores", lambda: 2)
    before = descendants()
    outcomes = nonocsp.solve_many([*[SQUARE] * 40, n_dom(24), *[DOTS] * 40, n_dom(24), DOTS], "sat", wall=0.5)
    found = [outcome.termination for outcome in islice(outcomes, 82)]
    assert found == [Termination.OK] * 40 + [Termination.WALL] + [Termination.OK] * 40 + [Termination.WALL]
    assert descendants() - before
    assert [outcome.termination for outcome in outcomes] == [Termination.OK]
    wait_for_ends(descendants() - before)


@pytest.mark.parametrize("way", WAYS[1:], ids=str)
def test_closing_the_iterator_ends_the_processes(way):
    before = descendants()
    outcomes = nonocsp.solve_many([SQUARE, *[DOTS] * 3], "unruly:how=fork", **way)
    next(outcomes)
    started = descendants() - before
    assert started
    outcomes.close()
    wait_for_ends(started)


PROGRAM = """
import nonocsp
square, dots = (nonocsp.Puzzle.from_clues([[1]] * size, [[1]] * size) for size in (2, 3))
outcomes = nonocsp.solve_many([square, dots, dots], 'unruly:how={how}', jobs=2)
next(outcomes)
print(flush=True)
{then}
"""


@pytest.mark.parametrize(
    ("then", "how", "end"),
    [
        ("next(outcomes)", "hold", signal.SIGKILL),
        ("next(outcomes)", "hang", signal.SIGINT),
        ("input()", "hang", None),
    ],
)
def test_any_end_of_the_caller_ends_the_processes(then, how, end, tmp_path):
    script = tmp_path / "script.py"  # without a guard `if __name__ == "__main__"`
    script.write_text(PROGRAM.format(then=then, how=how))
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    caller = subprocess.Popen([sys.executable, script], **pipes)
    assert caller.stdout is not None
    caller.stdout.readline()
    started = set(psutil.Process(caller.pid).children(recursive=True))
    assert len(started) == 3  # one that starts two
    time.sleep(0.5)  # by then each of them has a puzzle that hangs
    if end:
        caller.send_signal(end)
    said, errors = caller.communicate(b"\n", timeout=AMPLE_S)
    assert (caller.returncode, said) == (-end if end else 0, b"")
    assert end is signal.SIGINT or errors == b""
    wait_for_ends(started)


def test_a_process_that_cannot_start_is_an_error(monkeypatch):
    monkeypatch.setenv("PYTHONHOME", "/nowhere")
    with pytest.raises(BackendError, match="the process that starts measured runs has ended"):
        next(nonocsp.solve_many([DOTS], "sat", jobs=2))


def test_processes_that_end_at_the_same_time_keep_their_exit_statuses():
    server = ForkServer()
    pids = []
    for _ in range(2):
        pid, ours = server.call("builtins:len")  # a socket has no length: it ends with code 1
        ours.close()
        pids.append(pid)
    wait_for_ends([psutil.Process(pid) for pid in pids])
    assert [os.waitstatus_to_exitcode(server.end(pid)) for pid in pids] == [1, 1]
    server.close()
