"""The ledger of a census on disk: ``shards.jsonl``, a row for each range of counted shards.

A row has the ``tally``, the positions ``start`` and ``stop`` of its shards, the CPU ``seconds`` that they
took, and their counts. Shards that the file lacks are not counted yet.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Generic

from nonocsp.backends.base import Bounds
from nonocsp.grading.census.tallies import Counts, ShardRange, Tally
from nonocsp.json_lines import Row, read_json_lines
from nonocsp.model import FormatError

FILE = "shards.jsonl"


@dataclass(frozen=True, slots=True)
class Counted(Generic[Counts]):
    """The counts of some shards."""

    shards: ShardRange[Counts]
    counts: Counts  # their counts, weighted
    seconds: float  # CPU seconds that counting took


@dataclass(frozen=True, slots=True)
class _Range:
    """What a row says of its shards, beside the counts."""

    start: Annotated[int, Bounds(0)]
    stop: int
    seconds: Annotated[float, Bounds(0)]


def to_row(counted: Counted[Counts]) -> Row:
    """Return the row of some counted shards."""
    shards = counted.shards
    place = {"tally": shards.tally.name, "start": shards.start, "stop": shards.stop}
    return {**place, "seconds": round(counted.seconds, 3), **asdict(counted.counts)}


def read_counted(folder: Path, tally: Tally[Counts]) -> list[Counted[Counts]]:
    """Return the counted shards of a tally, in order; nothing if there is no such folder."""
    from pydantic import TypeAdapter, ValidationError

    from nonocsp.faults import first_fault

    path = folder / FILE
    ranges, counts = TypeAdapter(_Range), TypeAdapter(type(tally.none))

    def invalid(line: int, what: str) -> FormatError:
        advice = "shards of this size, each once; without the line they are counted again"
        return FormatError(what, file=str(path), line=line, expected=advice)

    def parse(row: Row, line: int) -> Counted[Counts]:
        try:
            found, counted = ranges.validate_python(row), counts.validate_python(row)
        except ValidationError as error:
            raise invalid(line, first_fault(error)) from None
        if not found.start < found.stop <= len(tally.shards):
            raise invalid(
                line, f"{tally.name} of shards {found.start} to {found.stop} of {len(tally.shards)}"
            )
        return Counted(ShardRange(tally, found.start, found.stop), counted, found.seconds)

    if not path.exists():
        return []
    stored = enumerate(read_json_lines(path), start=1)
    numbered = [(parse(row, line), line) for line, row in stored if row.get("tally") == tally.name]
    numbered.sort(key=lambda entry: entry[0].shards.start)
    for (before, line), (after, other) in pairwise(numbered):
        if after.shards.start < before.shards.stop:
            repeated = f"{tally.name} of shard {after.shards.start} for the second time"
            raise invalid(max(line, other), repeated)
    return [counted for counted, _ in numbered]


def gaps(counted: Iterable[Counted[Counts]], shards: int) -> list[range]:
    """Return the ranges of shards that are not counted yet."""
    bounds = [0, *(bound for one in counted for bound in (one.shards.start, one.shards.stop)), shards]
    between = zip(bounds[::2], bounds[1::2], strict=True)
    return [range(start, stop) for start, stop in between if start < stop]
