"""Choose what stands in the plots of a report: whose runs, and which of them if there are very many."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from nonocsp.bench.report.digest import Digest, Part
from nonocsp.bench.scoring import Runs
from nonocsp.bench.scoring.runs import BoolArray, IntArray, instances_of
from nonocsp.bench.table import joined

MAX_RUNS = 100_000
"""The most runs that the page carries: 3.5 MB."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A backend in one of the campaigns.

    Parameters
    ----------
    label, backend
        What it is called in the plots, and in its campaign.
    campaign
        The number of its campaign.
    runs
        The numbers of its runs that are shown, in the table of the digest, ascending.
    """

    label: str
    backend: str
    campaign: int
    runs: IntArray


def entrants(digest: Digest, most: int = MAX_RUNS) -> list[Entrant]:
    """Return the backends of each part, in the order of its scores, with the runs that the page shows.

    If there are more than `most` runs, they are those on some instances, chosen by chance but the same each
    time, and those that the report speaks of.

    Parameters
    ----------
    digest
        What the report says.
    most
        How many runs may be chosen.
    """
    found, start, is_shown = [], 0, _shown(digest, most)
    for number, part in enumerate(digest.parts):
        shown = start + np.flatnonzero(is_shown[start : start + len(part.table)])
        start += len(part.table)
        backend_of = digest.table["backend"][shown]
        codes = {backend: code for code, backend in enumerate(digest.table.backends)}
        found += [
            Entrant(label, backend, number, shown[backend_of == codes[backend]])
            for label, backend in zip(_labels(part, digest), part.runs.backends, strict=True)
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


def _shown(digest: Digest, most: int) -> BoolArray:
    """Return which runs of the table of the digest are shown."""
    table = digest.table
    if len(table) <= most:
        return np.ones(len(table), bool)
    instances, instance_of = instances_of(table)
    order = np.random.default_rng(0).permutation(len(instances))
    runs = np.bincount(instance_of, minlength=len(instances))
    chosen = np.zeros(len(instances), bool)
    chosen[order[np.cumsum(runs[order]) <= most]] = True
    spoken_of = [run for runs in digest.contradictions.runs for run in runs]
    chosen[instance_of[spoken_of]] = True
    chosen[instance_of[digest.wrong_runs[: len(digest.wrong)]]] = True
    return np.asarray(chosen[instance_of])


def _labels(part: Part, digest: Digest) -> list[str]:
    suffix = f" · {part.label}" if len(digest.parts) > 1 else ""
    return [f"{backend}{suffix}" for backend in part.runs.backends]
