"""Check a certificate, and believe nothing but the clues in it.

The solutions are compared with the clues by `nonocsp.model.mismatches`, the formula is made anew from the
clues and compared with the file line by line, and the proof is checked lemma by lemma. No code of a solver
takes part: a reader who trusts a verdict has read this module, `formula`, `document`, the model, and the
class of the core that checks lemmas (`nonocsp/cpp/verification/lrat_checker.cpp`).
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from nonocsp.certificates.document import Attachment, Claim, Document, Invalid, read_document
from nonocsp.certificates.formula import Formula, clause_line, clauses_of, variables_of
from nonocsp.certificates.proof_forms import from_drat
from nonocsp.engine.verification import check_drat
from nonocsp.model import Puzzle, PuzzleError, UsageError, bounds, mismatches

_HEAD_BYTES = 80
"""Of the first line of a formula, which has two numbers."""

Progress = Callable[[int, int], None]
"""Hears how many bytes of the proof are checked, and how many there are."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What the check of a certificate found; true if it is valid, that is, without a `fault`.

    `claim` and `puzzle` are None if the certificate could not be read; the figures are 0 without proof.
    """

    fault: str = ""
    claim: Claim | None = None
    puzzle: Puzzle | None = None
    variables: int = 0
    clauses: int = 0
    lemmas: int = 0
    seconds: float = 0.0

    @property
    def valid(self) -> bool:
        """Whether the claim is proved."""
        return not self.fault

    def __bool__(self) -> bool:
        return self.valid


def verify(path: str | Path, progress: Progress | None = None) -> Verification:
    """Check a certificate, by the path of its JSON file; formula and proof are beside it.

    FormatError if the file is no certificate that this version of the program can read, UsageError if it is
    beyond the limits of the verifier, and OSError if it cannot be read. `progress` is called now and then,
    and at the end of the proof.
    """
    started = time.perf_counter()
    path = Path(path)
    document = None
    try:
        document = read_document(path)
        for number, grid in enumerate(document.solutions, start=1):
            try:
                wrong = mismatches(document.puzzle, grid)
            except PuzzleError as error:
                raise Invalid(f"{path}: solution {number}: {error}") from None
            if wrong:
                clue = document.puzzle.line_clue(wrong[0]).named(document.puzzle.palette)
                raise Invalid(f"{path}: solution {number}: {wrong[0]} does not have the clue {clue}")
        if len(set(document.solutions)) < len(document.solutions):
            raise Invalid(f"{path}: the solutions are the same")
        figures = _check_proof(document, path.parent, progress)
    except Invalid as fault:
        claim, puzzle = (document.claim, document.puzzle) if document else (None, None)
        return Verification(str(fault), claim, puzzle, seconds=time.perf_counter() - started)
    return Verification("", document.claim, document.puzzle, *figures, time.perf_counter() - started)


def _check_proof(document: Document, folder: Path, progress: Progress | None) -> tuple[int, int, int]:
    """Check formula and proof; return the numbers of variables, clauses and lemmas, 0 without a proof."""
    if document.formula is None or document.proof is None:
        return 0, 0, 0
    try:
        formula = _check_formula(document, _existing(folder, document.formula))
    except PuzzleError as error:
        raise UsageError(str(error)) from None
    path = _existing(folder, document.proof)
    with path.open("rb") as stream:
        try:
            lines = iter(partial(stream.readline, bounds.LINE_BYTES), b"")
            proof = stream.read() if document.version > 1 else from_drat(lines)
        except Invalid as invalid:
            raise Invalid(f"{path}:{invalid}") from None
    look = None if progress is None else lambda done: progress(done, len(proof))
    lemmas, fault = check_drat(formula.literals(), proof, look)
    if fault:
        raise Invalid(f"{path}: {fault}")
    if look:
        look(len(proof))
    return formula.variables, len(formula.clauses), lemmas


def _check_formula(document: Document, path: Path) -> Formula:
    """Return the formula of the puzzle; it is made line by line until the file has another line."""

    def compare(found: bytes, line: bytes, number: int) -> None:
        if found != line:
            expected = f"'{line.decode().strip()[:60]}'" if line else "the end of the file"
            raise Invalid(f"{path}:{number}: is not the formula of the puzzle; expected {expected}")

    puzzle, version = document.puzzle, document.version
    formula = Formula(variables_of(puzzle, version), [])
    with path.open("rb") as stream:
        head, number = stream.readline(_HEAD_BYTES), 1
        start = f"p cnf {formula.variables} ".encode()
        compare(head[: len(start)], start, 1)
        excluded = document.solutions[0] if document.solutions else None
        for number, clause in enumerate(clauses_of(puzzle, excluded, version), start=2):
            line = clause_line(clause)
            compare(stream.readline(len(line) + 1), line, number)
            formula.clauses.append(clause)
        compare(stream.read(1), b"", number + 1)
    compare(head, next(formula.dimacs()), 1)
    return formula


def _existing(folder: Path, attached: Attachment) -> Path:
    """Return the path of a file of the certificate, whose content is the one that was sealed."""
    path = folder / attached.file
    if not path.is_file():
        raise Invalid(f"{path}: there is no such file beside the certificate")
    if path.stat().st_size > bounds.PROOF_BYTES:
        raise UsageError(f"{path}: a file of a certificate has up to {bounds.PROOF_BYTES} bytes")
    with path.open("rb") as stream:
        if hashlib.file_digest(stream, "sha256").hexdigest() != attached.sha256:
            raise Invalid(f"{path}: its SHA-256 is not that of the certificate: the file was changed")
    return path
