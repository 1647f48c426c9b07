"""Read and write the map beside an export, which says what its variables mean.

::

    {"format": "nonocsp variable map", "version": 1, "language": "opb", "encoding": "order", "root": true,
     "hash": "…", "puzzle": {"rows": [[1], [1]], "columns": [[1], [1]]}, "without": null,
     "known": ["??", "??"],
     "variables": {"x1": [1, 1, 0, 1], "x2": [1, 2, 0, 1]}}

A variable has its row and column, counted from 1, then the colour that its cell has if the value is 0 or
false, then 1 or true, and so on; null if the value does not tell. ``known`` has the cells that are decided
without a solver. The puzzle is in the project's own JSON, ``hash`` its canonical hash.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonocsp.formats.codecs.data.json_files import decode, encode
from nonocsp.formats.source import open_source
from nonocsp.model import Grid, Line, NonocspError, Puzzle, UsageError, bounds, mismatches

FORMAT, VERSION = "nonocsp variable map", 1
_OPEN = 255
"""In place of a colour: more than a palette has."""


@dataclass(frozen=True, slots=True)
class Variable:
    """The cell of a variable, and the colour that the cell has for each of its values from 0 on."""

    row: int
    column: int
    colours: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class VariableMap:
    """What an export says, and what its variables mean."""

    language: str
    encoding: str
    root: bool
    puzzle: Puzzle
    known: Grid  # candidates of the cells: those of a cell that is decided are one colour
    without: Grid | None
    variables: Mapping[str, Variable]

    def text(self) -> str:
        """Return the text of the map's file; UsageError if it is too large to be read back."""
        palette = self.puzzle.palette
        head = {
            "format": FORMAT,
            "version": VERSION,
            "language": self.language,
            "encoding": self.encoding,
            "root": self.root,
            "hash": self.puzzle.canonical_hash,
            "puzzle": encode(self.puzzle, with_goal=False),
            "without": self.without and self.without.strings(palette),
            "known": self.known.strings(palette),
        }
        lines = [f'  "{key}": {json.dumps(value)}' for key, value in head.items()]
        entries = [
            f'    "{name}": {json.dumps([v.row + 1, v.column + 1, *v.colours])}'
            for name, v in self.variables.items()
        ]
        text = "{\n" + ",\n".join([*lines, '  "variables": {\n' + ",\n".join(entries) + "\n  }"]) + "\n}\n"
        if bounds.has_too_many_marks(text) or len(text) > bounds.FILE_BYTES:
            raise UsageError(f"{len(self.variables):,} variables of cells are too many to export")
        return text

    def grid(self, values: Mapping[str, int], *, missing: int | None = None) -> Grid:
        """Return the solution in which variables have these values, or `missing`; UsageError if none."""
        cells = self.known.colours(unknown=_OPEN)
        for name, variable in self.variables.items():
            value = values.get(name, missing)
            place = (variable.row, variable.column)
            where = f"row {variable.row + 1}, column {variable.column + 1}"
            if value is None:
                raise UsageError(f"the output has no value for the variable {name} ({where})")
            colour = variable.colours[value] if 0 <= value < len(variable.colours) else None
            if colour is not None and cells[place] not in (_OPEN, colour):
                raise UsageError(
                    f"{where} has two colours: {name} is {value}, which another value contradicts"
                )
            cells[place] = cells[place] if colour is None else colour
        for row, column in np.argwhere(cells == _OPEN).tolist():
            raise UsageError(f"row {row + 1}, column {column + 1} has no colour in the output")
        grid = Grid.from_cells(cells)
        if wrong := mismatches(self.puzzle, grid):
            raise UsageError(f"the solver's grid is no solution: {self._fault(grid, wrong)}")
        if grid == self.without:
            raise UsageError("the solver's grid is the one that the export forbids")
        return grid

    def _fault(self, grid: Grid, wrong: list[Line]) -> str:
        """Return what is wrong with the first line that has not its clue, and how many others there are."""
        line = wrong[0]
        rows = (grid if line.axis == "row" else grid.transposed()).strings(self.puzzle.palette)
        others = f"; {len(wrong) - 1} more lines are wrong" if len(wrong) > 1 else ""
        clue = " ".join(str(block.length) for block in self.puzzle.line_clue(line)) or "empty"
        return f"{line} is {rows[line.position]}, its clue {clue}{others}"


def read_map(path: str) -> VariableMap:
    """Return the map in a file; FormatError if it is none."""
    with open_source(path) as source:
        text = source.text()
        wanted = f'a map that nonocsp export wrote, "format": "{FORMAT}" and "version": {VERSION}'
        try:
            if bounds.has_too_many_marks(text):
                raise ValueError("it is too large")
            content = json.loads(text)
            if not isinstance(content, dict):
                raise ValueError("no JSON object")
            if (content.get("format"), content.get("version")) != (FORMAT, VERSION):
                raise ValueError("no map of this version")
            return _decoded(content)
        except (ValueError, TypeError, KeyError, RecursionError, NonocspError) as error:
            fault = f"the key {error} is missing" if isinstance(error, KeyError) else str(error)
            raise source.error(f"no variable map: {fault}", expected=wanted) from None


def _decoded(content: dict[str, Any]) -> VariableMap:
    puzzle = decode(content["puzzle"])
    if content["hash"] != puzzle.canonical_hash:
        raise ValueError('"hash" is not that of "puzzle": the file was changed')
    known = Grid.from_strings(content["known"], puzzle.palette)
    without = Grid.from_strings(content["without"], puzzle.palette) if content["without"] else None
    if known.shape != puzzle.shape or (without is not None and without.shape != puzzle.shape):
        raise ValueError('"known" or "without" has not the size of the puzzle')
    variables = {}
    for name, (row, column, *colours) in content["variables"].items():
        sound = all(
            type(colour) is int and 0 <= colour < len(puzzle.palette)
            for colour in colours
            if colour is not None
        )
        if not sound or not all(
            type(at) is int and 1 <= at <= size for at, size in zip((row, column), puzzle.shape, strict=True)
        ):
            raise ValueError(f"the variable {name} has no cell and colours of the puzzle")
        variables[name] = Variable(row - 1, column - 1, tuple(colours))
    language, encoding = str(content["language"]), str(content["encoding"])
    return VariableMap(language, encoding, bool(content["root"]), puzzle, known, without, variables)
