"""Takes a census: counts what is not counted yet, keeps it at once, and adds everything up.

Work is cut into shares that take about `SHARE_S`, so that a process which is killed loses seconds; one shard
is the least, though, and of large sizes it takes longer. Nothing is reported before the images that were
counted are as many as there are.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from nonocsp.engine import StopFlag
from nonocsp.grading.census.counts import Census
from nonocsp.grading.census.ledger import FILE, Counted, gaps, read_counted, to_row
from nonocsp.grading.census.pools import Pool
from nonocsp.grading.census.tallies import Counts, Share, Tally, count, solutions, sweeps
from nonocsp.json_lines import JsonLines
from nonocsp.model import FormatError

SHARE_S = 1.0


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a tally is: so many of its images are counted, reflections included."""

    tally: str
    counted: int
    images: int


OnProgress = Callable[[Progress], None]


def take_census(
    rows: int,
    columns: int,
    folder: Path,
    pool: Pool,
    *,
    unique: bool = False,
    on_progress: OnProgress = lambda _: None,
) -> Census:
    """Return the census of a size.

    Parameters
    ----------
    folder
        Where what is counted is kept. What it has already is not counted again.
    unique
        Whether to count the solutions of all descriptions too.

    Raises
    ------
    UsageError
        For a size that is out of reach, and if another process is counting in the folder.
    FormatError
        If the folder has something else, or counts that do not add up.
    """
    graded = sweeps(rows, columns)
    solved = solutions(rows, columns) if unique else None
    with JsonLines(folder / FILE) as file:

        def counts(tally: Tally[Counts]) -> Counts:
            return _counts(tally, folder, file, pool, on_progress)

        found = counts(solved) if solved else None
        return Census(rows, columns, counts(graded), found)


def _counts(
    tally: Tally[Counts], folder: Path, file: JsonLines, pool: Pool, on_progress: OnProgress
) -> Counts:
    """Count what is missing of a tally; return its counts of all images."""
    done = read_counted(folder, tally)
    images = sum(one.counts.images for one in done)
    pace = _Pace()
    on_progress(Progress(tally.name, images, tally.images))
    for _, one in pool.run(timed_count, _shares(tally, gaps(done, len(tally.shards)), pace)):
        file.append(to_row(one))
        done.append(one)
        pace.learn(one)
        images += one.counts.images
        on_progress(Progress(tally.name, images, tally.images))
    if images != tally.images:
        found = f"the {tally.name} add up to {images} images"
        advice = f"{tally.images} of {tally.rows}x{tally.columns}; something changed the file: delete it"
        raise FormatError(found, file=str(folder / FILE), expected=advice)
    return sum((one.counts for one in done), tally.none)


def timed_count(share: Share[Counts], stop: StopFlag | None) -> Counted[Counts]:
    """Count some shards and see how long it takes."""
    started = time.thread_time()
    return Counted(share, count(share, stop), time.thread_time() - started)


@dataclass(slots=True)
class _Pace:
    """How many shards take about `SHARE_S`."""

    shards: int = 1

    def learn(self, counted: Counted[Counts]) -> None:
        size = counted.share.stop - counted.share.start
        if counted.seconds < SHARE_S / 2:
            self.shards = max(self.shards, 2 * size)
        elif counted.seconds > SHARE_S:
            self.shards = min(self.shards, max(1, size // 2))


def _shares(tally: Tally[Counts], missing: Iterable[range], pace: _Pace) -> Iterator[Share[Counts]]:
    """Yield the missing shards as shares, each of the size that is right when it is asked for."""
    for gap in missing:
        start = gap.start
        while start < gap.stop:
            stop = min(start + pace.shards, gap.stop)
            yield Share(tally, start, stop)
            start = stop
