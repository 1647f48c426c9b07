"""Single lines: settle them, ask whether anything fits, and enumerate what does.

A line is a uint64 array of candidate sets (bit c = colour c is possible). *Settle* removes every candidate
that no placement of the clue's blocks leaves possible (Batenburg & Kosters 2009); it is complete.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from nonocsp.engine import _core
from nonocsp.engine._core import clues_agree, flat_clues, time_settle
from nonocsp.late import numpy as np
from nonocsp.model import Clue, FlatClues

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "COUNTLESS",
    "Candidates",
    "as_cells",
    "block_starts",
    "clues_agree",
    "colours_of",
    "feasible",
    "feasible_lines",
    "flat_clues",
    "placement_count",
    "placements",
    "settle",
    "settle_lines",
    "time_settle",
]

Candidates: TypeAlias = "NDArray[np.uint64]"
COUNTLESS = 2**64 - 1
"""Stands for so many placements or more: the core counts them in 64 bits."""


def as_cells(candidates: Candidates) -> Candidates:
    """Return the candidates as the core takes them: uint64 in C order, copied only if they are not."""
    return np.ascontiguousarray(candidates, np.uint64)


def colours_of(clue: Clue) -> int:
    """Return how many colours a line of this clue can have, the background included."""
    return 1 + max((block.colour for block in clue), default=0)


def settle(clue: Clue, line: Candidates) -> Candidates | None:
    """Settle one line.

    Parameters
    ----------
    clue
        The blocks of the line.
    line
        Candidate sets, shape (length,), 1 to 4096 cells.

    Returns
    -------
    Candidates or None
        The settled line; None if no placement of `clue` fits.
    """
    settled, fits = settle_lines(clue, np.asarray(line)[np.newaxis])
    return settled[0] if fits[0] else None


def settle_lines(clue: Clue, lines: Candidates) -> tuple[Candidates, NDArray[np.bool_]]:
    """Settle many lines that have the same clue; much cheaper than one after the other.

    Parameters
    ----------
    clue
        The blocks of every line.
    lines
        Candidate sets, shape (count, length), 1 to 4096 cells each.

    Returns
    -------
    settled
        Shape (count, length); all zero where no placement fits.
    fits
        Shape (count,), whether some placement fits.
    """
    return _core.settle_lines(FlatClues.of([clue]), as_cells(lines), colours_of(clue))


def feasible(clue: Clue, line: Candidates) -> bool:
    """Return whether some placement fits the line; cheaper than `settle`, whose parameters these are."""
    return bool(feasible_lines(clue, np.asarray(line)[np.newaxis])[0])


def feasible_lines(clue: Clue, lines: Candidates) -> NDArray[np.bool_]:
    """Return for each line whether some placement fits, shape (count,); the parameters of `settle_lines`."""
    return _core.feasible_lines(FlatClues.of([clue]), as_cells(lines), colours_of(clue))


def placements(clue: Clue, line: Candidates) -> Iterator[NDArray[np.int32]]:
    """Yield every placement that fits the line: the starts of its blocks, in lexicographic order.

    Streams in constant memory and without dead ends: the blocks placed so far can always be completed. The
    parameters are those of `settle`.
    """
    return _placements(clue, line)


def placement_count(clue: Clue, line: Candidates) -> int:
    """Count the placements that fit the line without enumerating them; the parameters of `settle`.

    A number that needs more than 64 bits comes out as `COUNTLESS`.
    """
    return _placements(clue, line).count


def block_starts(clue: Clue, line: Candidates) -> list[NDArray[np.int32]] | None:
    """Return the sorted starts of every block over all placements; None if none fits.

    The parameters are those of `settle`.
    """
    return _core.starts(FlatClues.of([clue]), as_cells(np.asarray(line)[np.newaxis]), colours_of(clue))


def _placements(clue: Clue, line: Candidates) -> _core.Placements:
    return _core.Placements(FlatClues.of([clue]), as_cells(np.asarray(line)[np.newaxis]), colours_of(clue))
