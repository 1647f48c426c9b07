"""Fuzz targets for what other processes write: replies of runs, results and offers of workers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from nonocsp.backends.base import MOST_COUNTED, Request, Task
from nonocsp.backends.run import check_solution
from nonocsp.bench.rows import encode_row
from nonocsp.model import FormatError, Puzzle
from nonocsp.run.cluster_worker import decode_offers
from nonocsp.run.cluster_worker import decode_reply as decode_results
from nonocsp.run.jobs import Job, Measurement
from nonocsp.run.reply import Reply, decode_reply
from tools.fuzzing.base import Target

PUZZLE = Puzzle.from_clues([[1], [1]], [[1], [1]])
"""Has two solutions."""
REQUEST = Request(Task.COUNT)
JOBS = (Job(PUZZLE, "settle", REQUEST, "a"), Job(PUZZLE, "hybrid", REQUEST, "b"))
_WORDS = (
    '"answer":', '"unknown"', '"multiple"', '"termination":', '"ok"', '"crashed"', '"message":', '"wrong":',
    '"stats":', '"wall_s":', '"cpu_s":', '"solutions":', '"partial":', '"count":', '"count_at_least":',
    "true", "null", "1e999", "NaN",
)  # fmt: skip


def targets() -> Iterator[Target]:
    """Yield the targets."""
    yield Target("reply", _refusing(_reply), _check_reply, words=_WORDS)
    yield Target("results", _refusing(_results), _check_results, words=(*_WORDS, '"spent_s":', '"runs":'))
    yield Target("offers", _refusing(decode_offers), words=('"provenance":', '"problem":', '"versions":'))


def _refusing(read: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    """Return a reader whose refusals are those of files: these decoders raise ValueError."""

    def reader(data: bytes) -> Any:
        try:
            return read(data)
        except ValueError as error:
            raise FormatError(str(error)) from None

    return reader


def _reply(data: bytes) -> Reply:
    return decode_reply(data, PUZZLE, REQUEST)


def _check_reply(reply: Reply) -> None:
    """Assert that solutions are some, that statistics can be stored, and that claims are possible."""
    for grid in reply.outcome.solutions:
        check_solution(PUZZLE, grid)
    json.dumps(reply.outcome.record(PUZZLE), allow_nan=False).encode()
    outcome = reply.outcome
    assert len(outcome.solutions) <= outcome.count_at_least <= MOST_COUNTED
    assert outcome.count in (None, outcome.count_at_least)
    assert all(claim is None or 0 <= claim < float("inf") for claim in reply[1:])


def _results(data: bytes) -> list[tuple[Measurement, float]]:
    return decode_results(data, JOBS, "dask")


def _check_results(found: list[tuple[Measurement, float]]) -> None:
    """Assert that all that was measured can be told in a row."""
    for measurement, _ in found:
        outcome = measurement.outcome
        assert all(0 <= value < float("inf") for value in (outcome.wall_s, outcome.cpu_s))
        encode_row({**outcome.record(PUZZLE), "conditions": measurement.conditions.record()})
