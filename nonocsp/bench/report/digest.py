"""Gather what every format of a report shows: scores, pairs, contradictions, changes, warnings.

Everything is computed once, from the rows, by `nonocsp.bench.scoring` and `nonocsp.bench.contradictions`. Of
several campaigns each one after the first is compared with it. A campaign may still be running.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from nonocsp.bench.caveats import caveats
from nonocsp.bench.contradictions import KEPT, Disagreement, Findings, cross_check
from nonocsp.bench.report.figures import shortened
from nonocsp.bench.scoring import (
    Change,
    Pair,
    Runs,
    Score,
    Verdict,
    compare,
    pairwise,
    scores,
    single_best,
    virtual_best,
)
from nonocsp.bench.store import Campaign
from nonocsp.bench.table import joined, rows_at
from nonocsp.model import UsageError, bounds

if TYPE_CHECKING:
    from nonocsp.bench.rows import RunRow
    from nonocsp.bench.scoring.runs import By, IntArray
    from nonocsp.bench.table import RunTable

LETTERS = 1000
"""The longest warning."""


@dataclass(frozen=True, slots=True)
class Part:
    """A campaign of the report.

    Parameters
    ----------
    label
        What it is called here: its name, or where several share that, its folder.
    ideal
        The score of the virtual best backend.
    single_best
        The backend to take if only one can be had; None if none has run everything.
    """

    label: str
    campaign: Campaign
    runs: Runs
    scores: list[Score]
    ideal: Score
    single_best: str | None
    pairs: list[Pair]

    @classmethod
    def of(cls, campaign: Campaign, label: str, by: By = "wall") -> Self:
        """Score a campaign; raise UsageError if it has no runs.

        Parameters
        ----------
        campaign
            As it is stored.
        label
            Its name in the report.
        by
            The time that scores are about.
        """
        if not len(campaign.table):
            raise UsageError(f"{campaign.folder} holds no run yet: there is nothing to report")
        if (backends := len(campaign.table.backends)) > bounds.BACKENDS:
            many = f"{campaign.folder} holds runs of {backends} backends"
            raise UsageError(f"{many}; a report compares at most {bounds.BACKENDS}")
        runs = Runs.of(campaign.table, campaign.backends).compared_by(by)
        (ideal,) = scores(virtual_best(runs))
        return cls(label, campaign, runs, scores(runs), ideal, single_best(runs), pairwise(runs))

    @property
    def kind(self) -> str:
        """The kind of time that scores are about, in words."""
        return "CPU" if self.runs.by == "cpu" else "Wall"

    def compared_by(self, by: By) -> Part:
        """Return the same campaign scored by another time, without pairs."""
        runs = self.runs.compared_by(by)
        (ideal,) = scores(virtual_best(runs))
        return replace(
            self, runs=runs, scores=scores(runs), ideal=ideal, single_best=single_best(runs), pairs=[]
        )

    @property
    def table(self) -> RunTable:
        """All runs."""
        return self.campaign.table

    @property
    def planned(self) -> int:
        """How many runs the latest whole plan has, as far as that is known; never less than there are."""
        sessions = self.campaign.info["sessions"]
        whole = [session for session in sessions if not session["shard"] and not session["filters"]]
        planned = [session["planned"] for session in (whole or sessions)[-1:]]
        return max(len(self.table), *planned, 0)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed from the first campaign to another one, by their labels."""

    before: str
    after: str
    changes: Sequence[Change]


@dataclass(frozen=True)
class Digest:
    """All that a report says.

    Parameters
    ----------
    contradictions, wrong
        Contradictions between backends, and rows whose answer failed verification, the first `KEPT` of each.
        Show them first.
    wrong_runs
        The numbers of all rows whose answer failed verification, in `table`.
    warnings
        What makes rows hard to compare.
    """

    parts: tuple[Part, ...]
    contradictions: Findings
    wrong: list[RunRow]
    wrong_runs: IntArray
    comparisons: tuple[Comparison, ...]
    warnings: list[str]

    @classmethod
    def of(cls, campaigns: Sequence[Campaign], by: By = "wall") -> Self:
        """Make the digest of one or more campaigns; UsageError if one of them has no runs.

        Parameters
        ----------
        campaigns
            As they are stored.
        by
            The time that scores and comparisons are about.
        """
        kinds = (
            [campaign.name for campaign in campaigns],
            [campaign.folder.resolve().name for campaign in campaigns],
            [str(campaign.folder) for campaign in campaigns],
        )  # the first one that tells all campaigns apart is used
        labels = next((kind for kind in kinds if len(set(kind)) == len(campaigns)), kinds[-1])
        parts = tuple(
            Part.of(campaign, shortened(label), by) for campaign, label in zip(campaigns, labels, strict=True)
        )
        comparisons, warnings = [], [*_warnings(parts)]
        for part in parts[1:]:
            try:
                found = compare(parts[0].runs, part.runs)
                comparisons.append(Comparison(parts[0].label, part.label, found.changes))
                if found.advice:
                    warnings.append(f"{parts[0].label} and {part.label}: {found.advice}")
            except UsageError as error:
                warnings.append(f"{parts[0].label} and {part.label} are not compared: {error}")
        wrong = np.flatnonzero(np.concatenate([part.table["wrong"] for part in parts]))
        return cls(
            parts,
            cross_check(campaigns),
            list(rows_at(campaigns, wrong[:KEPT])),
            wrong,
            tuple(comparisons),
            [shortened(warning, LETTERS) for warning in warnings],
        )

    def rows_at(self, numbers: IntArray) -> Iterator[RunRow]:
        """Yield the rows of some runs of `table`, whose numbers ascend."""
        return rows_at([part.campaign for part in self.parts], numbers)

    @cached_property
    def table(self) -> RunTable:
        """The runs of all parts, one part after the other."""
        return joined([part.table for part in self.parts])

    @property
    def disagreements(self) -> list[Disagreement]:
        """The first contradictions."""
        return self.contradictions.disagreements

    @property
    def name(self) -> str:
        """The campaigns' labels."""
        return " and ".join(part.label for part in self.parts)

    @property
    def is_sound(self) -> bool:
        """Whether no two backends contradict each other and every answer passed verification."""
        return not self.contradictions.count and not len(self.wrong_runs)

    @property
    def regressions(self) -> list[Change]:
        """What became worse by more than chance, in any comparison."""
        changes = (change for comparison in self.comparisons for change in comparison.changes)
        return [change for change in changes if change.verdict is Verdict.REGRESSION]


def _warnings(parts: Sequence[Part]) -> Iterator[str]:
    """Yield what makes the rows of each part hard to compare, and those of different parts."""
    for part in parts:
        prefix = f"{part.label}: " if len(parts) > 1 else ""
        for warning in (*part.campaign.faults, *caveats(part.table, part.campaign.info["sessions"])):
            yield f"{prefix}{warning}"
        if (missing := part.planned - len(part.table)) > 0:
            yield f"{prefix}{missing} of {part.planned} runs are still to be done"
    machines = {setting.machine for part in parts for setting in part.table.settings}
    if len(parts) > 1 and len(machines) > 1:
        yield f"the campaigns ran on different machines: {'; '.join(sorted(machines))}"
