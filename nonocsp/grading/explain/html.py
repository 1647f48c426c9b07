"""Write an explanation as one self-contained HTML page to step through; it loads nothing and works offline.

The page is built from ``web/src/steps`` and has the steps as JSON. Without scripts it lists the steps.
On paper it shows the solution, and all steps below.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING, Any

from nonocsp.grading.explain.texts import Words
from nonocsp.model import Clue, Grid, Palette, Puzzle
from nonocsp.pages import LANGUAGES, filled

if TYPE_CHECKING:
    from nonocsp.grading.explain.explanation import Explanation

_CELL_PIXELS, _AROUND_PIXELS, _LEAST_PIXELS = 26, 260, 500
"""Of the frame in a notebook: a large cell, what stands around the grid, and room for the buttons."""


def to_html(explanation: Explanation, *, pace: float = 1.0) -> str:
    """Return the page."""
    title = f"{explanation.puzzle.title or 'Nonogram'}, step by step – nonocsp"
    listed = "".join(
        f"<li>{escape(f'{step.title}, grade {step.grade}. {step.text}')}</li>" for step in explanation.steps
    )
    told = f"<p>{escape(explanation.summary)} The board needs JavaScript.</p><ol>{listed}</ol>"
    return filled("steps", _data(explanation, pace), title=title, without_script=told)


def framed(explanation: Explanation) -> str:
    """Return an element that shows the page inside another one, with scripts that reach nothing else."""
    rows, columns = explanation.puzzle.shape
    lines = rows + max(map(len, explanation.puzzle.columns))
    height = f"clamp({_LEAST_PIXELS}px, {_AROUND_PIXELS + lines * _CELL_PIXELS}px, 85vh)"
    page = escape(to_html(explanation))
    title = escape(f"explanation of a {rows}x{columns} puzzle")
    style = f"width: 100%; height: {height}; border: 0; background: #fff"
    return f'<iframe title="{title}" sandbox="allow-scripts" style="{style}" srcdoc="{page}"></iframe>'


def _data(explanation: Explanation, pace: float) -> dict[str, Any]:
    """Return the data of the page, as ``web/src/steps/main.tsx`` declares it."""
    puzzle = explanation.puzzle
    palette = puzzle.palette
    is_empty = explanation.start == Grid.unknown(*puzzle.shape, palette)
    kept = {"technique", "grade", "line", "blocks", "cells"}
    records = [step.record(palette) for step in explanation.steps]
    return {
        **puzzle_data(puzzle),
        **({} if is_empty else {"start": candidate_texts(explanation.start, palette)}),
        "steps": [{key: value for key, value in record.items() if key in kept} for record in records],
        "words": {language: _words(explanation, language) for language in LANGUAGES},
        "pace": round(1000 * pace),
    }


def puzzle_data(puzzle: Puzzle) -> dict[str, Any]:
    """Return what the page needs of a puzzle."""
    inks = puzzle.palette.colours
    return {
        "title": puzzle.title,
        "author": puzzle.author,
        "palette": [{"name": ink.name, "rgb": ink.rgb, "char": ink.char} for ink in inks],
        "rows": _blocks(puzzle.rows),
        "columns": _blocks(puzzle.columns),
    }


def _words(explanation: Explanation, language: str) -> dict[str, Any]:
    """Return what the steps say in a language, ``en`` or ``de``."""
    words = Words(explanation.puzzle.palette, language)
    steps = explanation.steps_in(language)
    return {
        "steps": [(words.title(step.technique, step.line), step.text) for step in steps],
        "ending": explanation.ending(language),
        "level": explanation.effort.told(language),
    }


def _blocks(clues: Iterable[Clue]) -> list[list[tuple[int, int]]]:
    """Return length and colour of each block."""
    return [[(block.length, block.colour) for block in clue] for clue in clues]


def candidate_texts(grid: Grid, palette: Palette) -> list[str]:
    """Return the characters of the candidates of each cell, row by row."""
    return [
        "".join(char for i, char in enumerate(palette.chars) if int(candidates) >> i & 1)
        for candidates in grid.candidates.flat
    ]
