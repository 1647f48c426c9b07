"""Make certificates: how many solutions a puzzle has, with a proof that there are no others.

A SAT solver gets the formula of the clues (`nonocsp.certificates.formula`). One clause forbids the first
model, and the search goes on. A second model makes the claim ``multiple``, none makes it ``unique``, and no
model at all ``unsat``. The proof is what the solver learns on the way. Stopped by a limit, it claims nothing.
"""

from __future__ import annotations

import hashlib
import math
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from nonocsp.backends.base import Limits, Request, Run
from nonocsp.backends.sat_solver import SatSolver, SolverName
from nonocsp.certificates.document import Attachment, Claim, Document
from nonocsp.certificates.formula import Formula, exclusion, formula_of
from nonocsp.engine import StopFlag
from nonocsp.engine.encodings import Cnf
from nonocsp.formats.target import open_target
from nonocsp.model import BackendError, Grid, Puzzle, verify

SOLVER: SolverName = "glucose4"
"""Its proofs have the fewest lemmas, and it can be interrupted."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A claim with everything that is needed to check it.

    Parameters
    ----------
    formula
        Of the puzzle, without its solution if there is one; None if the claim is ``multiple``.
    proof
        The lines of the proof that it has no model, in the text form of DRAT.
    """

    claim: Claim
    puzzle: Puzzle
    solutions: tuple[Grid, ...]
    formula: Formula | None = None
    proof: tuple[str, ...] = ()


def certify(puzzle: Puzzle, *, wall: float | None = None, stop: StopFlag | None = None) -> Certificate:
    """Return a certificate of how many solutions a puzzle has: none, one or several.

    Parameters
    ----------
    puzzle
        The clues.
    wall
        Seconds until it gives up.
    stop
        Ends the work early when another thread sets it.

    Raises
    ------
    Interrupted
        If it was stopped or gave up; nothing is known then.
    PuzzleError
        If the puzzle is too large.
    """
    deadline = None if wall is None else time.perf_counter() + wall
    run = Run(Request(limits=Limits(wall=wall)), stop or StopFlag(), deadline)
    formula = formula_of(puzzle)
    literals = chain.from_iterable([*clause, 0] for clause in formula.clauses)
    cnf = Cnf(formula.variables, len(formula.clauses), np.fromiter(literals, np.int32))
    colours = np.arange(1, len(puzzle.palette))
    solutions: list[Grid] = []
    with closing(SatSolver(SOLVER, cnf, run, with_proof=True)) as solver:
        while len(solutions) < Claim.MULTIPLE.shown and solver.solve(run):
            is_colour = np.array(solver.model()[: colours.size * math.prod(puzzle.shape)]) > 0
            grid = Grid.from_cells(is_colour.reshape(*puzzle.shape, -1) @ colours)
            if not verify(puzzle, grid):
                raise BackendError(f"{SOLVER} returned a model that is no solution")
            solutions.append(grid)
            solver.add(exclusion(puzzle, grid))
        claim = (Claim.UNSAT, Claim.UNIQUE, Claim.MULTIPLE)[len(solutions)]
        if not claim.has_proof:
            return Certificate(claim, puzzle, tuple(solutions))
        clauses = [*formula.clauses, *(exclusion(puzzle, grid) for grid in solutions)]
        proof = tuple(_lemmas(solver.proof()))
    return Certificate(claim, puzzle, tuple(solutions), Formula(formula.variables, clauses), proof)


def save(certificate: Certificate, folder: str | Path, name: str) -> Path:
    """Write a certificate into a folder, made if missing, and return the path of its JSON file.

    Each file appears complete or not at all, the JSON file last. Puzzles of other names or clues get other
    file names.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    safe = re.sub(r"\W+", "-", Path(name).name, flags=re.ASCII).strip("-")[-60:]
    mark = hashlib.sha256(f"{name}\0{certificate.puzzle.canonical_hash}".encode()).hexdigest()[:8]
    stem = f"{safe}-{mark}".lstrip("-")
    formula = proof = None
    if certificate.formula:
        formula = _write(folder / f"{stem}.cnf", certificate.formula.dimacs())
        proof = _write(folder / f"{stem}.drat", (f"{line}\n".encode() for line in certificate.proof))
    document = Document(certificate.claim, certificate.puzzle, certificate.solutions, formula, proof)
    path = folder / f"{stem}.json"
    _write(path, [document.text().encode()])
    return path


def _lemmas(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a solver's proof up to the empty clause, without deletions of what is no lemma."""
    known = Counter[tuple[str, ...]]()
    for line in lines:
        is_deletion = line.startswith("d ")
        key = tuple(sorted(line.removeprefix("d ").split()))
        if key == ("0",):
            break
        if is_deletion and not known[key]:
            continue
        known[key] += -1 if is_deletion else 1
        yield line
    yield "0"


def _write(path: Path, lines: Iterable[bytes]) -> Attachment:
    digest = hashlib.sha256()
    with open_target(path) as stream:
        for line in lines:
            stream.write(line)
            digest.update(line)
    return Attachment(path.name, digest.hexdigest())
