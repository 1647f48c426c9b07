"""Make certificates: how many solutions a puzzle has, with a proof that there are no others.

The backend ``hybrid`` decides the puzzle and writes down what it derives (`nonocsp/cpp/proofs`), over the
formula of the clues and a clause that forbids the solution (`nonocsp.certificates.formula`). Two solutions
make the claim ``multiple``, which needs no proof. Stopped by a limit, it claims nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from nonocsp.backends.base import Interrupted, Limits, Outcome, Request, Termination, Unsupported
from nonocsp.backends.hybrid import Hybrid, HybridOptions
from nonocsp.backends.run import run_backend
from nonocsp.certificates.document import Attachment, Claim, Document
from nonocsp.certificates.formula import Formula, formula_of, variables_of
from nonocsp.engine import StopFlag
from nonocsp.formats.target import open_target
from nonocsp.model import BackendError, Grid, Puzzle


@dataclass(frozen=True, slots=True)
class Certificate:
    """A claim with what is needed to check it: formula and binary DRAT, unless it is ``multiple``.

    The formula is that of the puzzle, without its solution if there is one.
    """

    claim: Claim
    puzzle: Puzzle
    solutions: tuple[Grid, ...]
    proof: bytes = b""

    @property
    def formula(self) -> Formula | None:
        """The formula, made anew; None if the claim needs no proof. PuzzleError if it is too large."""
        if not self.claim.has_proof:
            return None
        return formula_of(self.puzzle, self.solutions)


def certify(puzzle: Puzzle, *, wall: float | None = None, stop: StopFlag | None = None) -> Certificate:
    """Return a certificate of how many solutions a puzzle has: none, one or several.

    `wall` is in seconds; another thread may set `stop`. Interrupted if it was stopped or gave up, PuzzleError
    if the puzzle is too large, and Unsupported if the proof becomes too long.
    """
    request = Request(limits=Limits(wall=wall))
    outcome, certificate = prove(puzzle, request, Hybrid(HybridOptions()), stop)
    if certificate:
        return certificate
    if outcome.termination in (Termination.WALL, Termination.KILLED):
        raise Interrupted
    if outcome.termination is Termination.UNSUPPORTED:
        raise Unsupported(outcome.message)
    raise BackendError(f"hybrid: {outcome.message}")


def prove(
    puzzle: Puzzle, request: Request, backend: Hybrid, stop: StopFlag | None = None
) -> tuple[Outcome, Certificate | None]:
    """Decide a puzzle by `hybrid`; return the outcome, and its certificate if the run has a verdict.

    The run keeps the wall limit of the request, in one thread. PuzzleError if the puzzle is too large.
    """
    variables_of(puzzle)  # refuses what is far too large
    outcome = run_backend(backend, puzzle, replace(request, certify=True), stop or StopFlag())
    if outcome.termination is not Termination.OK or str(outcome.answer) not in list(Claim):
        return outcome, None
    proof = outcome.proof.content if outcome.proof else b""
    return outcome, Certificate(Claim(outcome.answer), puzzle, outcome.solutions, proof)


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
    if (content := certificate.formula) is not None:
        formula = _write(folder / f"{stem}.cnf", content.dimacs())
        proof = _write(folder / f"{stem}.drat", [certificate.proof])
    document = Document(certificate.claim, certificate.puzzle, certificate.solutions, formula, proof)
    path = folder / f"{stem}.json"
    _write(path, [document.text().encode()])
    return path


def _write(path: Path, lines: Iterable[bytes]) -> Attachment:
    digest = hashlib.sha256()
    with open_target(path) as stream:
        for line in lines:
            stream.write(line)
            digest.update(line)
    return Attachment(path.name, digest.hexdigest())
