"""Show the rungs of the ladder in the manual, and count how often each is stronger than another.

    python docs/from_code/ladder.py [COUNT [SIDE]]

prints a table for COUNT (1000) random images of SIDE x SIDE (8) cells, half of them filled.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import numpy as np
from markup import table

import nonocsp
from nonocsp.datasets import random_set
from nonocsp.grading.ladder import BACKENDS, Ladder, fixpoints
from nonocsp.grading.ladder import ladder as climb
from nonocsp.grading.ladder.telling import records
from nonocsp.render.plain import plain

PUZZLE = Path(__file__).parents[1] / "explanation" / "wink.non"
_SHOWN = 3
"""Steps of a rung that the manual shows."""


@cache
def _climbed() -> Ladder:
    return climb(nonocsp.load(PUZZLE))


def _rung(method: str) -> str:
    """Return a rung's first news, and its end and limit unless an earlier rung has the same."""
    climbed, place = _climbed(), [*BACKENDS].index(method)
    rung = records(climbed)[place]
    steps = rung["steps"]
    shown = steps[:_SHOWN] if method != "learning" else _to_second_clause(steps)
    listed = "".join(f"{i}. *{step['title']}*: {step['text']}\n" for i, step in enumerate(shown, 1))
    more = f"{len(steps)} steps." if len(steps) > len(shown) else ""
    head = f"**{rung['known']} of {rung['cells']} cells.** {more}"
    ends = [each.end for each in climbed.rungs[: place + 1]]
    alike = next(i for i, end in enumerate(ends) if end == ends[place])
    if alike < place:
        return f"{head} The grid is that of {records(climbed)[alike]['name']}.\n\n{listed}"
    picture = f"```text\n{plain(climbed.puzzle, ends[place])}\n```\n\n" if rung["known"] else ""
    return f"{head}\n\n{picture}{listed}\n**Cannot:** {rung['cannot']}"


def _to_second_clause(steps: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return the steps of learning without propagation, up to the second learnt clause."""
    told = [step for step in steps if not step["title"].startswith("propagation")]
    ends = [i for i, step in enumerate(told) if step["title"].startswith("learnt")]
    return told[: ends[1] + 1]


RUNGS: dict[str, Callable[[], str]] = {f"ladder {method}": partial(_rung, method) for method in BACKENDS}


def _compare(count: int, side: int) -> str:
    """Return in how many puzzles the method of a row excludes a value that the one of a column does not."""
    methods = [method for method in BACKENDS if method != "learning"]
    beyond, full = np.zeros((len(methods), len(methods)), int), np.zeros(len(methods), int)
    for puzzle in random_set(1, count=count, rows=side, columns=side):
        rungs = fixpoints(puzzle)
        beyond += [[rung.exceeds(other) for other in rungs] for rung in rungs]
        full += [rung.end.is_full for rung in rungs]
    rows = zip(methods, full.tolist(), beyond.tolist(), strict=True)
    return table(["method", "fills", *methods], [[method, fills, *more] for method, fills, more in rows])


if __name__ == "__main__":
    given = [int(number) for number in sys.argv[1:]]
    print(_compare(*given, *(1000, 8)[len(given) :]))
