"""Check the engine and its backends on small grids against an enumeration."""

from __future__ import annotations

from threading import Timer

import numpy as np
from numpy.typing import NDArray

from nonocsp.backends.base import Answer, Request, Task, Termination
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import LineSolver, Order, ProbingLevel, Propagation, StopFlag, sweep_image
from nonocsp.engine.encodings import encode_automaton, encode_direct, encode_order
from nonocsp.engine.images import ImageTrials
from nonocsp.model import Puzzle
from nonocsp.testing import solutions
from tests import oracle
from tools.differential.engine_cases import (
    Candidates,
    puzzle_of,
    random_cells,
    random_puzzle,
    random_sets,
    require,
)
from tools.differential.rounds import varied

CORE_BACKENDS = ("blocks", "gac", "hybrid", "probing", "segments", "settle", "twosat")
ENCODINGS = (encode_order, encode_direct, encode_automaton)


def propagation(random: np.random.Generator) -> None:
    """Propagate in both orders, from anything."""
    puzzle = random_puzzle(random)
    given, solver = _given(random, puzzle), LineSolver(puzzle)
    grid, sweeps = oracle.fixpoint(puzzle, given.tolist())
    for order in Order:
        found = solver.propagate(given, order=order)
        require((found.contradiction is None) == (grid is not None), "propagate: fits", order, puzzle, given)
        require(grid is None or found.candidates.tolist() == grid, "propagate", order, puzzle, given)
        counted = grid is None or order is Order.QUEUE or found.sweeps == sweeps
        require(counted, "sweeps", puzzle, given, found.sweeps)


def single_sweeps(random: np.random.Generator) -> None:
    """Make one h-sweep and one v-sweep."""
    puzzle = random_puzzle(random)
    given, solver = _given(random, puzzle), LineSolver(puzzle)
    rows, columns = oracle.sweep(puzzle.rows, given.tolist()), oracle.sweep(puzzle.columns, given.T.tolist())
    for found, expected in ((solver.h_sweep(given), rows), (solver.v_sweep(given), columns)):
        require((found.contradiction is None) == (expected is not None), "sweep: fits", puzzle, given)
    if rows is not None:
        require(solver.h_sweep(given).candidates.tolist() == rows, "h_sweep", puzzle, given)
    if columns is not None:
        require(solver.v_sweep(given).candidates.T.tolist() == columns, "v_sweep", puzzle, given)


def probing(random: np.random.Generator) -> None:
    """Probe: no solution is lost, and every group holds in each solution."""
    puzzle = random_puzzle(random)
    given, level = _given(random, puzzle), list(ProbingLevel)[random.integers(3)]
    found = LineSolver(puzzle).probe(given, level=level, groups=True)
    kept = [cells for cells in _solutions(puzzle) if np.all(given >> cells & np.uint64(1))]
    require(not (found.contradiction and kept), "probe: contradiction", level, puzzle, given)
    if found.contradiction:
        return
    for cells in kept:
        require(bool(np.all(found.candidates >> cells & np.uint64(1))), "probe", level, puzzle, given)
        _check_groups(found.candidates, found.groups, cells, puzzle)


def beliefs(random: np.random.Generator) -> None:
    """Check beliefs: they are shares over the candidates that propagation leaves."""
    puzzle = random_puzzle(random)
    given, solver = _given(random, puzzle), LineSolver(puzzle)
    left, found = solver.propagate(given), solver.beliefs(given, sweeps=int(random.integers(0, 20)))
    require((found is None) == (left.contradiction is not None), "beliefs: fits", puzzle, given)
    if found is not None:
        require(np.allclose(found.sum(axis=2), 1), "beliefs: sum", puzzle, given, found)
        colours = np.arange(found.shape[2], dtype=np.uint64)
        possible = left.candidates[..., np.newaxis] >> colours & np.uint64(1)
        require(bool(np.all((found > 0) == (possible > 0))), "beliefs: support", puzzle, given, found)


def images(random: np.random.Generator) -> None:
    """Sweep images, and the images that differ in one cell."""
    colours = int(random.integers(1, 4))
    shape = (int(random.integers(1, 7)), int(random.integers(1, 7)))
    cells = random_cells(random, shape, colours).astype(np.uint8)
    trials = ImageTrials(cells, colours + 1, None, None)
    grid, sweeps = _fixpoint_of(cells, colours)
    swept: Propagation = sweep_image(cells)
    require((swept.sweeps, int(_open(swept.candidates))) == (sweeps, _open(grid)), "sweep_image", cells)
    require(trials.known().tolist() == grid.tolist(), "ImageTrials.known", cells)
    changes = random.integers(0, [*shape, colours + 1], (4, 3)).astype(np.int32)
    exact, least = (trials.open_after(changes, bound, None, None) for bound in (False, True))
    for (row, column, colour), count, bound in zip(changes.tolist(), exact, least, strict=True):
        changed = cells.copy()
        changed[row, column] = colour
        require(count == _open(_fixpoint_of(changed, colours)[0]), "open_after", cells, row, column, colour)
        require(bound <= count, "open_after: least", cells, row, column, colour)


def encodings(random: np.random.Generator) -> None:
    """Encode any partial grid: the clauses are well formed, and their literals name the right cells."""
    puzzle = random_puzzle(random)
    solver = LineSolver(puzzle)
    root = solver.propagate(_given(random, puzzle))
    if root.contradiction is not None:
        return
    for encode in ENCODINGS:
        encoding = encode(solver, root.candidates)
        literals = encoding.cnf.literals
        require(int((literals == 0).sum()) == encoding.cnf.clauses, "clauses", puzzle)
        require(bool(np.all(np.abs(literals) <= encoding.cnf.variables)), "literals", puzzle)
        require(
            set(encoding.cells.tolist()) == set(np.flatnonzero(_is_open(root.candidates))), "cells", puzzle
        )


def backends(random: np.random.Generator) -> None:
    """Count the solutions with one backend of the core and any options."""
    puzzle = random_puzzle(random)
    spec = varied(str(random.choice(CORE_BACKENDS)), random)
    expected = {cells.tobytes() for cells in _solutions(puzzle)}
    bound = len(expected) + 1
    outcome = run_backend(create(spec), puzzle, Request(Task.COUNT, bound=bound), StopFlag())
    require(outcome.termination in (Termination.OK, Termination.UNSUPPORTED), spec, puzzle, outcome)
    complete = outcome.termination is Termination.OK and outcome.answer not in (
        Answer.PARTIAL,
        Answer.UNKNOWN,
    )
    if complete:
        found = {grid.cells.astype(np.uint64).tobytes() for grid in outcome.solutions}
        right = found == expected or (outcome.answer is Answer.SOLVED and found <= expected)
        require(right, spec, puzzle, outcome)


def stopped(random: np.random.Generator) -> None:
    """Stop a backend at any moment; the next run, on the same engine, is right."""
    puzzle = random_puzzle(random)
    spec = varied(str(random.choice(CORE_BACKENDS)), random)
    stop = StopFlag()
    timer = Timer(float(random.exponential(3e-4)), stop.set)
    timer.start()
    outcome = run_backend(create(spec), puzzle, Request(Task.COUNT, bound=50), stop)
    timer.join()
    ended = (Termination.OK, Termination.KILLED, Termination.UNSUPPORTED)
    require(outcome.termination in ended, spec, puzzle, outcome)
    require(outcome.answer is not Answer.UNSAT or not _solutions(puzzle), spec, puzzle, outcome)


GRID_CHECKS = (propagation, single_sweeps, probing, beliefs, images, encodings, backends, stopped, backends)


def _given(random: np.random.Generator, puzzle: Puzzle) -> Candidates:
    return random_sets(random, puzzle.shape, len(puzzle.palette) - 1)


def _solutions(puzzle: Puzzle) -> list[NDArray[np.uint64]]:
    return [grid.cells.astype(np.uint64) for grid in solutions(puzzle)]


def _fixpoint_of(cells: NDArray[np.uint8], colours: int) -> tuple[Candidates, int]:
    everything = [[2 ** (colours + 1) - 1] * cells.shape[1]] * cells.shape[0]
    grid, sweeps = oracle.fixpoint(puzzle_of(cells.astype(np.intp), colours), everything)
    return np.array(grid, np.uint64), sweeps


def _is_open(candidates: Candidates) -> NDArray[np.bool_]:
    several: NDArray[np.bool_] = candidates & (candidates - np.uint64(1)) != 0
    return several


def _open(candidates: Candidates) -> int:
    return int(_is_open(candidates).sum())


def _check_groups(
    candidates: Candidates, groups: NDArray[np.int32] | None, cells: NDArray[np.uint64], puzzle: Puzzle
) -> None:
    """Check that in each solution all cells of a group have their lower, or all their higher, candidate."""
    if groups is None:
        return
    is_lower = (candidates & -candidates) == np.uint64(1) << cells
    for group in range(1, int(np.abs(groups).max()) + 1):
        same = {*is_lower[groups == group].tolist(), *(~is_lower[groups == -group]).tolist()}
        require(len(same) <= 1, "groups", puzzle, group)
