"""Choose who stands in the plots of a report: one campaign's backends, or those of several side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nonocsp.bench.report.digest import Digest, Part
from nonocsp.bench.scoring import Instance, Runs
from nonocsp.bench.scoring.runs import NO_RUN

if TYPE_CHECKING:
    from nonocsp.bench.rows import RunRow


@dataclass(frozen=True, slots=True)
class Entrant:
    """A backend in one of the campaigns (`campaign` numbers them) and its rows."""

    label: str
    backend: str
    campaign: int
    rows: list[RunRow]


def entrants(digest: Digest) -> list[Entrant]:
    """Return the backends of each part, in the order of its scores, with their rows."""
    found = []
    for number, part in enumerate(digest.parts):
        rows: dict[str, list[RunRow]] = {backend: [] for backend in part.runs.backends}
        for row in part.rows:
            rows[row["backend"]].append(row)
        labels = _labels(part, digest)
        found += [
            Entrant(label, backend, number, own)
            for label, (backend, own) in zip(labels, rows.items(), strict=True)
        ]
    return found


def side_by_side(digest: Digest) -> Runs:
    """Return the runs of all parts as those of one campaign, in which the entrants are the backends."""
    if len(digest.parts) == 1:
        return digest.parts[0].runs
    all_runs = [part.runs for part in digest.parts]
    distinct = dict.fromkeys(instance for runs in all_runs for instance in runs.instances)
    place = {instance: i for i, instance in enumerate(distinct)}
    labels = (label for part in digest.parts for label in _labels(part, digest))
    return Runs(
        tuple(labels),
        tuple(place),
        wall_s=np.vstack([_spread(runs, runs.wall_s, place, np.nan) for runs in all_runs]),
        is_decided=np.vstack([_spread(runs, runs.is_decided, place, False) for runs in all_runs]),
        answer=np.vstack([_spread(runs, runs.answer, place, NO_RUN) for runs in all_runs]),
        termination=np.vstack([_spread(runs, runs.termination, place, NO_RUN) for runs in all_runs]),
    )


def _labels(part: Part, digest: Digest) -> list[str]:
    suffix = f" · {part.label}" if len(digest.parts) > 1 else ""
    return [f"{backend}{suffix}" for backend in part.runs.backends]


def _spread(runs: Runs, values: NDArray[Any], place: Mapping[Instance, int], empty: float) -> NDArray[Any]:
    """Return values of shape (B, I) with a column for every instance of `place`, `empty` without a run."""
    spread = np.full((len(values), len(place)), empty, values.dtype)
    spread[:, [place[instance] for instance in runs.instances]] = values
    return spread
