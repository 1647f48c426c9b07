"""Print difficulties: a table, the details of one puzzle, or the figures of a set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from textwrap import fill
from typing import TYPE_CHECKING

from nonocsp.cli.shared import console
from nonocsp.cli.shared.console import printable
from nonocsp.grading.classes import DifficultyClass
from nonocsp.grading.levels import Level
from nonocsp.grading.sets import Graded, Statistics

if TYPE_CHECKING:
    from nonocsp.formats import NamedPuzzle

_WIDTH = 79
"""Characters in a line of prose."""
_NAME = 22
"""Longest name of a puzzle in a table."""


def print_table(graded: Sequence[Graded]) -> None:
    """Print one row per puzzle; long names lose their beginning."""
    from rich import box
    from rich.table import Table

    table = Table("puzzle", "size", "level", "class", box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for head in ("sweeps", "columns\nfirst", "settles", "unknown"):
        table.add_column(head, justify="right")
    for one in graded:
        found, name = one.difficulty, printable(one.name)
        figures = found.sweeps, found.sweeps_columns_first, found.useful_settles
        table.add_row(
            name if len(name) <= _NAME else f"…{name[1 - _NAME :]}",
            f"{one.rows}x{one.columns}",
            found.level or "",
            found.label,
            *map(str, figures),
            f"{found.unknown:.1%}",
        )
    console.print_table(table)


def print_details(one: Graded) -> None:
    """Print everything about one puzzle, one figure per line."""
    found = one.difficulty
    print(f"{printable(one.name)}: {one.rows}x{one.columns}")
    lines = {
        "level": found.level_text,
        "class": found.label,
        "context": found.context.text if found.context else "",
        "sweeps": f"{found.sweeps} rows first, {found.sweeps_columns_first} columns first",
        "cells fixed": f"{' '.join(map(str, found.cells_per_sweep))} (in each sweep)",
        "settles": f"{found.useful_settles} line visits that helped",
        "unknown": f"{found.unknown:.1%} of the cells, after line solving",
        "clues alone": f"{_facts(found.facts.rows, 'row')}; {_facts(found.facts.columns, 'column')}",
        "note": found.message,
    }
    for key, value in lines.items():
        if value:
            print(fill(f"{key:<12} {value}", _WIDTH, subsequent_indent=" " * 13))


def _facts(facts: Sequence[str], line: str) -> str:
    """Return the number of lines of an axis by what their clues alone decide.

    Parameters
    ----------
    facts
        A fact of each line.
    line
        ``row`` or ``column``.
    """
    said = {"fixed": "fully", "partly": "partly", "silent": "not at all"}
    (count, what), *others = [(facts.count(fact), what) for fact, what in said.items() if fact in facts]
    first = f"{count} {line}{'s' * (count > 1)} {what}"
    return ", ".join([first, *(f"{count} {what}" for count, what in others)])


def print_summary(figures: Statistics) -> None:
    """Print the figures of a set."""
    total = figures.classes.total()
    classes = [f"{figures.classes[class_]} {class_}" for class_ in DifficultyClass if figures.classes[class_]]
    levels = [f"{figures.levels[level]} {level}" for level in Level if figures.levels[level]]
    levels += [f"{figures.levels[None]} without a level"] * bool(figures.levels[None])
    print(fill(f"{total} {'puzzle' if total == 1 else 'puzzles'}: {', '.join(levels)}", _WIDTH))
    print(fill(f"classes: {', '.join(classes)}", _WIDTH))
    if several := figures.classes[DifficultyClass.MULTIPLE]:
        print(f"contextually solvable: {figures.contextual} of {several} with several solutions")
    print(
        f"simple: {figures.simple_share:.2%}; unknown after line solving: {figures.mean_unknown:.2%} of cells"
    )
    if figures.sweeps:
        print(
            f"difficulty of the simple puzzles: mean {figures.mean_sweeps:.2f}, maximum {max(figures.sweeps)}"
        )


def map_encoders() -> dict[str, Callable[[NamedPuzzle], bytes]]:
    """Return how to write the sweeps of the cells of a puzzle to a file, by suffix."""
    return {suffix: partial(_map, suffix=suffix) for suffix in (".txt", ".svg", ".png")}


def _map(source: NamedPuzzle, *, suffix: str) -> bytes:
    """Return the number of the sweep that fixes each cell; black cells are marked, open ones have a ?."""
    from nonocsp.engine import LineSolver
    from nonocsp.grading.sweeps import sweep_map
    from nonocsp.model import Grid
    from nonocsp.render import png, svg
    from nonocsp.render.drawing import draw
    from nonocsp.render.plain import numbered

    numbers, grid = sweep_map(source.puzzle), Grid(LineSolver(source.puzzle).propagate().candidates)
    if suffix == ".txt":
        return f"{printable(source.name)}:\n{numbered(source.puzzle, grid, numbers)}\n\n".encode()
    picture = draw(source.puzzle, grid, numbers=numbers)
    return png.file(picture) if suffix == ".png" else svg.document(picture).encode()
