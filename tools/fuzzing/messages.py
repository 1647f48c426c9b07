"""Fuzz targets for what other processes write: replies of runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from nonocsp.backends.base import MOST_COUNTED, Request, Task
from nonocsp.backends.run import check_solution
from nonocsp.model import FormatError, Puzzle
from nonocsp.run.reply import Reply, decode_reply
from tools.fuzzing.base import Target

PUZZLE = Puzzle.from_clues([[1], [1]], [[1], [1]])
"""Has two solutions."""
REQUEST = Request(Task.COUNT)
_WORDS = (
    '"answer":', '"unknown"', '"multiple"', '"termination":', '"ok"', '"crashed"', '"message":', '"wrong":',
    '"stats":', '"wall_s":', '"cpu_s":', '"solutions":', '"partial":', '"count":', '"count_at_least":',
    "true", "null", "1e999", "NaN",
)  # fmt: skip


def targets() -> Iterator[Target]:
    """Yield the targets."""
    yield Target("reply", _refusing(_reply), _check_reply, words=_WORDS)


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
