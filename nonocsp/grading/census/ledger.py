"""What is counted of a size, on disk: ``shards.jsonl``, a row for every share.

A row has the ``tally``, the positions ``start`` and ``stop`` of its shards, the CPU ``seconds`` that they
took, and their counts. What the file lacks, whatever ended its writer, is not counted yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Generic

from nonocsp.grading.census.tallies import Counts, Share, Tally
from nonocsp.json_lines import Row, read_json_lines
from nonocsp.model import FormatError

FILE = "shards.jsonl"


@dataclass(frozen=True, slots=True)
class Counted(Generic[Counts]):
    """A share that was counted, in so many seconds of CPU."""

    share: Share[Counts]
    counts: Counts
    seconds: float


def to_row(counted: Counted[Counts]) -> Row:
    """Return a share as it is stored."""
    share = counted.share
    place = {"tally": share.tally.name, "start": share.start, "stop": share.stop}
    return {**place, "seconds": round(counted.seconds, 3), **asdict(counted.counts)}


def read_counted(folder: Path, tally: Tally[Counts]) -> list[Counted[Counts]]:
    """Return what is counted of a tally, in the order of its shards; nothing if there is no such folder.

    Raises
    ------
    FormatError
        At a row that is no share of this tally, or has shards that another one has too.
    """
    path = folder / FILE
    if not path.exists():
        return []
    parse = _parser(tally, path)
    stored = enumerate(read_json_lines(path), start=1)
    numbered = [(parse(row, line), line) for line, row in stored if row.get("tally") == tally.name]
    numbered.sort(key=lambda entry: entry[0].share.start)
    for (before, line), (after, other) in pairwise(numbered):
        if after.share.start < before.share.stop:
            twice = f"{tally.name} of shard {after.share.start} for the second time"
            raise _not_a_share(path, max(line, other), twice)
    return [counted for counted, _ in numbered]


def gaps(counted: Iterable[Counted[Counts]], shards: int) -> list[range]:
    """Return which of so many shards are not counted yet."""
    bounds = [0, *(bound for one in counted for bound in (one.share.start, one.share.stop)), shards]
    between = zip(bounds[::2], bounds[1::2], strict=True)
    return [range(start, stop) for start, stop in between if start < stop]


def _parser(tally: Tally[Counts], path: Path) -> Callable[[Row, int], Counted[Counts]]:
    """Return what makes a share of a row and the number of its line."""
    from pydantic import NonNegativeFloat, NonNegativeInt, TypeAdapter, ValidationError

    position, seconds = TypeAdapter(NonNegativeInt), TypeAdapter(NonNegativeFloat)
    counts = TypeAdapter(type(tally.none))

    def parse(row: Row, line: int) -> Counted[Counts]:
        try:
            start, stop = (position.validate_python(row.get(key)) for key in ("start", "stop"))
            share = Share(tally, start, stop)
            counted = Counted(share, counts.validate_python(row), seconds.validate_python(row.get("seconds")))
        except ValidationError as error:
            raise _not_a_share(path, line, error.errors()[0]["msg"]) from None
        if not start < stop <= len(tally.shards):
            raise _not_a_share(path, line, f"{tally.name} of shards {start} to {stop} of {len(tally.shards)}")
        return counted

    return parse


def _not_a_share(path: Path, line: int, what: str) -> FormatError:
    advice = "shards of this size, each once; without the line they are counted again"
    return FormatError(what, file=str(path), line=line, expected=advice)
