"""The line solver of a puzzle: propagation, sweeps, probing and beliefs.

A grid is a uint64 array of candidate sets (bit c = colour c is possible), shape (rows, columns). A
contradiction is a result, not an exception.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from nonocsp.engine._core import Interrupted, Order, PuzzleClues, Stage, StopFlag, Unsupported, beliefs
from nonocsp.engine.lines import Candidates, as_cells, block_starts
from nonocsp.engine.probing import Probing, ProbingLevel, probe_fixpoint
from nonocsp.late import numpy as np
from nonocsp.model import Line, Puzzle

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "Interrupted",
    "LineSolver",
    "Order",
    "Propagation",
    "PuzzleClues",
    "Stage",
    "StopFlag",
    "Sweep",
    "Unsupported",
]


class Sweep(NamedTuple):
    """The result of one h-sweep or v-sweep."""

    candidates: Candidates
    """Shape (rows, columns); with a contradiction, as far as it got."""
    contradiction: Line | None
    """The first line that no placement fits, or None."""
    settles: int
    """Lines settled."""
    interrupted: bool
    """The stop flag was set, or the time is over, before the sweep was."""


class Propagation(NamedTuple):
    """The result of propagating to the fixpoint."""

    candidates: Candidates
    contradiction: Line | None
    settles: int
    """As in `Sweep`."""
    sweeps: int
    """With ``Order.SWEEPS``: sweeps until nothing changed any more, the last useless ones not counted; with
    ``Order.QUEUE``: 0."""
    interrupted: bool
    """The stop flag was set, or the time is over; the candidates are sound but not at the fixpoint."""


class LineSolver:
    """The line solver of one puzzle: its clues, compiled once. Immutable, safe to share between threads."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.compiled = PuzzleClues(puzzle.flat_rows, puzzle.flat_columns, len(puzzle.palette))

    def propagate(
        self,
        candidates: Candidates | None = None,
        *,
        order: Order = Order.QUEUE,
        stop: StopFlag | None = None,
        wall: float | None = None,
    ) -> Propagation:
        """Settle dirty lines until nothing changes; at the start every line is dirty.

        Parameters
        ----------
        candidates
            Where to start, shape (rows, columns); None: everything is possible. Not modified.
        order
            Order of the dirty lines; the fixpoint is the same.
        stop
            Flag that interrupts the call; polled before every settle.
        wall
            Seconds after which the call is interrupted.

        Raises
        ------
        ValueError
            If the candidates have another shape than the puzzle.
        """
        given = self._checked(candidates)
        cells, where, settles, sweeps, interrupted = self.compiled.propagate(given, order, stop, wall)
        return Propagation(cells, line_at(where), settles, sweeps, interrupted)

    def nothing_known(self) -> Propagation:
        """Return the empty grid: every colour is a candidate of every cell."""
        every = np.uint64((1 << len(self.puzzle.palette)) - 1)
        return Propagation(np.full(self.puzzle.shape, every), None, 0, 0, interrupted=False)

    def probe(
        self,
        candidates: Candidates | None = None,
        *,
        level: ProbingLevel = ProbingLevel.FP1,
        groups: bool = False,
        stop: StopFlag | None = None,
        wall: float | None = None,
    ) -> Probing:
        """Try every candidate of every open cell, keep what a cell's probes agree on, until nothing changes.

        Parameters
        ----------
        candidates
            Where to start, shape (rows, columns); None: everything is possible. Not modified.
        level
            What the probes know of each other.
        groups
            Whether to collect GP relations, which takes a tenth longer.
        stop, wall
            As in `propagate`.

        Raises
        ------
        Unsupported
            If level is not FP1, and line solving leaves more candidates of open cells than 8192.
        """
        given = self._checked(candidates)
        return Probing(*probe_fixpoint(self.compiled, given, level, groups, stop, wall))

    def h_sweep(
        self,
        candidates: Candidates | None = None,
        *,
        stop: StopFlag | None = None,
        wall: float | None = None,
    ) -> Sweep:
        """Settle every row, each from the grid at the start of the sweep; parameters of `propagate`."""
        return self._sweep(candidates, columns=False, stop=stop, wall=wall)

    def v_sweep(
        self,
        candidates: Candidates | None = None,
        *,
        stop: StopFlag | None = None,
        wall: float | None = None,
    ) -> Sweep:
        """Settle every column, each from the grid at the start of the sweep; parameters of `propagate`."""
        return self._sweep(candidates, columns=True, stop=stop, wall=wall)

    def starts(self, line: Line, candidates: Candidates) -> list[NDArray[np.int32]] | None:
        """Return for every block of a line its sorted starts in placements that fit; None if none fits.

        Parameters
        ----------
        line
            The line.
        candidates
            The candidate sets of the whole grid, shape (rows, columns).
        """
        return block_starts(self.puzzle.line_clue(line), cells_of(line, candidates))

    def beliefs(
        self,
        candidates: Candidates | None = None,
        *,
        sweeps: int = 15,
        tolerance: float = 0.01,
        stop: StopFlag | None = None,
        wall: float | None = None,
    ) -> NDArray[np.float64] | None:
        """Estimate P(cell has colour) over all solutions by belief propagation; None if lines contradict.

        After propagation, rows and columns tell each other their exact marginals, which would be those of the
        puzzle if lines were independent.

        Parameters
        ----------
        candidates
            What is known, shape (rows, columns); default: nothing. Not modified.
        sweeps, tolerance
            Stop after so many sweeps, or when none of the beliefs moves by the tolerance.
        stop, wall
            As in `propagate`.

        Returns
        -------
        beliefs
            Shape (rows, columns, colours); positive for what propagation leaves possible, else 0.

        Raises
        ------
        Interrupted
            If told to stop.
        """
        solved = self.propagate(candidates, stop=stop, wall=wall)
        if solved.interrupted:
            raise Interrupted
        if solved.contradiction is not None:
            return None
        found = beliefs(self.compiled, solved.candidates, sweeps, tolerance, stop, wall)
        colours = np.arange(found.shape[2], dtype=np.uint64)
        possible = solved.candidates[..., np.newaxis] >> colours & np.uint64(1)
        shares: NDArray[np.float64] = np.where(possible, found, 0.0)
        shares /= shares.sum(axis=2, keepdims=True)
        return shares

    def _sweep(
        self, candidates: Candidates | None, *, columns: bool, stop: StopFlag | None, wall: float | None
    ) -> Sweep:
        given = self._checked(candidates)
        cells, where, settles, _, interrupted = self.compiled.sweep(given, columns, stop, wall)
        return Sweep(cells, line_at(where), settles, interrupted)

    def _checked(self, candidates: Candidates | None) -> Candidates | None:
        given = None if candidates is None else as_cells(candidates)
        if given is not None and given.shape != self.puzzle.shape:
            raise ValueError(f"candidates of shape {given.shape} for a puzzle of shape {self.puzzle.shape}")
        return given


def cells_of(line: Line, candidates: Candidates) -> Candidates:
    """Return the view of a line of a grid."""
    return candidates[line.position] if line.axis == "row" else candidates[:, line.position]


def line_at(place: tuple[int, int] | None) -> Line | None:
    """Return the line that the core names by axis and position."""
    return None if place is None else Line("column" if place[0] else "row", place[1])
