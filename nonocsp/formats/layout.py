"""Find a puzzle in a table: the clues of the columns above a grid, those of the rows to the left of it.

A cell holds one length or several, between blanks, commas or semicolons, or as in ``2-1``; ``0`` is the empty
clue. The corner between the clues is empty or has the title. Every line must have its clue: of an empty cell
nobody can tell whether it is an empty clue or the edge. Marks in the grid are the goal if they fit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, islice
from typing import NamedTuple

from nonocsp.formats.source import Source
from nonocsp.formats.spreadsheet import MARK
from nonocsp.formats.text_lines import cached_block
from nonocsp.late import numpy as np
from nonocsp.model import MAX_LINES, Clue, Grid, Puzzle, PuzzleError, bounds, mismatches

Table = Sequence[Sequence[str]]
"""The texts of the cells, row by row; rows may have different lengths."""

EXPECTED = "column clues above a grid, row clues to its left, an empty corner, 0 for an empty clue"

_LENGTHS = re.compile(r"[0-9]{1,9}(?:[\s,;]+[0-9]{1,9})*|[0-9]{1,9}([-–./|+])[0-9]{1,9}(?:\1[0-9]{1,9})*")
_BETWEEN = re.compile(r"[\s,;–./|+-]+")
_DOTS = frozenset(".-_·")
_CROSSES = _DOTS | frozenset("xX×✗")
"""Marks that people put into empty cells; a cross may also be a filled one."""
_MOST_LAYOUTS = 8
"""Ways to see clues around a grid whose puzzle is looked at; people's tables have one or two."""


class Layout(NamedTuple):
    """Where the grid starts in a table without empty edges, which has the numbers of the cells."""

    top: int
    left: int
    lengths: list[list[Sequence[int]]]
    texts: list[list[str]]


def layouts(table: Table) -> Iterator[Layout]:
    """Yield every way to see clues around a grid in a table, whatever the clues say.

    Takes time proportional to the cells. Rows from `top` on have all their numbers left of column `left`, and
    the rows before have all theirs from there on, one at least in each column.
    """
    texts = _without_edges(table)
    lengths = [[_numbers(text) for text in row] for row in texts]
    width = len(texts[0]) if texts else 0
    numbers = [[j for j, found in enumerate(row) if found] for row in lengths]
    notes = [
        [j for j, (text, found) in enumerate(zip(row, own, strict=True)) if text and not found]
        for row, own in zip(texts, lengths, strict=True)
    ]
    last_number = _from_the_end([max(own, default=-1) for own in numbers], max)
    first_note = _from_the_end([min(own, default=width) for own in notes], min)
    first_top = max((i + 1 for i, own in enumerate(numbers) if not own), default=1)
    left, last_note, columns = width, -1, set[int]()
    for top in range(1, len(texts)):
        left = min([left, *numbers[top - 1]])
        last_note = max([last_note, *notes[top - 1]])
        columns.update(numbers[top - 1])
        is_clean = last_note < left <= first_note[top]
        if top >= first_top and last_number[top] < left and is_clean and 0 < len(columns) == width - left:
            yield Layout(top, left, lengths, texts)


def check_cells(source: Source, tables: Iterable[Table]) -> None:
    """Raise FormatError if the tables of a file have more cells than one table may have."""
    if sum(len(table) * max(map(len, table), default=0) for table in tables) > bounds.TABLE_CELLS:
        raise source.error("the tables are too large", expected=f"at most {bounds.TABLE_CELLS} cells in all")


def has_layout(table: Table) -> bool:
    """Return whether there are clues around a grid, in a table that is not too large."""
    try:
        return next(layouts(table), None) is not None
    except PuzzleError:
        return False


def puzzle_of(source: Source, table: Table, place: str = "") -> Puzzle:
    """Return the puzzle of a table."""
    found: list[Puzzle] = []
    fault: PuzzleError | None = None
    for layout in islice(layouts(table), _MOST_LAYOUTS):
        try:
            found.append(_puzzle(source, layout))
        except PuzzleError as error:
            fault = error
        if len(found) > 1:
            raise source.error(f"{place}the table can be divided in several ways", expected=EXPECTED)
    if not found and fault:
        raise fault
    if not found:
        raise source.error(f"{place}no clues around a grid", expected=EXPECTED)
    return found[0]


def table_of(puzzle: Puzzle) -> Iterator[list[str | int]]:
    """Yield the rows of a table with the puzzle: one length a cell, next to the grid; the goal as ``#``."""
    rows, columns = (
        [[length for length, _ in clue] or [0] for clue in clues] for clues in (puzzle.rows, puzzle.columns)
    )
    left, top = (max(map(len, clues)) for clues in (rows, columns))
    for i in range(top):
        corner: list[str | int] = [puzzle.title if i == 0 else "", *[""] * (left - 1)]
        yield corner + [clue[i - top + len(clue)] if i >= top - len(clue) else "" for clue in columns]
    for i, clue in enumerate(rows):
        marks = (
            [""] * len(columns) if puzzle.goal is None else ["#" if c else "" for c in puzzle.goal.cells[i]]
        )
        yield [*[""] * (left - len(clue)), *clue, *marks]


def _without_edges(table: Table) -> list[list[str]]:
    """Return the texts without empty edges, all rows of one length; PuzzleError if they are too many."""
    texts = [[cell.strip() for cell in row] for row in table]
    rows = [i for i, row in enumerate(texts) if any(row)]
    if not rows:
        return []
    kept = texts[rows[0] : rows[-1] + 1]
    first = min(next(j for j, text in enumerate(row) if text) for row in kept if any(row))
    end = max(len(row) - next(k for k, text in enumerate(reversed(row)) if text) for row in kept if any(row))
    if len(kept) * (end - first) > bounds.TABLE_CELLS:
        raise PuzzleError(
            f"a table of {len(kept)} rows and {end - first} columns; at most {bounds.TABLE_CELLS} cells"
        )
    return [row[first:end] + [""] * (end - max(first, len(row))) for row in kept]


def _from_the_end(values: Sequence[int], best: Callable[[int, int], int]) -> list[int]:
    """Return the best of each value and those behind it."""
    return [*accumulate(reversed(values), best)][::-1]


def _numbers(text: str) -> Sequence[int]:
    if not _LENGTHS.fullmatch(text):
        return ()
    return [int(word) for word in _BETWEEN.split(text)]


def _puzzle(source: Source, layout: Layout) -> Puzzle:
    top, left, lengths, texts = layout
    height, width = len(texts) - top, len(texts[0]) - left
    if max(height, width) > MAX_LINES:
        raise PuzzleError(f"{height} rows and {width} columns; at most {MAX_LINES}")
    rows = tuple(_clue(row[:left]) for row in lengths[top:])
    columns = tuple(_clue(row[j] for row in lengths[:top]) for j in range(left, left + width))
    title = " ".join(text.removeprefix(MARK) for row in texts[:top] for text in row[:left] if text)
    puzzle = Puzzle(rows, columns, title=title)
    marks = np.array([row[left:] for row in texts[top:]], object)
    if not (marks != "").any():
        return puzzle
    for ignored in (_DOTS, _CROSSES):
        cells = [[bool(mark) and mark not in ignored for mark in row] for row in marks]
        goal = Grid.from_cells(np.array(cells))
        if not mismatches(puzzle, goal):
            return Puzzle(rows, columns, title=title, goal=goal)
    source.note("the marks in the grid are no solution of the clues and are left out")
    return puzzle


def _clue(cells: Iterable[Sequence[int]]) -> Clue:
    """Return the clue of a line; zeros at its ends fill up cells that it does not need."""
    numbers = [number for cell in cells for number in cell]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    first = next((i for i, number in enumerate(numbers) if number), 0)
    return Clue(map(cached_block, numbers[first:]))
