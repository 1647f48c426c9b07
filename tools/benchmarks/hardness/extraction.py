"""Compute features of a puzzle that may tell how hard it is, and the CPU time that each group of them takes.

A group builds on those before it: the clues alone; what line solving leaves; the independent components of
that; 2-SAT and probing on it; beliefs about the open cells. All of them together take a few milliseconds for
a 25x25, most of it for 2-SAT and probing.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nonocsp.engine import Candidates, LineSolver, Order, placement_count
from nonocsp.engine.beliefs import Beliefs, shares_among
from nonocsp.engine.searches import search_by_two_sat
from nonocsp.model import Clue, Line, Puzzle

GROUPS: dict[str, dict[str, str]] = {
    "clues": {
        "cells": "number of cells",
        "colours": "number of foreground colours",
        "density": "share of cells in blocks",
        "blocks": "blocks per line",
        "slack": "share of a line that its blocks and gaps leave free, mean",
        "placements": "bits: binary logarithm of the placements of a line, mean",
    },
    "lines": {
        "sweeps": "sweeps that line solving takes",
        "open": "share of cells that line solving leaves open",
        "open cells": "number of these cells",
        "left": "bits of the placements that are left in an open line, mean",
        "widest": "bits of the placements that are left in a line, largest",
    },
    "components": {
        "components": "independent components of the open cells",
        "largest": "share of the open cells in the largest component",
    },
    "2-SAT": {
        "clauses": "2-SAT clauses per open cell",
        "open, 2-SAT": "share of the open cells that 2-SAT leaves open",
    },
    "probing": {"open, probed": "share of the open cells that probing (FP1) leaves open"},
    "beliefs": {
        "entropy": "entropy of the belief about an open cell, mean, in bits",
        "all entropy": "sum of these entropies, in bits",
        "certain": "share of the open cells with a belief of at least 95 %",
    },
}
"""What is computed: groups of features, each with what it means."""
TIERS = {"clues": ("clues",), "clues and lines": ("clues", "lines"), "all features": tuple(GROUPS)}
"""Sets of groups, cheapest first."""
FEATURES = tuple(name for group in GROUPS.values() for name in group)
CERTAIN = 0.95
SWEEPS = 15
"""The most sweeps of beliefs."""


@dataclass(frozen=True)
class Extraction:
    """The features of a puzzle.

    Parameters
    ----------
    values
        By name, in the order of `FEATURES`.
    cpu_s
        CPU seconds of each group.
    """

    values: dict[str, float] = field(default_factory=dict)
    cpu_s: dict[str, float] = field(default_factory=dict)


def extract(puzzle: Puzzle) -> Extraction:
    """Return the features of a puzzle; those of open cells are 0 where line solving leaves none."""
    extraction = Extraction()
    solver = LineSolver(puzzle)
    left: list[Candidates] = []

    def settled() -> list[float]:
        propagation = solver.propagate(order=Order.SWEEPS)
        left.append(propagation.candidates)
        return _of_lines(solver, propagation.candidates, propagation.sweeps)

    steps: dict[str, Callable[[], list[float]]] = {
        "clues": lambda: _of_clues(puzzle),
        "lines": settled,
        "components": lambda: _of_components(solver, left[0]),
        "2-SAT": lambda: _of_two_sat(solver, _open(left[0])),
        "probing": lambda: [_open(solver.probe(left[0]).candidates) / _open(left[0])],
        "beliefs": lambda: _of_beliefs(solver, left[0]),
    }
    for group, step in steps.items():
        start = time.process_time()
        values = step() if group in ("clues", "lines") or _open(left[0]) else [0.0] * len(GROUPS[group])
        extraction.cpu_s[group] = time.process_time() - start
        extraction.values.update(zip(GROUPS[group], values, strict=True))
    return extraction


def _of_clues(puzzle: Puzzle) -> list[float]:
    lines = [*_lines(puzzle)]
    rows, columns = puzzle.shape
    everything = np.uint64((1 << len(puzzle.palette)) - 1)
    slack = [1 - clue.min_length / length for clue, _, length in lines]
    bits = [_bits(clue, np.full(length, everything)) for clue, _, length in lines]
    filled = puzzle.flat_rows.lengths.sum() / (rows * columns)
    blocks = sum(len(clue) for clue, _, _ in lines) / len(lines)
    return [rows * columns, len(puzzle.palette) - 1, filled, blocks, np.mean(slack), np.mean(bits)]


def _of_lines(solver: LineSolver, cells: Candidates, sweeps: int) -> list[float]:
    open_cells = _open(cells)
    bits = [0.0]
    for clue, line, _ in _lines(solver.puzzle):
        own = cells[line.position] if line.axis == "row" else cells[:, line.position]
        if _open(own):
            bits.append(_bits(clue, own))
    mean = sum(bits) / max(1, len(bits) - 1)
    return [sweeps, open_cells / cells.size, open_cells, mean, max(bits)]


def _of_components(solver: LineSolver, cells: Candidates) -> list[float]:
    sizes = [_open(candidates) for _, _, _, candidates in solver.compiled.components(cells)]
    return [len(sizes), max(sizes) / sum(sizes)]


def _of_two_sat(solver: LineSolver, open_cells: int) -> list[float]:
    search = search_by_two_sat(looks_ahead=False, complete=False).search(solver.compiled)
    narrowed = search.next(None, None)
    clauses = dict(search.statistics())["clauses"]
    return [float(clauses) / open_cells, 0.0 if narrowed is None else _open(narrowed) / open_cells]


def _of_beliefs(solver: LineSolver, cells: Candidates) -> list[float]:
    beliefs = Beliefs(solver.compiled)
    beliefs.run(cells, SWEEPS, 0.01, None, None)
    shares = shares_among(cells, beliefs.shares())[_is_open(cells)]
    entropy = -np.where(shares > 0, shares * np.log2(np.maximum(shares, 1e-300)), 0).sum(axis=1)
    return [entropy.mean(), entropy.sum(), np.mean(shares.max(axis=1) >= CERTAIN)]


def _lines(puzzle: Puzzle) -> Iterator[tuple[Clue, Line, int]]:
    """Yield clue, place and length of every line."""
    rows, columns = puzzle.shape
    for position, clue in enumerate(puzzle.rows):
        yield clue, Line("row", position), columns
    for position, clue in enumerate(puzzle.columns):
        yield clue, Line("column", position), rows


def _bits(clue: Clue, line: Candidates) -> float:
    return math.log2(max(1, placement_count(clue, line)))


def _is_open(cells: Candidates) -> NDArray[np.bool_]:
    return np.bitwise_count(cells) > 1


def _open(cells: Candidates) -> int:
    return int(np.count_nonzero(_is_open(cells)))
