"""Checks on puzzles too large for an enumeration: long lines, whole words, many colours, calls cut off.

Each puzzle is made from an image, which must remain a solution.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nonocsp.backends.base import Answer, Limits, Request, Task, Termination
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import LineSolver, Order, ProbingLevel, StopFlag, Unsupported
from nonocsp.engine import placement_count as count_placements
from nonocsp.model import Puzzle
from tools.differential.engine_cases import Candidates, puzzle_of, random_cells, require
from tools.differential.engine_grids import CORE_BACKENDS
from tools.differential.rounds import varied

SHAPES = ((64, 64), (65, 65), (64, 65), (1, 1500), (1100, 2), (3, 200), (130, 20), (100, 129), (30, 30))
SECONDS = 0.05


def large_propagation(random: np.random.Generator) -> None:
    """Propagate and probe, mostly cut off."""
    puzzle, cells = _image(random)
    solver = LineSolver(puzzle)
    order, seconds = list(Order)[random.integers(2)], SECONDS * float(random.random())
    found = solver.propagate(order=order, wall=seconds)
    _require_kept(found.candidates, cells, "propagate", puzzle)
    require(found.contradiction is None, "propagate: contradiction", puzzle)
    level = list(ProbingLevel)[random.integers(3)]
    try:
        probed = solver.probe(found.candidates, level=level, groups=random.random() < 0.3, wall=seconds)
    except Unsupported:
        return
    _require_kept(probed.candidates, cells, "probe", level, puzzle)
    require(not probed.contradiction, "probe: contradiction", puzzle)


def large_backends(random: np.random.Generator) -> None:
    """Run a backend for a moment: its grids are verified, and it must not claim that there is no solution."""
    puzzle, _ = _image(random)
    spec = varied(str(random.choice(CORE_BACKENDS)), random)
    request = Request(list(Task)[random.integers(len(Task))], Limits(wall=SECONDS), bound=3)
    outcome = run_backend(create(spec), puzzle, request, StopFlag())
    require(outcome.termination is not Termination.CRASHED, spec, puzzle, outcome)
    require(outcome.answer is not Answer.UNSAT, spec, puzzle, outcome)


def large_counts(random: np.random.Generator) -> None:
    """Count the placements of a long line; the image is one of them."""
    puzzle, cells = _image(random)
    row = int(random.integers(puzzle.shape[0]))
    full = np.full(puzzle.shape[1], 2 ** len(puzzle.palette) - 1, np.uint64)
    known = np.where(random.random(full.shape) < 0.5, np.uint64(1) << cells[row], full)
    few, many = (count_placements(puzzle.rows[row], line) for line in (known, full))
    require(1 <= few <= many, "placement_count", puzzle, row)


LARGE_CHECKS = (large_propagation, large_backends, large_counts)


def _image(random: np.random.Generator) -> tuple[Puzzle, NDArray[np.uint64]]:
    shape, colours = SHAPES[random.integers(len(SHAPES))], int(random.choice([1, 1, 3, 63]))
    cells = random_cells(random, shape, colours)
    return puzzle_of(cells, colours), cells.astype(np.uint64)


def _require_kept(candidates: Candidates, cells: NDArray[np.uint64], *what: object) -> None:
    require(bool(np.all(candidates >> cells & np.uint64(1))), "the image is lost", *what)
