"""Compare certificates with the answers of backends: one more claim, and one that anyone can check.

The solver behind a certificate has the same wall limit as the backends, but works in this process and without
a memory limit. Its claim is compared with the backends' answers, as if it were one of them.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

from nonocsp.backends.base import Answer, Interrupted, Outcome, Termination, Unsupported
from nonocsp.bench.agreement import Checked
from nonocsp.certificates.maker import certify, save
from nonocsp.model import PuzzleError

CERTIFICATE = "certificate"
"""Stands for the certificate among the backends."""


def certified(checked: Checked, folder: Path) -> Checked:
    """Add the claim of a certificate to what backends said about a puzzle."""
    started, cpu = time.perf_counter(), time.process_time()
    source, wall = checked.source, checked.request.limits.wall
    try:
        certificate = certify(source.puzzle, wall=wall)
    except Interrupted:
        outcome = Outcome(Answer.UNKNOWN, Termination.WALL, message=f"the wall limit of {wall} s was reached")
    except (PuzzleError, Unsupported) as error:
        outcome = Outcome(Answer.UNKNOWN, Termination.UNSUPPORTED, message=str(error))
    else:
        file = {"file": str(save(certificate, folder, source.name))}
        outcome = Outcome(Answer(certificate.claim), Termination.OK, certificate.solutions, stats=file)
    outcome = replace(outcome, wall_s=time.perf_counter() - started, cpu_s=time.process_time() - cpu)
    return Checked.of(source, checked.request, {**checked.outcomes, CERTIFICATE: outcome})
