"""Compare two campaigns, such as before and after a change: which backends got better, which worse.

The unit of chance is the session, not the run and not the puzzle: whatever happens to the machine in a
session looks like a change of the code. So a verdict needs several sessions of each, which alternate.
`nonocsp.bench.scoring.blocks` arranges them, and `nonocsp.bench.scoring.verdicts` judges them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from nonocsp.bench.scoring.blocks import arrange, questions
from nonocsp.bench.scoring.permutation import MAX_SESSIONS, TARGET
from nonocsp.bench.scoring.runs import Instance, IntArray, Runs
from nonocsp.bench.scoring.verdicts import Judge, Verdict
from nonocsp.model import UsageError

_LISTED = 3
"""How many values of each campaign an error names."""
_OTHER_PUZZLES = "the campaigns have no run in common: each backend had other puzzles in the second"
_APART = (
    "no puzzle was run in every session, so more sessions do not help: measure anew with the same backends "
    "and puzzles in each session, and compare shards one by one"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A backend in two campaigns, and the evidence for a difference."""

    backend: str
    instances: int  # questions that both asked, whatever their repeat
    before_s: float | None  # shifted geometric mean
    after_s: float | None  # likewise
    ratio: float | None  # geometric mean of the ratios of its times, after to before
    own_ratio: float | None  # without what the other backends share; None with fewer than four
    interval: tuple[float, float] | None  # 95 %, of the own ratio if there is one
    p_value: float | None  # the least of its tests, corrected
    newly_decided: tuple[Instance, ...]  # in every run after and in none before
    lost: tuple[Instance, ...]  # the reverse
    sessions_needed: int | None  # of each campaign, to find a change of 10 %; None if no number does
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed, for each backend that both campaigns have run."""

    changes: tuple[Change, ...]
    sessions: tuple[int, int]  # of each campaign
    alternating: int  # without one of the other campaign between them, they count as one

    @property
    def advice(self) -> str:
        """What to measure for verdicts on all backends; empty if there are."""
        undecided = [change for change in self.changes if change.verdict is Verdict.UNDECIDED]
        apart = [change.backend for change in undecided if change.sessions_needed is None]
        found = []
        if needed := [it.sessions_needed for it in undecided if it.sessions_needed is not None]:
            which = [it.backend for it in undecided if it.sessions_needed is not None]
            found.append(f"{self._named(which)}; {self._more_sessions(max(needed))}")
        if apart:
            found.append(f"{self._named(apart)}; {_APART}")
        return "; ".join(f"undecided: {one}" for one in found)

    def _named(self, backends: Sequence[str]) -> str:
        return "all backends" if len(backends) == len(self.changes) else ", ".join(backends)

    def _more_sessions(self, needed: int) -> str:
        """Return what to measure, so that each campaign has as many sessions as are needed."""
        more = max(1, needed - self.alternating)
        if needed >= MAX_SESSIONS:
            asked = "the machine is too noisy for a verdict: find a quieter one, or take longer runs"
        else:
            asked = f"measure {more} more session{'s' * (more > 1)} of each campaign, alternately"
            asked += f", to find a change of {TARGET:.0%}"
        if min(self.sessions) > self.alternating:
            asked += f" ({self.sessions[0]} and {self.sessions[1]} sessions count as {self.alternating} of "
            asked += "each, because they do not alternate)"
        return asked


def compare(before: Runs, after: Runs, *, comparisons: int = 1) -> Changes:
    """Compare two campaigns, of `comparisons` made together; UsageError if they have no run in common."""
    before, after = _shared(before, after)
    blocks = arrange(before, after)
    both = [int((cells.has_run(False) & cells.has_run(True)).sum()) for cells in blocks.backends]
    if not any(both):
        raise UsageError(_OTHER_PUZZLES)
    judge = Judge(blocks, comparisons)
    places = _places(before, after)
    changes = [
        Change(
            backend=before.backends[b],
            instances=both[b],
            newly_decided=_instances(before, places[cells.turned(cells.undecided, False)]),
            lost=_instances(before, places[cells.turned(cells.undecided, True)]),
            sessions_needed=judge.needed(b),
            verdict=judge.verdict(b),
            **judge.figures(b),
        )
        for b, cells in enumerate(blocks.backends)
        if both[b]
    ]
    return Changes(tuple(changes), blocks.sessions, blocks.of_each)


def _places(before: Runs, after: Runs) -> IntArray:
    """Return the place of an instance of `before` for each common question, in the order of `arrange`."""
    keys, first = np.unique(questions(before), return_index=True)
    return np.asarray(first[np.isin(keys, questions(after))])


def _instances(runs: Runs, places: IntArray) -> tuple[Instance, ...]:
    return tuple(runs.instances[place] for place in np.sort(places).tolist())


def _shared(before: Runs, after: Runs) -> tuple[Runs, Runs]:
    """Return the two without the backends that only one has, the others in the same order."""
    both = [backend for backend in before.backends if backend in after.backends]
    first, second = (np.array([*map(it.backends.index, both)], np.intp) for it in (before, after))
    if not both or not np.isin(questions(before), questions(after)).any():
        apart = _difference(before, after) or "no puzzle has the same request in both"
        raise UsageError(f"the campaigns have no run in common: {apart}")
    before, after = before.of_backends(first), after.of_backends(second)
    asked, again = (questions(runs)[runs.has_run.any(axis=0)] for runs in (before, after))
    if not np.isin(asked, again).any():
        raise UsageError(_OTHER_PUZZLES)
    return before, after


def _difference(before: Runs, after: Runs) -> str:
    """Say in what the runs of two campaigns have nothing in common."""
    values: dict[str, tuple[set[Any], set[Any]]] = {"backend": ({*before.backends}, {*after.backends})}
    for field in fields(Instance):
        name = "wall limit" if field.name == "limit_s" else field.name.replace("_", " ")
        first, second = ({getattr(it, field.name) for it in runs.instances} for runs in (before, after))
        values[name] = first, second
    return "; ".join(
        f"{name} {_listed(first)} before, {_listed(second)} after"
        for name, (first, second) in values.items()
        if first.isdisjoint(second)
    )


def _listed(values: set[Any]) -> str:
    """Return the first few values as text."""
    texts = sorted(map(str, values))
    return ", ".join(texts[:_LISTED]) + ("…" if len(texts) > _LISTED else "") if texts else "none"
