"""Write a puzzle in the language of a solver.

Five languages say the same formula (`nonocsp.engine.encodings`) in their own words: DIMACS; pseudo-Boolean
constraints (OPB); FlatZinc with ``bool_clause`` alone, because solvers name global constraints differently;
SMT-LIB 2; and an integer program in the LP format, whose clauses are rows. XCSP3 has a variable for each
cell, whose value is its colour, and a ``regular`` constraint for each line: the automaton of its clue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from nonocsp.backends.open_lines import automaton, colours_in
from nonocsp.engine import Candidates, LineSolver
from nonocsp.engine.encodings import ENCODERS, Cnf, Encoding
from nonocsp.exporting.variable_map import Variable, VariableMap
from nonocsp.model import Clue, Grid, Puzzle, UsageError, mismatches

_TERMS = 20
"""Terms on a line of an LP file: some readers refuse long lines."""


@dataclass(frozen=True, slots=True)
class Export:
    """A puzzle in the language of a solver, and what its variables mean."""

    parts: Iterator[str]  # the text; can be read once
    map: VariableMap


def export(
    puzzle: Puzzle, language: str, *, encoding: str = "order", root: bool = True, without: Grid | None = None
) -> Export:
    """Return a puzzle in one of `LANGUAGES`; `root` leaves out what line solving decides, unless it fails."""
    if without is not None and (not without.is_full or mismatches(puzzle, without)):
        raise UsageError("the grid to forbid is no solution of the puzzle: nothing would change")
    solver = LineSolver(puzzle)
    start = solver.propagate() if root else solver.nothing_known()
    if start.contradiction is not None:
        start = solver.nothing_known()
    candidates = start.candidates
    if language == "xcsp3":
        parts, variables, encoding = _xcsp3(puzzle, candidates, without), _cells(puzzle), "regular"
    else:
        encoded = ENCODERS[encoding](solver, candidates)
        cnf = _formula(encoded, without)
        parts, variables = WRITERS[language](cnf, len(encoded.cells)), _literals(encoded, language)
    known = Grid(candidates)
    return Export(parts, VariableMap(language, encoding, root, puzzle, known, without, variables))


def _formula(encoding: Encoding, without: Grid | None) -> Cnf:
    """Return the formula; if nothing is open it has one variable, because solvers refuse empty formulas."""
    if not encoding.cnf.variables:
        return Cnf(1, 0, np.zeros(0, np.int32)).with_clauses([[1], [-1]] if without else [[1]])
    if without is None:
        return encoding.cnf
    return encoding.cnf.with_clauses([[-literal for literal in encoding.literals_of(without.cells)]])


def _literals(encoding: Encoding, language: str) -> dict[str, Variable]:
    """Return what the cell variables of a formula mean."""
    candidates, columns = encoding.candidates, encoding.candidates.shape[1]
    meanings = {}
    for number, (cell, colour) in enumerate(
        zip(encoding.cells.tolist(), encoding.colours.tolist(), strict=True), start=1
    ):
        possible = colours_in(int(candidates.flat[cell]))
        otherwise = possible[0] if len(possible) == 2 else None
        name = str(number) if language == "dimacs" else f"x{number}"
        meanings[name] = Variable(cell // columns, cell % columns, (otherwise, colour))
    return meanings


def _dimacs(cnf: Cnf, _: int) -> Iterator[str]:
    yield cnf.dimacs()


def _opb(cnf: Cnf, _: int) -> Iterator[str]:
    yield f"* #variable= {cnf.variables} #constraint= {cnf.clauses}\n"
    for clause in cnf:
        terms, bound = _linear(clause)
        yield f"{' '.join(terms)} >= {bound} ;\n"


def _lp(cnf: Cnf, _: int) -> Iterator[str]:
    yield "Minimize\n obj: 0 x1\nSubject To\n"
    for number, clause in enumerate(cnf, start=1):
        terms, bound = _linear(clause)
        yield f" c{number}: {_folded(terms)} >= {bound}\n"
    yield f"Binary\n {_folded([f'x{number}' for number in range(1, cnf.variables + 1)])}\nEnd\n"


def _linear(clause: list[int]) -> tuple[list[str], int]:
    """Return a clause as the terms of a sum, and the least value of the sum."""
    terms = [f"+1 x{literal}" if literal > 0 else f"-1 x{-literal}" for literal in clause]
    return terms, 1 - sum(literal < 0 for literal in clause)


def _folded(terms: list[str]) -> str:
    return "\n ".join(" ".join(terms[start : start + _TERMS]) for start in range(0, len(terms), _TERMS))


def _smt2(cnf: Cnf, _: int) -> Iterator[str]:
    yield "(set-option :produce-models true)\n(set-logic QF_UF)\n"
    yield from (f"(declare-fun x{number} () Bool)\n" for number in range(1, cnf.variables + 1))
    for clause in cnf:
        literals = [f"x{literal}" if literal > 0 else f"(not x{-literal})" for literal in clause]
        either = literals[0] if len(literals) == 1 else f"(or {' '.join(literals)})"
        yield f"(assert {either})\n"
    yield "(check-sat)\n(get-model)\n"


def _flatzinc(cnf: Cnf, cells: int) -> Iterator[str]:
    """Yield a model whose solutions show the variables of cells."""
    for number in range(1, cnf.variables + 1):
        yield f"var bool: x{number}{' :: output_var' * (number <= max(cells, 1))};\n"
    for clause in cnf:
        true = ",".join(f"x{literal}" for literal in clause if literal > 0)
        false = ",".join(f"x{-literal}" for literal in clause if literal < 0)
        yield f"constraint bool_clause([{true}],[{false}]);\n"
    yield "solve satisfy;\n"


WRITERS: dict[str, Callable[[Cnf, int], Iterator[str]]] = {
    "dimacs": _dimacs,
    "opb": _opb,
    "flatzinc": _flatzinc,
    "smt2": _smt2,
    "lp": _lp,
}
"""How each language says a formula; the number is that of its cell variables, which come first."""


def _xcsp3(puzzle: Puzzle, candidates: Candidates, without: Grid | None) -> Iterator[str]:
    """Yield an instance; all variables have one domain, because ACE wants that of ``regular``."""
    names = np.array([*_cells(puzzle)]).reshape(puzzle.shape)
    colours = f"0..{len(puzzle.palette) - 1}"
    yield '<instance format="XCSP3" type="CSP">\n<variables>\n'
    yield from (f'<var id="{name}"> {colours} </var>\n' for name in names.flat)
    yield "</variables>\n<constraints>\n"
    yield from (_regular(clue, row) for clue, row in zip(puzzle.rows, names, strict=True))
    yield from (_regular(clue, column) for clue, column in zip(puzzle.columns, names.T, strict=True))
    for name, candidate in zip(names.flat, candidates.ravel().tolist(), strict=True):
        if len(possible := colours_in(candidate)) < len(puzzle.palette):
            yield _extension([name], "supports", " ".join(map(str, possible)))
    if without is not None:
        yield _extension(names.flat, "conflicts", f"({','.join(map(str, without.cells.flat))})")
    yield "</constraints>\n</instance>\n"


def _cells(puzzle: Puzzle) -> dict[str, Variable]:
    """Return what the variables of an XCSP3 instance mean: a value is a colour."""
    colours = tuple(range(len(puzzle.palette)))
    rows, columns = puzzle.shape
    places = product(range(rows), range(columns))
    return {f"r{row + 1}c{column + 1}": Variable(row, column, colours) for row, column in places}


def _extension(cells: Iterable[str], kind: str, values: str) -> str:
    return f"<extension>\n<list> {' '.join(cells)} </list>\n<{kind}> {values} </{kind}>\n</extension>\n"


def _regular(clue: Clue, cells: Iterable[str]) -> str:
    """Return the constraint that a line has its clue."""
    start, finals, transitions = automaton(clue)
    steps = "".join(f"(s{state},{colour},s{following})" for state, colour, following in transitions)
    return (
        f"<regular>\n<list> {' '.join(cells)} </list>\n<transitions> {steps} </transitions>\n"
        f"<start> s{start} </start>\n<final> {' '.join(f's{state}' for state in finals)} </final>\n"
        "</regular>\n"
    )
