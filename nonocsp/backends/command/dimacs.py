"""Ask a SAT solver: write what line solving leaves open as a formula in DIMACS, and read its model.

The formula is that of backend ``sat``: an encoding of what the root fixpoint leaves open. A solution that is
found already is excluded by one clause. Read are the lines of the SAT competitions (``s SATISFIABLE``,
``v 1 -2 0``), and those of MiniSat (``SAT`` or ``UNSAT``, then the model).
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from nonocsp.backends.base import Run
from nonocsp.backends.command.declaration import Declaration
from nonocsp.backends.command.reading import Reading, Unreadable, read_claims
from nonocsp.backends.interruption import root_fixpoint
from nonocsp.engine import LineSolver
from nonocsp.engine.encodings import ENCODERS
from nonocsp.model import Grid, Puzzle

_VERDICT = re.compile(
    r"^(?:s\s+)?(SATISFIABLE|UNSATISFIABLE|SAT|UNSAT|UNKNOWN|INDETERMINATE|INDET)\s*$", re.M
)
_LONGEST_LITERAL = 20
_LITERALS = re.compile(r"^(?:v\s+)?(-?\d+(?:\s+-?\d+)*)\s*$", re.M)


class DimacsQuestion:
    """A puzzle as a formula.

    Parameters
    ----------
    declaration, puzzle, run
        See `nonocsp.backends.command.questions.question_of`.
    """

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
        blocking = [[-literal for literal in self._encoding.literals_of(grid.cells)] for grid in excluded]
        path = folder / "puzzle.cnf"
        path.write_text(self._encoding.cnf.with_clauses(blocking).dimacs(), encoding="ascii")
        return path

    def read(self, output: bytes) -> Reading:
        """Return the verdict and the grid of the model.

        Raises
        ------
        Unreadable
            If there is no verdict, or a model that does not fit the formula.
        """
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
