"""Ask a FlatZinc solver: write the puzzle as a model of built-in constraints, and read its solutions.

A block is an integer variable, its start. Blocks of a line keep their order and distance (``int_lin_le``). A
Boolean says whether a block covers a cell (``set_in_reif``), and a cell has a colour if and only if a block
of this colour covers it (``array_bool_or``), in its row and in its column. A solution that is found already
is excluded by one clause over the cells. No global constraint is used, because solvers name them differently.

Read is what solvers print: a line ``cells = array1d(1..n, [true, …]);`` and ``----------`` for each solution,
``==========`` after the last one, ``=====UNSATISFIABLE=====`` and ``=====UNKNOWN=====``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from nonocsp.backends.base import Run
from nonocsp.backends.command.declaration import Declaration
from nonocsp.backends.command.reading import Reading, Unreadable, read_claims
from nonocsp.model import Clue, Grid, Puzzle

_SOLUTION, _COMPLETE = "----------", "=========="
_UNSAT, _UNKNOWN = "=====UNSATISFIABLE=====", "=====UNKNOWN====="
_CELLS = re.compile(r"\bcells\s*=\s*(?:array1d\([^\[=]*)?\[([^\]=]*)\]")


class FlatZincQuestion:
    """A puzzle as a FlatZinc model."""

    settled: Reading | None = None

    def __init__(self, declaration: Declaration, puzzle: Puzzle, run: Run) -> None:
        self._rules, self._puzzle = declaration.rules, puzzle
        self._variables: list[str] = []
        self._constraints: list[str] = []
        rows, columns = puzzle.shape
        self._colours = [*range(1, len(puzzle.palette))]
        for number, clue in enumerate(puzzle.rows):
            self._line(f"r{number}", clue, [self._cell(number, at) for at in range(columns)])
        for number, clue in enumerate(puzzle.columns):
            self._line(f"c{number}", clue, [self._cell(at, number) for at in range(rows)])
        run.stats["variables"] = len(self._variables) + rows * columns * len(self._colours)
        run.stats["constraints"] = len(self._constraints)

    def write(self, folder: Path, excluded: list[Grid]) -> Path:
        """Write the model, with a clause for each excluded grid."""
        path = folder / "puzzle.fzn"
        count = len(self._names)
        with path.open("w", encoding="ascii") as file:
            file.writelines(f"var bool: {name};\n" for name in self._names)
            file.writelines(f"{variable};\n" for variable in self._variables)
            file.write(
                f"array [1..{count}] of var bool: cells :: output_array([1..{count}]) = "
                f"[{','.join(self._names)}];\n"
            )
            file.writelines(f"constraint {constraint};\n" for constraint in self._constraints)
            file.writelines(f"constraint {self._excluding(grid)};\n" for grid in excluded)
            file.write("solve satisfy;\n")
        return path

    def read(self, output: bytes) -> Reading:
        """Return the grids and the verdict; Unreadable if a solution does not fit the model."""
        text = output.decode("utf-8", "replace")
        reading = read_claims(text, self._rules)
        lines = {line.strip() for line in text.splitlines()}
        reading.grids = [self._grid(found) for found in self._solutions(text)]
        if _UNSAT in lines:
            reading.claim = "unsat"
        elif _COMPLETE in lines:
            reading.claim = "all" if reading.grids else "unsat"
        elif _UNKNOWN in lines:
            reading.claim = "unknown"
        elif reading.grids:
            reading.claim = reading.claim or "solved"
        if reading.claim is None:
            reading.note = f"expected 'cells = array1d(…);' and '{_SOLUTION}', or '{_UNSAT}'"
        return reading

    @property
    def _names(self) -> list[str]:
        rows, columns = self._puzzle.shape
        return [
            f"x{row}_{column}_{colour}"
            for row in range(rows)
            for column in range(columns)
            for colour in self._colours
        ]

    def _cell(self, row: int, column: int) -> dict[int, str]:
        """Return the variables of a cell by their colour."""
        return {colour: f"x{row}_{column}_{colour}" for colour in self._colours}

    def _line(self, name: str, clue: Clue, cells: list[dict[int, str]]) -> None:
        """Add the blocks of a line, and what they say of its cells."""
        covers: list[dict[int, list[str]]] = [{colour: [] for colour in self._colours} for _ in cells]
        first, slack = 0, len(cells) - clue.min_length
        for number, block in enumerate(clue):
            start = f"{name}_{number}"
            self._variables.append(f"var {first}..{first + slack}: {start}")
            for at in range(first, first + slack + block.length):
                low, high = max(first, at - block.length + 1), min(first + slack, at)
                if (low, high) == (first, first + slack):
                    covers[at][block.colour].append("true")
                    continue
                covered = f"{start}_{at}"
                self._variables.append(f"var bool: {covered}")
                self._constraints.append(f"set_in_reif({start},{low}..{high},{covered})")
                covers[at][block.colour].append(covered)
            if number + 1 < len(clue):
                distance = block.length + (clue[number + 1].colour == block.colour)
                self._constraints.append(f"int_lin_le([1,-1],[{start},{name}_{number + 1}],-{distance})")
                first += distance
        for cell, covering in zip(cells, covers, strict=True):
            for colour, variable in cell.items():
                if "true" in covering[colour]:
                    self._constraints.append(f"bool_eq({variable},true)")
                elif covering[colour]:
                    self._constraints.append(f"array_bool_or([{','.join(covering[colour])}],{variable})")
                else:
                    self._constraints.append(f"bool_eq({variable},false)")

    def _excluding(self, grid: Grid) -> str:
        """Return the clause that a grid does not satisfy, and every other grid does."""
        colours = grid.cells.ravel()[:, np.newaxis] == np.array(self._colours)
        true = [name for name, is_so in zip(self._names, colours.ravel(), strict=True) if is_so]
        false = [name for name, is_so in zip(self._names, colours.ravel(), strict=True) if not is_so]
        return f"bool_clause([{','.join(false)}],[{','.join(true)}])"

    def _solutions(self, text: str) -> Iterator[str]:
        """Yield the values of the cells of each solution that was printed completely."""
        for part in text.split(_SOLUTION)[:-1]:
            if not (found := _CELLS.findall(part)):
                raise Unreadable(
                    f"a solution without its cells: expected 'cells = array1d(…);' before {_SOLUTION}"
                )
            yield found[-1]

    def _grid(self, values: str) -> Grid:
        words = [word.strip() for word in values.split(",")]
        expected = len(self._names)
        if len(words) != expected or not {*words} <= {"true", "false", "1", "0"}:
            raise Unreadable(
                f"the cells of a solution: expected {expected} values true or false, not {len(words)}"
            )
        true = np.array([word in ("true", "1") for word in words]).reshape(-1, len(self._colours))
        if (true.sum(axis=1) > 1).any():
            raise Unreadable("a cell of a solution has two colours")
        colours = true @ np.array(self._colours)
        return Grid.from_cells(colours.reshape(self._puzzle.shape))
