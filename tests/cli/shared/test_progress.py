"""The live display: what is running, how far it is, and what must not be overlooked."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console

from nonocsp.backends.base import Request
from nonocsp.bench import Contradicted, Event, Finished, Planned, PlannedRun, Started
from nonocsp.bench.contradictions import Disagreement
from nonocsp.cli.shared import progress
from nonocsp.formats import NamedPuzzle
from nonocsp.model import Puzzle

PUZZLE = Puzzle.from_clues([[1]], [[1]])
RUNS = [PlannedRun(NamedPuzzle(f"cats.json#{k}", k, PUZZLE), "sat", Request(), 0) for k in range(1, 21)]


def finished(run: PlannedRun, **rest: Any) -> Finished:
    row = {"run": run.id, "backend": run.backend, "puzzle": run.source.name, "answer": "unique"}
    return Finished(row | rest)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """What stands beneath the messages after some events, in 80 columns; a clock that does not move."""
    monkeypatch.setattr(progress.time, "monotonic", lambda: 100.0)

    def show(jobs: int, *events: Event) -> str:
        display = progress._Display("pets", jobs)
        for event in events:
            display.hear(event)
        stream = io.StringIO()
        Console(file=stream, width=80, force_terminal=False).print(display.shown())
        return stream.getvalue()

    return show


def test_what_is_running_is_listed_and_what_an_executor_only_prepares_is_not(
    shown: Callable[..., str],
) -> None:
    text = shown(2, Planned(20, 3, []), *map(Started, RUNS[:4]), finished(RUNS[0]))
    assert "pets" in text
    assert "4/20" in text
    assert "unique 1" in text
    assert [line.split()[-1] for line in text.splitlines()[2:]] == ["cats.json#2", "cats.json#3"]


def test_many_jobs_are_counted_instead_of_filling_the_screen(shown: Callable[..., str]) -> None:
    text = shown(20, Planned(20, 0, []), *map(Started, RUNS))
    assert text.count("cats.json") == 8
    assert text.splitlines()[-1] == "  and 12 more"


def test_no_line_is_wider_than_the_terminal(shown: Callable[..., str]) -> None:
    run = PlannedRun(NamedPuzzle("long/" * 30, 1, PUZZLE), "sat", Request(), 0)
    assert all(len(line) <= 80 for line in shown(1, Planned(20, 0, []), Started(run)).splitlines())


def test_what_must_not_be_overlooked_is_printed_as_it_appears(capsys: pytest.CaptureFixture[str]) -> None:
    claim = {"puzzle": "cats.json#1", "backend": "sat", "answer": "unsat"}
    evidence = claim | {"backend": "cpsat", "answer": "solved"}
    with progress.campaign_progress("pets", jobs=1) as on_event:
        on_event(Planned(2, 0, ["the host changed"]))
        on_event(Started(RUNS[0]))
        on_event(finished(RUNS[0], wrong=True, message="row 1 does not have the clue 3"))
        on_event(Contradicted(Disagreement(claim, evidence, ("#",))))
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.splitlines() == [
        "warning: the host changed",
        "wrong answer: cats.json#1: sat: row 1 does not have the clue 3",
        "disagreement: cats.json#1: sat answered unsat, cpsat has a solution",
    ]


def test_names_from_files_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    run = PlannedRun(NamedPuzzle("a\x1b[2Jb", 1, PUZZLE), "sat", Request(), 0)
    with progress.campaign_progress("pets", jobs=1) as on_event:
        on_event(Started(run))
        on_event(finished(run, wrong=True, message="no [red]markup[/red]"))
    assert capsys.readouterr().err == "wrong answer: a [2Jb: sat: no [red]markup[/red]\n"
