"""Arrange the sessions of two campaigns as alternating blocks, and say how long each backend took in each.

The logarithm of a time is puzzle + backend's version + session + noise. A session (one start of the driver)
has a factor that all its backends share: frequency, temperature, neighbours. It also has noise of its own for
each backend. So runs of one session are no independent witnesses of a difference between versions; only
sessions are. Sessions of one version that follow each other without one of the other version between them
could all have met the same state of the machine. They count as one *block*.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter

import numpy as np

from nonocsp.bench.scoring.runs import BoolArray, FloatArray, IntArray, Runs
from nonocsp.bench.table import TERMINATIONS, digest

SHIFT_S = 1e-5
"""Shift of geometric means in comparisons: times far below it count as equal."""
MAX_STRAY = float(np.log(2.0))
"""How far a logarithmic time counts at most from its median over all blocks. One run that had to wait for a
core must not decide about a version."""
_OWN_ENDINGS = [TERMINATIONS.index(ending) for ending in ("ok", "crashed", "unsupported")]
LEAST_SHARE = 0.5
"""Blocks with less than this share of the runs of the largest one are left out, such as aborted sessions."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """N blocks of sessions in the order of their start, about B backends and Q questions.

    A *question* is an instance without its repeat.

    Parameters
    ----------
    is_after
        Which blocks belong to the second campaign, shape (N,).
    sessions
        How many sessions each campaign has.
    times
        Mean log time of each question, shape (N, B, Q), of `SHIFT_S` and the time up to the limit; NaN where
        there is no run, inf where an undecided run had no limit.
    undecided, failed
        Shares of undecided runs, and of those that ended or failed by themselves, shape (N, B, Q); NaN where
        there is no run.
    """

    is_after: BoolArray
    sessions: tuple[int, int]
    times: FloatArray
    undecided: FloatArray
    failed: FloatArray

    @property
    def of_each(self) -> int:
        """Blocks of the campaign that has fewer."""
        after = int(self.is_after.sum())
        return min(after, len(self.is_after) - after)

    def asked(self) -> BoolArray:
        """Return which questions each backend has answered in every block, shape (B, Q)."""
        return np.asarray(~np.isnan(self.times).any(axis=0))

    def levels(self) -> FloatArray:
        """Return the mean log time of each backend in each block, shape (N, B).

        Only questions of every block count that have a limit; NaN if there are none. What is done to the
        times may not depend on the version: the test relies on it.
        """
        with np.errstate(invalid="ignore"):
            middle = np.median(self.times, axis=0)
            times = middle + np.clip(self.times - middle, -MAX_STRAY, MAX_STRAY)
        return _means(times, self._timed())

    def medians(self, version: bool) -> FloatArray:
        """Return the mean of the median log times of each backend in a campaign, shape (B,).

        Parameters
        ----------
        version
            Whether the second campaign is meant.
        """
        with np.errstate(invalid="ignore"):
            middle = np.median(self.times[self.is_after == version], axis=0)
        return np.asarray(_means(middle[np.newaxis], self._timed())[0])

    def _timed(self) -> BoolArray:
        """Return the questions that count in levels, shape (B, Q)."""
        return np.asarray(self.asked() & np.isfinite(self.times).all(axis=0))

    def undecided_counts(self) -> FloatArray:
        """Return how many questions of every block each backend leaves undecided, shape (N, B)."""
        return np.asarray(np.where(self.asked(), self.undecided, 0.0).sum(axis=2))

    def has_run(self, version: bool) -> BoolArray:
        """Return which questions each backend has answered in a campaign, shape (B, Q).

        Parameters
        ----------
        version
            Whether the second campaign is meant.
        """
        return np.asarray(~np.isnan(self.times[self.is_after == version]).all(axis=0))

    def always(self, share: FloatArray, version: bool) -> BoolArray:
        """Return on which questions of a campaign a share is 1 in all blocks, shape (B, Q).

        Parameters
        ----------
        share
            Shape (N, B, Q), NaN where there is no run.
        version
            Whether the second campaign is meant.
        """
        own = share[self.is_after == version]
        return np.asarray(self.has_run(version) & ((own == 1.0) | np.isnan(own)).all(axis=0))


def arrange(before: Runs, after: Runs) -> Blocks:
    """Arrange the sessions of two campaigns, which have the same backends in the same order, as blocks.

    Parameters
    ----------
    before, after
        The campaigns; questions that only one of them has are left out.
    """
    common = np.intersect1d(questions(before), questions(after))
    parts = [_Part.of(runs, common) for runs in _with_common_limits(before, after)]
    block_of = _block_of(parts)
    is_after = np.zeros(1 + max(number for starts in block_of for number in starts.values()), bool)
    shape = len(is_after), len(before.backends), len(common)
    sums = np.zeros((4, int(np.prod(shape))))
    for version, (part, starts) in enumerate(zip(parts, block_of, strict=True)):
        is_after[[*starts.values()]] = bool(version)
        sums += part.sums(starts, shape)
    with np.errstate(invalid="ignore"):
        times, undecided, failed = (each.reshape(shape) for each in sums[1:] / sums[0])
    return Blocks(is_after, (len(parts[0].counts), len(parts[1].counts)), times, undecided, failed)


def questions(runs: Runs) -> IntArray:
    """Return 64 bits for each instance that are equal for all its repeats, shape (I,)."""
    asked = [digest(repr(asked[:-1])) for asked in runs.instances.asked]
    request = runs.instances.table["request"][runs.instances.first]
    puzzles = runs.instances.table.puzzles.key[runs.instances.puzzle]
    return np.asarray(puzzles ^ np.array(asked, np.uint64)[request])


def _with_common_limits(before: Runs, after: Runs) -> tuple[Runs, Runs]:
    """Return both campaigns with the largest CPU limit of each question in all its sessions.

    Otherwise an undecided run would count more where another backend took more CPU time.
    """
    limits_s = np.concatenate([before.cpu_limit_s, after.cpu_limit_s])
    _, question = np.unique(np.concatenate([questions(before), questions(after)]), return_inverse=True)
    largest_s = np.zeros(len(limits_s))
    np.maximum.at(largest_s, question, limits_s)
    first_s, second_s = np.split(largest_s[question], [len(before.instances)])
    return replace(before, cpu_limit_s=first_s), replace(after, cpu_limit_s=second_s)


@dataclass(frozen=True, slots=True)
class _Part:
    """The runs of one campaign on common questions.

    Parameters
    ----------
    question
        The number of each instance's question, shape (I,); of no meaning for those that are not common.
    cells
        Backends and instances of the runs on common questions.
    counts
        The number of these runs in each session, by its start.
    whole
        How many runs a session has that misses none.
    """

    runs: Runs
    question: IntArray
    cells: tuple[IntArray, ...]
    counts: dict[str, int]
    whole: int

    @classmethod
    def of(cls, runs: Runs, common: IntArray) -> _Part:
        key = questions(runs)
        cells = np.nonzero(runs.has_run & np.isin(key, common))
        numbers, counts = np.unique(runs.session[cells], return_counts=True)
        starts = [runs.sessions[number] for number in numbers]
        question = np.searchsorted(common, key)
        whole = len(np.unique(cells[0] * len(common) + question[cells[1]]))
        return cls(runs, question, cells, dict(zip(starts, counts.tolist(), strict=True)), whole)

    def sums(self, block_of: dict[str, int], shape: tuple[int, ...]) -> FloatArray:
        """Return numbers of runs, and sums of log times, of undecided and of failed runs, shape (4, N·B·Q).

        Parameters
        ----------
        block_of
            The blocks of sessions by their start.
        shape
            Numbers of blocks, backends and questions.
        """
        runs = self.runs
        blocks = np.array([block_of.get(start, -1) for start in runs.sessions])[runs.session[self.cells]]
        b, i = (each[blocks >= 0] for each in self.cells)
        place = np.ravel_multi_index((blocks[blocks >= 0], b, self.question[i]), shape)
        undecided = ~runs.is_decided[b, i]
        failed = undecided & np.isin(runs.termination[b, i], _OWN_ENDINGS)
        weights = (None, np.log(runs.censored_s[b, i] + SHIFT_S), undecided, failed)
        return np.array([np.bincount(place, each, int(np.prod(shape))) for each in weights])


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


def _means(values: FloatArray, chosen: BoolArray) -> FloatArray:
    """Return means over the chosen questions, shape (N, B); NaN without any.

    Parameters
    ----------
    values
        Shape (N, B, Q).
    chosen
        Shape (B, Q).
    """
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(chosen, values, 0.0).sum(axis=2) / chosen.sum(axis=1))
