"""The two tallies of a census, which the core counts in shards.

`sweeps` grades every image; `solutions` counts the solutions of every description. A shard has the images
with the same outer lines of one axis, or with the same clues of these lines. An image and its reflections
have the same difficulty, and their descriptions the same number of solutions. So of shards that are
reflections of each other the core lists one, with their number as its weight. Counts here are weighted: those
of all listed shards add up to those of all images.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

from nonocsp.engine import StopFlag
from nonocsp.engine.images import SolutionCensus, SweepCensus
from nonocsp.grading.census.counts import Difficulties, Solutions
from nonocsp.model import UsageError

Shard = tuple[int, int, int]
"""First and last line, and the weight."""

Core = SweepCensus | SolutionCensus
Counts = TypeVar("Counts", Difficulties, Solutions)


@dataclass(frozen=True, slots=True)
class Tally(Generic[Counts]):
    """The counts of all images of a size that one of the core's censuses makes."""

    name: str  # ``sweeps`` or ``solutions``
    rows: int
    columns: int
    core: type[Core]
    none: Counts
    weighted: Callable[[Any, int], Counts]  # converts the core's counts of a shard, given with its weight

    @property
    def images(self) -> int:
        """The number of images of the size."""
        return 1 << self.rows * self.columns

    @property
    def shards(self) -> Sequence[Shard]:
        """The shards to count."""
        return _counter(self)[1]


@dataclass(frozen=True, slots=True)
class ShardRange(Generic[Counts]):
    """Adjacent shards of a tally: the work of one task."""

    tally: Tally[Counts]
    start: int
    stop: int  # behind the last

    def count(self, stop: StopFlag | None = None) -> Counts:
        """Count the shards."""
        core, shards = _counter(self.tally)
        own = shards[self.start : self.stop]
        counts = (self.tally.weighted(core.count(shard, stop, None), shard[2]) for shard in own)
        return sum(counts, self.tally.none)


def sweeps(rows: int, columns: int) -> Tally[Difficulties]:
    """Return the tally that grades every image of a size."""
    none, weighted = Difficulties(), Difficulties.of_histogram
    return _within_reach(Tally("sweeps", rows, columns, SweepCensus, none, weighted))


def solutions(rows: int, columns: int) -> Tally[Solutions]:
    """Return the tally that counts the solutions of every description of a size."""
    none, weighted = Solutions(), Solutions.of_counts
    return _within_reach(Tally("solutions", rows, columns, SolutionCensus, none, weighted))


def _within_reach(tally: Tally[Counts]) -> Tally[Counts]:
    try:
        _counter(tally)
    except ValueError as error:
        size = f"{tally.rows}x{tally.columns}"
        raise UsageError(
            f"a census of {size} is out of reach: {error}; --sample N grades random images"
        ) from None
    return tally


@cache
def _counter(tally: Tally[Any]) -> tuple[Core, Sequence[Shard]]:
    """Return the core's census, which threads can share, and its shards."""
    made = tally.core(tally.rows, tally.columns)
    return made, made.shards()
