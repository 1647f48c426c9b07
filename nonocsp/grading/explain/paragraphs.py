"""An explanation as plain text: each step with its line before and after, folded to a width."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from textwrap import fill
from typing import TYPE_CHECKING

from nonocsp.grading.explain.catalogue import Technique
from nonocsp.grading.explain.steps import Step, after
from nonocsp.model import Grid, Line, Puzzle
from nonocsp.render.plain import block_strings, panels

if TYPE_CHECKING:
    from nonocsp.grading.explain.explanation import Explanation
    from nonocsp.grading.explain.hints import Hint

_INDENT = " " * 6


def steps_text(explanation: Explanation, *, width: int = 79) -> Iterator[str]:
    """Yield a paragraph for each step."""
    for step, (before, behind) in zip(explanation.steps, pairwise(explanation.grids()), strict=True):
        yield _step_text(step, explanation.puzzle, before, behind, width)


def ending_text(explanation: Explanation, *, width: int = 79) -> str:
    """Return the end of an explanation, the level of the puzzle, and the techniques it took."""
    counts = ", ".join(f"{technique} {count}" for technique, count in explanation.techniques.items())
    lines = [
        explanation.summary,
        f"Level {explanation.effort.text}.",
        *[f"Techniques: {counts}."] * bool(counts),
    ]
    return "\n".join(_wrapped(line, width) for line in lines)


def hint_text(hint: Hint, *, width: int = 79) -> Iterator[str]:
    """Yield a paragraph for each remark and step."""
    yield from (_wrapped(remark, width) for remark in hint.remarks)
    grid = hint.grid
    for step in hint.steps:
        before, grid = grid, after(grid, [step])
        yield _step_text(step, hint.puzzle, before, grid, width)


def clue_text(puzzle: Puzzle, line: Line) -> str:
    """Return the clue of a line of the puzzle."""
    return " ".join(block_strings(puzzle.line_clue(line), puzzle.palette))


def _step_text(step: Step, puzzle: Puzzle, before: Grid, behind: Grid, width: int) -> str:
    """Return the paragraph of a step; the parameters are those of `_drawing`."""
    clue = f" ({clue_text(puzzle, step.line)})" if step.line else ""
    heading = f"{step.number:4}. {step.title}{clue}, grade {step.grade}"
    lines = [fill(heading, width, subsequent_indent=_INDENT)]
    lines += _drawing(step, puzzle, before, behind, width - len(_INDENT))
    text = fill(step.text, width, initial_indent=_INDENT, subsequent_indent=_INDENT)
    return "\n".join([*lines, text])


def _drawing(step: Step, puzzle: Puzzle, before: Grid, behind: Grid, width: int) -> Iterator[str]:
    """Yield the line before and after: beside each other, one above the other, or in panels."""
    is_probe = step.technique is Technique.PROBE  # its heading names another line than that of its cell
    line = Line("row", step.changes[0].row) if is_probe else step.line
    if line is None:
        return
    name = f"{line}: " if is_probe else ""
    strings = (grid.strings(puzzle.palette) for grid in (before, behind))
    drawn = [
        rows[line.position] if line.axis == "row" else "".join(row[line.position] for row in rows)
        for rows in strings
    ]
    if 2 * len(drawn[0]) + 3 + len(name) <= width:
        yield f"{_INDENT}{name}{' → '.join(drawn)}"
        return
    for heading, part in panels(len(drawn[0]), width):
        yield from (f"{_INDENT}{text}" for text in (name + heading, *(half[part] for half in drawn)) if text)


def _wrapped(text: str, width: int) -> str:
    return fill(text, width, break_long_words=False, break_on_hyphens=False)
