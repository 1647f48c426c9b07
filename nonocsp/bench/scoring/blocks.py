"""Arrange the sessions of two campaigns as alternating blocks, and say how long each backend took in each.

The logarithm of a time is puzzle + backend's version + session + noise. A session has a factor that all its
backends share, and noise of its own for each. So runs of one session are no independent witnesses; only
sessions are. Sessions of one version without one of the other between them count as one *block*.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from nonocsp.bench.scoring.runs import BoolArray, FloatArray, IntArray, Runs
from nonocsp.bench.table import TERMINATIONS, digest
from nonocsp.model import UsageError

SHIFT_S = 1e-5
"""Shift of geometric means in comparisons: times far below it count as equal."""
MAX_STRAY = float(np.log(2.0))
"""How far a logarithmic time counts at most from its median over all blocks. One run that had to wait for a
core must not decide about a version."""
_OWN_ENDINGS = [TERMINATIONS.index(ending) for ending in ("ok", "crashed", "unsupported")]
MAX_BLOCKS = 1000
"""The most blocks of a comparison: the test draws up to 100 000 ways to share out their labels."""
LEAST_SHARE = 0.5
"""Blocks with less than this share of the runs of the largest one are left out, such as aborted sessions."""


@dataclass(frozen=True, slots=True)
class Cells:
    """What one backend did in N blocks on Q questions: a cell for each block and question that has runs."""

    is_after: BoolArray  # whether a block belongs to the second campaign, shape (N,)
    questions: int  # instances without their repeat
    block: IntArray
    question: IntArray
    times: FloatArray  # mean logarithms of `SHIFT_S` and the time up to the limit; inf without one
    undecided: FloatArray  # share of undecided runs
    failed: FloatArray  # share of those that ended or failed by themselves

    @classmethod
    def of(
        cls, is_after: BoolArray, questions: int, block: IntArray, question: IntArray, *values: NDArray[Any]
    ) -> Self:
        """Return the means of the runs in each cell."""
        places, cell = np.unique(block * questions + question, return_inverse=True)
        runs = np.bincount(cell)
        means = (np.bincount(cell, each) / runs for each in values)
        return cls(is_after, questions, *np.divmod(places, questions), *means)

    def levels(self) -> FloatArray:
        """Return the mean log time of the timed questions in each block, shape (N,); NaN without any."""
        times = self._timed()  # nothing done to them depends on the version: the test relies on it
        middle = np.median(times, axis=0)
        return _means(middle + np.clip(times - middle, -MAX_STRAY, MAX_STRAY))

    def median(self, version: bool) -> float:
        """Return the mean of the median log times of a campaign: the second one if `version`."""
        middle = np.median(self._timed()[self.is_after == version], axis=0)
        return float(_means(middle[np.newaxis])[0])

    def undecided_counts(self) -> FloatArray:
        """Return how many questions of every block are undecided in each, shape (N,); NaN if none."""
        undecided = self._of_every_block(self.undecided)
        return np.asarray(undecided.sum(axis=1) if undecided.size else np.full(len(undecided), np.nan))

    def has_run(self, version: bool) -> BoolArray:
        """Return which questions have runs in a campaign, the second one if `version`, shape (Q,)."""
        return np.asarray(self._count(self.is_after[self.block] == version) > 0)

    def turned(self, share: FloatArray, version: bool) -> BoolArray:
        """Return the questions always decided in one campaign, and never (the share is 1) in the other."""
        return self._always(share, version) & self._always(1.0 - self.undecided, not version)

    def _always(self, share: FloatArray, version: bool) -> BoolArray:
        own = self.is_after[self.block] == version
        return np.asarray(self.has_run(version) & (self._count(own & (share != 1.0)) == 0))

    def _count(self, chosen: BoolArray) -> IntArray:
        """Return how many of the chosen cells each question has, shape (Q,)."""
        return np.bincount(self.question[chosen], minlength=self.questions)

    def _of_every_block(self, values: FloatArray) -> FloatArray:
        """Return values of the cells as a matrix, one column for each question of every block."""
        is_asked = np.bincount(self.question, minlength=self.questions) == len(self.is_after)
        return np.asarray(values[is_asked[self.question]].reshape(len(self.is_after), -1))

    def _timed(self) -> FloatArray:
        """Return the times of the questions that count in levels, one column each."""
        times = self._of_every_block(self.times)
        return np.compress(np.isfinite(times).all(axis=0), times, axis=1)


@dataclass(frozen=True, slots=True)
class Blocks:
    """N blocks of sessions in the order of their start, about several backends."""

    is_after: BoolArray  # whether a block belongs to the second campaign, shape (N,)
    sessions: tuple[int, int]  # of each campaign
    backends: tuple[Cells, ...]

    @property
    def of_each(self) -> int:
        """Blocks of the campaign that has fewer."""
        after = int(self.is_after.sum())
        return min(after, len(self.is_after) - after)


def arrange(before: Runs, after: Runs) -> Blocks:
    """Arrange the sessions of two campaigns, which have the same backends in the same order, as blocks."""
    common = np.intersect1d(questions(before), questions(after))
    parts = [_Part.of(runs, common) for runs in _with_common_limits(before, after)]
    block_of = _block_of(parts)
    is_after = np.zeros(1 + max(number for starts in block_of for number in starts.values()), bool)
    if len(is_after) > MAX_BLOCKS:
        many = f"their sessions make {len(is_after)} alternating blocks; expected at most {MAX_BLOCKS}"
        raise UsageError(f"{many}: measure more runs in each session")
    is_after[[*block_of[1].values()]] = True
    numbers = [
        np.array([starts.get(start, -1) for start in part.runs.sessions])
        for part, starts in zip(parts, block_of, strict=True)
    ]
    backends = []
    for b in range(len(before.backends)):
        runs = [part.runs_of(b, number) for part, number in zip(parts, numbers, strict=True)]
        columns = map(np.concatenate, zip(*runs, strict=True))
        backends.append(Cells.of(is_after, len(common), *columns))
    return Blocks(is_after, (len(parts[0].counts), len(parts[1].counts)), tuple(backends))


def questions(runs: Runs) -> IntArray:
    """Return 64 bits for each instance that are equal for all its repeats, shape (I,)."""
    asked = [digest(repr(asked[:-1])) for asked in runs.instances.asked]
    request = runs.instances.table["request"][runs.instances.first]
    puzzles = runs.instances.table.puzzles.key[runs.instances.puzzle]
    return np.asarray(puzzles ^ np.array(asked, np.uint64)[request])


def _with_common_limits(before: Runs, after: Runs) -> tuple[Runs, Runs]:
    """Return both campaigns with the largest CPU limit of each question in all its sessions."""
    # or an undecided run would count more where another backend took more CPU time
    limits_s = np.concatenate([before.cpu_limit_s, after.cpu_limit_s])
    _, question = np.unique(np.concatenate([questions(before), questions(after)]), return_inverse=True)
    largest_s = np.zeros(len(limits_s))
    np.maximum.at(largest_s, question, limits_s)
    first_s, second_s = np.split(largest_s[question], [len(before.instances)])
    return replace(before, cpu_limit_s=first_s), replace(after, cpu_limit_s=second_s)


@dataclass(frozen=True, slots=True)
class _Part:
    """The runs of one campaign on common questions."""

    runs: Runs
    question: IntArray  # number of each instance's question, if it is common, shape (I,)
    is_common: BoolArray
    counts: dict[str, int]  # runs on them in each session, by its start
    whole: int  # runs of a session that misses none

    @classmethod
    def of(cls, runs: Runs, common: IntArray) -> _Part:
        key = questions(runs)
        is_common = np.isin(key, common)
        b, i = np.nonzero(runs.has_run & is_common)
        numbers, counts = np.unique(runs.session[b, i], return_counts=True)
        starts = [runs.sessions[number] for number in numbers]
        question = np.searchsorted(common, key)
        whole = len(np.unique(b * len(common) + question[i]))
        return cls(runs, question, is_common, dict(zip(starts, counts.tolist(), strict=True)), whole)

    def runs_of(self, b: int, block_of: IntArray) -> tuple[NDArray[Any], ...]:
        """Return the runs of a backend: block, question, log time, whether undecided, whether failed."""
        runs = self.runs
        i = np.flatnonzero(runs.has_run[b] & self.is_common)
        i = i[block_of[runs.session[b, i]] >= 0]
        undecided = ~runs.is_decided[b, i]
        failed = undecided & np.isin(runs.termination[b, i], _OWN_ENDINGS)
        times = np.log(runs.censored_s[b, i] + SHIFT_S)
        return block_of[runs.session[b, i]], self.question[i], times, undecided, failed


def _block_of(parts: list[_Part]) -> list[dict[str, int]]:
    """Return the block of each session by its start, for each campaign; small blocks are left out."""
    order = sorted((start, version) for version, part in enumerate(parts) for start in part.counts)
    while True:
        groups = [list(group) for _, group in groupby(order, key=itemgetter(1))]
        runs = [
            min(sum(parts[version].counts[start] for start, version in group), parts[group[0][1]].whole)
            for group in groups
        ]
        kept = [group for group, size in zip(groups, runs, strict=True) if size >= LEAST_SHARE * max(runs)]
        if len(kept) == len(groups) or len({group[0][1] for group in kept}) < 2:
            break
        order = [session for group in kept for session in group]
    blocks: list[dict[str, int]] = [{}, {}]
    for number, group in enumerate(groups):
        for start, version in group:
            blocks[version][start] = number
    return blocks


def _means(values: FloatArray) -> FloatArray:
    """Return the mean of each line; NaN without columns."""
    with np.errstate(invalid="ignore"):
        return np.asarray(values.sum(axis=1) / values.shape[1])
