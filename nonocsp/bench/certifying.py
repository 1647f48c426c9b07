"""Certificates beside the answers of several backends: one more claim, and one that anyone can check.

The solver behind a certificate has the same wall limit as the backends, but works in this process and without
a memory limit. What it claims is compared with what they said, as if it were one of them.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

from nonocsp.backends.base import Answer, Interrupted, Outcome, Termination, Unsupported
from nonocsp.bench.agreement import Checked
from nonocsp.certificates.maker import certify, save
from nonocsp.formats import NamedPuzzle
from nonocsp.model import PuzzleError

CERTIFICATE = "certificate"
"""Stands for the certificate among the backends."""


def certified(checked: Checked, folder: Path) -> Checked:
    """Return what is known of a puzzle together with its certificate, which is written into a folder.

    If a limit is reached nothing is written, and the outcome of the certificate says why.
    """
    outcome = _outcome(checked.source, folder, checked.request.limits.wall)
    return Checked.of(checked.source, checked.request, {**checked.outcomes, CERTIFICATE: outcome})


def _outcome(source: NamedPuzzle, folder: Path, wall: float | None) -> Outcome:
    """Return the claim of the certificate as an outcome; its statistics name the file."""
    started, cpu = time.perf_counter(), time.process_time()
    try:
        certificate = certify(source.puzzle, wall=wall)
    except Interrupted:
        outcome = Outcome(Answer.UNKNOWN, Termination.WALL, message=f"the wall limit of {wall} s was reached")
    except (PuzzleError, Unsupported) as error:
        outcome = Outcome(Answer.UNKNOWN, Termination.UNSUPPORTED, message=str(error))
    else:
        file = {"file": str(save(certificate, folder, source.name))}
        outcome = Outcome(Answer(certificate.claim), Termination.OK, certificate.solutions, stats=file)
    return replace(outcome, wall_s=time.perf_counter() - started, cpu_s=time.process_time() - cpu)
