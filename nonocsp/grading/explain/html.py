"""Write an explanation as one self-contained HTML page to step through; it loads nothing and works offline.

The page has the steps as JSON and a small script that replays them. Without the script the list of all steps
is still there; it is also what a printer prints, below the solution.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

import numpy as np

from nonocsp.engine import LineSolver
from nonocsp.grading.explain.board import line_cells, lines_of
from nonocsp.grading.explain.steps import Explanation, Step
from nonocsp.model import Clue, Grid, Line, Palette, Puzzle
from nonocsp.render.drawing import contrasting

_CELL_PIXELS = ((20, 26), (35, 20), (60, 15))
"""The side of a cell up to a number of lines; beyond, `_LEAST_PIXELS`."""
_LEAST_PIXELS = 11
_AROUND_PIXELS, _LEAST_HEIGHT = 260, 500
"""Of the frame in a notebook: what stands around the grid, and room for the step and its buttons."""


def to_html(explanation: Explanation, *, pace: float = 1.0) -> str:
    """Return the page.

    Parameters
    ----------
    explanation
        Steps to show.
    pace
        Seconds of each step when the page plays.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("nonocsp.grading.explain"),
        autoescape=True,  # titles and names of colours come from files
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    puzzle = explanation.puzzle
    return environment.get_template("explain.html.jinja").render(
        explanation=explanation,
        puzzle=puzzle,
        columns=[_blocks(clue, puzzle.palette) for clue in puzzle.columns],
        rows=[_blocks(clue, puzzle.palette) for clue in puzzle.rows],
        cell=_cell_pixels(puzzle),
        data=_data(explanation, pace),
    )


def framed(explanation: Explanation) -> str:
    """Return an element that shows the page inside another one, with scripts that reach nothing else."""
    rows, columns = explanation.puzzle.shape
    depth = max(map(len, explanation.puzzle.columns))
    height = max(_AROUND_PIXELS + (rows + depth) * _cell_pixels(explanation.puzzle), _LEAST_HEIGHT)
    page = escape(to_html(explanation))
    title = escape(f"explanation of a {rows}x{columns} puzzle")
    style = f"width: 100%; height: {height}px; border: 0; background: #fff"
    return f'<iframe title="{title}" sandbox="allow-scripts" style="{style}" srcdoc="{page}"></iframe>'


def _cell_pixels(puzzle: Puzzle) -> int:
    return next((px for most, px in _CELL_PIXELS if max(puzzle.shape) <= most), _LEAST_PIXELS)


def _blocks(clue: Clue, palette: Palette) -> list[dict[str, str]]:
    """Return text and style of a clue's blocks; an empty clue shows as 0."""
    if not clue:
        return [{"text": "0", "style": ""}]
    inks = [palette[block.colour].rgb for block in clue]
    return [
        {
            "text": str(block.length),
            "style": "" if palette.is_one_colour else f"background:{ink};color:{contrasting(ink)}",
        }
        for block, ink in zip(clue, inks, strict=True)
    ]


def _data(explanation: Explanation, pace: float) -> dict[str, Any]:
    """Return the data of the script; colours are indices, -1 where a cell is open.

    Parameters
    ----------
    explanation, pace
        As for `to_html`.
    """
    palette = explanation.puzzle.palette
    struck = _Struck(explanation.puzzle)
    grids = explanation.grids()
    return {
        "pace": round(1000 * pace),
        "colours": [colour.rgb for colour in palette.colours],
        "start": [[_shown(int(cell)) for cell in row] for row in explanation.start.candidates],
        "struck": struck.newly(lines_of(explanation.puzzle), next(grids)),
        "steps": [_step(step, struck, grid) for step, grid in zip(explanation.steps, grids, strict=True)],
        "summary": explanation.summary,
    }


def _step(step: Step, struck: _Struck, grid: Grid) -> dict[str, Any]:
    """Return a step: its text, changes and blocks, and the blocks that are now found.

    Parameters
    ----------
    step
        The step.
    struck
        Blocks found so far.
    grid
        The grid after the step.
    """
    rows = {Line("row", change.row) for change in step.changes}
    columns = {Line("column", change.column) for change in step.changes}
    return {
        "title": step.title,
        "grade": step.grade,
        "text": step.text,
        "line": step.line and _place(step.line),
        "blocks": step.blocks,
        "cells": [[change.row, change.column, _shown(change.after)] for change in step.changes],
        "struck": struck.newly(sorted(rows | columns), grid),
    }


def _shown(candidates: int) -> int:
    return candidates.bit_length() - 1 if candidates.bit_count() == 1 else -1


def _place(line: Line) -> list[str | int]:
    return [line.axis, line.position]


class _Struck:
    """The blocks that people strike out: their place is certain and their cells are found."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._solver = LineSolver(puzzle)
        self._known: dict[Line, list[int]] = {}

    def newly(self, lines: Iterable[Line], grid: Grid) -> list[list[Any]]:
        """Return axis, position and struck blocks of the lines where the grid has more than before."""
        found = []
        for line in lines:
            blocks = self._blocks(line, grid)
            if blocks != self._known.get(line, []):
                self._known[line] = blocks
                found.append([*_place(line), blocks])
        return found

    def _blocks(self, line: Line, grid: Grid) -> list[int]:
        starts = self._solver.starts(line, grid.candidates)
        if starts is None:
            return []
        decided = np.bitwise_count(line_cells(grid.candidates, line)) == 1
        clue = self._solver.puzzle.line_clue(line)
        return [
            j
            for j, (block, possible) in enumerate(zip(clue, starts, strict=True))
            if len(possible) == 1 and decided[possible[0] :][: block.length].all()
        ]
