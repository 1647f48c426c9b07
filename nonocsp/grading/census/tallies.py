"""The two tallies of a census, and how the core counts them in shards.

`sweeps` grades every image; `solutions` counts the solutions of every description. A shard has the images
with the same first and the same last row, or with the same clues of these rows. An image and its reflections
are as difficult as each other, and their descriptions have as many solutions; so of shards that are
reflections of each other the core lists one, with their number as its weight. Counts here are weighted: those
of all listed shards add up to those of all images.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

from nonocsp.engine import StopFlag
from nonocsp.engine.census import SolutionCensus, SweepCensus
from nonocsp.grading.census.counts import Difficulties, Solutions
from nonocsp.model import UsageError

Shard = tuple[int, int, int]
"""First and last row, and the weight."""

Core = SweepCensus | SolutionCensus
Counts = TypeVar("Counts", Difficulties, Solutions)


@dataclass(frozen=True, slots=True)
class Tally(Generic[Counts]):
    """What is counted of all images of a size.

    Parameters
    ----------
    core
        What counts it.
    none
        The counts of no images.
    weighted
        Makes counts of what the core returns for a shard of this weight.
    """

    name: str
    rows: int
    columns: int
    core: type[Core]
    none: Counts
    weighted: Callable[[Any, int], Counts]

    @property
    def images(self) -> int:
        """How many images there are."""
        return 1 << self.rows * self.columns

    @property
    def shards(self) -> Sequence[Shard]:
        """The shards to be counted."""
        return _counter(self)[1]


@dataclass(frozen=True, slots=True)
class Share(Generic[Counts]):
    """Some shards of a tally that stand next to each other: a piece of work.

    Parameters
    ----------
    start, stop
        The position of the first shard, and the one behind the last.
    """

    tally: Tally[Counts]
    start: int
    stop: int


def sweeps(rows: int, columns: int) -> Tally[Difficulties]:
    """Return the tally that grades every image of a size.

    Raises
    ------
    UsageError
        For a size that is out of reach.
    """
    return _within_reach(Tally("sweeps", rows, columns, SweepCensus, Difficulties(), _difficulties))


def solutions(rows: int, columns: int) -> Tally[Solutions]:
    """Return the tally that counts the solutions of every description of a size.

    Raises
    ------
    UsageError
        For a size that is out of reach.
    """
    return _within_reach(Tally("solutions", rows, columns, SolutionCensus, Solutions(), _solutions))


def count(share: Share[Counts], stop: StopFlag | None = None) -> Counts:
    """Count some shards.

    Raises
    ------
    Interrupted
        If the flag is set before they are counted.
    """
    tally = share.tally
    core, shards = _counter(tally)
    own = shards[share.start : share.stop]
    return sum((tally.weighted(core.count(shard, stop, None), shard[2]) for shard in own), tally.none)


def _difficulties(histogram: Any, weight: int) -> Difficulties:
    images = [weight * number for number in histogram.tolist()]
    most = max((sweeps for sweeps, number in enumerate(images) if number), default=0)
    return Difficulties(sum(images), tuple(images[1 : most + 1]))


def _solutions(counted: tuple[int, int, int, int], weight: int) -> Solutions:
    images, descriptions, unique, most = counted
    return Solutions(weight * images, weight * descriptions, weight * unique, most)


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
