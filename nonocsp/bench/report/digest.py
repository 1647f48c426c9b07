"""Gather what every format of a report shows: scores, pairs, contradictions, changes, warnings.

Several campaigns are shown as one: an *entrant* is a backend in one of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np

from nonocsp.bench.backend_entry import labels
from nonocsp.bench.caveats import caveats
from nonocsp.bench.contradictions import KEPT, Disagreement, Findings, cross_check
from nonocsp.bench.report.conclusion import changed, conclusion, leader, many
from nonocsp.bench.report.figures import shortened, told_apart
from nonocsp.bench.scoring import (
    Change,
    Pair,
    Runs,
    Score,
    compare,
    pairwise,
    ranking,
    scores,
    single_best,
    virtual_best,
)
from nonocsp.bench.store import Campaign, rows_at
from nonocsp.bench.table import joined
from nonocsp.model import UsageError, bounds

if TYPE_CHECKING:
    from nonocsp.bench.rows import RunRow
    from nonocsp.bench.scoring.runs import By, IntArray
    from nonocsp.bench.sessions import Session
    from nonocsp.bench.table import RunTable

LETTERS = 1000
"""The longest warning."""
MOST_TWO_BY_TWO = 50
"""Backends that are compared two by two, in 1225 pairs; of more, each is compared with the single best."""

PairNames = tuple[str, str]


@dataclass(frozen=True)
class Part:
    """A campaign of the report."""

    label: str  # its name; among several that of its folder, or the path if folders share that name
    campaign: Campaign
    by: By

    @property
    def table(self) -> RunTable:
        """All runs."""
        return self.campaign.table

    @cached_property
    def runs(self) -> Runs:
        """The runs as a matrix."""
        return Runs.of(self.table, self.campaign.backends).compared_by(self.by)

    @property
    def planned(self) -> int:
        """How many runs the latest whole plan has, or the latest plans of all shards that are there."""
        return sum(session["planned"] for session in self._latest)

    @cached_property
    def missing(self) -> int:
        """How many of these runs have no row, as far as that is known."""
        if self.campaign.is_done:
            return 0
        numbers, counts = np.unique(self.table["session"], return_counts=True)
        ran = {
            self.table.sessions[it]: runs for it, runs in zip(numbers.tolist(), counts.tolist(), strict=True)
        }
        sessions, missing = self.campaign.info["sessions"], 0
        stored = {session["start"] for session in sessions}
        for session in self._latest:
            starts = {session["start"]}
            if not session["shard"] and not session["filters"]:
                # Later sessions did some of these runs. The clock may have been set back between stored ones.
                starts |= {later["start"] for later in sessions[sessions.index(session) :]}
                starts |= {start for start in ran if start > session["start"] and start not in stored}
            missing += max(0, session["missing"] - sum(ran.get(start, 0) for start in starts))
        return max(missing, self.planned - len(self.table))

    @property
    def _latest(self) -> list[Session]:
        """The last stored session that was to run everything; if there is none, the last of each shard."""
        sessions = self.campaign.info["sessions"]
        whole = [session for session in sessions if not session["shard"] and not session["filters"]]
        return whole[-1:] or [*{session["shard"]: session for session in sessions}.values()]

    @property
    def unplanned(self) -> list[str]:
        """The backends that have runs, but are not in the last config of this name."""
        last: dict[str, dict[str, object]] = {}
        for session in self.campaign.info["sessions"]:
            name = session["config"].get("name")
            last[name if isinstance(name, str) else ""] = session["config"]
        named = {label for config in last.values() for label in labels(config)}
        if self.campaign.is_done or not named:
            return []
        return [backend for backend in self.campaign.backends if backend not in named]

    @property
    def description(self) -> str:
        """The config's description; empty if it has none."""
        texts = [session["config"].get("description") for session in self.campaign.info["sessions"]]
        return next((text for text in reversed(texts) if isinstance(text, str) and text.strip()), "")


@dataclass(frozen=True, slots=True)
class Entrant:
    """A backend in one of the campaigns."""

    label: str  # the backend, with ``@`` and the folder if several folders have it
    backend: str
    part: int  # the number of the campaign


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed from the baseline to another campaign, by their labels."""

    before: str
    after: str
    changes: Sequence[Change]


@dataclass(frozen=True)
class Digest:
    """All that a report says; show `contradictions` and `wrong` answers first."""

    parts: tuple[Part, ...]
    entrants: tuple[Entrant, ...]  # the backends of all parts, the best first, incomplete methods last
    table: RunTable  # the runs of one part after the other; backends are labels of entrants
    runs: Runs  # the same as a matrix
    chosen: tuple[PairNames, ...]  # entrants to compare
    pairs: list[Pair]  # those `chosen`, or all
    contradictions: Findings
    wrong: list[RunRow]  # the first `KEPT` rows whose answer failed verification
    wrong_runs: IntArray  # the numbers of all such rows in `table`
    baseline: int | None  # the campaign that all others are compared with
    comparisons: tuple[Comparison, ...]
    warnings: list[str]

    @classmethod
    def of(
        cls,
        campaigns: Sequence[Campaign],
        by: By = "wall",
        *,
        baseline: int | None = None,
        pairs: Sequence[PairNames] = (),
    ) -> Self:
        """Make the digest of campaigns, all compared with number `baseline`, and `pairs` of entrants."""
        parts = _parts(campaigns, by)
        entrants = _entrants(parts)
        labels = [entrant.label for entrant in entrants]
        table, runs = parts[0].table, None
        if len(parts) > 1:
            table = joined([_labelled(part, number, entrants) for number, part in enumerate(parts)])
            runs = Runs.of(table, labels).compared_by(by)
        runs = runs or parts[0].runs
        order = ranking(runs)
        runs, entrants = runs.of_backends(np.array(order)), tuple(entrants[place] for place in order)
        labels = [entrant.label for entrant in entrants]
        comparisons, advice = _comparisons(parts, baseline)
        places = [_places(pair, labels) for pair in dict.fromkeys(pairs)]
        if not places and len(parts) == 1 and len(labels) > MOST_TWO_BY_TWO:
            best = labels.index(single_best(runs) or labels[runs.is_decided.sum(axis=1).argmax()])
            places = [(best, other) for other in range(len(labels)) if other != best]
            each = f"each of {len(labels)} backends is compared with {labels[best]} only"
            advice.append(f"{each}; --pair compares any two")
        found = _pairs(runs, entrants, places) if places or len(parts) == 1 else []
        wrong = np.flatnonzero(table["wrong"])
        warnings = [*_warnings(parts), *_gaps(runs, entrants), *advice, *_untested(found, runs, entrants)]
        return cls(
            parts,
            entrants,
            table,
            runs,
            tuple(dict.fromkeys(pairs)),
            found,
            cross_check(campaigns),
            list(rows_at(campaigns, wrong[:KEPT])),
            wrong,
            baseline,
            comparisons,
            [shortened(warning, LETTERS) for warning in warnings],
        )

    def compared_by(self, by: By) -> Digest:
        """Return the same report with scores by another time."""
        return replace(self, runs=self.runs.compared_by(by))

    def rows_at(self, numbers: IntArray) -> Iterator[RunRow]:
        """Yield the rows of some runs of `table`, whose numbers ascend."""
        return rows_at([part.campaign for part in self.parts], numbers)

    @cached_property
    def scores(self) -> list[Score]:
        """The scores of the entrants."""
        return scores(self.runs)

    @cached_property
    def ideal(self) -> Score:
        """The score of the virtual best of all entrants."""
        (ideal,) = scores(virtual_best(self.runs))
        return ideal

    @cached_property
    def single_best(self) -> str | None:
        """The entrant of least PAR-2 that has run everything; None if there is none."""
        return single_best(self.runs)

    @property
    def leader(self) -> Score | None:
        """The score of the backend that wins; None if an answer is wrong or another one may be as good."""
        name = leader(self.runs, self.pairs) if self.is_sound else None
        return next((score for score in self.scores if score.backend == name), None)

    @cached_property
    def headline(self) -> list[str]:
        """What the report concludes, a sentence or two each."""
        told = []
        if not self.is_sound:
            wrong = many(len(self.wrong_runs), "wrong answer")
            contradictions = many(self.contradictions.count, "contradiction")
            told.append(f"First settle which backend is wrong: {wrong}, {contradictions}.")
        if len(self.parts) > 1:
            told += [changed(it.before, it.after, it.changes) for it in self.comparisons]
            return told or ["Campaigns side by side: whether they differ is tested only with a baseline."]
        told += conclusion(self.runs, self.pairs)
        if missing := self.parts[0].missing:
            told.append(f"{many(missing, 'run')} {'is' if missing == 1 else 'are'} still to be done.")
        return told

    def folder_of(self, label: str) -> str:
        """Return the label of an entrant's campaign; empty for the virtual best."""
        return next((self.parts[it.part].label for it in self.entrants if it.label == label), "")

    @property
    def disagreements(self) -> list[Disagreement]:
        """The first contradictions."""
        return self.contradictions.disagreements

    @property
    def name(self) -> str:
        """The campaign's name; of several campaigns their labels."""
        if len(self.parts) == 1:
            return shortened(self.parts[0].campaign.name)
        *first, last = (part.label for part in self.parts)
        return shortened(f"{', '.join(first)} and {last}", 200)

    @property
    def is_sound(self) -> bool:
        """Whether no two backends contradict each other and every answer passed verification."""
        return not self.contradictions.count and not len(self.wrong_runs)

    @property
    def regressions(self) -> list[Change]:
        """What became worse by more than chance, in any comparison."""
        changes = (change for comparison in self.comparisons for change in comparison.changes)
        return [change for change in changes if change.verdict == "regression"]


def place_of(folder: Path, folders: Sequence[Path]) -> int | None:
    """Return the position of a folder in `folders`, whatever path leads there; None if absent."""
    return next((n for n, one in enumerate(folders) if one.resolve() == folder.resolve()), None)


def _parts(campaigns: Sequence[Campaign], by: By) -> tuple[Part, ...]:
    """Return the campaigns with their labels; refuse those without runs, and too many backends."""
    for campaign in campaigns:
        if not len(campaign.table):
            raise UsageError(f"{campaign.folder} holds no run yet: there is nothing to report")
    if (backends := sum(len(campaign.table.backends) for campaign in campaigns)) > bounds.BACKENDS:
        where = campaigns[0].folder if len(campaigns) == 1 else f"these {len(campaigns)} folders"
        many = f"{where} hold{'s' * (len(campaigns) == 1)} runs of {backends} backends"
        raise UsageError(f"{many}; a report compares at most {bounds.BACKENDS}")
    names = [campaign.folder.resolve().name for campaign in campaigns]
    if len(campaigns) == 1:
        names = [campaigns[0].name]
    shared = {name for name, count in Counter(names).items() if count > 1}
    labels = [str(it.folder) if name in shared else name for it, name in zip(campaigns, names, strict=True)]
    if len(set(labels)) < len(labels):
        twice = next(label for label, count in Counter(labels).items() if count > 1)
        raise UsageError(f"{twice} is given twice; a report takes each folder once")
    labels = told_apart(map(shortened, labels))
    return tuple(Part(label, campaign, by) for label, campaign in zip(labels, campaigns, strict=True))


def _entrants(parts: Sequence[Part]) -> tuple[Entrant, ...]:
    """Return the backends of all parts; those that several parts have bear the part's label."""
    there = [(backend, number) for number, part in enumerate(parts) for backend in part.campaign.backends]
    parts_with = Counter(backend for backend, _ in there)
    labels = told_apart(
        f"{backend} @ {parts[number].label}" if parts_with[backend] > 1 else backend
        for backend, number in there
    )
    return tuple(Entrant(label, *place) for label, place in zip(labels, there, strict=True))


def _labelled(part: Part, number: int, entrants: Sequence[Entrant]) -> RunTable:
    """Return the table of a part with the labels of its entrants for backends."""
    label_of = {entrant.backend: entrant.label for entrant in entrants if entrant.part == number}
    return replace(part.table, backends=tuple(label_of[backend] for backend in part.table.backends))


def _comparisons(parts: Sequence[Part], baseline: int | None) -> tuple[tuple[Comparison, ...], list[str]]:
    """Return the comparisons of all parts with the baseline, and what to measure for more verdicts."""
    found, advice = [], []
    for number, part in enumerate(parts):
        if baseline is None or number == baseline:
            continue
        before = parts[baseline]
        try:
            changes = compare(before.runs, part.runs, comparisons=len(parts) - 1)
        except UsageError as error:
            advice.append(f"{before.label} and {part.label} are not compared: {error}")
            continue
        found.append(Comparison(before.label, part.label, changes.changes))
        if changes.advice:
            advice.append(f"{before.label} and {part.label}: {changes.advice}")
    return tuple(found), advice


def _places(pair: PairNames, labels: Sequence[str]) -> tuple[int, int]:
    """Return where two entrants are; raise UsageError for an unknown one."""
    for name in pair:
        if name not in labels:
            there = shortened(", ".join(labels), LETTERS)
            raise UsageError(f"no runs of {shortened(name)!r}; there are {there}")
    return labels.index(pair[0]), labels.index(pair[1])


def _pairs(runs: Runs, entrants: Sequence[Entrant], chosen: Sequence[tuple[int, int]]) -> list[Pair]:
    """Compare the chosen entrants, or all if none are chosen."""
    if not chosen:
        return pairwise(runs)
    # Sessions are the unit of chance, and two folders share none: there is a ratio, but no test.
    crossing = [(i, j) for i, j in chosen if entrants[i].part != entrants[j].part]
    found = dict(zip(crossing, pairwise(runs, chosen=crossing), strict=True)) if crossing else {}
    found = {at: replace(it, interval=None, p_value=None, corrected_p_value=None) for at, it in found.items()}
    inside = [at for at in chosen if at not in found]
    if inside:
        found |= dict(zip(inside, pairwise(runs, chosen=inside), strict=True))
    return [found[at] for at in chosen]


def _untested(pairs: Sequence[Pair], runs: Runs, entrants: Sequence[Entrant]) -> Iterator[str]:
    """Yield a sentence on each pair of two folders that has runs in common."""
    part_of = {name: entrant.part for name, entrant in zip(runs.backends, entrants, strict=True)}
    for pair in pairs:
        if pair.instances and part_of[pair.first] != part_of[pair.second]:
            yield (
                f"{pair.first} and {pair.second} were measured in different sessions, so their difference is "
                "not tested; --baseline compares folders"
            )


def _gaps(runs: Runs, entrants: Sequence[Entrant]) -> Iterator[str]:
    """Yield a sentence if the campaigns were run on different instances."""
    part_of = np.array([entrant.part for entrant in entrants])
    has_run = np.array([runs.has_run[part_of == part].any(axis=0) for part in np.unique(part_of)])
    shared, every = int(has_run.all(axis=0).sum()), has_run.shape[1]
    if shared < every:
        yield (
            f"{shared} of {every} instances were run in every folder; scores of different folders cover "
            "different instances (column missing)"
        )


def _warnings(parts: Sequence[Part]) -> Iterator[str]:
    """Yield what makes the rows of each part hard to compare, and those of different parts."""
    for part in parts:
        prefix = f"{part.label}: " if len(parts) > 1 else ""
        for warning in (*part.campaign.faults, *caveats(part.table, part.campaign.info["sessions"])):
            yield f"{prefix}{warning}"
        if unplanned := ", ".join(part.unplanned):
            yield f"{prefix}the last config has no {unplanned}; the report shows all runs that are stored"
        if part.missing:
            yield f"{prefix}{part.missing} of {part.planned} runs are still to be done"
    machines = {setting.machine for part in parts for setting in part.table.settings}
    if len(parts) > 1 and len(machines) > 1:
        yield f"the campaigns ran on different machines: {'; '.join(sorted(machines))}"
