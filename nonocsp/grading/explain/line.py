"""A line as people see it: the candidates of its cells, its runs, its blocks by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from nonocsp.grading.explain.windows import Run, Window, anchored, bare, packed, runs_of
from nonocsp.model import BLACK_AND_WHITE, Clue, Palette


class Finding(NamedTuple):
    """One result of a technique in a line.

    Parameters
    ----------
    cells
        The cells that it narrows, with the candidates that they keep.
    why
        The reason, as a clause without the full stop.
    blocks
        The clue's blocks that the reason names, by their index.
    """

    cells: dict[int, int]
    why: str
    blocks: tuple[int, ...] = ()


@dataclass(frozen=True)
class LineState:
    """A line of a grid: its clue and the candidate sets of its cells, bit c set = colour c is possible."""

    clue: Clue
    cells: tuple[int, ...]
    palette: Palette = BLACK_AND_WHITE

    def __len__(self) -> int:
        return len(self.cells)

    @cached_property
    def runs(self) -> list[Run]:
        """The runs of decided cells."""
        return runs_of(self.cells)

    @cached_property
    def bare(self) -> list[Window]:
        """Where the blocks can lie by the clue alone."""
        return bare(self.clue, len(self))

    @cached_property
    def packed(self) -> list[Window]:
        """Where the blocks can lie between the walls."""
        return packed(self.clue, self.cells)

    @cached_property
    def anchored(self) -> list[Window]:
        """Where the blocks can lie, the runs considered."""
        return anchored(self.clue, self.cells, self.runs)

    def owners(self, run: Run) -> list[int]:
        """Return the blocks that can cover a run."""
        if run not in self._owners:
            self._owners[run] = [j for j, window in enumerate(self.anchored) if window.can_cover(run)]
        return self._owners[run]

    @cached_property
    def _owners(self) -> dict[Run, list[int]]:
        """The results of `owners`."""
        return {}

    def is_wall(self, cell: int, colour: int) -> bool:
        """Return whether a cell cannot have the colour; cells outside the line cannot.

        Parameters
        ----------
        cell
            Position in the line, or outside it.
        colour
            Index of the colour.
        """
        return not (0 <= cell < len(self) and self.cells[cell] >> colour & 1)

    def stretches(self, colour: int) -> list[range]:
        """Return the maximal stretches of cells that can have the colour."""
        walls = [i for i in range(-1, len(self) + 1) if self.is_wall(i, colour)]
        return [range(a + 1, b) for a, b in pairwise(walls) if b > a + 1]

    def narrowed(self, cells: dict[int, int]) -> dict[int, int]:
        """Return the cells that lose candidates, each with the candidates that it keeps."""
        kept = {i: self.cells[i] & allowed for i, allowed in cells.items() if 0 <= i < len(self)}
        return {i: candidates for i, candidates in kept.items() if candidates != self.cells[i]}

    def the_block(self, j: int) -> str:
        """Return the name of a block: ``the 3``, ``the second red 3``."""
        block = self.clue[j]
        same = [i for i, other in enumerate(self.clue) if other == block]
        rank = f"{ordinal(same.index(j) + 1)} " if len(same) > 1 else ""
        ink = "" if self.palette.is_one_colour else f"{self.palette[block.colour].name} "
        return f"the {rank}{ink}{block.length}"

    def the_blocks(self, blocks: Iterable[int]) -> str:
        """Return the names of several blocks: ``the 3 or the 4``, or ``any of 5 blocks``."""
        names = [self.the_block(j) for j in blocks]
        return " or ".join(names) if len(names) <= 2 else f"any of {len(names)} blocks"


def found(line: LineState, cells: dict[int, int], why: str, blocks: Iterable[int] = ()) -> list[Finding]:
    """Return the finding if it narrows a cell; otherwise nothing.

    Parameters
    ----------
    line
        The line.
    cells, why, blocks
        As for `Finding`; `cells` may name cells outside the line and candidates that are excluded already.
    """
    new = line.narrowed(cells)
    return [Finding(new, why, tuple(blocks))] if new else []


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def ordinal(number: int) -> str:
    """Return ``first`` for 1, ``21st`` for 21."""
    if number <= len(_ORDINALS):
        return _ORDINALS[number - 1]
    teen = 10 <= number % 100 <= 20
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def cells_named(cells: Iterable[int]) -> str:
    """Return ``cell 4`` or ``cells 1–3, 7 and 9``, counted from 1."""
    ranges: list[tuple[int, int]] = []
    for cell in sorted(cells):
        if ranges and ranges[-1][1] == cell - 1:
            ranges[-1] = ranges[-1][0], cell
        else:
            ranges.append((cell, cell))
    texts = [str(a + 1) if a == b else f"{a + 1}–{b + 1}" for a, b in ranges]
    single = len(ranges) == 1 and ranges[0][0] == ranges[0][1]
    return f"cell{'' if single else 's'} {listed(texts)}"


def listed(texts: Sequence[str], word: str = "and") -> str:
    """Return ``a, b and c``.

    Parameters
    ----------
    texts
        Items of the list.
    word
        Word before the last one.
    """
    return f" {word} ".join(part for part in (", ".join(texts[:-1]), *texts[-1:]) if part)
