"""Show on standard error how far ``nonocsp bench`` is.

A terminal shows a table of the backends below the messages. Anywhere else a line appears at once and every
`LINE_EVERY_S` seconds. Warnings, contradictions and wrong answers are printed as they arise.
"""

from __future__ import annotations

import math
import sys
import time
from bisect import insort
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from threading import Event as Signal
from threading import Lock, Thread

from rich import box
from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from nonocsp.backends.base import Termination
from nonocsp.bench import Contradicted, Event, Finished, Planned, PlannedRun, Started
from nonocsp.bench.report.figures import seconds
from nonocsp.bench.rows import RunRow
from nonocsp.bench.scoring import is_decided
from nonocsp.cli.shared.console import clock, printable

LINE_EVERY_S = 10.0
"""Without a terminal: seconds between two lines."""
_LISTED = 4
"""Largest number of running runs to list."""
_CUT_OFF = (Termination.WALL, Termination.CPU, Termination.MEMORY)


@contextmanager
def campaign_progress(name: str, jobs: int) -> Iterator[Callable[[Event], None]]:
    """Show how far a campaign is; provide the function to call with each of its events.

    Parameters
    ----------
    name
        The campaign's.
    jobs
        Runs at a time.
    """
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


@dataclass(slots=True)
class BackendStanding:
    """How a backend does so far.

    Parameters
    ----------
    planned, done, decided, cut_off, wrong
        Numbers of runs; decided are those that settled their task by themselves.
    wall_s
        What its runs took together.
    costs_s
        What each run counts in the median, sorted: its time, or its wall limit if it settled nothing.
    penalised_s
        The sum behind PAR-2, in which a run that settled nothing counts twice its wall limit.
    """

    planned: int = 0
    done: int = 0
    decided: int = 0
    cut_off: int = 0
    wrong: int = 0
    wall_s: float = 0.0
    costs_s: list[float] = field(default_factory=list)
    penalised_s: float = 0.0

    def add(self, row: RunRow) -> None:
        """Take a run into account."""
        limit = row["limits"]["wall"]
        cost, penalty = (row["wall_s"], 1) if is_decided(row) else (math.inf if limit is None else limit, 2)
        insort(self.costs_s, cost)
        self.penalised_s += penalty * cost
        self.wall_s += row["wall_s"]
        self.done += 1
        self.decided += is_decided(row)
        self.cut_off += row["termination"] in _CUT_OFF
        self.wrong += bool(row.get("wrong"))

    def texts(self) -> list[str]:
        """Return the texts of a row in the table, without the backend."""
        times = (median(self.costs_s), self.penalised_s / self.done) if self.done else (math.inf, math.inf)
        return [
            f"{self.done}/{self.planned}",
            *map(str, (self.decided, self.cut_off, self.wrong)),
            *(seconds(value if math.isfinite(value) else None) for value in times),
        ]


class Standings:
    """How all backends of a campaign do; one thread may report events while another one shows them.

    Parameters
    ----------
    name
        The campaign's.
    jobs
        Runs at a time.
    """

    def __init__(self, name: str, jobs: int) -> None:
        self.planned = Signal()
        self._name, self._jobs = name, jobs
        self._started_at = time.monotonic()
        self._backends: dict[str, BackendStanding] = {}
        self._waiting: dict[str, PlannedRun] = {}
        self._measured_since: dict[str, float] = {}
        self._lock = Lock()

    def hear(self, event: Event) -> None:
        """Take note of an event."""
        with self._lock:
            match event:
                case Planned(missing, rows):
                    for backend in [*(run.backend for run in missing), *(row["backend"] for row in rows)]:
                        self._backends.setdefault(backend, BackendStanding()).planned += 1
                    for row in rows:
                        self._backends[row["backend"]].add(row)
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
                table.add_row(Text(backend), *own.texts(), style="red" if own.wrong else "")
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
