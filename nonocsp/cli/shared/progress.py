"""The live display of a campaign, on standard error."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.console import Console, Group
from rich.live import Live
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from nonocsp.bench import Contradicted, Event, Finished, Planned, PlannedRun, Started
from nonocsp.cli.shared.console import printable

_SHOWN = 8
"""The most running runs that are listed."""
_SPEED_S = 600.0
"""What the remaining time goes by: the speed over so long, because a few runs take most of the time."""


@contextmanager
def campaign_progress(name: str, jobs: int) -> Iterator[Callable[[Event], None]]:
    """Show how far a campaign is; provides what is to hear of its events.

    Warnings, contradictions and wrong answers are printed as they appear. On a terminal there are beneath
    them, for the time being, a bar, the answers so far and what is running.
    """
    console = Console(stderr=True, highlight=False)
    display = _Display(name, jobs)

    def on_event(event: Event) -> None:
        for message in _messages(event):
            console.print(Text(printable(message)), soft_wrap=True)
        display.hear(event)

    if not console.is_terminal:
        yield on_event
        return
    with Live(get_renderable=display.shown, console=console, refresh_per_second=4, transient=True):
        yield on_event


def _messages(event: Event) -> Iterator[str]:
    """Yield what must not be overlooked."""
    match event:
        case Planned(warnings=warnings):
            yield from (f"warning: {warning}" for warning in warnings)
        case Contradicted(disagreement):
            yield f"disagreement: {disagreement}"
        case Finished(row) if row.get("wrong"):
            yield f"wrong answer: {row['puzzle']}: {row['backend']}: {row['message']}"


@dataclass(slots=True)
class _Running:
    """A run that an executor has; `since` when it is being measured, as far as can be told from here."""

    run: PlannedRun
    since: float | None = None


@dataclass(slots=True)
class _Display:
    """What stands beneath the messages."""

    name: str
    jobs: int
    progress: Progress = field(init=False)
    answers: Counter[str] = field(default_factory=Counter)
    running: dict[str, _Running] = field(default_factory=dict)

    def __post_init__(self) -> None:
        columns = (
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left:"),
            TimeRemainingColumn(),
        )
        self.progress = Progress(*columns, speed_estimate_period=_SPEED_S)
        self.progress.add_task(self.name, total=None)

    def hear(self, event: Event) -> None:
        """Take note of an event."""
        (task,) = self.progress.task_ids
        match event:
            case Planned(total, done):
                self.progress.update(task, total=total, completed=done)
            case Started(run):
                self.running[run.id] = _Running(run)
            case Finished(row):
                self.running.pop(row["run"])
                self.answers[row["answer"]] += 1
                self.progress.advance(task)
        for entry in [*self.running.values()][: self.jobs]:  # an executor prepares more than it measures
            entry.since = entry.since or time.monotonic()

    def shown(self) -> Group:
        """Return bar, answers, and the runs that take longest first."""
        counts = ", ".join(f"{answer} {count}" for answer, count in self.answers.most_common())
        entries = [entry for entry in self.running.values() if entry.since]
        lines = [Text(f"  {_line(entry)}", no_wrap=True, overflow="ellipsis") for entry in entries[:_SHOWN]]
        more = [Text(f"  and {len(entries) - _SHOWN} more")] if len(entries) > _SHOWN else []
        return Group(self.progress, *([Text(counts)] if counts else []), *lines, *more)


def _line(entry: _Running) -> str:
    seconds = time.monotonic() - (entry.since or 0.0)
    return f"{seconds:4.0f} s  {entry.run.backend}  {printable(entry.run.source.name)}"
