"""Compare two campaigns, such as before and after a change: which backends got better, which worse.

Only the runs that both campaigns have count. A verdict needs two things: a difference that is no chance, and
one that matters; thousands of puzzles make the least difference significant. What no test sees is a machine
that was slower the second time. Where every backend changed alike, measure both versions in one campaign.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any

import numpy as np

from nonocsp.bench.scoring.evidence import Evidence, evidence, is_significant
from nonocsp.bench.scoring.figures import SHIFT_S, shifted_mean
from nonocsp.bench.scoring.runs import Instance, IntArray, Runs
from nonocsp.model import UsageError

THRESHOLD = 0.05
"""The least change of the ratio that matters, either way."""
_LISTED = 3
"""How many values of each campaign an error names."""


class Verdict(StrEnum):
    """What a change amounts to."""

    REGRESSION = "regression"
    IMPROVEMENT = "improvement"
    SAME = "same"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change(Evidence):
    """A backend in two campaigns, and the evidence for a difference; the ratio is after to before.

    Parameters
    ----------
    instances
        How many runs of it both campaigns have.
    before_s, after_s
        Shifted geometric means over these, in seconds; None if an undecided run had no limit.
    newly_decided, lost
        What it decides only now, and what it decides no longer.
    verdict
        `REGRESSION` or `IMPROVEMENT` if the corrected p-value is significant and the ratio differs
        from 1 by more than the threshold.
    """

    backend: str
    instances: int
    before_s: float | None
    after_s: float | None
    newly_decided: tuple[Instance, ...]
    lost: tuple[Instance, ...]
    verdict: Verdict


def compare(
    before: Runs, after: Runs, *, threshold: float = THRESHOLD, shift_s: float = SHIFT_S, seed: int = 0
) -> list[Change]:
    """Compare two campaigns, one change for each backend that both have run.

    Parameters
    ----------
    threshold
        The least change that matters: 0.05 is 5 % slower, or faster by the same factor.
    seed
        Of the bootstrap.

    Raises
    ------
    UsageError
        If the campaigns have no run in common.
    """
    before, after = _shared(before, after)
    found = evidence(after.censored_s, before.censored_s, before.puzzle_of, shift_s=shift_s, seed=seed)
    changes = []
    for b, backend in enumerate(before.backends):
        both = before.has_run[b] & after.has_run[b]
        won = np.flatnonzero(both & after.is_decided[b] & ~before.is_decided[b])
        lost = np.flatnonzero(both & before.is_decided[b] & ~after.is_decided[b])
        if both.any():
            change = Change(
                backend=backend,
                instances=int(both.sum()),
                before_s=shifted_mean(before.censored_s[b, both], shift_s),
                after_s=shifted_mean(after.censored_s[b, both], shift_s),
                newly_decided=tuple(before.instances[i] for i in won),
                lost=tuple(before.instances[i] for i in lost),
                verdict=_verdict(found[b], len(lost) - len(won), threshold),
                **asdict(found[b]),
            )
            changes.append(change)
    if not changes:
        raise UsageError("the campaigns have no run in common: each backend had other puzzles in the second")
    return changes


def _verdict(found: Evidence, lost: int, threshold: float) -> Verdict:
    """Judge by the ratio or, where there is none, by how many more instances were lost than won."""
    if not is_significant(found.corrected_p_value):
        return Verdict.SAME
    factor = 1.0 + threshold
    is_worse = lost > 0 if found.ratio is None else found.ratio > factor
    is_better = lost < 0 if found.ratio is None else found.ratio * factor < 1.0
    return Verdict.REGRESSION if is_worse else Verdict.IMPROVEMENT if is_better else Verdict.SAME


def _shared(before: Runs, after: Runs) -> tuple[Runs, Runs]:
    """Return the two without what only one has, their backends and instances in the same order."""
    backends = _common(before.backends, after.backends)
    instances = _common(before.instances.key.tolist(), after.instances.key.tolist())
    if not len(backends[0]) or not len(instances[0]):
        apart = _difference(before, after) or "each puzzle was asked otherwise in the second"
        raise UsageError(f"the campaigns have no run in common: {apart}")
    aligned = [
        runs.of_backends(own_backends).of_instances(own_instances)
        for runs, own_backends, own_instances in zip((before, after), backends, instances, strict=True)
    ]
    return aligned[0], aligned[1]


def _common(before: Sequence[Hashable], after: Sequence[Hashable]) -> tuple[IntArray, IntArray]:
    """Return where the entries that both have are in the one and in the other."""
    place = {entry: i for i, entry in enumerate(after)}
    pairs = [(i, place[entry]) for i, entry in enumerate(before) if entry in place]
    first, second = np.array(pairs, np.intp).reshape(-1, 2).T
    return first, second


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
