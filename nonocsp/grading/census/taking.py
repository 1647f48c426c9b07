"""Take a census: count the shards that the ledger lacks, keep each at once, and add everything up.

A task counts as many shards as take about `TASK_S`, so that a process which is killed loses seconds; it
counts at least one, which takes longer at large sizes. Nothing is reported before all images are counted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from nonocsp.engine import StopFlag
from nonocsp.grading.census.counts import Census
from nonocsp.grading.census.ledger import FILE, Counted, gaps, read_counted, to_row
from nonocsp.grading.census.pools import CensusPool
from nonocsp.grading.census.tallies import Counts, ShardRange, Tally, solutions, sweeps
from nonocsp.json_lines import JsonLines
from nonocsp.model import FormatError

TASK_S = 1.0


@dataclass(frozen=True, slots=True)
class TallyProgress:
    """The progress of a tally: images counted, reflections included, of all images."""

    tally: str
    counted: int
    images: int


OnProgress = Callable[[TallyProgress], None]


def take_census(
    rows: int,
    columns: int,
    folder: Path,
    pool: CensusPool,
    *,
    unique: bool = False,
    on_progress: OnProgress = lambda _: None,
) -> Census:
    """Return the census of a size."""
    graded = sweeps(rows, columns)
    solved = solutions(rows, columns) if unique else None
    with JsonLines(folder / FILE) as file:
        ledger = folder, file
        found = _counts(solved, ledger, pool, on_progress) if solved else None
        return Census(rows, columns, _counts(graded, ledger, pool, on_progress), found)


def _counts(
    tally: Tally[Counts], ledger: tuple[Path, JsonLines], pool: CensusPool, on_progress: OnProgress
) -> Counts:
    """Count the shards of a tally that the ledger lacks; return the counts of all images."""
    folder, file = ledger
    done = read_counted(folder, tally)
    images = sum(one.counts.images for one in done)
    pace = _Pace()
    on_progress(TallyProgress(tally.name, images, tally.images))
    for _, one in pool.run(timed_count, pace.ranges(tally, gaps(done, len(tally.shards)))):
        file.append(to_row(one))
        done.append(one)
        pace.learn(one)
        images += one.counts.images
        on_progress(TallyProgress(tally.name, images, tally.images))
    if images != tally.images:
        found = f"the {tally.name} add up to {images} images"
        advice = f"{tally.images} of {tally.rows}x{tally.columns}; something changed the file: delete it"
        raise FormatError(found, file=str(folder / FILE), expected=advice)
    return sum((one.counts for one in done), tally.none)


def timed_count(shards: ShardRange[Counts], stop: StopFlag | None) -> Counted[Counts]:
    """Count some shards and measure the CPU seconds."""
    started = time.thread_time()
    return Counted(shards, shards.count(stop), time.thread_time() - started)


@dataclass(slots=True)
class _Pace:
    """Learns how many shards take about `TASK_S`."""

    shards: int = 1

    def learn(self, counted: Counted[Counts]) -> None:
        size = counted.shards.stop - counted.shards.start
        if counted.seconds < TASK_S / 2:
            self.shards = max(self.shards, 2 * size)
        elif counted.seconds > TASK_S:
            self.shards = min(self.shards, max(1, size // 2))

    def ranges(self, tally: Tally[Counts], missing: Iterable[range]) -> Iterator[ShardRange[Counts]]:
        """Yield the missing shards, in ranges of the size that is right when each is asked for."""
        for gap in missing:
            start = gap.start
            while start < gap.stop:
                stop = min(start + self.shards, gap.stop)
                yield ShardRange(tally, start, stop)
                start = stop
