"""Backend ``prefix``: fill cell after cell in reading order, while row and column can continue.

Plain backtracking (Golomb & Baumert, Backtrack programming, Journal of the ACM 12, 1965). The state of a line
is one number: how many cells of its shortest form, such as ``110111`` for the clue 2 3, it has placed.
More background may come between blocks and at both ends. A line can continue if there is room for the rest
of its shortest form. Complete, in any number of colours; time grows exponentially with the cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Literal

from annotated_doc import Doc

from nonocsp.backends.base import Capabilities, Run
from nonocsp.model import Clue, Grid, Puzzle


@dataclass(frozen=True, slots=True)
class PrefixOptions:
    """Options of ``prefix``."""

    first: Annotated[Literal["empty", "filled"], Doc("value to try first in a cell")] = "filled"


class Prefix:
    """Depth-first search over cells in reading order."""

    Options = PrefixOptions
    summary = "depth first, cell by cell, while every line can continue"
    paper = "Golomb & Baumert, Backtrack programming, 1965"
    capabilities = Capabilities(complete=True, colours=True)
    requires: tuple[str, ...] = ()

    def __init__(self, options: PrefixOptions) -> None:
        self.options = options

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        """Yield all solutions."""
        height, width = puzzle.shape
        rows, columns = ([shortest_form(clue) for clue in clues] for clues in (puzzle.rows, puzzle.columns))
        colours = range(len(puzzle.palette))
        values = colours if self.options.first == "empty" else colours[::-1]
        cells = [[0] * width for _ in range(height)]
        along = [[0] * (width + 1) for _ in range(height)]  # along[r][c]: state of row r before column c
        down = [[0] * width for _ in range(height + 1)]  # down[r][c]: state of column c above row r
        untried = [iter(values)]  # for each cell up to this one
        nodes = 0
        while untried:
            run.check()  # raises when the run must stop
            r, c = divmod(len(untried) - 1, width)
            value = next(untried[-1], None)
            if value is None:
                untried.pop()
                continue
            row = advanced(rows[r], along[r][c], value, room=width - c - 1)
            column = advanced(columns[c], down[r][c], value, room=height - r - 1)
            if row is None or column is None:
                continue
            run.stats["nodes"] = nodes = nodes + 1
            cells[r][c], along[r][c + 1], down[r + 1][c] = value, row, column
            if len(untried) < height * width:
                untried.append(iter(values))
            else:
                yield Grid.from_cells(cells)


def shortest_form(clue: Clue) -> list[int]:
    """Return the cells of the clue's placement with the least background."""
    form = [clue[0].colour] * clue[0].length if clue else []
    for before, block in pairwise(clue):
        form += [0] * (before.colour == block.colour) + [block.colour] * block.length
    return form


def advanced(form: Sequence[int], done: int, value: int, *, room: int) -> int | None:
    """Return how much of a line's form is placed after one more cell.

    Parameters
    ----------
    form
        The shortest form of the line.
    done
        How many of its cells are placed already.
    value
        The colour of the cell; 0 is the background.
    room
        Cells of the line after this one.

    Returns
    -------
    int or None
        How many cells of the form are placed; None if the line cannot continue.
    """
    if done < len(form) and form[done] == value:
        done += 1
    elif value or (0 < done < len(form) and form[done - 1] == form[done]):
        return None  # not the next cell of the form, and background is not allowed here
    return done if len(form) - done <= room else None
