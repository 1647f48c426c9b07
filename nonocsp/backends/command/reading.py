"""Read what a program printed: grids, and what it claims about the puzzle.

Nothing here believes a grid or a claim. Grids are verified where those of all backends are; a claim counts
for what `nonocsp.backends.command.backend` makes of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import groupby
from typing import Any, NoReturn

import numpy as np

from nonocsp.backends.base import Statistic
from nonocsp.backends.command.declaration import ProgramClaim, Rules
from nonocsp.model import BackendError, Grid, Palette, Puzzle, bounds
from nonocsp.model.palette import UNKNOWN_CHAR

_BACKGROUND, _FILLED = ".0-_ \u2591\u25a1\u2b1c\u2610", "#1Xx*@oO\u2588\u25a0\u2b1b\u2593\u2612"
"""Usual characters of a grid in one colour; blanks only where the declaration says so."""
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_ANSWERS: dict[str, ProgramClaim] = {
    "unsat": "unsat",
    "unique": "unique",
    "multiple": "multiple",
    "solved": "solved",
    "partial": "unknown",
    "unknown": "unknown",
}


EXCHANGED = "rows and columns are exchanged"
"""What is wrong with the grid of a program that prints columns as lines."""


class Unreadable(BackendError):
    """What a program printed has not the declared form; the message says what was expected."""


@dataclass(slots=True)
class Reading:
    """What a program printed."""

    grids: list[Grid] = field(default_factory=list)  # full grids, in their order
    partial: Grid | None = None  # the last grid with open cells, if there is one
    claim: ProgramClaim | None = None  # what the program says; None if it says nothing that is known
    note: str = ""  # why there are no grids, for messages
    statistics: dict[str, Statistic] = field(default_factory=dict)  # counts that it printed


def read_text(output: bytes, puzzle: Puzzle, rules: Rules, *, exchanges: bool = False) -> Reading:
    """Read grids, a line a row; `exchanges`, for the note, says that rows and columns are exchanged."""
    text = _text(output)
    reading = read_claims(text, rules)
    rows, columns = puzzle.shape
    cells = _cells_of(puzzle.palette, rules)
    row_of = cache(partial(_row_of, columns=columns, cells=cells, rules=rules))  # lines come again and again
    lines = map(row_of, text.splitlines())
    stray = 0
    for is_row, group in groupby(lines, key=lambda row: row is not None):
        found = [row for row in group if row is not None]
        if not is_row:
            continue
        whole = len(found) - len(found) % rows
        stray = stray or len(found) - whole
        for start in range(0, whole, rows):
            _keep(reading, Grid(np.array(found[start : start + rows], np.uint64)))
    if not reading.grids:
        wanted = f"{_plural(rows, 'line')} of {_plural(columns, 'cell')} ({_shown(cells)})"
        got = _plural(stray, "such line") if stray else _opening(text)
        turned = puzzle.transposed()
        if not exchanges and rows != columns and read_text(output, turned, rules, exchanges=True).grids:
            got = f"{_plural(columns, 'line')} of {_plural(rows, 'cell')}: {EXCHANGED}"
        reading.note = f"expected {wanted} and found {got}"
    return reading


def _plural(count: int, word: str) -> str:
    return f"{count} {word}{'s' * (count != 1)}"


def read_json(output: bytes, puzzle: Puzzle, rules: Rules) -> Reading:
    """Read JSON, one value or one a line: the keys ``answer``, ``solutions`` and ``grid``.

    A grid is a list of rows. A row is a list of colours, by number, or a text with a character for each cell.
    """
    text = _text(output)
    reading = read_claims(text, rules)
    cells = _cells_of(puzzle.palette, rules)
    for value in _json_values(text):
        if not isinstance(value, dict):
            continue
        if reading.claim is None and isinstance(answer := value.get("answer"), str):
            reading.claim = _ANSWERS.get(answer)
        solutions = value.get("solutions", [])
        if not isinstance(solutions, list):
            raise Unreadable("the key solutions: expected a list of grids")
        for grid in (*solutions, *(value[key] for key in ("grid", "partial") if value.get(key))):
            _keep(reading, _grid_of(grid, puzzle, cells))
    if not reading.grids:
        reading.note = 'expected JSON such as {"answer": "unique", "solutions": [["#.", ".#"]]}'
    return reading


def read_claims(text: str, rules: Rules) -> Reading:
    """Return what the rules find in a text, without grids; `Unreadable` if several claims match."""
    claims = [
        claim for claim, pattern in rules.claims.items() if re.search(pattern, text, flags=re.MULTILINE)
    ]
    if len(claims) > 1:
        raise Unreadable(
            f"the rules {' and '.join(claims)} both match the output; make their patterns exclude each other"
        )
    statistics: dict[str, Statistic] = {}
    for name, pattern in rules.statistics.items():
        if (match := re.search(pattern, text, flags=re.MULTILINE)) and match[1]:
            statistics[name] = _number(match[1])
    return Reading(claim=claims[0] if claims else None, statistics=statistics)


def _number(text: str) -> Statistic:
    """Return a number, or the text if it is none."""
    for kind in (int, float):
        try:
            value = kind(text.replace(",", ""))
        except (ValueError, OverflowError):
            continue
        return value if abs(value) < 1 << 63 else text[:100]
    return text[:100]


def _keep(reading: Reading, grid: Grid) -> None:
    if grid.is_full:
        reading.grids.append(grid)
    else:
        reading.partial = grid


def _text(output: bytes) -> str:
    return _ESCAPES.sub("", output.decode("utf-8", "replace"))


def _cells_of(palette: Palette, rules: Rules) -> dict[str, int]:
    """Return the candidate set that each character of a grid stands for."""
    every = 2 ** len(palette) - 1
    if rules.cells:
        if len(rules.cells) < len(palette):
            raise Unreadable(
                f"rules.cells has {len(rules.cells)} characters; the puzzle needs {len(palette)}"
            )
        return {**{char: 1 << i for i, char in enumerate(rules.cells)}, UNKNOWN_CHAR: every}
    own = {char: 1 << i for i, char in enumerate(palette.chars)}
    if palette.is_one_colour:
        usual = dict.fromkeys(_BACKGROUND.replace(" ", ""), 1) | dict.fromkeys(_FILLED, 2)
        return {**usual, **own, UNKNOWN_CHAR: every}
    return {**own, UNKNOWN_CHAR: every}


def _row_of(line: str, columns: int, cells: dict[str, int], rules: Rules) -> list[int] | None:
    """Return the candidate sets of a line that shows a row; None for any other line."""
    if rules.row is not None:
        if not (match := re.search(rules.row, line)):
            return None
        line = match[match.lastindex or 0]
    elif " " not in cells:
        line = line.strip()
    width = rules.width
    if " " not in cells and len(line) != columns * width:  # blanks, tabs or commas between the cells
        line = re.sub(r"[\s,;|]+", "", line)
    if len(line) != columns * width:
        return None
    chars = line[::width]
    if any(line[i::width] != chars for i in range(1, width)) or any(char not in cells for char in chars):
        return None
    return [cells[char] for char in chars]


def _shown(cells: dict[str, int]) -> str:
    """Return the characters of each colour, for messages."""
    colours = sorted({colour for char, colour in cells.items() if char != UNKNOWN_CHAR})
    return " or ".join("".join(char for char in cells if cells[char] == colour)[:4] for colour in colours[:4])


def _opening(text: str) -> str:
    """Return the first line of an output, for messages."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    if not line:
        return "nothing"
    shown = "".join(char if char.isprintable() else "\ufffd" for char in line)
    return repr(shown) if len(shown) <= 60 else f"{shown[:60]!r}…"


def _json_values(text: str) -> Iterator[Any]:
    """Yield the one value of a text, or that of each line that begins one."""
    if bounds.has_too_many_marks(text):
        raise Unreadable("it printed JSON that is larger than any answer")
    try:
        if not text.strip():
            raise Unreadable("expected JSON and found nothing")
        try:
            yield json.loads(text, parse_constant=_refuse)
        except json.JSONDecodeError:
            lines = [line for line in text.splitlines() if line.lstrip().startswith(("{", "["))]
            if not lines:
                raise
            yield from [json.loads(line, parse_constant=_refuse) for line in lines]
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else error
        raise Unreadable(f"expected JSON and found {_opening(text)}: {reason}") from None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number of JSON")


def _grid_of(value: Any, puzzle: Puzzle, cells: dict[str, int]) -> Grid:
    """Return the grid that a value of JSON describes."""
    rows, columns = puzzle.shape
    numbers = {number: 1 << number for number in range(len(puzzle.palette))}
    if not isinstance(value, list) or len(value) != rows:
        found = f"{len(value)} rows" if isinstance(value, list) else type(value).__name__
        raise Unreadable(f"a grid in the JSON: expected a list of {rows} rows, not {found}")
    sets = []
    for number, row in enumerate(value, start=1):
        if not isinstance(row, str | list) or len(row) != columns:
            raise Unreadable(f"row {number} of a grid in the JSON: expected {columns} cells")
        known: dict[Any, int] = {**cells} if isinstance(row, str) else {**numbers}
        found_sets = [known.get(cell) if type(cell) in (int, str) else None for cell in row]
        if (wrong := next((i for i, one in enumerate(found_sets) if one is None), None)) is not None:
            shown = f"{row[wrong]!r}"[:40]
            raise Unreadable(f"row {number} of a grid in the JSON: {shown} is no cell ({_shown(cells)})")
        sets.append(found_sets)
    return Grid(np.array(sets, np.uint64))
