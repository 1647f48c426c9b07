"""Follow backends over the versions of their code, as far as folders of results hold them.

A *version* is all sessions in which a backend ran with the same options, code and packages. Versions stand in
the order in which they were first measured, and each is compared with the one before it and with the first,
by the rules for two campaigns (`nonocsp.bench.scoring.changes`): sessions are the unit of chance.

Times need alternating sessions on one machine. Counters of work, such as conflicts, do not: on the same
questions they depend on the code alone. Only questions count that every run of every version decided, because
a run that is cut off has counted as far as the machine let it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nonocsp.bench.report.figures import shortened, told_apart
from nonocsp.bench.scoring.blocks import SHIFT_S, questions
from nonocsp.bench.scoring.changes import Change, compare
from nonocsp.bench.scoring.means import finite
from nonocsp.bench.scoring.runs import BoolArray, By, FloatArray, IntArray, Runs, instances_of
from nonocsp.bench.scoring.verdicts import Verdict
from nonocsp.bench.sessions import GitState
from nonocsp.bench.store import Campaign, rows_at
from nonocsp.bench.table import RunTable, Setting, joined
from nonocsp.model import UsageError, bounds

MOST_VERSIONS = 200
"""The most versions of a backend: each makes two comparisons."""


@dataclass(frozen=True, slots=True)
class Version:
    """A backend as it was in some sessions."""

    label: str
    changed: str  # options, packages or code, since the version before
    setting: Setting
    sessions: tuple[str, ...]
    runs: int
    decided: int
    time_s: float | None  # shifted geometric mean over the questions of all versions; None without a limit
    work: Mapping[str, float]  # sums of counters over the questions that every run decided
    since_previous: Change | None  # None without questions in common
    since_first: Change | None


@dataclass(frozen=True, slots=True)
class History:
    """The versions of a backend, the earliest first."""

    backend: str
    versions: tuple[Version, ...]
    questions: int  # that every version has run
    worked: int  # that the counters are about
    advice: str  # what to measure for a verdict on the latest

    @property
    def has_regressed(self) -> bool:
        """Whether the latest version is worse than the one before it, by more than chance."""
        change = self.versions[-1].since_previous
        return change is not None and change.verdict is Verdict.REGRESSION


def histories(
    campaigns: Sequence[Campaign],
    backends: Sequence[str] = (),
    *,
    by: By = "wall",
    each_session: bool = False,
) -> list[History]:
    """Return the history of some backends, or of all; with `each_session` each session is a version."""
    rows = _Rows(campaigns, by)
    if not len(rows.table):
        raise UsageError(f"{campaigns[0].folder} holds no run yet: there is no history")
    if unknown := [name for name in backends if name not in rows.table.backends]:
        there = shortened(", ".join(rows.table.backends), 1000)
        raise UsageError(f"no runs of {shortened(unknown[0])!r}; there are {there}")
    return [_history(rows, name, each_session=each_session) for name in backends or rows.table.backends]


class _Rows:
    """The runs of several campaigns as one table; equal runs of two folders are different repeats."""

    def __init__(self, campaigns: Sequence[Campaign], by: By) -> None:
        self.campaigns, self.by = campaigns, by
        tables, first = list[RunTable](), 0
        for table in (campaign.table for campaign in campaigns):
            shifted = tuple(it._replace(repeat=it.repeat + first) for it in table.requests)
            tables.append(replace(table, requests=shifted))
            first += 1 + max((it.repeat for it in table.requests), default=0)
        self.table = joined(tables)
        self.folder = np.repeat(np.arange(len(tables)), list(map(len, tables)))
        self.whole = Runs.of(self.table).compared_by(by)
        self.across = instances_of(self.table)[1]

    def counters(self, numbers: IntArray, chosen: BoolArray) -> dict[str, FloatArray]:
        """Return the whole numbers that all chosen ones of some runs have as statistics; 0 for the others."""
        found = defaultdict[str, list[int]](list)
        for row in rows_at(self.campaigns, numbers[chosen]):
            for key, value in row["stats"].items():
                if isinstance(value, int) and not isinstance(value, bool) and len(found) < bounds.ROW_KEYS:
                    found[key].append(value)
        counted = {key: np.zeros(len(numbers)) for key, own in found.items() if len(own) == chosen.sum()}
        for key, values in counted.items():
            values[chosen] = found[key]
        return counted


def _history(rows: _Rows, backend: str, *, each_session: bool) -> History:
    own = np.flatnonzero(rows.table["backend"] == rows.table.backends.index(backend))
    groups = _groups(rows, own, each_session=each_session)
    if len(groups) > MOST_VERSIONS:
        raise UsageError(f"{shortened(backend)} has {len(groups)} versions; expected at most {MOST_VERSIONS}")
    version_of = np.zeros(len(rows.table.sessions), np.intp)
    for number, sessions in enumerate(groups):
        version_of[sessions] = number
    version = version_of[rows.table["session"][own]]
    keys, question = np.unique(questions(rows.whole)[rows.across[own]], return_inverse=True)

    def total(values: Any = None) -> FloatArray:
        """Return the sums over the runs of each version and question."""
        shape = len(groups), len(keys)
        sums = np.bincount(version * shape[1] + question, values, minlength=shape[0] * shape[1])
        return np.asarray(sums.reshape(shape), np.float64)

    decided = rows.table.is_decided[own]
    count, decisions = total(), total(decided)
    is_asked = np.asarray((count > 0).all(axis=0))
    is_worked = np.asarray(is_asked & (decisions == count).all(axis=0))

    def summed(values: FloatArray, chosen: BoolArray) -> FloatArray:
        """Return for each version the sum over the chosen questions of the means of its runs."""
        return np.asarray((total(values)[:, chosen] / count[:, chosen]).sum(axis=1))

    asked, worked = int(is_asked.sum()), int(is_worked.sum())
    times_s = rows.whole.censored_s[rows.whole.backends.index(backend), rows.across[own]]
    means = np.exp(summed(np.log(times_s + SHIFT_S), is_asked) / max(1, asked)) - SHIFT_S
    counted = rows.counters(own, is_worked[question])
    work = {key: summed(values, is_worked).tolist() for key, values in counted.items()}
    chosen = (np.isin(rows.table["session"], sessions) for sessions in groups)
    runs = [Runs.of(rows.table.take(of_version)).compared_by(rows.by) for of_version in chosen]
    steps, advice = _compared([*range(-1, len(groups) - 1)], runs, backend)
    firsts, _ = _compared([-1] + [0] * (len(groups) - 1), runs, backend)
    last = [own[version == number][-1] for number in range(len(groups))]
    settings = [rows.table.settings[code] for code in rows.table["setting"][last]]
    changed = ["", *map(_difference, settings, settings[1:])]
    starts = [rows.table.sessions[codes[0]] for codes in groups]
    days = told_apart(start[:16].replace("T", " ") or "unknown" for start in starts)
    versions = tuple(
        Version(
            label=label,
            changed=changed[number],
            setting=settings[number],
            sessions=tuple(rows.table.sessions[code] for code in groups[number]),
            runs=int(count[number].sum()),
            decided=int(decisions[number].sum()),
            time_s=finite(means[number]) if asked else None,
            work={key: totals[number] for key, totals in work.items()},
            since_previous=steps[number],
            since_first=firsts[number],
        )
        for number, label in enumerate(
            days if each_session else _labels(rows, own, version, starts, settings)
        )
    )
    return History(backend, versions, asked, worked, "" if each_session else advice)


def _groups(rows: _Rows, own: IntArray, *, each_session: bool) -> list[list[int]]:
    """Return the sessions of each version, by their codes, in the order of their starts."""
    settings = dict(
        zip(rows.table["session"][own].tolist(), rows.table["setting"][own].tolist(), strict=True)
    )
    groups = defaultdict[object, list[int]](list)
    for session in sorted(settings, key=rows.table.sessions.__getitem__):
        it = rows.table.settings[settings[session]]
        groups[session if each_session else (it.spec, it.code, it.versions)].append(session)
    return [*groups.values()]


def _compared(
    baselines: Sequence[int], runs: Sequence[Runs], backend: str
) -> tuple[list[Change | None], str]:
    """Compare each version with another one, unless that is -1; return the changes, and some advice."""
    found, advice = list[Change | None](), ""
    for before, after in zip(baselines, runs, strict=True):
        change = None
        if before >= 0:
            try:
                changes = compare(runs[before], after, comparisons=len(runs) - 1)
                change = next((it for it in changes.changes if it.backend == backend), None)
                advice = changes.advice if change and change.verdict is Verdict.UNDECIDED else ""
            except UsageError as error:
                advice = f"undecided: {error}"
        found.append(change)
    return found, advice


def _difference(before: Setting, after: Setting) -> str:
    """Return in what the settings of two versions differ."""
    old, new = (
        {**dict(it.versions), "spec": it.spec, "machine": it.machine, "executor": it.executor}
        for it in (before, after)
    )
    pairs = ((name, old.get(name, "absent"), new.get(name, "absent")) for name in old | new)
    told = ", ".join(f"{name} {was} to {is_now}" for name, was, is_now in pairs if was != is_now)
    return shortened(told, 200) or ("code" if before.code != after.code else "nothing")


def _labels(
    rows: _Rows, own: IntArray, version: IntArray, starts: Sequence[str], settings: Sequence[Setting]
) -> list[str]:
    """Return a name for each version: its folder if each has one of its own, else its commit or release."""
    folders = [{*rows.folder[own[version == number]].tolist()} for number in range(len(starts))]
    if len(starts) == len(set.union(*folders)) == sum(map(len, folders)):
        return told_apart(rows.campaigns[min(of)].folder.resolve().name for of in folders)
    sessions = [session for campaign in rows.campaigns for session in campaign.info["sessions"]]
    commits = {it["start"]: str(GitState(**it["git"])) for it in sessions if it["git"]}
    releases = (dict(it.versions).get("nonocsp", "unknown") for it in settings)
    return told_apart(commits.get(start) or name for start, name in zip(starts, releases, strict=True))
