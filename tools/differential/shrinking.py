"""Shrink a fault to what a developer needs: the backends, the smallest puzzle, and a failing test.

Shrinking is greedy, like delta debugging (Zeller & Hildebrandt, Simplifying and isolating failure-inducing
input, 2002). The first simpler puzzle that still fails replaces the puzzle, larger steps first, until none
fails. A puzzle with a goal is simplified through its image, and finally any puzzle clue by clue.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nonocsp.backends.base import Request, Termination
from nonocsp.bench.agreement import Checked, save_finding
from nonocsp.model import Clue, Grid, Puzzle, PuzzleError
from tools.differential.comparing import LOST, compare, compare_apart
from tools.differential.table import faults

PATIENCE_S = 60.0
"""Seconds for shrinking a puzzle."""
Lines = list[list[tuple[int, int]]]
"""The clues of all rows or all columns: length and colour of each block."""


def reduced(puzzle: Puzzle, checked: Checked, folder: Path) -> str:
    """Shrink a puzzle as long as it shows a fault, save it, and return the fault with a test."""
    check = compare_apart if checked.source == LOST else compare
    first = check(puzzle, list(checked.outcomes), checked.request)
    if first.is_sound:
        return f"did not happen again: {'; '.join(faults(checked))}\n"
    specs, deadline = involved(first), time.monotonic() + PATIENCE_S

    def fails(candidate: Puzzle) -> bool:
        return time.monotonic() < deadline and not check(candidate, specs, checked.request).is_sound

    smallest = shrink(_with_known_solution(puzzle, first), fails)
    last = check(smallest, specs, checked.request)
    remark = "; ".join(faults(last))
    path = save_finding(last, folder)
    return f"{remark}\nsaved as {path}\n\n{as_test(smallest, specs, checked.request, remark)}"


def involved(checked: Checked) -> Sequence[str]:
    """Return the specs of the backends that disagree or, if none do, of those that broke."""
    who = {spec for disagreement in checked.disagreements[:1] for spec in disagreement.backends}
    broken = {spec for spec, found in checked.outcomes.items() if found.termination is Termination.CRASHED}
    return [spec for spec in checked.outcomes if spec in (who or broken)]


def _with_known_solution(puzzle: Puzzle, checked: Checked) -> Puzzle:
    """Make the disputed solution the goal of the puzzle, if they disagree over one."""
    for disagreement in checked.disagreements:
        if disagreement.solution is not None:
            return replace(puzzle, goal=Grid.from_strings(disagreement.solution, puzzle.palette))
    return puzzle


def shrink(puzzle: Puzzle, fails: Callable[[Puzzle], bool]) -> Puzzle:
    """Return a failing puzzle that no single simplifying step leaves failing."""
    while simpler := next(filter(fails, simpler_puzzles(puzzle)), None):
        puzzle = simpler
    return puzzle


def simpler_puzzles(puzzle: Puzzle) -> Iterator[Puzzle]:
    """Yield puzzles with fewer lines, filled cells or colours."""
    if puzzle.goal is not None:
        yield from (Puzzle.from_grid(Grid.from_cells(image)) for image in simpler_images(puzzle.goal.cells))
    for rows, columns in simpler_clues(_plain(puzzle.rows), _plain(puzzle.columns)):
        with suppress(PuzzleError):
            yield Puzzle.from_clues(rows, columns)


def simpler_images(image: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    """Yield images without some rows or columns, with a cell emptied, with a colour less."""
    for axis, length in enumerate(image.shape):
        yield from (np.delete(image, part, axis) for part in _parts(length))
    for cell in np.argwhere(image):
        emptied = image.copy()
        emptied[tuple(cell)] = 0
        yield emptied
    for colour in range(int(image.max()), 1, -1):
        yield image - (image >= colour).astype(np.uint8)


def simpler_clues(rows: Lines, columns: Lines) -> Iterator[tuple[Lines, Lines]]:
    """Yield clues without an empty line, with a cell less in a row and a column, with a colour less."""
    yield from ((shorter, columns) for shorter in _without_an_empty_line(rows))
    yield from ((rows, shorter) for shorter in _without_an_empty_line(columns))
    for (row, colour), (column, same) in product(_blocks(rows), _blocks(columns)):
        if colour == same:
            yield _shortened(rows, *row), _shortened(columns, *column)
    for colour in range(max((colour for _, colour in _blocks(rows)), default=1), 1, -1):
        yield _without_colour(rows, colour), _without_colour(columns, colour)


def as_test(puzzle: Puzzle, specs: Sequence[str], request: Request, remark: str) -> str:
    """Return the source of a test that fails as long as the specs do not agree on the puzzle."""
    rows, columns = (_source(clues) for clues in (puzzle.rows, puzzle.columns))
    names = "_and_".join(spec.partition(":")[0] for spec in specs)
    return f"""\
from tools.differential.comparing import compare
from nonocsp.backends.base import Request, Task
from nonocsp.model import Puzzle


def test_{names}_on_a_puzzle_of_{puzzle.shape[0]}x{puzzle.shape[1]}() -> None:
    # {remark}
    puzzle = Puzzle.from_clues({rows}, {columns})
    request = Request(Task.{request.task.name}, bound={request.bound}, seed={request.seed})
    found = compare(puzzle, {list(specs)}, request)
    assert found.is_sound, found.record()
"""


def _parts(length: int) -> Iterator[range]:
    """Yield the halves of `count` lines, the quarters and so on, down to single lines, but never all."""
    size = length
    while size > 1:
        size = (size + 1) // 2
        yield from (range(start, min(start + size, length)) for start in range(0, length, size))


def _without_an_empty_line(lines: Lines) -> Iterator[Lines]:
    for number, clue in enumerate(lines):
        if not clue and len(lines) > 1:
            yield lines[:number] + lines[number + 1 :]


def _blocks(lines: Lines) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield the place of each block, the number of its line and its own, and its colour."""
    for line, clue in enumerate(lines):
        yield from (((line, block), colour) for block, (_, colour) in enumerate(clue))


def _shortened(lines: Lines, line: int, block: int) -> Lines:
    length, colour = lines[line][block]
    rest = [(length - 1, colour)] if length > 1 else []
    clue = lines[line][:block] + rest + lines[line][block + 1 :]
    return [*lines[:line], clue, *lines[line + 1 :]]


def _without_colour(lines: Lines, colour: int) -> Lines:
    return [[(length, other - (other >= colour)) for length, other in clue] for clue in lines]


def _plain(clues: Sequence[Clue]) -> Lines:
    return [[(block.length, block.colour) for block in clue] for clue in clues]


def _source(clues: Sequence[Clue]) -> str:
    """Return clues as `Puzzle.from_clues` takes them, with colours only where they are not 1."""
    return repr(
        [[length if colour == 1 else (length, colour) for length, colour in clue] for clue in _plain(clues)]
    )
