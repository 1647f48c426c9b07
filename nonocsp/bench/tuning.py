"""Tune a backend: race candidates on training puzzles, and compare the winner with the default on others.

All runs are ordinary campaigns, in ``train`` and ``test`` below the folder; so an interrupted call resumes.
The puzzles are split by chance, by their clues. A candidate costs the shifted geometric mean of its times,
where an undecided run counts twice its limit. The winner of many candidates has been lucky as well: only the
test puzzles, which no candidate has seen, say whether it is better.

The race is successive halving: every round runs the remaining candidates on `FACTOR` times as many puzzles as
the round before and keeps the best, one in `FACTOR`; the last round is on all puzzles (Karnin, Koren &
Somekh, "Almost optimal exploration in multi-armed bandits", 2013; Jamieson & Talwalkar, 2016). The first
candidate is the one to beat and stays to the end. A round contains the puzzles of the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from math import ceil, inf
from pathlib import Path

import numpy as np

from nonocsp.bench.backend_entry import BackendEntry
from nonocsp.bench.campaign import CampaignResult, Listener, run_campaign
from nonocsp.bench.config import CampaignConfig
from nonocsp.bench.planning import Plan, PlannedRun, Shard
from nonocsp.bench.scoring import Pair, Runs, pairwise
from nonocsp.bench.scoring.means import shifted_mean
from nonocsp.bench.scoring.runs import PENALTY
from nonocsp.bench.scoring.significance import is_significant
from nonocsp.model import UsageError

LEAST_PUZZLES = 6
"""The fewest puzzles of a round and of each side: of fewer, no test can tell a difference from chance."""
FACTOR = 3
FINALISTS = 3
"""The most candidates of the last round, beside the first one."""


class Finding(StrEnum):
    """What the test puzzles say of the winner."""

    BETTER = "better"
    """Faster than the default by more than chance."""
    NOISE = "noise"
    """No difference that is more than chance."""
    WORSE = "worse"
    """Slower than the default by more than chance: it was lucky in training."""
    DEFAULT = "default"
    """No candidate was better than the default in training."""


@dataclass(frozen=True, slots=True)
class Among(Shard):
    """Only runs on some puzzles, given by the hashes of their clues."""

    hashes: frozenset[str] = frozenset()

    def select(self, plan: Plan) -> Iterator[PlannedRun]:
        """Yield the runs on these puzzles, in their order."""
        for runs in plan.by_instance():
            if runs[0].source.puzzle.canonical_hash in self.hashes:
                yield from runs


@dataclass(frozen=True, slots=True)
class Round:
    """How many candidates run on how many puzzles."""

    candidates: int
    puzzles: int


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a candidate came: the number of its last round, from 1, and its cost on the puzzles of that."""

    spec: str
    round: int
    puzzles: int
    cost_s: float


def rounds(candidates: int, puzzles: int) -> list[Round]:
    """Return the rounds of a race."""
    counts = [candidates]
    while counts[-1] > FINALISTS + 1:
        counts.append(1 + max(1, ceil((counts[-1] - 1) / FACTOR)))
    sizes = [max(puzzles // FACTOR**left, min(LEAST_PUZZLES, puzzles)) for left in range(len(counts))]
    return [Round(count, size) for count, size in zip(counts, reversed(sizes), strict=True)]


def race(
    candidates: Sequence[str], puzzles: int, costs: Callable[[Sequence[str], int], Sequence[float]]
) -> list[Standing]:
    """Return how far candidates came, the best first; a cost of inf rules one out, but never the first."""
    left, found = list(candidates), dict[str, Standing]()
    for number, plan in enumerate(rounds(len(candidates), puzzles), start=1):
        left = left[: plan.candidates]
        cost_of = dict(zip(left, costs(left, plan.puzzles), strict=True))
        found |= {spec: Standing(spec, number, plan.puzzles, cost_of[spec]) for spec in left}
        others = sorted((spec for spec in left[1:] if cost_of[spec] < inf), key=cost_of.__getitem__)
        left = [left[0], *others]
    return sorted(found.values(), key=lambda one: (-one.round, one.cost_s))


@dataclass(frozen=True)
class Task:
    """What is tuned, on what."""

    config: CampaignConfig  # its backends do not matter
    candidates: tuple[str, ...]  # specs; the first is the default that the others have to beat
    train: tuple[str, ...]  # hashes of the puzzles, in the order in which a race takes them
    test: tuple[str, ...]

    @classmethod
    def of(cls, config: CampaignConfig, candidates: Sequence[str], seed: int) -> Task:
        """Split the puzzles of a config into halves, by chance."""
        if config.limits.wall is None:
            raise UsageError(
                "tuning needs a wall limit, or a bad candidate never ends: set limits: {wall: 10s}"
            )
        if len(candidates) < 2:
            raise UsageError(
                f"there is nothing to compare {candidates[0]} with; name more values with --option"
            )
        plan = Plan(config.model_copy(update={"backends": _entries(candidates[:1])}))
        hashes = {runs[0].source.puzzle.canonical_hash for runs in plan.by_instance()}
        order = sorted(hashes, key=lambda text: blake2b(f"{seed} {text}".encode(), digest_size=8).digest())
        half = len(order) // 2
        if half < LEAST_PUZZLES:
            raise UsageError(
                f"{config.name} has {len(order)} different puzzles; tuning needs at least "
                f"{2 * LEAST_PUZZLES}, half of them to check the result on"
            )
        return cls(config, tuple(candidates), tuple(order[:half]), tuple(order[half:]))

    @property
    def rounds(self) -> list[Round]:
        """The rounds of the race."""
        return rounds(len(self.candidates), len(self.train))

    @property
    def instances_each(self) -> int:
        """How many runs a candidate has on a puzzle: seeds x repeats."""
        return len(set(self.config.seeds)) * self.config.repeats


@dataclass(frozen=True)
class Tuned:
    """The result."""

    default: str
    best: str  # the winner in training
    standings: list[Standing]  # in training, the best first
    pair: Pair | None  # the winner and the default on the test puzzles; None if that won
    finding: Finding
    is_sound: bool  # all answers are right and none contradict each other
    test: CampaignResult | None = None

    @property
    def train_ratio(self) -> float | None:
        """The cost of the winner by that of the default, in training."""
        cost = {one.spec: one.cost_s for one in self.standings}
        return cost[self.best] / cost[self.default] if cost[self.default] else None

    @property
    def choice(self) -> str:
        """The spec to use: the winner if it is better by more than chance, else the default."""
        return self.best if self.finding is Finding.BETTER else self.default


def tune(task: Task, folder: Path, *, scheduler: str | None = None, on_event: Listener) -> Tuned:
    """Race the candidates and check the winner; runs whose rows are in the folder are not repeated."""
    sound = True

    def run(part: str, specs: Sequence[str], puzzles: Sequence[str]) -> CampaignResult:
        nonlocal sound
        config = task.config.model_copy(update={"backends": _entries(specs)})
        chosen = Among(filters=(f"{part}: {len(puzzles)} puzzles",), hashes=frozenset(puzzles))
        result = run_campaign(config, folder / part, shard=chosen, scheduler=scheduler, on_event=on_event)
        sound = sound and result.is_sound
        return result

    standings = race(
        task.candidates,
        len(task.train),
        lambda specs, count: _costs(run("train", specs, task.train[:count]), specs),
    )
    default = task.candidates[0]
    last = standings[0].round
    best = min((one for one in standings if one.round == last), key=lambda one: one.cost_s).spec
    if best == default:
        return Tuned(default, best, standings, None, Finding.DEFAULT, sound)
    result = run("test", [best, default], task.test)
    [pair] = pairwise(_runs(result, [best, default]))
    return Tuned(default, best, standings, pair, _finding(pair), sound, result)


def _entries(specs: Sequence[str]) -> tuple[BackendEntry, ...]:
    return tuple(BackendEntry.model_construct(spec=spec, name=None, sweep=None) for spec in specs)


def _runs(result: CampaignResult, specs: Sequence[str]) -> Runs:
    """Return the runs of some specs; a folder's table also names those of earlier rounds."""
    return Runs.of(result.campaign.table, specs).of_backends(np.arange(len(specs)))


def _costs(result: CampaignResult, specs: Sequence[str]) -> list[float]:
    """Return the cost of each candidate on the puzzles of a round; inf for one that gave a wrong answer."""
    table, runs = result.campaign.table, _runs(result, specs)
    wrong = {table.backends[code] for code in np.unique(table["backend"][table["wrong"]])}
    found = [shifted_mean(times[~np.isnan(times)]) for times in runs.cost_s(PENALTY)]
    return [inf if cost is None or spec in wrong else cost for spec, cost in zip(specs, found, strict=True)]


def _finding(pair: Pair) -> Finding:
    """Return what a comparison says: it has to be significant, and its interval on one side of 1."""
    if pair.interval is None or not is_significant(pair.corrected_p_value):
        return Finding.NOISE
    low, high = pair.interval
    if high < 1.0:
        return Finding.BETTER
    return Finding.WORSE if low > 1.0 else Finding.NOISE
