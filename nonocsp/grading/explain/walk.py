"""Walk through a puzzle as people do: always the cheapest deduction, until there is none.

The core walks: line techniques go first, in the order of `nonocsp.grading.explain.catalogue`; probes start
only at the line fixpoint. Without probes the steps together are exactly line solving: they end at the
fixpoint of settle, whatever the order. This module puts the steps into words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from nonocsp.engine import LineSolver, grading
from nonocsp.engine.lines import as_cells
from nonocsp.grading.explain.catalogue import Technique
from nonocsp.grading.explain.steps import Change, Explanation, Step
from nonocsp.grading.explain.texts import Words
from nonocsp.model import Clue, Grid, Line, Puzzle, PuzzleError
from nonocsp.model.puzzle import checked_puzzle


def explain(
    puzzle: Puzzle, grid: Grid | None = None, *, probes: bool = True, language: str = "en"
) -> Explanation:
    """Explain how people solve a puzzle, step by step.

    Parameters
    ----------
    puzzle
        The puzzle.
    grid
        Where to start; None: the empty grid.
    probes
        Whether to ask what-if questions where line solving ends.
    language
        Of the reasons, ``en`` or ``de``.

    Raises
    ------
    PuzzleError
        If the grid has another shape or other colours than the puzzle.
    TypeError
        If the puzzle is not a `Puzzle` or the grid not a `Grid`.
    """
    checked_puzzle(puzzle)
    start = Grid.unknown(*puzzle.shape, puzzle.palette) if grid is None else checked_start(puzzle, grid)
    compiled = LineSolver(puzzle).compiled
    records, contradiction = grading.walk(compiled, as_cells(start.candidates), probes, None, None)
    return Explanation(puzzle, start, tuple(steps_of(puzzle, records, language)), line_at(contradiction))


def checked_start(puzzle: Puzzle, grid: Grid) -> Grid:
    """Return the grid; an error if it is none of this puzzle."""
    if not isinstance(grid, Grid):
        what = f"expected a Grid, not {type(grid).__name__}"
        raise TypeError(f"{what}; Grid.from_strings and Grid.from_cells make one")
    if grid.shape != checked_puzzle(puzzle).shape:
        (rows, columns), (wanted_rows, wanted_columns) = grid.shape, puzzle.shape
        raise PuzzleError(f"the grid is {rows}x{columns}, the puzzle {wanted_rows}x{wanted_columns}")
    known = np.uint64(2 ** len(puzzle.palette) - 1)
    for row, column in np.argwhere((grid.candidates & ~known != 0) | (grid.candidates == 0))[:1].tolist():
        names = ", ".join(colour.name for colour in puzzle.palette.colours)
        place = Words(puzzle.palette).place(row, column)
        raise PuzzleError(f"{place} has a colour that the puzzle lacks; expected {names}")
    return grid


def line_at(place: tuple[int, int] | None) -> Line | None:
    """Return the line that the core names by axis and position."""
    return None if place is None else Line("column" if place[0] else "row", place[1])


def steps_of(puzzle: Puzzle, records: Iterable[Mapping[str, Any]], language: str = "en") -> Iterator[Step]:
    """Yield the steps that the core tells of, in words."""
    words = Words(puzzle.palette, language)
    for number, record in enumerate(records, start=1):
        line, technique = line_at(record["line"]), Technique(record["technique"])
        changes = tuple(Change(*change) for change in record["changes"])
        trail = tuple(Line("column" if axis else "row", position) for axis, position in record["trail"])
        values: dict[str, str] = {}
        if technique is Technique.PROBE and line:
            place = words.place(*changes[0][:2])
            values = {"place": place, "line": words.line(line), "trail": words.trail(trail)}
        clue = puzzle.line_clue(line) if line else Clue(())
        length = puzzle.shape[line.axis == "row"] if line else 0
        reasons = [words.reason(reason, clue, length, **values) for reason in record["reasons"]]
        reasons += [words.more(record["more"])] * (record["more"] > 0)
        yield Step(
            number,
            technique,
            line,
            changes,
            tuple(record["blocks"]),
            "; ".join(reasons),
            _conclusion(words, technique, line, changes),
            trail,
        )


def _conclusion(words: Words, technique: Technique, line: Line | None, changes: Sequence[Change]) -> str:
    """Return what cells are now, or can no longer be, without the full stop."""
    if line is None:
        decided = sum(change.decides for change in changes)
        return words.shared(decided, len(changes) - decided)
    if technique is Technique.PROBE:
        [change] = changes
        place = words.place(change.row, change.column)
        return words.predicate(place, 1, change.colours, decides=change.decides)
    groups: dict[tuple[bool, int], list[Change]] = {}
    for change in changes:
        groups.setdefault((change.decides, change.news), []).append(change)
    clauses = [
        words.predicate(
            words.cells(change.place(line) for change in group),
            len(group),
            group[0].colours,
            decides=group[0].decides,
        )
        for group in groups.values()
    ]
    return words.listed(clauses)
