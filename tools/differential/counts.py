"""Check the two ways to count against enumeration, and against a third way in a page of Python: ``counts``.

The sweep of `hybrid` and the diagrams of `mdd` share line propagation and nothing else; `count_by_cells`
starts from the clues and shares nothing with either.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from functools import cache
from math import log10
from typing import Annotated, NamedTuple

import numpy as np
import typer
from rich.console import Console

from nonocsp.engine import LineSolver, MddSearch, SolutionCounter
from nonocsp.model import Clue, Grid, Palette, Puzzle
from nonocsp.testing import solutions

MEMORY = 1 << 30
LARGE = 10**9
STATES = 400_000
"""The most states of the sweep of a large puzzle: Python takes seconds for so many."""
Position = tuple[int, int]
"""Of a line: blocks that are complete, and cells of the next one; -1 if its next cell must be background."""


class Way(NamedTuple):
    """A way to count: its name, and seconds and states of all its counts."""

    name: str
    seconds: list[float]
    states: list[int]


def main(
    *,
    small: Annotated[int, typer.Option(min=0, help="Puzzles to enumerate.")] = 10_000,
    large: Annotated[int, typer.Option(min=0, help="Puzzles with more than 10^9 solutions.")] = 100,
    seed: Annotated[int, typer.Option(help="Of the random puzzles.")] = 0,
) -> None:
    """Count small puzzles and compare with enumeration; then large ones, in three ways."""
    random, faults = np.random.default_rng(seed), 0
    sizes: Counter[str] = Counter()
    for number in range(small):
        shape = random.integers(1, 6, 2).tolist()
        puzzle = random_puzzle(random, shape, number % 3 + 1, random.uniform(0.1, 0.6))
        expected = len(solutions(puzzle))
        sizes["one" if expected == 1 else "2..9" if expected < 10 else "10 or more"] += 1
        faults += _differ(puzzle, [expected, *(_counted(way, puzzle) for way in _ways())])
    print(f"{small} small puzzles, solutions: {dict(sizes)}; {faults} counted otherwise")
    ways, digits = _ways(), list[float]()
    python = Way("Python", [], [])
    with Console(stderr=True).status("counting") as progress:
        for puzzle, number in large_puzzles(random, large):
            numbers = [number, *(_counted(way, puzzle) for way in ways)]
            started = time.perf_counter()
            numbers.append(count_by_cells(puzzle))
            python.seconds.append(time.perf_counter() - started)
            faults += _differ(puzzle, numbers)
            digits.append(log10(number))
            progress.update(f"{len(digits)} of {large}")
    if large:
        print(f"{large} large puzzles, 10^{min(digits):.0f} to 10^{max(digits):.0f} solutions")
    for way in (*ways, python) if large else ():
        states = f", {sum(way.states)} states" if way.states else ""
        print(f"{way.name}: {sum(way.seconds):.1f} s, at most {max(way.seconds):.2f} s{states}")
    raise typer.Exit(1 if faults else 0)


def random_puzzle(random: np.random.Generator, shape: list[int], colours: int, density: float) -> Puzzle:
    """Return the puzzle of a random grid."""
    cells = random.integers(1, colours + 1, shape) * (random.random(shape) < density)
    return Puzzle.from_grid(Grid.from_cells(cells), palette=Palette.of(colours))


def large_puzzles(random: np.random.Generator, count: int) -> Iterator[tuple[Puzzle, int]]:
    """Yield narrow puzzles with more than `LARGE` solutions but few states, and their number by the sweep."""
    found = 0
    while found < count:
        shape = [int(random.integers(4, 7)), int(random.integers(20, 60))]
        if random.random() < 0.5:
            shape.reverse()
        puzzle = random_puzzle(random, shape, found % 3 + 1, random.uniform(0.05, 0.3))
        counter = SolutionCounter(LineSolver(puzzle).compiled, MEMORY)
        number = counter.count(None, None)
        if number > LARGE and int(dict(counter.statistics())["states"]) <= STATES:
            found += 1
            yield puzzle, number


def count_by_cells(puzzle: Puzzle) -> int:
    """Count the solutions cell by cell: a dictionary from the positions of all lines to the ways there."""
    if len(puzzle.columns) > len(puzzle.rows):
        return count_by_cells(Puzzle(puzzle.columns, puzzle.rows, palette=puzzle.palette))
    height, width = puzzle.shape
    ways: Counter[tuple[Position, ...]] = Counter({((0, 0),) * width: 1})
    for row, clue in enumerate(puzzle.rows):
        inner: Counter[tuple[Position, tuple[Position, ...]]] = Counter()
        for positions, number in ways.items():
            inner[(0, 0), positions] = number
        for column, other in enumerate(puzzle.columns):
            after: Counter[tuple[Position, tuple[Position, ...]]] = Counter()
            for (position, positions), number in inner.items():
                for colour in {0, *(block.colour for block in clue)}:
                    here = _step(clue, position, colour, width - column - 1)
                    below = _step(other, positions[column], colour, height - row - 1)
                    if here is not None and below is not None:
                        after[here, (*positions[:column], below, *positions[column + 1 :])] += number
            inner = after
        ways = Counter()
        for (_, positions), number in inner.items():
            ways[positions] += number
    return ways.total()


@cache
def _step(clue: Clue, position: Position, colour: int, left: int) -> Position | None:
    """Return the position after a cell of a colour; None if the clue does not fit the cells that are left."""
    blocks, cells = position
    if colour == 0:
        after = (blocks, 0) if cells <= 0 else None
    elif cells < 0 or blocks == len(clue) or clue[blocks].colour != colour:
        after = None
    elif cells + 1 < clue[blocks].length:
        after = (blocks, cells + 1)
    else:
        is_parted = blocks + 1 < len(clue) and clue[blocks + 1].colour == colour
        after = (blocks + 1, -1 if is_parted else 0)
    if after is None:
        return None
    needed = Clue(clue[after[0] :]).min_length + (after[1] < 0)
    return after if needed - max(0, after[1]) <= left else None


def _ways() -> list[Way]:
    return [Way("sweep", [], []), Way("diagrams", [], [])]


def _counted(way: Way, puzzle: Puzzle) -> int:
    """Count in one way, and keep time and states."""
    clues, started = LineSolver(puzzle).compiled, time.perf_counter()
    counter = (SolutionCounter if way.name == "sweep" else MddSearch)(clues, MEMORY)
    number = counter.count(None, None)
    way.seconds.append(time.perf_counter() - started)
    way.states.append(int(dict(counter.statistics())["states"]))
    return number


def _differ(puzzle: Puzzle, numbers: list[int]) -> bool:
    """Print a puzzle whose counts differ."""
    if len({*numbers}) > 1:
        print(f"rows {puzzle.rows}, columns {puzzle.columns}: {numbers}")
    return len({*numbers}) > 1
