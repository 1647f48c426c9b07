"""Give a program a whole set of puzzles at once, and find out when each grid came.

Contest programs, and solvers that take long to start, read a set and print one grid after the other, each
behind ``$n`` or in the order of the puzzles. A campaign hands a set over as one puzzle, its carrier: puzzles
of one shape below each other, and after each a row full of a second colour (`nonocsp.bench.whole_sets` makes
it). What is found comes back as a partial grid of the carrier; the cells of puzzles without an answer are
open. It is verified puzzle by puzzle, by whoever made the carrier.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TypeVar

from nonocsp.backends.base import Unsupported
from nonocsp.backends.command.declaration import Rules
from nonocsp.backends.command.reading import read_text
from nonocsp.model import Clue, Grid, Palette, Puzzle

_HEADER = re.compile(rb"^[ \t]*\$[ \t]*(\d{1,9})[^\n]*\n", re.MULTILINE)
_BORDER = 2
"""The colour of the rows between puzzles."""
T = TypeVar("T")
Arrival = tuple[int, float]
"""How many bytes a program had printed by when, in seconds since its start."""


def carrier(puzzles: Sequence[Puzzle]) -> Puzzle:
    """Return the puzzle that stands for a set of puzzles of one shape and one colour."""
    width = puzzles[0].shape[1]
    full, border = Clue.of((width, _BORDER)), Clue.of((1, _BORDER))
    rows = [clue for puzzle in puzzles for clue in (*puzzle.rows, full)]
    columns = [
        Clue(block for puzzle in puzzles for block in (*puzzle.columns[i], *border)) for i in range(width)
    ]
    return Puzzle(tuple(rows), tuple(columns), palette=Palette.of(2))


def members(whole: Puzzle) -> list[Puzzle]:
    """Return the puzzles of a carrier; one puzzle in one colour is a set of its own."""
    if whole.palette.is_one_colour:
        return [whole]
    full = Clue.of((whole.shape[1], _BORDER))
    rows = _split(whole.rows, lambda clue: clue == full)
    columns = [_split(clue, lambda block: block.colour == _BORDER) for clue in whole.columns]
    if whole.rows[-1] != full or any(len(parts) != len(rows) for parts in columns):
        raise Unsupported("a whole set is given puzzles of one colour only")
    return [Puzzle(tuple(clues), tuple(Clue(parts[i]) for parts in columns)) for i, clues in enumerate(rows)]


def grid_of_set(whole: Puzzle, grids: Sequence[Grid | None]) -> Grid:
    """Return the partial grid of a carrier that holds the grids of its puzzles; None: no answer came."""
    candidates = Grid.unknown(*whole.shape, whole.palette).candidates.copy()
    height = whole.shape[0] // len(grids)
    for number, grid in enumerate(grids):
        if grid is not None:
            candidates[number * height : (number + 1) * height - 1] = grid.candidates
    return Grid(candidates)


def read_set(output: bytes, puzzles: Sequence[Puzzle], rules: Rules) -> list[tuple[Grid, int] | None]:
    """Return the grid of each puzzle and where in the output it ends; None for those without an answer.

    The output has a section for each puzzle behind a line ``$n``, or grids in their order.
    """
    found: list[tuple[Grid, int] | None] = [None] * len(puzzles)
    headers = [*_HEADER.finditer(output)]
    ends = [*(header.start() for header in headers[1:]), len(output)]
    for header, end in reversed([*zip(headers, ends, strict=True)] if headers else []):
        number = int(header[1]) - 1
        if 0 <= number < len(puzzles) and not found[number]:  # of several answers the last one counts
            section = output[header.end() : end]
            grids = read_text(section, puzzles[number], rules).grids
            if grids:
                found[number] = grids[0], header.end() + len(section.rstrip())
    if not headers:
        grids = read_text(output, puzzles[0], rules).grids
        size = len(output) // max(1, len(grids))
        found[: len(grids)] = [(grid, (i + 1) * size) for i, grid in enumerate(grids[: len(puzzles)])]
    return found


def times_text(found: Sequence[tuple[Grid, int] | None], arrivals: Sequence[Arrival], total_s: float) -> str:
    """Return for each puzzle its seconds and how many grids they cover, such as ``0.25/1``, or ``-``."""
    order = sorted((one[1], number) for number, one in enumerate(found) if one)
    times = ["-"] * len(found)
    shares = times_of([end for end, _ in order], arrivals, total_s)
    for (_, number), (seconds, together) in zip(order, shares, strict=True):
        times[number] = f"{seconds:.6f}/{together}"
    return " ".join(times)


def times_of(ends: Sequence[int], arrivals: Sequence[Arrival], total_s: float) -> Iterator[tuple[float, int]]:
    """Yield for each grid, in the order of printing, its seconds and how many grids share them equally.

    The time of a grid is that since the one before it came; grids that came together share it. `ends` says
    where in the output each grid ends, `arrivals` when so much of the output had come.
    """
    bytes_by, seconds = [count for count, _ in arrivals], [when for _, when in arrivals]
    places = [bisect_left(bytes_by, end) for end in ends]
    together = Counter(places)
    groups = [-1, *sorted(together)]
    took = {
        place: (seconds[place] if place < len(seconds) else total_s)
        - (0.0 if before < 0 else seconds[before])
        for before, place in pairwise(groups)
    }
    for place in places:
        yield took[place] / together[place], together[place]


def _split(parts: Iterable[T], is_border: Callable[[T], bool]) -> list[tuple[T, ...]]:
    """Return the parts between borders; there is one at the end."""
    found: list[tuple[T, ...]] = []
    current: list[T] = []
    for part in parts:
        if is_border(part):
            found.append(tuple(current))
            current = []
        else:
            current.append(part)
    return found
