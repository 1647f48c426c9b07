"""The slow, obviously right reference: settle, propagation and search in plain Python, for any colours.

`placements` lists every way to lay the blocks; small cases are decided by trying all of them.
`settle` does long lines by walking a line's automaton cell by cell; it is checked against `placements`.
Nothing here shares a line with the engine.
"""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from nonocsp.model import Block, Clue, Puzzle

Sets = Sequence[int]
"""Candidate sets of a line: bit c = colour c is possible."""


def placements(clue: Clue, length: int) -> Iterator[tuple[int, ...]]:
    """Yield every line of `length` cells, as colours, that has this clue."""
    if not clue:
        yield (0,) * length
        return
    block, rest = clue[0], Clue(clue[1:])
    separated = bool(rest) and rest[0].colour == block.colour
    for start in range(length - block.length + 1):
        head = (0,) * start + (block.colour,) * block.length + (0,) * separated
        yield from (head + tail for tail in placements(rest, length - len(head)))


def clue_of(colours: Sequence[int]) -> Clue:
    """Return the clue of a full line."""
    blocks: list[Block] = []
    for before, colour in zip((0, *colours), colours, strict=False):
        if colour and colour == before:
            blocks[-1] = Block(blocks[-1].length + 1, colour)
        elif colour:
            blocks.append(Block(1, colour))
    return Clue(blocks)


def clues(length: int, colours: int) -> list[Clue]:
    return sorted({clue_of(line) for line in product(range(colours + 1), repeat=length)})


def settle(clue: Clue, line: Sets) -> list[int] | None:
    """Return the settled candidate sets, or None if no placement fits, by walking the automaton both ways."""
    walk = _Automaton(clue)
    before = walk.reachable(line, walk.first, walk.next)
    after = walk.reachable(line[::-1], walk.last, walk.previous)[::-1]
    alive = [a & b for a, b in zip(before, after, strict=True)]
    if not all(alive):
        return None
    return [sum({1 << walk.colours[state] for state in states}) for states in alive]


class _Automaton:
    """One state for each gap and for each cell of each block, in the order of the line."""

    def __init__(self, clue: Clue) -> None:
        self.colours = [0]
        self.next: list[set[int]] = [{0}]
        last_gap, end = 0, 0  # the gap before the block, and the last cell of the block before it
        self.first = {0}
        for j, (length, colour) in enumerate(clue):
            start = len(self.colours)
            self.next[last_gap].add(start)
            if j == 0:
                self.first.add(start)
            elif clue[j - 1].colour != colour:
                self.next[end].add(start)
            self.colours += [colour] * length + [0]
            self.next += [{state + 1} for state in range(start, start + length)]
            end, last_gap = start + length - 1, start + length
            self.next.append({last_gap})
        self.last = {end, last_gap}
        self.previous: list[set[int]] = [set() for _ in self.next]
        for state, followers in enumerate(self.next):
            for follower in followers:
                self.previous[follower].add(state)

    def reachable(self, line: Sets, start: set[int], follow: list[set[int]]) -> list[set[int]]:
        """Return, cell by cell, the states in which a walk from `start` may be."""
        reached, states = [], start
        for candidates in line:
            states = {state for state in states if candidates >> self.colours[state] & 1}
            reached.append(states)
            states = {follower for state in states for follower in follow[state]}
        return reached


def settle_by_enumeration(clue: Clue, line: Sets) -> list[int] | None:
    """Return the same as `settle`, by trying every placement."""
    fitting = [
        cells
        for cells in placements(clue, len(line))
        if all(candidates >> colour & 1 for candidates, colour in zip(line, cells, strict=True))
    ]
    return [sum({1 << cells[i] for cells in fitting}) for i in range(len(line))] if fitting else None


def settle_all_states(clue: Clue, length: int, states: Sequence[int]) -> NDArray[np.uint64]:
    """Settle every line of cells in `states`, in the order of ``product(states, repeat=length)``."""
    width = max(states).bit_length()
    packed = np.zeros((len(states),) * length, np.uint64)
    for cells in placements(clue, length):
        place = tuple(states.index(1 << colour) for colour in cells)
        packed[place] = sum(1 << (width * i + colour) for i, colour in enumerate(cells))
    for axis, (s, candidates) in product(range(length), enumerate(states)):
        slices = np.moveaxis(packed, axis, 0)
        parts = [states.index(1 << c) for c in range(width) if candidates >> c & 1]
        slices[s] = np.bitwise_or.reduce(slices[parts], axis=0)  # of {a, b} it is what {a} and {b} give
    shifts = np.arange(length, dtype=np.uint64) * np.uint64(width)
    settled: NDArray[np.uint64] = (packed.reshape(-1, 1) >> shifts) & np.uint64(2**width - 1)
    return settled


def all_states(length: int, states: Sequence[int]) -> NDArray[np.uint64]:
    """Return ``product(states, repeat=length)`` as an array of shape (len(states) ** length, length)."""
    digits = np.indices((len(states),) * length).reshape(length, -1).T
    return np.array(states, np.uint64)[digits]


def sweep(clues: Sequence[Clue], grid: list[list[int]]) -> list[list[int]] | None:
    """Return the grid with every row settled, or None at a contradiction."""
    settled = [settle(clue, row) for clue, row in zip(clues, grid, strict=True)]
    return None if None in settled else [row for row in settled if row is not None]


def fixpoint(puzzle: Puzzle, grid: list[list[int]]) -> tuple[list[list[int]] | None, int]:
    """Return the grid after alternating sweeps, rows first, or None, and how many changed something."""
    useful = done = 0
    while done < useful + 2:  # two useless sweeps in a row: nothing will change any more
        by_rows = done % 2 == 0
        lines = grid if by_rows else [list(column) for column in zip(*grid, strict=True)]
        settled = sweep(puzzle.rows if by_rows else puzzle.columns, lines)
        if settled is None:
            return None, useful
        done += 1
        useful = done if settled != lines else useful
        grid = settled if by_rows else [list(row) for row in zip(*settled, strict=True)]
    return grid, useful


def solutions(puzzle: Puzzle) -> list[tuple[tuple[int, ...], ...]]:
    """Return all solutions as rows of colours: every combination of row placements that fits the columns."""
    rows = [list(placements(clue, len(puzzle.columns))) for clue in puzzle.rows]
    return [grid for grid in product(*rows) if tuple(map(clue_of, zip(*grid, strict=True))) == puzzle.columns]
