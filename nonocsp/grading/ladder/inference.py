"""Trace what methods without search derive, step by step, with the engine's own inferences.

Each function narrows `cells`, an array of candidate sets, to the fixpoint of its method, and yields a step
for each thing that it finds. The fixpoint does not depend on the order. The puzzle must have a solution.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from nonocsp.backends.open_lines import colours_in
from nonocsp.engine import Candidates, LineSolver
from nonocsp.engine.encodings import Encoding
from nonocsp.engine.line_solver import cells_of
from nonocsp.engine.lines import (
    as_cells,
    block_starts,
    colours_of,
    placement_count,
    placements,
    settle,
    settle_lines,
)
from nonocsp.engine.searches import eliminate_lines
from nonocsp.grading.explain.steps import Change
from nonocsp.model import Clue, FlatClues, Line, Puzzle


class Literal(NamedTuple):
    """A cell has one of some colours, a bit set."""

    row: int
    column: int
    colours: int


@dataclass(frozen=True, slots=True)
class Step:
    """Something that a method derives, perhaps in a line; `why` is its sentence, which names the facts."""

    why: str
    changes: tuple[Change, ...] = ()
    line: Line | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)


def changes_between(before: Candidates, after: Candidates) -> tuple[Change, ...]:
    """Return the cells that differ."""
    places = np.argwhere(before != after).tolist()
    return tuple(Change(r, c, int(before[r, c]), int(after[r, c])) for r, c in places)


def lines_of(puzzle: Puzzle) -> list[Line]:
    """Return all lines, rows first."""
    rows, columns = puzzle.shape
    return [*(Line("row", i) for i in range(rows)), *(Line("column", i) for i in range(columns))]


Reason = Callable[[Line, Clue, Candidates], tuple[Candidates, dict[str, Any]]]
"""Narrows one line; returns what is left of it, and the facts of the step."""


def by_lines(puzzle: Puzzle, cells: Candidates, reason: Reason, why: str = "settle") -> Iterator[Step]:
    """Narrow lines until nothing changes: first all rows and columns, then those that have changed."""
    queue = deque(lines_of(puzzle))
    while queue:
        line, before = queue.popleft(), cells.copy()
        cells_of(line, cells)[:], facts = reason(line, puzzle.line_clue(line), cells_of(line, before))
        if changes := changes_between(before, cells):
            crossed = [
                Line("column", c.column) if line.axis == "row" else Line("row", c.row) for c in changes
            ]
            queue.extend(other for other in crossed if other not in queue)
            yield Step(why, changes, line, facts)


def settled(_: Line, clue: Clue, cells: Candidates) -> tuple[Candidates, dict[str, Any]]:
    """Settle a line."""
    left = settle(clue, cells)
    assert left is not None, "the puzzle has a solution"
    return left, {"n": placement_count(clue, cells)}


def enumerated(_: Line, clue: Clue, cells: Candidates) -> tuple[Candidates, dict[str, Any]]:
    """Lay the blocks in all ways, and keep what they share."""
    ways = ways_of(clue, cells)
    return np.bitwise_or.reduce(ways), {"n": len(ways), "ways": ways}


def told_by_messages(_: Line, clue: Clue, cells: Candidates) -> tuple[Candidates, dict[str, Any]]:
    """Let the segments and the pixels of a line exchange messages."""
    [left] = eliminate_lines(FlatClues.of([clue]), as_cells(cells)[np.newaxis], colours_of(clue))
    return left, {"starts": [(starts + 1).tolist() for starts in block_starts(clue, left) or []]}


def supported(puzzle: Puzzle, cells: Candidates) -> Reason:
    """Return arc consistency: a line drops those of its placements that crossing lines do not support."""
    domains = {line: ways_of(puzzle.line_clue(line), cells_of(line, cells)) for line in lines_of(puzzle)}

    def narrow(line: Line, _: Clue, cells: Candidates) -> tuple[Candidates, dict[str, Any]]:
        domain = domains[line]
        domains[line] = kept = domain[(domain & cells == domain).all(axis=1)]
        return np.bitwise_or.reduce(kept), {"n": len(kept), "removed": len(domain) - len(kept)}

    return narrow


def ways_of(clue: Clue, cells: Candidates) -> Candidates:
    """Return all placements that fit a line as candidate sets of its cells, shape (placements, length)."""
    starts = np.stack(list(placements(clue, cells)))
    ways = np.ones((len(starts), len(cells)), np.uint64)
    for block, start in zip(clue, starts.T, strict=True):
        np.put_along_axis(ways, start[:, np.newaxis] + np.arange(block.length), 1 << block.colour, axis=1)
    return ways


def by_units(encoding: Encoding, cells: Candidates) -> Iterator[Step]:
    """Propagate the unit clauses of an encoding, in rounds."""
    clauses, true, number = list(encoding.cnf), set[int](), len(encoding.cells)
    while units := _units(clauses, true):
        true |= units
        before = cells.copy()
        of_cells = [literal for literal in units if abs(literal) <= number]
        for literal in of_cells:
            colour = np.uint64(1 << int(encoding.colours[abs(literal) - 1]))
            cells.flat[encoding.cells[abs(literal) - 1]] &= colour if literal > 0 else ~colour
        facts = {"n": len(units), "cells": len(of_cells), "others": len(units) - len(of_cells)}
        yield Step("units", changes_between(before, cells), facts=facts)


def _units(clauses: list[list[int]], true: set[int]) -> set[int]:
    """Return the literals of clauses of which nothing is true, and all literals but one are false."""
    open_clauses = (clause for clause in clauses if true.isdisjoint(clause))
    kept = ([literal for literal in clause if -literal not in true] for clause in open_clauses)
    return {literals[0] for literals in kept if len(literals) == 1}


Graph = dict[Literal, dict[Literal, Line]]
"""For each literal those that one line derives from it, with that line."""


def by_two_sat(solver: LineSolver, cells: Candidates) -> Iterator[Step]:
    """Settle lines and solve the clauses of two literals that they imply (Batenburg & Kosters 2009)."""
    before = np.zeros_like(cells)
    while not np.array_equal(before, cells):
        yield from by_lines(solver.puzzle, cells, settled)
        graph, before = implications(solver.puzzle, cells), cells.copy()
        for literal in sorted(graph):
            opposite = literal._replace(colours=int(before[literal[:2]]) & ~literal.colours)
            chain, old = reached(graph, literal).get(opposite), cells.copy()
            if chain:
                cells[literal[:2]] &= np.uint64(opposite.colours)
                if changes := changes_between(old, cells):
                    yield Step("two-sat", changes, facts={"chain": chain})


def implications(puzzle: Puzzle, cells: Candidates) -> Graph:
    """Assume each literal of each open cell, settle its lines, and return what follows."""
    graph: Graph = defaultdict(dict)
    for line in lines_of(puzzle):
        before = cells_of(line, cells).tolist()
        literals = [(i, literal) for i in range(len(before)) for literal in _literals(line, i, before[i])]
        tried = np.array([before] * len(literals), np.uint64).reshape(-1, len(before))
        tried[range(len(literals)), [i for i, _ in literals]] = [literal.colours for _, literal in literals]
        lefts, _ = settle_lines(puzzle.line_clue(line), tried)
        for (_, literal), left in zip(literals, lefts.tolist(), strict=True):
            for i, implied in literals:
                if left[i] & ~implied.colours == 0 and implied != literal:
                    graph[literal].setdefault(implied, line)
    return graph


def _literals(line: Line, place: int, candidates: int) -> set[Literal]:
    """Return what can be said about an open cell of a line: that it has a colour, and that it has not."""
    row, column = (line.position, place) if line.axis == "row" else (place, line.position)
    has = [1 << colour for colour in colours_in(candidates)] if candidates.bit_count() > 1 else []
    return {Literal(row, column, colours) for one in has for colours in (one, candidates & ~one)}


def reached(graph: Graph, start: Literal) -> dict[Literal, list[tuple[Literal, Line | None]]]:
    """Return what follows from a literal, each with its shortest chain: literals, and the line of each."""
    chains: dict[Literal, list[tuple[Literal, Line | None]]] = {start: [(start, None)]}
    queue = deque([start])
    while queue:
        literal = queue.popleft()
        new = {implied: line for implied, line in graph.get(literal, {}).items() if implied not in chains}
        chains |= {implied: [*chains[literal], (implied, line)] for implied, line in new.items()}
        queue.extend(new)
    return chains


def by_probing(solver: LineSolver, cells: Candidates) -> Iterator[Step]:
    """Try every value of every open cell by line solving, and keep what all agree on (Wu et al. 2013)."""
    yield from by_lines(solver.puzzle, cells, settled)
    while (step := _first_finding(solver, cells)) is not None:
        for row, column, _, after in step.changes:
            cells[row, column] = after
        yield step
        yield from by_lines(solver.puzzle, cells, settled)


def _first_finding(solver: LineSolver, cells: Candidates) -> Step | None:
    """Return the first thing that probes find, if there is one."""
    for row, column in np.argwhere(np.bitwise_count(cells) > 1).tolist():
        union, values = np.zeros_like(cells), Literal(row, column, int(cells[row, column]))
        for colour in colours_in(values.colours):
            tried = cells.copy()
            tried[row, column] = 1 << colour
            left = solver.propagate(tried)
            if left.contradiction is not None:
                n = len(changes_between(tried, left.candidates))
                change = Change(row, column, values.colours, values.colours & ~(1 << colour))
                facts = {"n": n, "literal": values._replace(colours=1 << colour)}
                return Step("probe-fails", (change,), left.contradiction, facts)
            union |= left.candidates
        if changes := changes_between(cells, union):
            return Step("probe-agrees", changes, facts={"literal": values})
    return None
