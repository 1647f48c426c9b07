"""Show puzzles and grids in notebooks and to `print`: pictures that fit a page, every text escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from nonocsp.model import Grid, Palette, Puzzle, PuzzleError
from nonocsp.model.puzzle import checked_puzzle
from nonocsp.render.drawing import draw
from nonocsp.render.plain import described
from nonocsp.render.play import MOST_LINES, play_frame
from nonocsp.render.svg import document

__all__ = ["Svg", "described", "grid_svg", "grids_html", "playable", "svg"]

Marks: TypeAlias = NDArray[np.bool_] | None
SIDE = 600
"""The longest side of a picture in pixels; larger ones are scaled."""


class Svg(str):
    """An SVG document as text, which a notebook shows as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def svg(puzzle: Puzzle, grid: Grid | None = None, *, patterns: bool = False) -> Svg:
    """Return the picture of a puzzle with its clues, as an SVG document.

    Parameters
    ----------
    puzzle
        The clues.
    grid
        The cells to show; None for the empty puzzle.
    patterns
        Whether to hatch each colour in its own way; in one colour that changes nothing.

    Raises
    ------
    PuzzleError
        If the grid has another shape than the puzzle.
    """
    checked_puzzle(puzzle)
    if grid is not None and grid.shape != puzzle.shape:
        (rows, columns), (wanted_rows, wanted_columns) = grid.shape, puzzle.shape
        raise PuzzleError(f"the grid is {rows}x{columns}, the puzzle {wanted_rows}x{wanted_columns}")
    return Svg(document(draw(puzzle, grid, has_patterns=patterns), longest=SIDE))


def playable(puzzle: Puzzle) -> str:
    """Return the picture of a puzzle, and below it the player, which opens on a click."""
    picture = f'<div style="background: #fff; width: fit-content">{svg(puzzle)}</div>'
    if max(puzzle.shape) > MOST_LINES:
        return picture
    return f"{picture}<details><summary>Play</summary>{play_frame(puzzle)}</details>"


def grid_svg(grid: Grid, palette: Palette, marked: Marks = None) -> Svg:
    """Return the picture of a grid without clues; empty for a grid without cells."""
    rows, columns = grid.shape
    if not grid.candidates.size:
        return Svg("")
    blank = Puzzle.from_clues([()] * rows, [()] * columns, palette=palette, title="grid")
    return Svg(document(draw(blank, grid, has_clues=False, marked=marked), longest=SIDE))


def grids_html(text: str, grids: Iterable[Grid], palette: Palette, marked: Marks = None) -> str:
    """Return a line of text and the pictures of grids below it."""
    pictures = "".join(f"<div>{grid_svg(grid, palette, marked)}</div>" for grid in grids)
    return (
        f"<div><p>{escape(text)}</p>"
        f'<div style="display: flex; flex-wrap: wrap; gap: 1em">{pictures}</div></div>'
    )
