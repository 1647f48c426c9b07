"""Show on standard error how far ``nonocsp bench`` is.

A terminal shows a table of the backends below the messages. Anywhere else a line appears at once and every
`LINE_EVERY_S` seconds. Warnings, contradictions and wrong answers are printed as they arise.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event as Signal
from threading import Lock, Thread

from rich import box
from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from nonocsp.bench.campaign import Contradicted, Event, Finished, Planned, Started
from nonocsp.bench.planning import PlannedRun
from nonocsp.bench.report.figures import seconds
from nonocsp.bench.scoring.running_totals import Standing, standings_before
from nonocsp.cli.shared.console import clock, printable

LINE_EVERY_S = 10.0
"""Without a terminal: seconds between two lines."""
_LISTED = 4
"""Largest number of running runs to list."""


@contextmanager
def campaign_progress(name: str, jobs: int) -> Iterator[Callable[[Event], None]]:
    """Show how far a campaign is; provide the function to call with each of its events."""
    console = Console(stderr=True, highlight=False)
    standings = Standings(name, jobs)

    def on_event(event: Event) -> None:
        messages: list[str] = []
        match event:
            case Planned(warnings=warnings):
                messages = [f"warning: {warning}" for warning in warnings]
            case Contradicted(disagreement):
                messages = [f"disagreement: {disagreement}"]
            case Finished(row) if row.get("wrong"):
                messages = [f"wrong answer: {row['puzzle']}: {row['backend']}: {row['message']}"]
        for message in messages:
            console.print(Text(printable(message)), soft_wrap=True)
        standings.hear(event)

    shown = _table if sys.stderr.isatty() and not console.is_dumb_terminal else _lines
    with shown(standings, console):
        yield on_event


@contextmanager
def _table(standings: Standings, console: Console) -> Iterator[None]:
    """Keep the table at the bottom of the terminal; after Ctrl-C it stays there."""
    with Live(get_renderable=standings.table, console=console, refresh_per_second=2, transient=True) as live:
        try:
            yield
        except KeyboardInterrupt:
            live.transient = False
            raise


@contextmanager
def _lines(standings: Standings, console: Console) -> Iterator[None]:
    """Print a line when the runs are planned, and then one every `LINE_EVERY_S` seconds."""
    ended = Signal()

    def work() -> None:
        standings.planned.wait()
        while not ended.is_set():
            console.print(standings.line(), soft_wrap=True, markup=False)
            ended.wait(LINE_EVERY_S)

    thread = Thread(target=work, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        standings.planned.set()
        thread.join()


def _texts(standing: Standing) -> list[str]:
    """Return the texts of a row in the table, without the backend."""
    done = standing.done
    times = standing.median_s, standing.penalised_s / done if done else math.inf
    return [
        f"{done}/{standing.planned}",
        *map(str, (standing.decided, standing.cut_off, standing.wrong)),
        *(seconds(value if math.isfinite(value) else None) for value in times),
    ]


class Standings:
    """How all backends of a campaign do; one thread may report events while another one shows them."""

    def __init__(self, name: str, jobs: int) -> None:
        self.planned = Signal()
        self._name, self._jobs = name, jobs
        self._started_at = time.monotonic()
        self._backends: dict[str, Standing] = {}
        self._waiting: dict[str, PlannedRun] = {}
        self._measured_since: dict[str, float] = {}
        self._lock = Lock()

    def hear(self, event: Event) -> None:
        """Take note of an event."""
        with self._lock:
            match event:
                case Planned(counts=counts, done=done):
                    self._backends = standings_before(counts, done)
                    self.planned.set()
                case Started(run):
                    self._waiting[run.id] = run
                case Finished(row):
                    self._waiting.pop(row["run"])
                    self._measured_since.pop(row["run"], None)
                    self._backends[row["backend"]].add(row)
            for id in [*self._waiting][: self._jobs]:  # an executor prepares more runs than it measures
                self._measured_since.setdefault(id, time.monotonic())

    def line(self) -> str:
        """Return how far the campaign is, as a line of text."""
        with self._lock:
            figures = {"decided": "decided", "cut_off": "cut off", "wrong": "wrong"}
            counts = [f"{self._total(figure)} {word}" for figure, word in figures.items()]
            return f"{self._name}: {', '.join([self._done(), *counts])}; {self._times()}"

    def table(self) -> Group:
        """Return a bar, a row for each backend, and the runs that take longest, in at most 80 characters."""
        with self._lock:
            if not self._backends:
                return Group(Text(f"{self._name}: reading the puzzles"))
            table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
            table.add_column("backend", no_wrap=True, overflow="ellipsis", max_width=24)
            for heading in ("done", "decided", "cut off", "wrong", "median", "PAR-2"):
                table.add_column(heading, justify="right", no_wrap=True)
            for backend, own in self._backends.items():
                table.add_row(Text(backend), *_texts(own), style="red" if own.wrong else "")
            head = Table.grid(padding=(0, 1))
            bar = ProgressBar(self._total(), self._total("done"), width=20)
            head.add_row(self._name, bar, f"{self._done()}, {self._times()}")
            longest = [*self._measured_since.items()][:_LISTED]
            running = [
                f"{time.monotonic() - since:4.0f} s  {run.backend}  {printable(run.source.name)}"
                for run, since in ((self._waiting[id], since) for id, since in longest)
            ]
            if more := len(self._measured_since) - len(longest):
                running.append(f"  and {more} more")
            return Group(head, table, *(Text(text, no_wrap=True, overflow="ellipsis") for text in running))

    def _total(self, figure: str = "planned") -> int:
        return sum(getattr(one, figure) for one in self._backends.values())

    def _done(self) -> str:
        return f"{self._total('done')}/{self._total()} runs"

    def _times(self) -> str:
        """Return the time so far, and the time left if every backend keeps its mean time."""
        now = time.monotonic()
        elapsed = f"{clock(now - self._started_at)} so far"
        spent_s = {backend: own.wall_s for backend, own in self._backends.items()}
        begun = {backend: own.done for backend, own in self._backends.items()}
        for id, since in self._measured_since.items():  # a run that has not ended tells something too
            spent_s[self._waiting[id].backend] += now - since
            begun[self._waiting[id].backend] += 1
        if not self._total("done"):
            return elapsed
        overall_s = sum(spent_s.values()) / sum(begun.values())
        left_s = sum(
            (own.planned - own.done) * (spent_s[backend] / begun[backend] if begun[backend] else overall_s)
            for backend, own in self._backends.items()
        )
        return f"{elapsed}, about {clock(left_s / self._jobs)} left"
