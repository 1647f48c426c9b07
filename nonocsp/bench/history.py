"""Follow backends over the versions of their code, as far as folders of results hold them.

A *version* is all sessions in which a backend ran with the same options, code and packages. Versions stand in
the order in which they were first measured, and each is compared with the one before it and with the first,
by the rules for two campaigns (`nonocsp.bench.scoring.changes`): sessions are the unit of chance.

Times need alternating sessions on one machine. Counters of work, such as conflicts, do not: on the same
questions they depend on the code alone. Only questions count that every run of every version decided, because
a run that is cut off has counted as far as the machine let it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

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
_PACKAGES_NAMED = 4
"""The most packages whose change is named."""


@dataclass(frozen=True, slots=True)
class Version:
    """A backend as it was in some sessions, or in one.

    Parameters
    ----------
    label
        Its folder if each version has one of its own, else the commit, else the version of nonocsp.
    changed
        What differs from the version before: options, packages, code. Empty for the first.
    sessions
        Their starts, in ISO 8601.
    runs, decided
        How many.
    time_s
        Shifted geometric mean over the questions that every version has run; None if one has no limit.
    work
        Counters of the backend, summed over the questions that every run of every version decided.
    since_previous, since_first
        What changed from the version before, and from the first; None if they have no question in common.
    """

    backend: str
    label: str
    changed: str
    setting: Setting
    sessions: tuple[str, ...]
    runs: int
    decided: int
    time_s: float | None
    work: Mapping[str, float]
    since_previous: Change | None
    since_first: Change | None


@dataclass(frozen=True, slots=True)
class History:
    """The versions of a backend, the earliest first.

    `questions` counts those that every version has run, and `worked` those that the counters are about.
    `advice` says what to measure for a verdict on the latest version; empty if there is one.
    """

    backend: str
    versions: tuple[Version, ...]
    questions: int
    worked: int
    advice: str

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
    """Return the history of some backends, by default of all.

    Parameters
    ----------
    campaigns
        The same backends on the same puzzles, in one or several folders.
    backends
        Their names in the rows.
    by
        The time that is compared.
    each_session
        Whether each session is a version of its own.

    Raises
    ------
    UsageError
        If there is no run, for a backend that no folder has, and for more than `MOST_VERSIONS` versions.
    """
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
        for campaign in campaigns:
            requests = campaign.table.requests
            shifted = tuple(it._replace(repeat=it.repeat + first) for it in requests)
            tables.append(replace(campaign.table, requests=shifted))
            first += 1 + max((it.repeat for it in requests), default=0)
        self.table = joined(tables)
        lengths = [len(table) for table in tables]
        self.folder = np.repeat(np.arange(len(campaigns)), lengths)
        sessions = [session for campaign in campaigns for session in campaign.info["sessions"]]
        self.commits = {it["start"]: str(GitState(**it["git"])) for it in sessions if it["git"]}

    @cached_property
    def _whole(self) -> Runs:
        return self.runs(np.ones(len(self.table), bool))

    @cached_property
    def _across(self) -> IntArray:
        return instances_of(self.table)[1]

    def runs(self, chosen: BoolArray) -> Runs:
        """Return some of the runs as a matrix."""
        return Runs.of(self.table.take(chosen)).compared_by(self.by)

    def of(self, backend: str) -> IntArray:
        """Return the numbers of the runs of a backend."""
        return np.flatnonzero(self.table["backend"] == self.table.backends.index(backend))

    def censored_s(self, backend: str) -> FloatArray:
        """Return the seconds of each run of a backend, up to its limit."""
        row = self._whole.backends.index(backend)
        return self._whole.censored_s[row, self._across[self.of(backend)]]

    def question(self, numbers: IntArray) -> IntArray:
        """Return the question of some runs as numbers from 0."""
        keys = questions(self._whole)[self._across[numbers]]
        return np.unique(keys, return_inverse=True)[1]

    def counters(self, numbers: IntArray) -> dict[str, FloatArray]:
        """Return the whole numbers among the statistics of some runs that all of them have."""
        found = defaultdict[str, list[int]](list)
        for row in rows_at(self.campaigns, numbers):
            for key, value in row["stats"].items():
                if isinstance(value, int) and not isinstance(value, bool) and len(found) < bounds.ROW_KEYS:
                    found[key].append(value)
        return {key: np.array(values, float) for key, values in found.items() if len(values) == len(numbers)}


def _history(rows: _Rows, backend: str, *, each_session: bool) -> History:
    own = rows.of(backend)
    groups = _groups(rows, own, each_session=each_session)
    if len(groups) > MOST_VERSIONS:
        raise UsageError(f"{shortened(backend)} has {len(groups)} versions; expected at most {MOST_VERSIONS}")
    version_of = np.full(len(rows.table.sessions), -1)
    for number, sessions in enumerate(groups):
        version_of[sessions] = number
    version, question = version_of[rows.table["session"][own]], rows.question(own)
    decided = rows.table.is_decided[own]
    is_asked = _in_all(version, question, np.ones(len(own), bool))
    is_worked = _in_all(version, question, decided)
    logs = np.log(rows.censored_s(backend) + SHIFT_S)
    levels = _per_version(logs, version, question, is_asked)
    times = [finite(np.exp(level / max(1, is_asked.sum())) - SHIFT_S) for level in levels]
    counted = rows.counters(own[is_worked[question]])
    kept = is_worked[question]
    work = {
        key: _per_version(values, version[kept], question[kept], is_worked) for key, values in counted.items()
    }
    runs = [rows.runs(np.isin(rows.table["session"], sessions)) for sessions in groups]
    steps, advice = _compared([(number - 1, number) for number in range(1, len(groups))], runs, backend)
    first, _ = _compared([(0, number) for number in range(1, len(groups))], runs, backend)
    settings = [_setting(rows, own[version == number]) for number in range(len(groups))]
    versions = tuple(
        Version(
            backend,
            label,
            _difference(settings[number - 1], settings[number]) if number else "",
            settings[number],
            tuple(sorted(rows.table.sessions[code] for code in sessions)),
            int((version == number).sum()),
            int(decided[version == number].sum()),
            times[number] if is_asked.any() else None,
            {key: float(totals[number]) for key, totals in work.items()},
            steps[number],
            first[number],
        )
        for number, (label, sessions) in enumerate(
            zip(_labels(rows, own, version, groups, each_session=each_session), groups, strict=True)
        )
    )
    return History(
        backend, versions, int(is_asked.sum()), int(is_worked.sum()), "" if each_session else advice
    )


def _groups(rows: _Rows, own: IntArray, *, each_session: bool) -> list[list[int]]:
    """Return the sessions of each version, by their codes, in the order of their first start."""
    settings = dict(
        zip(rows.table["session"][own].tolist(), rows.table["setting"][own].tolist(), strict=True)
    )
    groups = defaultdict[object, list[int]](list)
    for session in sorted(settings, key=rows.table.sessions.__getitem__):
        it = rows.table.settings[settings[session]]
        groups[session if each_session else (it.spec, it.code, it.versions)].append(session)
    return [*groups.values()]


def _setting(rows: _Rows, numbers: IntArray) -> Setting:
    return rows.table.settings[rows.table["setting"][numbers[-1]]]


def _in_all(version: IntArray, question: IntArray, fine: BoolArray) -> BoolArray:
    """Return which questions every version has run, with nothing but fine runs, shape (Q,)."""
    shape = 1 + version.max(initial=0), 1 + question.max(initial=0)
    runs, good = np.zeros(shape), np.zeros(shape)
    np.add.at(runs, (version, question), 1)
    np.add.at(good, (version, question), fine)
    return np.asarray(((runs > 0) & (good == runs)).all(axis=0))


def _per_version(values: FloatArray, version: IntArray, question: IntArray, chosen: BoolArray) -> list[float]:
    """Return for each version the sum over the chosen questions of the means of its runs."""
    shape = 1 + version.max(initial=0), len(chosen)
    total, runs = np.zeros(shape), np.zeros(shape)
    np.add.at(total, (version, question), values)
    np.add.at(runs, (version, question), 1)
    means = total[:, chosen] / np.maximum(runs[:, chosen], 1)
    return [float(value) for value in means.sum(axis=1)]


def _compared(
    pairs: Iterable[tuple[int, int]], runs: Sequence[Runs], backend: str
) -> tuple[list[Change | None], str]:
    """Compare versions by their numbers; return each one's change, and the advice on the last.

    Other backends of the sessions tell the session's factor. P-values are corrected for all comparisons.
    """
    found, advice = [None] * len(runs), ""
    pairs = [*pairs]
    for before, after in pairs:
        try:
            changes = compare(runs[before], runs[after], comparisons=len(pairs))
        except UsageError as error:
            advice = f"undecided: {error}"
            continue
        found[after] = next((it for it in changes.changes if it.backend == backend), None)
        advice = changes.advice if found[after] and found[after].verdict is Verdict.UNDECIDED else ""
    return found, advice


def _difference(before: Setting, after: Setting) -> str:
    """Return in what the settings of two versions differ."""
    old, new = dict(before.versions), dict(after.versions)
    packages = [
        f"{package} {old.get(package, 'absent')} to {new.get(package, 'absent')}"
        for package in old | new
        if old.get(package) != new.get(package)
    ]
    more = [f"{len(packages) - _PACKAGES_NAMED} more packages"] * (len(packages) > _PACKAGES_NAMED)
    told = [*packages[:_PACKAGES_NAMED], *more]
    told += [
        f"{key} {getattr(before, key)} to {getattr(after, key)}"
        for key in ("spec", "machine", "executor")
        if getattr(before, key) != getattr(after, key)
    ]
    return shortened(", ".join(told), 200) or ("code" if before.code != after.code else "nothing")


def _labels(
    rows: _Rows, own: IntArray, version: IntArray, groups: Sequence[Sequence[int]], *, each_session: bool
) -> list[str]:
    """Return a name for each version that no other one has."""
    starts = [min(rows.table.sessions[code] for code in sessions) for sessions in groups]
    if each_session:
        return told_apart(start[:16].replace("T", " ") or "unknown" for start in starts)
    commits = [rows.commits.get(start, "") for start in starts]
    folders = [{*rows.folder[own[version == number]].tolist()} for number in range(len(groups))]
    held_by = Counter(folder for of_version in folders for folder in of_version)
    if all(len(of_version) == 1 and held_by[min(of_version)] == 1 for of_version in folders):
        commits = [rows.campaigns[min(of_version)].folder.resolve().name for of_version in folders]
    packages = [dict(_setting(rows, own[version == n]).versions) for n in range(len(groups))]
    found = [it or versions.get("nonocsp", "unknown") for it, versions in zip(commits, packages, strict=True)]
    return told_apart(shortened(label, 40) for label in found)
