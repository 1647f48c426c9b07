"""The typed Python face of the C++ core: NumPy in, NumPy out.

A line or grid is a uint64 array of candidate sets (bit c = colour c is possible). *Settle* removes every
candidate that no placement of the clue's blocks leaves possible (Batenburg & Kosters 2009); it is complete.
A contradiction is a result, not an exception.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from nonocsp import _core
from nonocsp._core import Interrupted, Search, StopFlag, Unsupported
from nonocsp.model import Clue, FlatClues, Line, Puzzle

__all__ = [
    "Interrupted",
    "LineMarginals",
    "LineSolver",
    "Order",
    "Probing",
    "ProbingLevel",
    "Propagation",
    "Search",
    "StopFlag",
    "Sweep",
    "Unsupported",
    "feasible",
    "feasible_lines",
    "placement_count",
    "placements",
    "settle",
    "settle_lines",
    "sweep_image",
]

Candidates = NDArray[np.uint64]


class Order(StrEnum):
    """In which order `LineSolver.propagate` settles dirty lines. The fixpoint is the same."""

    QUEUE = "queue"
    """First dirty, first settled."""
    SWEEPS = "sweeps"
    """Alternating h-sweeps and v-sweeps, rows first, as the difficulty of a puzzle is defined."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """The result of one h-sweep or v-sweep.

    Parameters
    ----------
    candidates
        Shape (rows, columns); with a contradiction, as far as it got.
    contradiction
        The first line that no placement fits, or None.
    settles
        Lines settled.
    interrupted
        The stop flag was set, or the time is over, before the sweep was.
    """

    candidates: Candidates
    contradiction: Line | None
    settles: int
    interrupted: bool


@dataclass(frozen=True, slots=True)
class Propagation:
    """The result of propagating to the fixpoint.

    Parameters
    ----------
    candidates, contradiction, settles
        As in `Sweep`.
    sweeps
        With ``Order.SWEEPS``: sweeps until nothing changed any more, the last useless ones not counted; with
        ``Order.QUEUE``: 0.
    interrupted
        The stop flag was set, or the time is over; the candidates are sound but not at the fixpoint.
    """

    candidates: Candidates
    contradiction: Line | None
    settles: int
    sweeps: int
    interrupted: bool


class ProbingLevel(StrEnum):
    """What the probes of `LineSolver.probe` know of each other (Wu et al. 2013)."""

    FP1 = "fp1"
    """Nothing."""
    FP2 = "fp2"
    """Contrapositives: if probing a excludes b, the probe of b starts without a."""
    FP3 = "fp3"
    """Also what follows from them: a probe that decides a cell excludes what the cell's own probe does."""


@dataclass(frozen=True, slots=True)
class Probing:
    """The result of fully probing.

    Parameters
    ----------
    candidates
        Shape (rows, columns); contains every solution.
    groups
        If asked for, shape (rows, columns): 0, or the number of a group of cells with two candidates each. In
        every solution all cells of a number have the lower, or all the higher of their two, and those of its
        negative the other way round (GP1, GP2).
    contradiction
        There is no solution.
    probes
        Cells that were probed, each in all its candidates.
    settles
        Lines settled.
    interrupted
        The stop flag was set, or the time is over; the candidates are sound but not at the fixpoint.
    """

    candidates: Candidates
    groups: NDArray[np.int32] | None
    contradiction: bool
    probes: int
    settles: int
    interrupted: bool


@dataclass(frozen=True, slots=True)
class LineMarginals:
    """How likely is what, if a placement is as likely as the product of its cells' weights.

    Parameters
    ----------
    cells
        P(cell has colour), shape (length, colours).
    starts
        P(block starts at cell), shape (blocks, length).
    """

    cells: NDArray[np.float64]
    starts: NDArray[np.float64]


def settle(clue: Clue, line: Candidates) -> Candidates | None:
    """Return the settled line, or None if no placement of `clue` fits.

    Parameters
    ----------
    line
        Candidate sets, shape (length,), 1 to 4096 cells.
    """
    settled, fits = settle_lines(clue, np.asarray(line)[np.newaxis])
    return settled[0] if fits[0] else None


def settle_lines(clue: Clue, lines: Candidates) -> tuple[Candidates, NDArray[np.bool_]]:
    """Settle many lines that have the same clue; much cheaper than one after the other.

    Parameters
    ----------
    lines
        Candidate sets, shape (count, length), 1 to 4096 cells each.

    Returns
    -------
    settled
        Shape (count, length); all zero where no placement fits.
    fits
        Shape (count,), whether some placement fits.
    """
    return _core.settle_lines(FlatClues.of([clue]), _cells(lines), _colours(clue))


def feasible(clue: Clue, line: Candidates) -> bool:
    """Return whether some placement of `clue` fits the line (forward pass only, cheaper than `settle`)."""
    return bool(feasible_lines(clue, np.asarray(line)[np.newaxis])[0])


def feasible_lines(clue: Clue, lines: Candidates) -> NDArray[np.bool_]:
    """Return for each of many lines whether some placement of `clue` fits, shape (count,)."""
    return _core.feasible_lines(FlatClues.of([clue]), _cells(lines), _colours(clue))


def placements(clue: Clue, line: Candidates) -> Iterator[NDArray[np.int32]]:
    """Yield every placement of `clue` that fits the line: the starts of its blocks, lexicographically.

    Streams in constant memory and without dead ends: what was laid so far can always be completed.

    Parameters
    ----------
    line
        Candidate sets, shape (length,), 1 to 4096 cells.
    """
    return _placements(clue, line)


def placement_count(clue: Clue, line: Candidates) -> int:
    """Return how many placements of `clue` fit the line, without looking at each.

    Numbers beyond 64 bits come out as the largest of 64 bits.
    """
    return _placements(clue, line).count


def sweep_image(cells: NDArray[np.uint8]) -> Propagation:
    """Sweep the puzzle of an image until nothing changes, without making the puzzle: a fifth of the time.

    Parameters
    ----------
    cells
        Colours, shape (rows, columns).
    """
    rows, columns = FlatClues.of_cells(cells), FlatClues.of_cells(cells.T)
    compiled = _core.PuzzleClues(rows, columns, 1 + max(1, int(cells.max())))
    found, _, settles, sweeps, _ = compiled.propagate(None, _core.Schedule.SWEEPS, None, None)
    return Propagation(found, None, settles, sweeps, interrupted=False)


class LineSolver:
    """The line solver of one puzzle: its clues, compiled once. Immutable, safe to share between threads."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.compiled = _core.PuzzleClues(puzzle.flat_rows, puzzle.flat_columns, len(puzzle.palette))

    def propagate(
        self,
        candidates: Candidates | None = None,
        *,
        order: Order = Order.QUEUE,
        stop: StopFlag | None = None,
        seconds: float | None = None,
    ) -> Propagation:
        """Settle dirty lines until nothing changes; at the start every line is dirty.

        Parameters
        ----------
        candidates
            Where to start, shape (rows, columns); default: everything possible. Not modified.
        stop
            Polled before every settle.
        seconds
            After which the propagation is interrupted as if it was told to stop.
        """
        schedule = _core.Schedule.QUEUE if order is Order.QUEUE else _core.Schedule.SWEEPS
        cells, contradiction, settles, sweeps, interrupted = self._run(candidates, schedule, stop, seconds)
        return Propagation(cells, contradiction, settles, sweeps, interrupted)

    def probe(
        self,
        candidates: Candidates | None = None,
        *,
        level: ProbingLevel = ProbingLevel.FP1,
        groups: bool = False,
        stop: StopFlag | None = None,
        seconds: float | None = None,
    ) -> Probing:
        """Try every candidate of every open cell, keep what a cell's probes agree on, until nothing changes.

        Parameters
        ----------
        candidates
            Where to start, shape (rows, columns); default: everything possible. Not modified.
        groups
            Whether to collect GP relations, which takes a tenth longer.
        stop, seconds
            As in `propagate`.

        Raises
        ------
        Unsupported
            If level is not FP1, and line solving leaves more candidates of open cells than 8192.
        """
        given, core_level = self._checked(candidates), _core.ProbingLevel[level.name]
        return Probing(*_core.probe_fixpoint(self.compiled, given, core_level, groups, stop, seconds))

    def h_sweep(
        self,
        candidates: Candidates | None = None,
        *,
        stop: StopFlag | None = None,
        seconds: float | None = None,
    ) -> Sweep:
        """Settle every row, each from the grid as it was when the sweep began."""
        return self._sweep(_core.Schedule.ROWS, candidates, stop, seconds)

    def v_sweep(
        self,
        candidates: Candidates | None = None,
        *,
        stop: StopFlag | None = None,
        seconds: float | None = None,
    ) -> Sweep:
        """Settle every column, each from the grid as it was when the sweep began."""
        return self._sweep(_core.Schedule.COLUMNS, candidates, stop, seconds)

    def starts(self, line: Line, candidates: Candidates) -> list[NDArray[np.int32]] | None:
        """Return for every block of a line its sorted starts in placements that fit; None if none fits.

        Parameters
        ----------
        candidates
            The candidate sets of the whole grid, shape (rows, columns).
        """
        clue = self.puzzle.line_clue(line)
        cells = self._cells_of(line, candidates)
        return _core.starts(FlatClues.of([clue]), _cells(cells[np.newaxis]), _colours(clue))

    def marginals(
        self, line: Line, candidates: Candidates, weights: NDArray[np.float64]
    ) -> LineMarginals | None:
        """Return the exact marginals of a line over all placements that fit; None if none has weight.

        Parameters
        ----------
        candidates
            The candidate sets of the whole grid, shape (rows, columns).
        weights
            Of the line's cells in each colour, shape (length, colours); at least 0, with a cell's weights
            within a factor of 1e75 of each other.
        """
        cells = _cells(self._cells_of(line, candidates)[np.newaxis])
        if weights.shape != (cells.shape[1], len(self.puzzle.palette)):
            raise ValueError(f"weights of shape {weights.shape} for {cells.shape[1]} cells")
        flat = FlatClues.of([self.puzzle.line_clue(line)])
        found = _core.line_marginals(flat, cells, np.ascontiguousarray(weights, np.float64))
        return None if found is None else LineMarginals(*found)

    def beliefs(
        self,
        candidates: Candidates | None = None,
        *,
        sweeps: int = 15,
        tolerance: float = 0.01,
        stop: StopFlag | None = None,
        seconds: float | None = None,
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
        stop, seconds
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
        solved = self.propagate(candidates, stop=stop, seconds=seconds)
        if solved.interrupted:
            raise Interrupted
        if solved.contradiction is not None:
            return None
        beliefs = _core.Beliefs(self.compiled)
        beliefs.run(solved.candidates, sweeps, tolerance, stop, seconds)
        colours = np.arange(len(self.puzzle.palette), dtype=np.uint64)
        possible = solved.candidates[..., np.newaxis] >> colours & np.uint64(1)
        shares: NDArray[np.float64] = np.where(possible, beliefs.shares(), 0.0)
        shares /= shares.sum(axis=2, keepdims=True)
        return shares

    @staticmethod
    def _cells_of(line: Line, candidates: Candidates) -> Candidates:
        return candidates[line.position] if line.axis == "row" else candidates[:, line.position]

    def _sweep(
        self,
        schedule: _core.Schedule,
        candidates: Candidates | None,
        stop: StopFlag | None,
        seconds: float | None,
    ) -> Sweep:
        cells, contradiction, settles, _, interrupted = self._run(candidates, schedule, stop, seconds)
        return Sweep(cells, contradiction, settles, interrupted)

    def _run(
        self,
        candidates: Candidates | None,
        schedule: _core.Schedule,
        stop: StopFlag | None = None,
        seconds: float | None = None,
    ) -> tuple[Candidates, Line | None, int, int, bool]:
        given = self._checked(candidates)
        cells, where, settles, sweeps, interrupted = self.compiled.propagate(given, schedule, stop, seconds)
        contradiction = None if where is None else Line("column" if where[0] else "row", where[1])
        return cells, contradiction, settles, sweeps, interrupted

    def _checked(self, candidates: Candidates | None) -> Candidates | None:
        given = None if candidates is None else _cells(candidates)
        if given is not None and given.shape != self.puzzle.shape:
            raise ValueError(f"candidates of shape {given.shape} for a puzzle of shape {self.puzzle.shape}")
        return given


def _cells(candidates: Candidates) -> Candidates:
    """Return the candidates as the core takes them: uint64 in C order, copied only if they are not."""
    return np.ascontiguousarray(candidates, np.uint64)


def _placements(clue: Clue, line: Candidates) -> _core.Placements:
    return _core.Placements(FlatClues.of([clue]), _cells(np.asarray(line)[np.newaxis]), _colours(clue))


def _colours(clue: Clue) -> int:
    """Return how many colours a line of this clue can have, the background included."""
    return 1 + max((block.colour for block in clue), default=0)
