"""Show the history of backends: tables, sentences, JSON and a plot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nonocsp.bench.history import History, Version
from nonocsp.bench.report import figures
from nonocsp.bench.report.conclusion import many
from nonocsp.bench.report.figures import shortened
from nonocsp.bench.report.tables import Column, Table
from nonocsp.bench.report.writing import change_record
from nonocsp.bench.scoring import Change, Verdict
from nonocsp.render.plot import plain, series_style, write_plot

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WORK = ("conflicts", "probes", "settles", "nodes", "decisions", "propagations", "messages", "placements",
        "removed", "branches", "rounds", "states")  # fmt: skip
"""Counters of work by the built-in backends, the most telling first. Others tell sizes, such as clauses."""
MOST_COUNTERS = 5
"""Columns of counters that fit 80 characters."""
_LEAST_WORK = 0.02
"""The least change of a counter that a sentence names."""
_CHANGES = "since_previous", "since_first"
_INCHES = 5.0, 2.6
_LABELS = 12
"""The most labels of versions on the axis of a plot."""


def _step(name: str) -> Callable[[Version], Any]:
    """Return what reads something of the change from the version before, if there is one."""
    return lambda it: getattr(it.since_previous, name, None)


_verdict, _interval = _step("verdict"), _step("interval")
_VERSION = Column("version", "folder, commit or release", attrgetter("label"), shortened, is_text=True)
TIMES = (
    _VERSION,
    Column("sessions", "how many", lambda it: len(it.sessions), figures.count),
    Column("runs", "how many", attrgetter("runs"), figures.count),
    Column("decided", "runs that answered the task by themselves", attrgetter("decided"), figures.count),
    Column("time", "shifted geometric mean over common questions", attrgetter("time_s"), figures.seconds),
    Column("to first", "ratio of its times to those of the first version",
           lambda it: ratio(it.since_first), figures.ratio),
    Column("to previous", "ratio of its times to those of the version before",
           lambda it: ratio(it.since_previous), figures.ratio),
    Column("from", "lower end of its 95 % interval", lambda it: (_interval(it) or [None])[0], figures.ratio),
    Column("to", "upper end", lambda it: (_interval(it) or [None])[-1], figures.ratio),
    Column("verdict", "from differences between sessions", lambda it: str(_verdict(it) or figures.NONE),
           is_text=True),
)  # fmt: skip


def ratio(change: Change | None) -> float | None:
    """Return the ratio of a change without what other backends share, if that is known."""
    return None if change is None else change.own_ratio or change.ratio


def history_tables(history: History, *, by: str, verdicts: bool = True) -> Iterator[Table]:
    """Yield the table of times, and that of counters if there are any."""
    name = shortened(history.backend)
    coloured = (Verdict.REGRESSION, Verdict.IMPROVEMENT) if verdicts else ()
    subjects = [(it, _verdict(it) if _verdict(it) in coloured else "") for it in history.versions]
    title = f"{name}: {by} times on {figures.count(history.questions)} questions that every version has run"
    if any(it.since_previous and it.since_previous.own_ratio for it in history.versions):
        title += "; ratios without what the backends of a session share"
    yield Table.of("history", title, TIMES if verdicts else TIMES[:-1], subjects)
    columns = (
        _VERSION,
        *(_counter(key) for key in counters(history)),
        Column("changed", "what differs from the version before", attrgetter("changed"), is_text=True),
    )
    title = f"{name}: work on {figures.count(history.worked)} questions that every run decided"
    yield Table.of("work", title, columns, ((it, "") for it in history.versions))


def counters(history: History) -> list[str]:
    """Return the counters that are shown: those of work, else any, without those that are always 0."""
    totals = {key: [it.work[key] for it in history.versions] for key in history.versions[0].work}
    used = [key for key, values in totals.items() if any(values)]
    return [*(key for key in WORK if key in used), *(key for key in used if key not in WORK)][:MOST_COUNTERS]


def _counter(key: str) -> Column:
    meaning = f"the backend's counter {shortened(key)}"
    return Column(shortened(key, 12), meaning, lambda it: it.work[key], lambda it: figures.count(round(it)))


def sentences(history: History) -> Iterator[str]:
    """Yield what the history says of the latest version."""
    *earlier, latest = history.versions
    name = shortened(figures.one_line(history.backend), 60)
    if not earlier:
        sessions = many(len(latest.sessions), "session")
        yield f"{name}: one version, {latest.label}, in {sessions}; nothing to compare."
        return
    before, change = earlier[-1], latest.since_previous
    if change is None:
        yield f"{name}: {latest.label} and {before.label} have no question in common."
        return
    verdicts = {
        Verdict.REGRESSION: "is worse than",
        Verdict.IMPROVEMENT: "is better than",
        Verdict.SAME: "is as fast as",
        Verdict.UNDECIDED: "is not told apart from",
    }
    low, high = change.interval or (None, None)
    times = f", ratio of times {figures.ratio(ratio(change))}" * (ratio(change) is not None)
    times += f" (95 % interval: {figures.ratio(low)} to {figures.ratio(high)})" * bool(times and low)
    lost = f"; it lost {many(len(change.lost), 'question')}" * bool(change.lost)
    yield f"{name}: {latest.label} {verdicts[change.verdict]} {before.label}{times}{lost}."
    if moved := [*_moved(before, latest, counters(history))]:
        yield f"{name}: on the same {history.worked} questions, whatever the machine, {', '.join(moved)}."


def _moved(before: Version, after: Version, keys: Sequence[str]) -> Iterator[str]:
    """Yield the counters that changed enough to be named."""
    for key in keys:
        old, new = before.work[key], after.work[key]
        if abs(new - old) > _LEAST_WORK * old:
            change = f"{100 * (new / old - 1):+.0f}%" if old else f"0 to {figures.count(round(new))}"
            yield f"{shortened(key)} {change}"


def to_records(found: Sequence[History]) -> Iterator[dict[str, Any]]:
    """Yield the versions of each backend and the sentences as plain JSON values."""
    for history in found:
        about = {"questions": history.questions, "worked": history.worked}
        for it in history.versions:
            record = {"kind": "version", "backend": history.backend, **asdict(it), **about}
            record |= it.setting._asdict() | {"versions": dict(it.setting.versions)}
            record |= {key: change_record(change) for key in _CHANGES if (change := getattr(it, key))}
            del record["setting"]
            yield record
        for sentence in sentences(history):
            yield {"kind": "headline", "backend": history.backend, "message": sentence}
        if history.advice:
            yield {"kind": "warning", "backend": history.backend, "message": history.advice}


def write_history(found: Sequence[History], path: Path) -> None:
    """Draw the times of each backend's versions against its first one as PDF, PNG or SVG."""
    write_plot(path, lambda figure: _draw(figure, found), inches=_INCHES)


def _draw(figure: Figure, found: Sequence[History]) -> None:
    axes = figure.subplots()
    longest = max(found, key=lambda history: len(history.versions))
    for number, history in enumerate(found):
        points = []
        for place, it in enumerate(history.versions):
            value = ratio(it.since_first) if place else 1.0
            if value is not None:
                low, high = (it.since_first and it.since_first.interval) or (value, value)
                points.append((place, value, max(0.0, value - low), max(0.0, high - value)))
        places, middle, *spread = zip(*points, strict=True)
        axes.errorbar(places, middle, spread, **series_style(number), linewidth=1.2, capsize=2,
                      label=plain(shortened(history.backend, 32)))  # fmt: skip
    axes.axhline(1.0, color="#bbbbbb", linewidth=0.8)
    labels = [plain(shortened(it.label, 16)) for it in longest.versions]
    shown = range(0, len(labels), -(-len(labels) // _LABELS))
    axes.set_xticks([*shown], [labels[place] for place in shown], rotation=30, ha="right")
    axes.set_ylabel("time, first version = 1")
    figure.legend(loc="outside upper center", ncols=3, fontsize=7, frameon=False)
