"""Write what a program gets to read, a puzzle or a formula in DIMACS, and turn what it printed into grids.

The formula is that of backend ``sat``: an encoding of what the root fixpoint leaves open. A solution that is
found already is excluded by one clause. Read are the lines of the SAT competitions (``s SATISFIABLE``,
``v 1 -2 0``), and those of MiniSat (``SAT`` or ``UNSAT``, then the model).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Protocol

import numpy as np

from nonocsp.backends.base import Run, Unsupported
from nonocsp.backends.command.declaration import DIMACS, FLATZINC, Declaration
from nonocsp.backends.command.reading import Reading, Unreadable, read_claims, read_json, read_text
from nonocsp.backends.interruption import root_fixpoint
from nonocsp.engine import LineSolver
from nonocsp.engine.encodings import ENCODERS, Cnf
from nonocsp.formats import formats, write_for_program
from nonocsp.model import Grid, Puzzle, UsageError


class Question(Protocol):
    """A puzzle in the language of a program."""

    settled: Reading | None
    """The answer, if writing the question has settled it already; None if the program has to be asked."""

    def write(self, folder: Path, excluded: list[Grid]) -> Path:
        """Write the file that the program reads, without solutions found already; return its path."""
        ...

    def read(self, output: bytes) -> Reading:
        """Return what the program printed."""
        ...


def question_of(declaration: Declaration, puzzle: Puzzle, run: Run) -> Question:
    """Return a puzzle in the language of a declaration; it may be `Unsupported` there."""
    if declaration.input == DIMACS:
        return DimacsQuestion(declaration, puzzle, run)
    if declaration.input == FLATZINC:
        from nonocsp.backends.command.flatzinc import FlatZincQuestion

        return FlatZincQuestion(declaration, puzzle, run)
    return FileQuestion(declaration, puzzle)


class FileQuestion:
    """The puzzle in a file format of nonocsp."""

    settled: Reading | None = None

    def __init__(self, declaration: Declaration, puzzle: Puzzle) -> None:
        self._declaration, self._puzzle = declaration, puzzle
        self._format = next(known for known in formats() if known.name == declaration.input)

    def write(self, folder: Path, excluded: list[Grid]) -> Path:
        """Write the puzzle, and beside it the excluded grids, a text grid each, for ``{found}``."""
        path = folder / f"puzzle{(self._format.suffixes or ('.txt',))[0]}"
        try:
            write_for_program(self._puzzle, path, self._format.name)
        except UsageError as error:
            raise Unsupported(f"the program cannot be given this puzzle: {error}") from None
        if excluded:
            grids = ["\n".join(grid.strings(self._puzzle.palette)) for grid in excluded]
            found_file(folder).write_text("\n\n".join(grids) + "\n", encoding="utf-8")
        return path

    def read(self, output: bytes) -> Reading:
        """Return what the program printed: text or JSON."""
        read = read_json if self._declaration.printed == "json" else read_text
        return read(output, self._puzzle, self._declaration.rules)


def found_file(folder: Path) -> Path:
    """Return the file of the grids that are found already."""
    return folder / "found.grid"


def proof_file(folder: Path) -> Path:
    """Return the file that a program writes its proof to."""
    return folder / "proof"


_VERDICT = re.compile(
    r"^(?:s\s+)?(SATISFIABLE|UNSATISFIABLE|SAT|UNSAT|UNKNOWN|INDETERMINATE|INDET)\s*$", re.M
)
_LONGEST_LITERAL = 20
_LITERALS = re.compile(r"^(?:v\s+)?(-?\d+(?:\s+-?\d+)*)\s*$", re.M)


class DimacsQuestion:
    """A puzzle as a formula."""

    def __init__(self, declaration: Declaration, puzzle: Puzzle, run: Run) -> None:
        self._rules = declaration.rules
        line_solver = LineSolver(puzzle)
        root = root_fixpoint(line_solver, run)
        self.settled: Reading | None = None
        if root.contradiction is not None:
            self.settled = Reading(claim="unsat")
            return
        self._encoding = ENCODERS[declaration.encoding](line_solver, root.candidates)
        cnf = self._encoding.cnf
        run.stats["variables"], run.stats["clauses"] = cnf.variables, cnf.clauses
        if cnf.variables == 0:
            self.settled = Reading([self._encoding.decode(())], claim="unique")

    def write(self, folder: Path, excluded: list[Grid]) -> Path:
        """Write the formula, with a clause for each excluded grid."""
        path = folder / "puzzle.cnf"
        path.write_text(self.asked(excluded).dimacs(), encoding="ascii")
        return path

    def asked(self, excluded: list[Grid]) -> Cnf:
        """Return the formula, with a clause for each excluded grid."""
        blocking = [[-literal for literal in self._encoding.literals_of(grid.cells)] for grid in excluded]
        return self._encoding.cnf.with_clauses(blocking)

    def read(self, output: bytes) -> Reading:
        """Return the verdict and the grid of the model; Unreadable without a verdict or a model that fits."""
        text = output.decode("utf-8", "replace")
        reading = read_claims(text, self._rules)
        verdicts = {match[1] for match in _VERDICT.finditer(text)}
        if verdicts <= {"UNSATISFIABLE", "UNSAT"} and verdicts:
            reading.claim = "unsat"
        elif verdicts <= {"UNKNOWN", "INDETERMINATE", "INDET"} and verdicts:
            reading.claim = "unknown"
        elif verdicts <= {"SATISFIABLE", "SAT"} and verdicts:
            reading.claim = "solved"
            reading.grids.append(self._grid(text))
        elif verdicts:
            raise Unreadable(f"it printed {' and '.join(sorted(verdicts))}: expected one verdict")
        elif reading.claim is None:
            reading.note = "expected a line 's SATISFIABLE' or 's UNSATISFIABLE', or SAT or UNSAT"
        return reading

    def _grid(self, text: str) -> Grid:
        variables = self._encoding.cnf.variables
        model = np.zeros(variables + 1, np.int64)
        for word in (word for line in _LITERALS.finditer(text) for word in line[1].split()):
            if len(word) > _LONGEST_LITERAL:
                raise Unreadable(f"its model has a number of {len(word)} digits")
            literal = int(word)
            if abs(literal) > variables:
                raise Unreadable(f"its model has the variable {abs(literal)}; the formula has {variables}")
            model[abs(literal)] = literal
        model[0] = 1
        if not model[: len(self._encoding.cells) + 1].all():
            missing = int(np.flatnonzero(model == 0)[0])
            raise Unreadable(
                f"its model lacks variable {missing}: expected lines 'v 1 -2 … 0' with all of them"
            )
        return self._encoding.decode(model[1:].tolist())
