"""`nonocsp.solve_many` gives the outcomes of `nonocsp.solve`, in order, however processes end."""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

import nonocsp
from nonocsp import Answer, Grid, Palette, Puzzle, Termination
from nonocsp.backends.base import Limits, Outcome, Request
from nonocsp.model import BackendError, FormatError, UsageError
from nonocsp.run import pool
from nonocsp.run.many import Solving, run_many
from nonocsp.run.pool_worker import receive, send, serve
from nonocsp.testing import n_dom
from tests.waiting import AMPLE_S, wait_for_ends

pytestmark = pytest.mark.usefixtures("unruly")

DOTS = Puzzle.from_clues([[1]] * 3, [[1]] * 3)
SQUARE = Puzzle.from_clues([[1], [1]], [[1], [1]])
EMPTY = Puzzle.from_clues([[], []], [[], []])
"""Even the unruly backend solves it."""
WAYS: list[dict[str, Any]] = [{"jobs": 1}, {"jobs": 2}, {"jobs": 2, "memory": 2**31}]
IDS = ["here", "pool", "executor"]


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


@pytest.mark.parametrize(("backend", "task"), [("probing", "decide"), ("sat", "count"), ("settle", "solve")])
@pytest.mark.parametrize("way", WAYS, ids=IDS)
def test_the_outcomes_equal_those_of_solve_in_the_same_order(
    way: dict[str, Any], backend: str, task: str
) -> None:
    puzzles = random_puzzles(40)
    expected = [nonocsp.solve(puzzle, backend, task, seed=3, bound=5) for puzzle in puzzles]
    found = list(nonocsp.solve_many(iter(puzzles), backend, task, seed=3, bound=5, **way))
    assert [*map(what_matters, found)] == [*map(what_matters, expected)]
    assert {outcome.answer for outcome in expected} > {Answer.UNSAT}


@pytest.mark.parametrize("way", WAYS, ids=IDS)
def test_an_endless_supply_is_read_only_as_far_as_needed(way: dict[str, Any]) -> None:
    supply = count()
    outcomes = nonocsp.solve_many((SQUARE for _ in supply), "settle", **way)
    assert [outcome.answer for outcome in islice(outcomes, 700)] == [Answer.PARTIAL] * 700
    outcomes.close()
    assert next(supply) < 700 + 2 * 256 + 200


def test_no_puzzles_give_no_outcomes() -> None:
    assert [list(nonocsp.solve_many([], **way)) for way in WAYS] == [[], [], []]


@pytest.mark.parametrize(
    ("way", "how", "said"),
    [
        (WAYS[0], "raise", "RuntimeError: no idea"),
        (WAYS[0], "quit", "SystemExit: enough"),
        (WAYS[1], "raise", "RuntimeError: no idea"),
        (WAYS[1], "quit", "SystemExit: enough"),
        (WAYS[1], "lie", "wrong answer"),
        (WAYS[1], "shout", "wrong answer"),
        (WAYS[1], "segfault", "SIGSEGV"),
        (WAYS[1], "exit", "exit code 7"),
        (WAYS[2], "segfault", "SIGSEGV"),
    ],
)
def test_a_puzzle_that_crashes_a_backend_affects_no_other(way: dict[str, Any], how: str, said: str) -> None:
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
def test_an_invalid_request_is_an_error_at_once(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        nonocsp.solve_many(**{"puzzles": [DOTS], "jobs": 2, **arguments})


@pytest.mark.parametrize("way", WAYS, ids=IDS)
def test_an_error_of_the_input_is_raised_after_the_earlier_outcomes(way: dict[str, Any]) -> None:
    def supply() -> Iterator[Puzzle]:
        yield from [SQUARE] * 30
        raise FormatError("broken", file="set.txt", line=31)

    outcomes = nonocsp.solve_many(supply(), "settle", **way)
    assert len(list(islice(outcomes, 30))) == 30
    with pytest.raises(FormatError, match="31: broken"):
        next(outcomes)


def test_an_input_that_is_not_a_puzzle_is_named() -> None:
    outcomes = nonocsp.solve_many([DOTS, "set.txt"], "settle", jobs=1)  # type: ignore[list-item]
    next(outcomes)
    with pytest.raises(TypeError, match=r"item 2 is of type str, not a Puzzle; .* reads files"):
        next(outcomes)


@pytest.mark.parametrize("way", WAYS, ids=IDS)
def test_a_wall_limit_holds_for_each_puzzle(way: dict[str, Any]) -> None:
    slow = Puzzle.from_clues([[1]] * 16, [[1]] * 16)
    outcomes = nonocsp.solve_many([SQUARE, slow, SQUARE], task="count", bound=10**9, wall=0.2, **way)
    ends = [(outcome.answer, outcome.termination) for outcome in outcomes]
    fine, cut = (Answer.MULTIPLE, Termination.OK), (Answer.MULTIPLE, Termination.WALL)
    assert ends == [fine, cut, fine]


def test_enforced_limits_end_a_backend_that_ignores_its_stop_flag() -> None:
    request = Request(limits=Limits(wall=0.2))
    outcomes = run_many([SQUARE, DOTS, SQUARE], "unruly:how=hang", request, jobs=2, enforced=True)
    assert [outcome.termination for outcome in outcomes][1] is Termination.WALL


@pytest.mark.slow
def test_puzzles_queued_behind_a_slow_one_go_to_other_workers_once() -> None:
    easy, slow = [SQUARE] * 300, Puzzle.from_clues([[1]] * 16, [[1]] * 16)
    puzzles = [*easy, slow, *easy]
    found = list(nonocsp.solve_many(puzzles, task="count", bound=10**9, wall=1.0, jobs=2))
    assert [o.termination for o in found[:300]] == [Termination.OK] * 300
    assert [o.termination for o in found[300:]].count(Termination.WALL) == 1
    assert len(found) == 601


def process_starts(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return a list that gets an entry for each process that a pool starts."""
    started: list[object] = []
    start = pool._Worker.__init__

    def counting(worker: Any, *args: Any) -> None:
        started.append(worker)
        start(worker, *args)

    monkeypatch.setattr(pool._Worker, "__init__", counting)
    return started


@pytest.mark.parametrize("backend", ["settle", "sat"])
def test_a_small_set_starts_no_process_with_default_jobs(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nonocsp.run.cores.usable_cores", lambda: 3)
    monkeypatch.setattr(pool, "PATIENCE_S", 60.0)
    started, puzzles = process_starts(monkeypatch), random_puzzles(150)
    found = list(nonocsp.solve_many(puzzles, backend))
    assert [*map(what_matters, found)] == [what_matters(nonocsp.solve(puzzle, backend)) for puzzle in puzzles]
    assert started == []


def test_a_slow_puzzle_starts_processes_for_those_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nonocsp.run.cores.usable_cores", lambda: 2)
    started = process_starts(monkeypatch)
    slow = n_dom(24)
    puzzles = [*[SQUARE] * 40, slow, *[DOTS] * 40]
    outcomes = nonocsp.solve_many(puzzles, "sat", wall=1.0)
    found = [outcome.termination for outcome in outcomes]
    assert found == [Termination.OK] * 40 + [Termination.WALL] + [Termination.OK] * 40
    assert started


def test_closing_the_iterator_stops_the_thread_that_began(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nonocsp.run.cores.usable_cores", lambda: 2)
    before = set(threading.enumerate())
    outcomes = nonocsp.solve_many([SQUARE, n_dom(14), SQUARE], "sat")
    next(outcomes)
    outcomes.close()
    (thread,) = set(threading.enumerate()) - before or {None}
    if thread:
        thread.join(AMPLE_S)
        assert not thread.is_alive()


def test_code_of_others_never_runs_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nonocsp.run.cores.usable_cores", lambda: 2)
    outcomes = list(nonocsp.solve_many([EMPTY, DOTS, EMPTY], "unruly:how=segfault"))
    assert [outcome.termination for outcome in outcomes][1] is Termination.CRASHED


def test_two_puzzles_are_solved_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEETING", str(tmp_path))
    outcomes = nonocsp.solve_many([DOTS] * 2, "meeting", wall=AMPLE_S, jobs=2)
    assert [outcome.termination for outcome in outcomes] == [Termination.OK] * 2


def test_outcomes_come_before_the_last_puzzle_is_read() -> None:
    def supply() -> Iterator[Puzzle]:
        for number in count():
            assert number < 2 + 2 * 256, "the first outcome is overdue"
            time.sleep(0.01)
            yield SQUARE

    assert next(nonocsp.solve_many(supply(), "settle", jobs=2)).answer is Answer.PARTIAL


@pytest.mark.parametrize("way", WAYS[1:], ids=IDS[1:])
def test_closing_the_iterator_ends_the_processes(way: dict[str, Any]) -> None:
    before = descendants()
    outcomes = nonocsp.solve_many([SQUARE, *[DOTS] * 3], "unruly:how=hang", **way)
    next(outcomes)
    started = descendants() - before
    assert started
    outcomes.close()
    wait_for_ends(started)


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_the_end_of_the_caller_ends_the_processes(end: signal.Signals) -> None:
    program = (
        "import nonocsp, sys; dots = nonocsp.Puzzle.from_clues([[1]] * 3, [[1]] * 3)\n"
        "square = nonocsp.Puzzle.from_clues([[1]] * 2, [[1]] * 2)\n"
        "for _ in nonocsp.solve_many([square, dots, dots], 'unruly:how=hang', jobs=2): print(flush=True)"
    )
    caller = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert caller.stdout is not None
    caller.stdout.readline()
    started = set(psutil.Process(caller.pid).children(recursive=True))
    assert len(started) >= 2
    caller.send_signal(end)
    caller.communicate(timeout=AMPLE_S)
    assert caller.returncode == -end
    wait_for_ends(started)


def test_a_worker_that_cannot_start_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHOME", "/nowhere")
    with pytest.raises(BackendError, match=r"cannot start a worker: .* ended with exit code 1"):
        next(nonocsp.solve_many([DOTS], "settle", jobs=2))


def test_a_worker_drops_queued_puzzles_when_told_even_before_it_starts() -> None:
    orders, inbox = Pipe()
    outbox, answers = Pipe()
    for message in (Solving("settle", Request()), [(7, DOTS), (8, DOTS), (9, DOTS)], 8):
        send(orders, message)
    orders.close()
    with pytest.raises(EOFError):
        serve(inbox, outbox)
    outbox.close()
    assert [receive(answers), receive(answers)] == [None, None]
    with pytest.raises(EOFError):
        receive(answers)


def test_progress_is_shown_only_on_terminals(capfd: pytest.CaptureFixture[str]) -> None:
    assert len(list(nonocsp.solve_many([SQUARE] * 3, "settle", jobs=1, progress=True))) == 3
    assert capfd.readouterr() == ("", "")


def test_a_puzzle_and_a_grid_survive_pickling_unchanged() -> None:
    for puzzle in random_puzzles(20):
        copy = pickle.loads(pickle.dumps(puzzle))
        assert copy.shape == puzzle.shape
        assert copy == puzzle
        assert not hasattr(copy, "row")
        assert copy.canonical_hash == puzzle.canonical_hash
        assert all(np.array_equal(a, b) for a, b in zip(copy.flat_rows, puzzle.flat_rows, strict=True))
        assert copy.goal is None or not copy.goal.candidates.flags.writeable
