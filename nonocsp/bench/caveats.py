"""Find what makes the rows of a campaign hard to compare or to believe, in plain sentences with counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from nonocsp.backends.base import Answer, Task, Termination
from nonocsp.bench.sessions import GitState
from nonocsp.bench.table import ANSWERS, TERMINATIONS, Column, Request, RunTable, Setting, table_of
from nonocsp.model import bounds
from nonocsp.run.conditions import ESCAPE, ESCAPE_S
from nonocsp.run.limits import claim_slack_s

if TYPE_CHECKING:
    from nonocsp.bench.sessions import Session

_NAMED = 5
"""The most backends, machines and so on that a sentence names."""
_CHARS = 200
"""The most characters of each."""
_TOLD = 20
"""The most sentences that are about one backend each."""


def caveats(runs: RunTable | Iterable[Mapping[str, Any]], sessions: Sequence[Session] = ()) -> list[str]:
    """Return a sentence for everything that differs between runs, or from one session to the next."""
    table = runs if isinstance(runs, RunTable) else table_of(runs)
    cores = max((cores for cores in map(_cores, sessions) if isinstance(cores, int)), default=1)
    return [*_of_runs(table, min(cores, bounds.JOBS)), *_differences(table), *_changes(sessions)]


def _of_runs(table: RunTable, cores: int) -> Iterator[str]:
    """Yield sentences on backends some of whose runs are suspicious, each run having so many cores."""
    measured_s, claimed_s = table["wall_s"], table["claimed_wall_s"]
    is_off = np.abs(measured_s - claimed_s) > claim_slack_s(measured_s)
    if off := _counts(table, is_off):
        yield (
            f"the backend's own timer disagrees in {_plural(off.total(), 'run')}; ours is used: "
            f"{_by_backend(off)}"
        )
    if left := _counts(table, table["left"]):
        yield (
            f"{_plural(left.total(), 'run')} left processes, files or shared memory behind, all removed: "
            f"{_by_backend(left)}"
        )
    if floored := [*_floored(table)]:
        yield (
            f"starting and stopping a run takes longer than solving: {_listed(floored, ', ')}; ratios "
            "of such times are smaller than those of the backends"
        )
    asks_more = np.array([request.task == Task.DECIDE for request in table.requests], bool)
    is_first = (table["answer"] == ANSWERS.index(Answer.SOLVED)) & asks_more[table["request"]]
    if first := _counts(table, is_first & (table["termination"] == TERMINATIONS.index(Termination.OK))):
        yield (
            f"{_plural(first.total(), 'run')} found a solution and did not say whether it is the only one: "
            f"{_by_backend(first)}; task decide counts it as undecided: compare with task: solve"
        )
    if more := _counts(table, table["cpu_s"] > cores * measured_s * (1 + ESCAPE) + ESCAPE_S):
        yield (
            f"{_plural(more.total(), 'run')} used more CPU time than {_plural(cores, 'core')} can give: "
            f"{_by_backend(more)}; compare CPU times, or set cores: and pin: true, so that every backend has "
            "as many"
        )


def _counts(table: RunTable, chosen: Column) -> Counter[str]:
    """Return how many of the chosen runs each backend has."""
    counts = np.bincount(table["backend"][chosen], minlength=len(table.backends)).tolist()
    return +Counter(dict(zip(table.backends, counts, strict=True)))


def _differences(table: RunTable) -> Iterator[str]:
    """Yield sentences on what was not the same for all runs."""
    settings: dict[str, set[Setting]] = {}
    pairs = np.unique(table["backend"] * np.int64(len(table.settings)) + table["setting"])
    for backend, setting in zip(*np.divmod(pairs, max(1, len(table.settings))), strict=True):
        settings.setdefault(table.backends[backend], set()).add(table.settings[setting])
    told = [*_of_backends(settings)]
    yield from told[:_TOLD]
    if len(told) > _TOLD:
        yield f"{_plural(len(told) - _TOLD, 'more difference')} in versions, code or specs of one backend"
    used = {setting for own in settings.values() for setting in own}
    if len(machines := sorted({setting.machine for setting in used})) > 1:
        yield f"the runs come from different machines: {_listed(machines, '; ')}"
    if len(executors := sorted({setting.executor for setting in used})) > 1:
        yield f"the runs were measured by different executors: {_listed(executors, ', ')}"
    requests = (table.requests[code] for code in np.unique(table["request"]))
    if len(texts := sorted(set(map(_limits_text, requests)))) > 1:
        yield f"the runs had different limits: {_listed(texts, '; ')}"
    if disturbed := int((~table["reliable"]).sum()):
        advice = "close other programs or use fewer jobs"
        yield f"the times are unreliable: {disturbed} of {len(table)} runs shared a core; {advice}"


def _of_backends(settings: Mapping[str, set[Setting]]) -> Iterator[str]:
    """Yield sentences on what was not the same for all runs of one backend."""
    for backend, own in settings.items():
        seen = versions_seen(dict(setting.versions) for setting in own).items()
        differing = [
            f"{package} {_listed(numbers, ' and ')}" for package, numbers in seen if len(numbers) > 1
        ]
        if differing:
            yield f"{_short(backend)} was measured with different versions: {_listed(differing, ', ')}"
        elif len(codes := sorted({setting.code for setting in own} - {""})) > 1:
            yield f"{_short(backend)} was measured with different code: {_listed(codes, ' and ')}"
    for backend, own in settings.items():
        if len(specs := sorted({setting.spec for setting in own})) > 1:
            yield f"{_short(backend)} stands for several specs: {_listed(specs, '; ')}"


def _cores(session: Session) -> object:
    return session["config"].get("cores", 1)


def _access(session: Session) -> str:
    """Say what runs were given; before there was a choice, they had the network and all files."""
    config = session["config"]
    network = "the network" if config.get("network", True) else "no network"
    folders = config.get("writable", ["all files"])
    return ", ".join([network, *map(str, folders if isinstance(folders, list) else [folders])])


def _changes(sessions: Sequence[Session]) -> Iterator[str]:
    """Yield sentences on what changed from one session to another."""
    for what, text in _SESSION_FACTS.items():
        if len(facts := list(dict.fromkeys(map(text, sessions)))) > 1:
            yield f"{what} changed between sessions: {_listed(facts, ', then ')}"


def _floored(table: RunTable) -> Iterator[str]:
    """Yield the backends whose own median time is less than what the executor adds to it."""
    is_told = np.isfinite(table["claimed_wall_s"]) & (
        table["termination"] == TERMINATIONS.index(Termination.OK)
    )
    for number, backend in enumerate(table.backends):
        chosen = is_told & (table["backend"] == number)
        if chosen.any():
            measured_s, own_s = (float(np.median(table[key][chosen])) for key in ("wall_s", "claimed_wall_s"))
            if own_s < (added_s := measured_s - own_s):
                yield f"{backend} ({1e3 * own_s:.2g} ms solving, {1e3 * added_s:.2g} ms starting)"


def _by_backend(counts: Counter[str]) -> str:
    """Return backends with how many runs each has, most first."""
    return _listed([f"{backend} ({count})" for backend, count in counts.most_common() if count], ", ")


def _listed(texts: Sequence[str], joint: str) -> str:
    """Return the first few texts, and how many more there are."""
    more = f" and {len(texts) - _NAMED} more" if len(texts) > _NAMED else ""
    return f"{joint.join(map(_short, texts[:_NAMED]))}{more}"


def versions_seen(rows: Iterable[dict[str, str]]) -> dict[str, list[str]]:
    """Return for every package of some `versions` all its version numbers, sorted."""
    seen: dict[str, set[str]] = {}
    for entry in rows:
        for package, number in entry.items():
            seen.setdefault(package, set()).add(number)
    return {package: sorted(numbers) for package, numbers in sorted(seen.items())}


def _short(text: str) -> str:
    return text if len(text) <= _CHARS else f"{text[: _CHARS - 1]}…"


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
    "what runs may use": lambda session: _access(session)[:60],
    "the memory of the machine": lambda session: f"{session['machine']['memory_bytes'] / 2**30:.1f} GiB",
    "the operating system": lambda session: session["machine"]["os"],
    "the host": lambda session: session["machine"]["host"],
}
