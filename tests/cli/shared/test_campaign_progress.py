"""What bench shows while it measures: how far it is, how the backends do, and what must not be overlooked."""

import io
import os
import pty
import re
import select
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from rich.console import Console

from nonocsp.backends.base import Request
from nonocsp.bench.campaign import Contradicted, Event, Finished, Planned, Started
from nonocsp.bench.contradictions import Disagreement
from nonocsp.bench.planning import PlannedRun
from nonocsp.bench.table import table_of
from nonocsp.cli.shared import campaign_progress as shown_progress
from nonocsp.cli.shared.campaign_progress import Standings, campaign_progress
from nonocsp.formats import NamedPuzzle
from nonocsp.model import Puzzle

PUZZLE = Puzzle.from_clues([[1]], [[1]])


def runs(backend: str, count: int, name: str = "cats.json") -> list[PlannedRun]:
    return [
        PlannedRun(NamedPuzzle(f"{name}#{k}", k, PUZZLE), backend, Request(), 0) for k in range(1, count + 1)
    ]


SAT, CPSAT = runs("sat", 20), runs("cpsat", 20)


def row(run: PlannedRun, wall_s: float = 0.1, **rest: Any) -> dict[str, Any]:
    found = {"task": "decide", "answer": "unique", "termination": "ok", "wall_s": wall_s}
    about = {"run": run.id, "backend": run.backend, "puzzle": run.source.name}
    return about | found | {"limits": {"wall": 2.0}} | rest


def finished(run: PlannedRun, wall_s: float = 0.1, **rest: Any) -> Finished:
    return Finished(row(run, wall_s, **rest))


def plan_of(missing: list[PlannedRun], done: list[dict[str, Any]], warnings: list[str]) -> Planned:
    return Planned(missing, Counter(run.backend for run in missing), table_of(done), warnings)


@pytest.fixture
def shown(monkeypatch) -> Callable[..., list[str]]:
    """Return the lines of the table after some events, in 80 columns; the clock does not move."""
    monkeypatch.setattr(shown_progress.time, "monotonic", lambda: 100.0)

    def show(jobs: int, *events: Event) -> list[str]:
        standings = Standings("pets", jobs)
        for event in events:
            standings.hear(event)
        stream = io.StringIO()
        Console(file=stream, width=80, force_terminal=False).print(standings.table())
        return [line.rstrip() for line in stream.getvalue().splitlines()]

    return show


def test_each_backend_has_a_row_with_its_figures_so_far(shown):
    cut_off = {"answer": "unknown", "termination": "wall"}
    lines = shown(
        1,
        plan_of([*SAT[1:3], *CPSAT[:1]], [row(SAT[0], 0.1)], []),
        *map(Started, SAT[1:3]),
        finished(SAT[1], 0.3),
        finished(SAT[2], 2.2, **cut_off),
    )
    figures = {line.split()[0]: line.split()[1:] for line in lines[3:]}
    assert figures["sat"] == ["3/3", "2", "1", "0", "300", "ms", "1.47", "s"]  # (0.1 + 0.3 + 2 * 2) / 3
    assert figures["cpsat"] == ["0/1", "0", "0", "0", "–", "–"]
    assert "3/4 runs" in lines[0]


def test_the_time_left_follows_from_the_mean_time_of_each_backend(shown):
    planned = plan_of([*SAT[:3], *CPSAT[:3]], [], [])
    done = [finished(SAT[0], 10.0), finished(CPSAT[0], 40.0)]
    lines = shown(2, planned, Started(SAT[0]), Started(CPSAT[0]), *done)
    assert lines[0].endswith("2/6 runs, 0:00:00 so far, about 0:00:50 left")  # (2 * 10 + 2 * 40) / 2


def test_warnings_and_failures_are_printed_at_once(capsys):
    claim = {"puzzle": "cats.json#1", "backend": "sat", "answer": "unsat"}
    evidence = claim | {"backend": "cpsat", "answer": "solved"}
    with campaign_progress("pets", jobs=1) as on_event:
        on_event(plan_of(SAT[:2], [], ["the host changed"]))
        on_event(Started(SAT[0]))
        on_event(finished(SAT[0], wrong=True, message="row 1 does not have the clue 3"))
        on_event(Contradicted(Disagreement(claim, evidence, ("#",))))
    printed = capsys.readouterr()
    assert printed.out == ""
    assert [line for line in printed.err.splitlines() if not line.startswith("pets: ")] == [
        "warning: the host changed",
        "wrong answer: cats.json#1: sat: row 1 does not have the clue 3",
        "disagreement: cats.json#1: sat answered unsat, cpsat has a solution",
    ]


def test_without_a_terminal_progress_is_a_line_at_once_and_then_every_few_seconds(capsys, monkeypatch):
    monkeypatch.setattr(shown_progress, "LINE_EVERY_S", 0.01)
    monkeypatch.setenv("FORCE_COLOR", "1")
    with campaign_progress("pets", jobs=1) as on_event:
        on_event(plan_of(SAT[:2], [], []))
        on_event(Started(SAT[0]))
        time.sleep(0.2)
        on_event(finished(SAT[0]))
        time.sleep(0.2)
    lines = [re.sub(r"\x1b\[\d*m", "", line) for line in capsys.readouterr().err.splitlines()]
    assert lines[0].startswith("pets: 0/2 runs, 0 decided, 0 cut off, 0 wrong; ")
    assert lines[-1].startswith("pets: 1/2 runs, 1 decided, 0 cut off, 0 wrong; ")


def test_the_table_on_a_terminal_stays_after_ctrl_c_and_disappears_otherwise(monkeypatch):
    def printed(error: type[BaseException] | None) -> str:
        leader, follower = pty.openpty()
        with os.fdopen(follower, "w") as terminal, monkeypatch.context() as patch:
            patch.setattr("sys.stderr", terminal)
            patch.setenv("TERM", "xterm")
            with suppress(KeyboardInterrupt), campaign_progress("pets", jobs=1) as on_event:
                on_event(plan_of(SAT[:2], [], []))
                if error:
                    raise error
            terminal.flush()
            text = b""
            while select.select([leader], [], [], 0.1)[0]:
                text += os.read(leader, 100_000)
        os.close(leader)
        return text.decode()

    erase_line = "\x1b[2K"
    after_ctrl_c, after_the_end = (
        printed(error).rpartition("PAR-2")[2] for error in (KeyboardInterrupt, None)
    )
    assert erase_line not in after_ctrl_c
    assert erase_line in after_the_end
