"""Print the renderings of a picture: as a table, as JSON records, and the best as half blocks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from nonocsp.cli.shared.console import print_rows, terminal

if TYPE_CHECKING:
    from nonocsp.making.renderings import Rendering

BEST = 3
"""Renderings to draw on a terminal."""


def print_renderings(choices: Sequence[Rendering], commands: Sequence[str], *, as_json: bool) -> None:
    """Print a line for each rendering.

    Parameters
    ----------
    choices
        The renderings, numbered from 1.
    commands
        What makes each of them.
    as_json
        Print JSON records instead of a table.
    """
    from nonocsp.making.gallery import facts

    if not as_json:
        rows = [facts(one) for one in choices]
        heads = ["pick", *rows[0]]
        print_rows(heads, [[str(number), *row.values()] for number, row in enumerate(rows, start=1)])
        return
    for number, (one, command) in enumerate(zip(choices, commands, strict=True), start=1):
        print(json.dumps(_record(number, one, command)))


def _record(number: int, one: Rendering, command: str) -> dict[str, object]:
    """Return the JSON record, with the keys that every report of the project uses."""
    puzzle = one.made.puzzle
    rows, columns = puzzle.shape
    return {
        "index": number,
        "rows": rows,
        "columns": columns,
        "colours": len(one.palette) - 1,
        "look": one.description,
        "likeness": round(one.likeness, 4),
        "changes": [change._asdict() for change in one.made.changes],
        "level": one.level and str(one.level),
        "class": one.made.class_,
        "sweeps": one.made.difficulty,
        "command": command,
        "solutions": [puzzle.goal.strings(puzzle.palette) if puzzle.goal else []],
    }


def print_best(choices: Sequence[Rendering]) -> None:
    """Draw the first renderings side by side on a terminal that shows colours and blocks.

    Parameters
    ----------
    choices
        The best first; those that do not fit beside the others are left out.
    """
    console = terminal()
    if console is None or console.no_color or console.color_system is None or console.options.ascii_only:
        return
    from nonocsp.render.terminal import abreast

    drawn = [(f"{number}", one.made.puzzle) for number, one in enumerate(choices[:BEST], start=1)]
    if shown := abreast(drawn, width=console.width):
        console.print(shown)
