"""Count which unique puzzles of 4x4 and 5x5 are simple, and which others are solved without search.

All images of a size are enumerated as integers and described by the numbers of their lines' clues, packed
into one word; a word that comes up once is a unique description. Line solving is a table, from a clue and the
candidates of a line to what is left of them, so that all descriptions are settled together and the engine has
no part in it. What is unique but not simple goes through the backends one by one. The totals are exact: they
have to be those that are published (OEIS A242876, A391619) and known from other programs. One core, less than
1 GB.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from nonocsp.backends.base import Request
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import StopFlag
from nonocsp.model import Clue, FlatClues, Puzzle

SIZES = (4, 5)
SPECS = ("twosat", "probing:gp=no")
KNOWN = {
    4: (58_196, 52_362, 51_234, 1_128, 1_128, 1_128),
    5: (28_781_820, 25_309_575, 24_976_511, 333_064, 332_024, 333_064),
}
"""In the order of `classes`."""
AT_ONCE = 1 << 20
"""Descriptions that are settled together."""

Words = NDArray[np.uint64]
Lines = NDArray[np.uint16]
"""Lines as candidates, two bits a cell: background, filled. Shape (line, puzzle)."""


@dataclass(frozen=True)
class Square:
    """The square puzzles of one size, up to 5 cells.

    Parameters
    ----------
    size
        Cells of a line.
    """

    size: int

    @cached_property
    def numbers(self) -> NDArray[np.uint8]:
        """The number of each line's clue; bit i of a line is its cell i."""
        of_line = self._clues_of_lines
        return np.array([self.clues.index(clue) for clue in of_line], np.uint8)

    @cached_property
    def clues(self) -> list[Clue]:
        """The clues, by number."""
        return sorted(set(self._clues_of_lines))

    @property
    def bits(self) -> int:
        """Bits of a clue's number."""
        return (len(self.clues) - 1).bit_length()

    @cached_property
    def settled(self) -> Lines:
        """The settled candidates of a line for each clue, shape (clues, 4 ** size)."""
        table = np.zeros((len(self.clues), 4**self.size), np.uint16)
        candidates = np.arange(4**self.size)
        for line, number in enumerate(self.numbers):
            cells = sum(1 << 2 * i + (line >> i & 1) for i in range(self.size))
            table[number] |= np.where(candidates & cells == cells, cells, 0).astype(np.uint16)
        return table

    @property
    def _clues_of_lines(self) -> tuple[Clue, ...]:
        cells = np.arange(2**self.size)[:, None] >> np.arange(self.size) & 1
        return FlatClues.of_cells(cells.astype(np.uint8)).clues()

    def descriptions(self) -> Words:
        """Return the descriptions of all images, as words, sorted."""
        rest = np.arange(2 ** (self.size * (self.size - 1)), dtype=np.uint32) << np.uint32(self.size)
        words = np.empty((2**self.size, len(rest)), np.uint64)
        for first_row in range(2**self.size):
            words[first_row] = self._described(rest | np.uint32(first_row))
        flat = words.reshape(-1)
        flat.sort()
        return flat

    def _described(self, images: NDArray[np.uint32]) -> Words:
        rows = [images >> np.uint32(self.size * i) & np.uint32(2**self.size - 1) for i in range(self.size)]
        columns = [
            sum((row >> np.uint32(j) & np.uint32(1)) << np.uint32(i) for i, row in enumerate(rows))
            for j in range(self.size)
        ]
        words = np.zeros(len(images), np.uint64)
        for line in (*rows, *columns):
            words = words << np.uint64(self.bits) | self.numbers[line]
        return words

    def clue_numbers(self, words: Words) -> NDArray[np.uint8]:
        """Return the numbers of the clues, rows first, shape (2 * size, descriptions)."""
        shifts = np.arange(2 * self.size, dtype=np.uint64)[::-1, None] * np.uint64(self.bits)
        return (words >> shifts & np.uint64(2**self.bits - 1)).astype(np.uint8)

    def are_simple(self, words: Words) -> NDArray[np.bool_]:
        """Settle rows and columns of all puzzles in turn, and return which grids become full."""
        numbers = self.clue_numbers(words)
        rows, before = np.full((self.size, len(words)), 4**self.size - 1, np.uint16), None
        while before is None or not np.array_equal(rows, before):
            before = rows
            columns = self._transposed(self.settled[numbers[: self.size], rows])
            rows = self._transposed(self.settled[numbers[self.size :], columns])
        full: NDArray[np.bool_] = np.bitwise_count(rows).sum(axis=0) == self.size**2
        return full

    def _transposed(self, lines: Lines) -> Lines:
        crossing = np.zeros_like(lines)
        for i, line in enumerate(lines):
            for j in range(self.size):
                crossing[j] |= (line >> np.uint16(2 * j) & np.uint16(3)) << np.uint16(2 * i)
        return crossing

    def puzzles(self, words: Words) -> Iterator[Puzzle]:
        """Yield the puzzles of the descriptions."""
        for numbers in self.clue_numbers(words).T.tolist():
            clues = [self.clues[number] for number in numbers]
            yield Puzzle(tuple(clues[: self.size]), tuple(clues[self.size :]))


def unique(words: Words) -> tuple[int, Words]:
    """Return the number of distinct words in a sorted array, and the words that occur once."""
    differs = np.concatenate([[True], words[1:] != words[:-1], [True]])
    return int(np.count_nonzero(differs[1:])), words[differs[1:] & differs[:-1]]


def not_simple(square: Square, words: Words) -> Words:
    """Return the descriptions that line solving does not solve."""
    parts = [words[i : i + AT_ONCE] for i in range(0, len(words), AT_ONCE)]
    return np.concatenate([part[~square.are_simple(part)] for part in parts])


def solved_without_search(spec: str, puzzles: Iterator[Puzzle]) -> int:
    """Return how many puzzles a backend solves without search."""
    backend, request, stop = create(spec), Request(), StopFlag()
    return sum(
        run_backend(backend, puzzle, request, stop).stats["painted"] == puzzle.shape[0] * puzzle.shape[1]
        for puzzle in puzzles
    )


def main() -> None:
    """Print the classes of each size beside the known figures."""
    for size in SIZES:
        table = Table("", "count", "known", "CPU s", title=f"{size}x{size}")
        for (name, count, seconds), known in zip(classes(Square(size)), KNOWN[size], strict=True):
            table.add_row(name, f"{count:,}", f"{known:,}", f"{seconds:.1f}")
        Console().print(table)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    Console().print(f"peak resident memory: {peak:.2f} GiB")


def classes(square: Square) -> Iterator[tuple[str, int, float]]:
    """Yield the name and the size of each class, and the CPU seconds that it took."""
    started = time.process_time()
    count, words = unique(square.descriptions())
    yield "descriptions", count, time.process_time() - started
    yield "unique", len(words), 0.0
    started = time.process_time()
    others = not_simple(square, words)
    yield "simple", len(words) - len(others), time.process_time() - started
    yield "unique, not simple", len(others), 0.0
    for spec in SPECS:
        started = time.process_time()
        solved = solved_without_search(spec, square.puzzles(others))
        yield f"of these {spec}", solved, time.process_time() - started


if __name__ == "__main__":
    main()
