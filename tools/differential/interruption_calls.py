"""The long calls of the engine, each on a puzzle that keeps it busy for some tenths of a second.

A call takes a stop flag and seconds, raises `Interrupted` if cut off, and returns bytes that change with any
of its results.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from nonocsp.engine import Interrupted, LineSolver, Order, ProbingLevel, StopFlag, probing, searches
from nonocsp.engine.batch import Method
from nonocsp.engine.census import SolutionCensus, SweepCensus
from nonocsp.engine.images import ImageTrials
from nonocsp.testing import n_dom
from tools.differential.engine_cases import puzzle_of

Call = Callable[[StopFlag | None, float | None], bytes]

MEMORY = 2**26
"""Bytes for the learnt clauses of `hybrid`."""


def image(rows: int, columns: int, density: float, colours: int = 1) -> NDArray[np.intp]:
    """Return a random image, always the same."""
    random = np.random.default_rng(rows)
    cells: NDArray[np.intp] = random.integers(1, colours + 1, (rows, columns))
    return cells * (random.random((rows, columns)) < density)


@cache
def random_solver(rows: int, columns: int, density: float, colours: int) -> LineSolver:
    """Return the line solver of the puzzle of such an image."""
    return LineSolver(puzzle_of(image(rows, columns, density, colours), colours))


@cache
def dominoes(size: int) -> LineSolver:
    """Return the line solver of a puzzle that takes a search."""
    return LineSolver(n_dom(size))


def propagate(order: Order, stop: StopFlag | None, seconds: float | None) -> bytes:
    """Propagate a board of long lines."""
    found = random_solver(250, 250, 0.7, 3).propagate(order=order, stop=stop, wall=seconds)
    return _unless(found.interrupted, found.candidates)


def probe(level: ProbingLevel, stop: StopFlag | None, seconds: float | None) -> bytes:
    """Probe to the fixpoint, in groups."""
    found = dominoes(14).probe(level=level, groups=True, stop=stop, wall=seconds)
    return _unless(found.interrupted, found.candidates)


def beliefs(stop: StopFlag | None, seconds: float | None) -> bytes:
    """Ask for beliefs."""
    solver = random_solver(60, 60, 0.5, 2)
    found = solver.beliefs(sweeps=60, tolerance=0, stop=stop, wall=seconds)
    return b"" if found is None else found.tobytes()


def trials(stop: StopFlag | None, seconds: float | None) -> bytes:
    """Try every change of an image."""
    cells = image(40, 40, 0.6).astype(np.uint8)
    tried = ImageTrials(cells, 2, stop, seconds)
    changes = np.argwhere(cells == 0)
    black: NDArray[np.int32] = np.hstack([changes, np.ones((len(changes), 1))]).astype(np.int32, order="C")
    return tried.open_after(black, False, stop, seconds).tobytes()


def census(stop: StopFlag | None, seconds: float | None) -> bytes:
    """Count a shard of each census."""
    sweeps, solutions = SweepCensus(5, 6), SolutionCensus(5, 5)
    histogram = sweeps.count(sweeps.shards()[-1], stop, seconds)
    counts = solutions.count(solutions.shards()[-1], stop, seconds)
    return histogram.tobytes() + str(counts).encode()


def search(
    make: Callable[..., Method],
    size: int,
    options: tuple[object, ...],
    stop: StopFlag | None,
    seconds: float | None,
) -> bytes:
    """Find the first two solutions of a puzzle of dominoes."""
    found = make(*options).search(dominoes(size).compiled)
    first = [found.next(stop, seconds) for _ in range(2)]
    return b"".join(b"" if cells is None else cells.tobytes() for cells in first)


def _unless(interrupted: bool, found: NDArray[np.uint64]) -> bytes:
    if interrupted:
        raise Interrupted
    return found.tobytes()


_PROBING = (probing.ProbingScore.MIN_LOGD, probing.ProbingOrder.LARGER, 0)
_GAC = (searches.VariableOrder.DOM_WDEG, searches.ValueOrder.FIRST, True, 10**6, 0)

CALLS: dict[str, Call] = {
    **{f"propagate {order.name.lower()}": partial(propagate, order) for order in Order},
    **{f"probe {level.name.lower()}": partial(probe, level) for level in ProbingLevel},
    "beliefs": beliefs,
    "trials": trials,
    "census": census,
    "blocks": partial(search, searches.search_by_blocks, 7, (True,)),
    "gac": partial(search, searches.search_by_gac, 9, _GAC),
    "segments": partial(search, searches.search_by_segments, 9, (searches.PixelChoice.FEWEST,)),
    "twosat": partial(search, searches.search_by_two_sat, 6, (True, True)),
    "probing": partial(search, probing.search_by_probing, 7, (ProbingLevel.FP2, True, 2, *_PROBING)),
    "hybrid": partial(search, searches.search_by_hybrid, 10, (True, 100, searches.Guidance.DIVES, MEMORY, 0)),
    "learning": partial(
        search, searches.search_by_hybrid, 10, (False, 0, searches.Guidance.BELIEFS, MEMORY, 0)
    ),
}
