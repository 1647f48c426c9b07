"""Find what makes the rows of a campaign hard to compare or to believe, in plain sentences with counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from nonocsp.bench.provenance import GitState, versions_seen
from nonocsp.bench.table import Column, Request, RunTable, Setting
from nonocsp.runner.limits import claim_slack_s
from nonocsp.runner.machine.bystanders import ESCAPE, ESCAPE_S

if TYPE_CHECKING:
    from nonocsp.bench.sessions import Session

_NAMED = 5
"""The most backends that a sentence names."""


def caveats(runs: RunTable | Iterable[Mapping[str, Any]], sessions: Sequence[Session] = ()) -> list[str]:
    """Return a sentence for everything that differs between runs, or between the sessions that made them.

    Parameters
    ----------
    runs
        The table or the rows of a campaign. What a row lacks counts as unknown, so a campaign can ask about
        runs that it has yet to measure.
    sessions
        In the order of their start.
    """
    table = runs if isinstance(runs, RunTable) else RunTable.of(runs)
    return [*_suspicious(table), *_parallel(table, sessions), *_differences(table), *_changes(sessions)]


def _suspicious(table: RunTable) -> Iterator[str]:
    """Yield sentences on backends that said or left what they should not have."""
    measured_s, claimed_s = table["wall_s"], table["claimed_wall_s"]
    off = np.abs(measured_s - claimed_s) > claim_slack_s(measured_s)
    if off.any():
        yield (
            f"{_plural(int(off.sum()), 'run')} told another wall time than the harness measured, and the "
            f"measured one counts: {_by_backend(table, off)}"
        )
    if table["left"].any():
        yield (
            f"{_plural(int(table['left'].sum()), 'run')} left processes, files or shared memory behind, all "
            f"removed: {_by_backend(table, table['left'])}"
        )


def _parallel(table: RunTable, sessions: Sequence[Session]) -> Iterator[str]:
    """Yield a sentence on runs that computed on more cores than the campaign gives to each."""
    given = max((cores for session in sessions if isinstance(cores := _cores(session), int)), default=1)
    more = table["cpu_s"] > given * table["wall_s"] * (1 + ESCAPE) + ESCAPE_S
    if more.any():
        yield (
            f"{_plural(int(more.sum()), 'run')} used more CPU time than {_plural(given, 'core')} can give: "
            f"{_by_backend(table, more)}; compare CPU times, or set cores: and pin: true, so that every "
            "backend has as many"
        )


def _cores(session: Session) -> object:
    return session["config"].get("cores", 1)


def _differences(table: RunTable) -> Iterator[str]:
    """Yield sentences on what was not the same for all runs."""
    settings_of: dict[str, list[Setting]] = {}
    pairs = np.unique(table["backend"] * np.int64(len(table.settings)) + table["setting"])
    for backend, setting in zip(*np.divmod(pairs, max(1, len(table.settings))), strict=True):
        settings_of.setdefault(table.backends[backend], []).append(table.settings[setting])
    for backend in table.backends:
        settings = settings_of.get(backend, [])
        seen = versions_seen(dict(setting.versions) for setting in settings).items()
        differing = [f"{package} {' and '.join(numbers)}" for package, numbers in seen if len(numbers) > 1]
        if differing:
            yield f"{backend} was measured with different versions: {', '.join(differing)}"
        elif len(codes := sorted({setting.code for setting in settings} - {""})) > 1:
            yield f"{backend} was measured with different code: {' and '.join(codes)}"
    specs = {(backend, setting.spec) for backend, settings in settings_of.items() for setting in settings}
    for backend in table.backends:
        if len(own := sorted(spec for name, spec in specs if name == backend)) > 1:
            yield f"{backend} stands for different backends: {'; '.join(own)}"
    used = [table.settings[code] for code in np.unique(table["setting"])]
    if len(machines := sorted({setting.machine for setting in used})) > 1:
        yield f"the runs come from different machines: {'; '.join(machines)}"
    if len(executors := sorted({setting.executor for setting in used})) > 1:
        yield f"the runs were measured by different executors: {', '.join(executors)}"
    requests = (table.requests[code] for code in np.unique(table["request"]))
    if len(texts := sorted(set(map(_limits_text, requests)))) > 1:
        yield f"the runs had different limits: {'; '.join(texts)}"
    if any(setting.isolated for setting in used):
        exposed = [code for code, setting in enumerate(table.settings) if setting.isolated is False]
        if count := int(np.isin(table["setting"], exposed).sum()):
            what = "runs were not isolated from other processes, the others were"
            yield f"{count} of {len(table)} {what}"
    if disturbed := int((~table["reliable"]).sum()):
        what = "runs did not have a core to themselves: their times are not reliable"
        yield f"{disturbed} of {len(table)} {what}"


def _changes(sessions: Sequence[Session]) -> Iterator[str]:
    """Yield sentences on what changed from one session to another."""
    for what, text in _SESSION_FACTS.items():
        if len(facts := list(dict.fromkeys(map(text, sessions)))) > 1:
            yield f"{what} changed between sessions: {', then '.join(facts)}"


def _by_backend(table: RunTable, chosen: Column) -> str:
    """Return the backends of the chosen runs, with how many each has, most first."""
    counts = np.bincount(table["backend"][chosen], minlength=len(table.backends)).tolist()
    order = sorted(filter(counts.__getitem__, range(len(counts))), key=lambda backend: -counts[backend])
    named = [f"{table.backends[backend]} ({counts[backend]})" for backend in order[:_NAMED]]
    more = f" and {len(order) - _NAMED} more" if len(order) > _NAMED else ""
    return f"{', '.join(named)}{more}"


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"


def _limits_text(limits: Request) -> str:
    parts = [
        f"wall {limits.wall:g} s" if limits.wall else "",
        f"CPU {limits.cpu:g} s" if limits.cpu else "",
        f"memory {limits.memory / 2**20:g} MiB" if limits.memory else "",
    ]
    return ", ".join(filter(None, parts)) or "none"


_SESSION_FACTS: dict[str, Callable[[Session], str]] = {
    "the code": lambda session: str(GitState(**session["git"])) if session["git"] else "no checkout",
    "the number of runs": lambda session: (
        f"{session['jobs']} at a time{', pinned' if session['pin'] else ''}"
    ),
    "the number of cores of a run": lambda session: f"{_cores(session)!s:.20}",
    "the memory of the machine": lambda session: f"{session['machine']['memory_bytes'] / 2**30:.1f} GiB",
    "the operating system": lambda session: session["machine"]["os"],
    "the host": lambda session: session["machine"]["host"],
}
