"""Choose who stands in the plots of a report: one campaign's backends, or those of several side by side."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nonocsp.bench.report.digest import Digest, Part
from nonocsp.bench.scoring import Runs
from nonocsp.bench.table import joined

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
    tables = []
    for part in digest.parts:
        labels = dict(zip(part.runs.backends, _labels(part, digest), strict=True))
        tables.append(replace(part.table, backends=tuple(map(labels.__getitem__, part.table.backends))))
    return Runs.of(joined(tables), [label for part in digest.parts for label in _labels(part, digest)])


def _labels(part: Part, digest: Digest) -> list[str]:
    suffix = f" · {part.label}" if len(digest.parts) > 1 else ""
    return [f"{backend}{suffix}" for backend in part.runs.backends]
