"""Where the blocks of a line can lie, as one reckons it by pushing them to both ends.

Three ways, each sharper than the one before, all of them relaxations: a block's window holds every start that
it has in a placement of the clue. A push is linear in the cells; `anchored` repeats pushes until nothing
moves, a handful of times. All take a line that some placement fits.
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
    """Push the blocks through an empty line."""
    return packed(clue, [sum({1 << block.colour for block in clue})] * length)


def packed(clue: Clue, cells: Sequence[int]) -> list[Window]:
    """Push the blocks past the walls, which are cells that cannot have the block's colour."""
    return _windows(clue, cells, [0] * len(clue), [len(cells)] * len(clue), clear=False)


def anchored(clue: Clue, cells: Sequence[int], runs: Sequence[Run]) -> list[Window]:
    """Push the blocks past walls and runs, and hold them at the runs that they have to cover."""
    windows = _windows(clue, cells, [0] * len(clue), [len(cells)] * len(clue), clear=True)
    while True:
        held = _windows(clue, cells, *_held(windows, runs), clear=True)
        if held == windows:
            return windows
        windows = held


def _held(windows: Sequence[Window], runs: Sequence[Run]) -> tuple[list[int], list[int]]:
    """Return the earliest and latest starts, given that some block covers each run.

    The first block that can cover a run does not start behind it, nor does the last one that can end before
    it: otherwise none would cover it.
    """
    earliest, latest = [w.earliest for w in windows], [w.latest for w in windows]
    for run in runs:
        able = [j for j, window in enumerate(windows) if window.can_cover(run)]
        latest[able[0]] = min(latest[able[0]], run.first)
        earliest[able[-1]] = max(earliest[able[-1]], run.last - windows[able[-1]].length + 1)
    return earliest, latest


def _windows(
    clue: Clue, cells: Sequence[int], earliest: Sequence[int], latest: Sequence[int], *, clear: bool
) -> list[Window]:
    """Push all blocks to the left, then to the right, none beyond the given starts."""
    size = len(cells)
    starts = _pushed(clue, cells, earliest, clear=clear)
    mirrored = [size - start - block.length for start, block in zip(latest, clue, strict=True)][::-1]
    ends = _pushed(clue.reversed(), cells[::-1], mirrored, clear=clear)[::-1]
    return [
        Window(start, size - end - block.length, block.length, block.colour)
        for start, end, block in zip(starts, ends, clue, strict=True)
    ]


def _pushed(clue: Clue, cells: Sequence[int], least: Sequence[int], *, clear: bool) -> list[int]:
    """Return the starts of the blocks pushed to the left, none of them before its `least` one.

    With `clear`, no block touches a decided cell of its colour that it does not cover.
    """
    room = {colour: _room(cells, colour) for colour in {block.colour for block in clue}}
    starts: list[int] = []
    at = before = 0
    for (length, colour), start in zip(clue, least, strict=True):
        at = max(at + (colour == before), start)
        while room[colour][at] < length or (clear and _touches(cells, at, length, 1 << colour)):
            at += 1
        starts.append(at)
        at, before = at + length, colour
    return starts


def _room(cells: Sequence[int], colour: int) -> list[int]:
    """Return for every cell how many from it on can have the colour before the next wall."""
    room = [0]
    for candidates in reversed(cells):
        room.append(room[-1] + 1 if candidates >> colour & 1 else 0)
    return room[::-1]


def _touches(cells: Sequence[int], start: int, length: int, decided: int) -> bool:
    """Whether a cell beside a block is decided to have its colour."""
    end = start + length
    return (start > 0 and cells[start - 1] == decided) or (end < len(cells) and cells[end] == decided)
