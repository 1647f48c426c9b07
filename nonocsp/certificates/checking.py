"""Verify the proof of a run, outside its clock and within limits of its own."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from nonocsp.backends.base import Answer, Outcome, Proof, Termination
from nonocsp.model import Puzzle, PuzzleError, bounds

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class _Unverified(Exception):
    """A proof cannot be read, or verifying it takes too long."""


def checked(outcome: Outcome, puzzle: Puzzle) -> Outcome:
    """Return an outcome whose proof, if it has one, was verified: it is `proved`, or wrong.

    A proof that takes longer than `bounds.PROOF_SECONDS` or more memory than there is, a formula that is too
    large and a binary LRAT leave the verdict as it was, and a message says so.
    """
    if outcome.proof is None:
        return outcome
    try:
        fault = _fault(outcome.proof, outcome, puzzle)
    except (_Unverified, PuzzleError, MemoryError) as error:
        why = str(error) or "there is not enough memory"
        return replace(outcome, proof=None, message=f"the proof was not verified: {why}")
    if not fault:
        return replace(outcome, proof=None, proved=True)
    message = f"wrong answer: the proof does not hold: {fault}"
    return replace(outcome, answer=Answer.UNKNOWN, termination=Termination.CRASHED, solutions=(), proof=None,
                   message=message, wrong=True)  # fmt: skip


def _fault(proof: Proof, outcome: Outcome, puzzle: Puzzle) -> str:
    """Return what is wrong with a proof; empty if nothing is."""
    from nonocsp.certificates.document import Invalid
    from nonocsp.certificates.proof_forms import from_drat, from_lrat, is_text
    from nonocsp.engine.verification import check_drat

    until = time.monotonic() + bounds.PROOF_SECONDS

    def look(_: int) -> None:
        if time.monotonic() > until:
            raise _Unverified(f"that takes more than {bounds.PROOF_SECONDS:g} s")

    clauses = _formula(outcome, puzzle) if proof.clauses is None else proof.clauses
    content, is_lines = proof.content, is_text(proof.content)
    if proof.is_lrat and not is_lines:
        raise _Unverified("it is binary; LRAT is verified in its text form")
    lines = (line for line in content.splitlines(keepends=True) if not line.startswith(b"c"))
    try:
        if proof.is_lrat:
            content = from_lrat(lines, clauses.tolist())
        elif is_lines:
            content = from_drat(lines)
    except Invalid as fault:
        return f"line {fault}"
    look(0)
    return check_drat(clauses, content, look)[1]


def _formula(outcome: Outcome, puzzle: Puzzle) -> NDArray[np.int32]:
    """Return the formula of a puzzle's certificate, without the solution that was found."""
    from nonocsp.certificates.formula import formula_of

    return formula_of(puzzle, outcome.solutions).literals()
