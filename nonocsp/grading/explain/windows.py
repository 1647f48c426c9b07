"""Windows: where each block of a line can lie, found by pushing the blocks to both ends.

Three ways, each sharper than the one before, all of them relaxations: a block's window holds every start that
the block has in a placement of the clue. A push is linear in the cells; `anchored` repeats pushes until
nothing moves, usually a few times. All take a line that some placement fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nonocsp.model import Clue


class Run(NamedTuple):
    """A maximal run of decided cells of one colour other than the background."""

    first: int
    last: int
    colour: int

    @property
    def length(self) -> int:
        """The number of its cells."""
        return self.last - self.first + 1


class Window(NamedTuple):
    """The earliest and the latest start of a block, and the block."""

    earliest: int
    latest: int
    length: int
    colour: int

    @property
    def last(self) -> int:
        """The last cell that the block can cover."""
        return self.latest + self.length - 1

    @property
    def certain(self) -> range:
        """The cells that the block covers wherever it lies."""
        return range(self.latest, self.earliest + self.length)

    def can_cover(self, run: Run) -> bool:
        """Whether the block can lie such that it covers the run."""
        earliest = max(self.earliest, run.last - self.length + 1)
        return self.colour == run.colour and earliest <= min(self.latest, run.first)


def runs_of(cells: Sequence[int]) -> list[Run]:
    """Return the runs of a line, given as candidate sets."""
    runs: list[Run] = []
    for i, candidates in enumerate(cells):
        colour = candidates.bit_length() - 1
        if colour < 1 or candidates != 1 << colour:
            continue
        if runs and runs[-1].last == i - 1 and runs[-1].colour == colour:
            runs[-1] = runs[-1]._replace(last=i)
        else:
            runs.append(Run(i, i, colour))
    return runs


def bare(clue: Clue, length: int) -> list[Window]:
    """Push the blocks of a clue through an empty line of `length` cells.

    Parameters
    ----------
    clue
        The blocks.
    length
        Cells of the line.
    """
    return packed(clue, [sum({1 << block.colour for block in clue})] * length)


def packed(clue: Clue, cells: Sequence[int]) -> list[Window]:
    """Push the blocks past the walls, which are cells that cannot have the block's colour.

    Parameters
    ----------
    clue
        The blocks.
    cells
        Candidate sets of the line.
    """
    return _BothWays(clue, cells, clear=False).windows([0] * len(clue), [len(cells)] * len(clue))


def anchored(clue: Clue, cells: Sequence[int], runs: Sequence[Run]) -> list[Window]:
    """Push the blocks past walls and runs, and hold them at the runs that they have to cover.

    Parameters
    ----------
    clue
        The blocks.
    cells
        Candidate sets of the line.
    runs
        The runs of the line.
    """
    pushes = _BothWays(clue, cells, clear=True)
    windows = pushes.windows([0] * len(clue), [len(cells)] * len(clue))
    while True:
        # Some block covers each run. So the first block that can cover it does not start behind it, and the
        # last one does not end before it.
        earliest, latest = [w.earliest for w in windows], [w.latest for w in windows]
        for run in runs:
            able = [j for j, window in enumerate(windows) if window.can_cover(run)]
            latest[able[0]] = min(latest[able[0]], run.first)
            earliest[able[-1]] = max(earliest[able[-1]], run.last - windows[able[-1]].length + 1)
        held = pushes.windows(earliest, latest)
        if held == windows:
            return windows
        windows = held


class _BothWays:
    """Pushes the blocks of a line to the left and to the right."""

    def __init__(self, clue: Clue, cells: Sequence[int], *, clear: bool) -> None:
        self._clue, self._size = clue, len(cells)
        self._left = _Push(clue, cells, clear=clear)
        self._right = _Push(clue.reversed(), cells[::-1], clear=clear)

    def windows(self, earliest: Sequence[int], latest: Sequence[int]) -> list[Window]:
        """Return the windows between the given starts of each block.

        Parameters
        ----------
        earliest, latest
            Bounds for the start of each block.
        """
        starts = self._left.starts(earliest)
        mirrored = [
            self._size - start - block.length for start, block in zip(latest, self._clue, strict=True)
        ]
        ends = self._right.starts(mirrored[::-1])[::-1]
        return [
            Window(start, self._size - end - block.length, block.length, block.colour)
            for start, end, block in zip(starts, ends, self._clue, strict=True)
        ]


class _Push:
    """Pushes the blocks of a line to the left.

    With `clear`, no block touches a decided cell of its colour that it does not cover.
    """

    def __init__(self, clue: Clue, cells: Sequence[int], *, clear: bool) -> None:
        self._clue, self._cells, self._clear = clue, cells, clear
        self._room = {colour: _room(cells, colour) for colour in {block.colour for block in clue}}

    def starts(self, least: Sequence[int]) -> list[int]:
        """Return the starts of the blocks, none of them before its `least` one."""
        starts: list[int] = []
        at = before = 0
        for (length, colour), start in zip(self._clue, least, strict=True):
            at, room = max(at + (colour == before), start), self._room[colour]
            while room[at] < length or (self._clear and self._touches(at, length, 1 << colour)):
                at += room[at] + 1 if room[at] < length else 1
            starts.append(at)
            at, before = at + length, colour
        return starts

    def _touches(self, start: int, length: int, decided: int) -> bool:
        """Return whether a cell beside a block is decided to have its colour.

        Parameters
        ----------
        start, length
            Where the block lies.
        decided
            The candidate set of its colour alone.
        """
        end = start + length
        return (start > 0 and self._cells[start - 1] == decided) or (
            end < len(self._cells) and self._cells[end] == decided
        )


def _room(cells: Sequence[int], colour: int) -> list[int]:
    """Return for every cell the number of cells from it to the next wall for the colour.

    Parameters
    ----------
    cells
        Candidate sets of the line.
    colour
        Index of the colour.
    """
    room = [0]
    for candidates in reversed(cells):
        room.append(room[-1] + 1 if candidates >> colour & 1 else 0)
    return room[::-1]
