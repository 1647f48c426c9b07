"""Climb the ladder of methods on one small puzzle: what each derives, step by step, and what it cannot.

Four rungs start from the empty grid to show that they come to the same end, and so does unit propagation on
three encodings. 2-SAT and learning start where line solving ends, probing where 2-SAT ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from nonocsp.api import solve
from nonocsp.backends.base import Answer, Outcome
from nonocsp.backends.open_lines import colours_in
from nonocsp.engine import Candidates, LineSolver, placement_count
from nonocsp.engine.encodings import ENCODERS
from nonocsp.engine.line_solver import cells_of
from nonocsp.grading.ladder import inference as by
from nonocsp.grading.ladder.inference import Literal, Step
from nonocsp.grading.ladder.learning import Learning
from nonocsp.model import Grid, Puzzle, PuzzleError

MOST_LINES = 15
"""Of the puzzles that the ladder takes, rows and columns."""
MOST_PLACEMENTS = 2000
"""Of a line in the empty grid."""
PATIENCE = 3.0
"""Seconds for each backend; of one that takes less than `QUICK`, the fastest of three runs counts."""
QUICK = 0.1

BACKENDS = {
    "settle": "settle",
    "blocks": "blocks",
    "messages": "segments",
    "gac": "gac:settle=no",
    "2-sat": "twosat",
    "fp1": "probing",
    "direct": "sat:encoding=direct,root=no",
    "order": "sat:encoding=order,root=no",
    "automaton": "sat:encoding=automaton,root=no",
    "learning": "hybrid:backtracking=no,budget=0,guidance=none,search=model=cells",
}
"""The rungs, each with the backend that searches with it."""


@dataclass(frozen=True, slots=True)
class Rung:
    """A method on a puzzle: the grid before and after its steps, and the steps in order."""

    method: str
    start: Grid
    steps: tuple[Step, ...]
    end: Grid

    @property
    def known(self) -> int:
        """The number of decided cells at its end."""
        return int(np.count_nonzero(self.end.decided))

    def exceeds(self, other: Rung) -> bool:
        """Return whether it excludes a value that another rung does not exclude."""
        return bool((other.end.candidates & ~self.end.candidates).any())


@dataclass(frozen=True, slots=True)
class Ladder:
    """The rungs; for each its first step that none before takes, why it ends, and its backend's outcome."""

    puzzle: Puzzle
    rungs: tuple[Rung, ...]
    news: tuple[Step | None, ...]
    limits: tuple[Step, ...]
    outcomes: tuple[Outcome, ...]


def ladder(puzzle: Puzzle) -> Ladder:
    """Climb the ladder; PuzzleError if there is no solution, or more lines or placements than it takes."""
    rungs = fixpoints(puzzle)
    learning = Learning(puzzle, rungs[0].end.candidates)
    steps = tuple(learning.steps())
    is_proved = steps[-1].why == "unique"
    end = Grid(learning.solutions[0]) if is_proved else rungs[0].end
    rungs += (Rung("learning", rungs[0].end, steps, end),)
    news = tuple(_news(rungs[: number + 1]) for number in range(len(rungs)))
    limits = tuple(_limit(puzzle, rung, rungs) for rung in rungs)
    return Ladder(puzzle, rungs, news, limits, tuple(_fastest(puzzle, spec) for spec in BACKENDS.values()))


def fixpoints(puzzle: Puzzle) -> tuple[Rung, ...]:
    """Return the rungs without search; may raise what `ladder` raises."""
    solver = LineSolver(puzzle)
    empty = solver.nothing_known().candidates
    _check(puzzle, empty)
    rungs: list[Rung] = []

    def climb(method: str, start: Candidates, steps: Callable[[Candidates], Iterator[Step]]) -> None:
        cells = start.copy()
        rungs.append(Rung(method, Grid(start), tuple(steps(cells)), Grid(cells)))

    lines = {"settle": by.settled, "blocks": by.enumerated, "messages": by.told_by_messages}
    for method, reason in (lines | {"gac": by.supported(puzzle, empty)}).items():
        climb(method, empty, partial(by.by_lines, puzzle, reason=reason, why=method))
    climb("2-sat", rungs[0].end.candidates, partial(by.by_two_sat, solver))
    climb("fp1", rungs[-1].end.candidates, partial(by.by_probing, solver))
    for method in ("direct", "order", "automaton"):
        climb(method, empty, partial(by.by_units, ENCODERS[method](solver, empty)))
    return tuple(rungs)


def _check(puzzle: Puzzle, empty: Candidates) -> None:
    rows, columns = puzzle.shape
    if max(rows, columns) > MOST_LINES:
        most = f"the ladder shows every step and takes at most {MOST_LINES} rows and columns"
        raise PuzzleError(f"{rows}x{columns} is too large: {most}; nonocsp explain takes larger puzzles")
    for line in by.lines_of(puzzle):
        count = placement_count(puzzle.line_clue(line), cells_of(line, empty))
        if count > MOST_PLACEMENTS:
            most = f"the ladder lists them and takes at most {MOST_PLACEMENTS}"
            raise PuzzleError(f"{line} has {count} placements: {most}")
    if solve(puzzle, wall=PATIENCE).answer not in (Answer.UNIQUE, Answer.MULTIPLE):
        raise PuzzleError(
            "the puzzle has no solution to climb to; nonocsp mend finds clues that may be wrong"
        )


def _fastest(puzzle: Puzzle, spec: str) -> Outcome:
    outcomes = [solve(puzzle, backend=spec, wall=PATIENCE)]
    if outcomes[0].wall_s < QUICK:
        outcomes += [solve(puzzle, backend=spec, wall=PATIENCE) for _ in range(2)]
    return min(outcomes, key=lambda outcome: outcome.wall_s)


def _news(rungs: tuple[Rung, ...]) -> Step | None:
    """Return the first step of the last rung that no rung before it takes."""
    *before, rung = rungs
    if rung.method == "learning":
        return next((step for step in rung.steps if step.why.startswith("learn")), None)
    grids = [other.end.candidates for other in before] or [rung.start.candidates]
    known = np.bitwise_and.reduce(grids)
    new = (step for step in rung.steps if any(int(known[c[:2]]) & ~c.after for c in step.changes))
    return next(new, None)


def _limit(puzzle: Puzzle, rung: Rung, rungs: tuple[Rung, ...]) -> Step:
    """Return why a rung stops: what the weakest rung that derives more sees, and it does not."""
    stronger = [other for other in rungs if other.exceeds(rung)]
    if rung.method == "learning":
        return Step("limit-learning")
    if rung.end.is_full or not stronger:
        return Step("limit-full" if rung.end.is_full else "limit-open")
    cells = rung.end.candidates
    end = max(stronger, key=lambda other: other.end.unknown_cells).end.candidates
    row, column = np.argwhere(cells & ~end != 0)[0].tolist()
    kept, lost = int(cells[row, column] & end[row, column]), int(cells[row, column] & ~end[row, column])
    wrong = Literal(row, column, 1 << colours_in(lost)[0])
    facts: Mapping[str, Any] = {"literal": Literal(row, column, kept), "wrong": wrong}
    if not (rung.exceeds(rungs[0]) or rungs[0].exceeds(rung)):
        return Step("limit-lines", facts={**facts, **_witnesses(puzzle, cells, wrong)})
    if rung.method == "2-sat":
        facts = {**facts, "n": len(by.reached(by.implications(puzzle, cells), wrong)) - 1}
    return Step(f"limit-{'units' if rung.method in ENCODERS else rung.method}", facts=facts)


def _witnesses(puzzle: Puzzle, cells: Candidates, value: Literal) -> dict[str, Any]:
    """Return the two lines of a cell, and a placement of each with a value."""
    tried = cells.copy()
    tried[value[:2]] = value.colours
    row, column = [line for line in by.lines_of(puzzle) if line.position == value[line.axis == "column"]]
    in_row, in_column = (
        by.ways_of(puzzle.line_clue(line), cells_of(line, tried))[:1] for line in (row, column)
    )
    return {"row": row, "column": column, "in_row": in_row, "in_column": in_column}
