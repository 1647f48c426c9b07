"""The conformance suite: what every backend must do, third-party backends included.

``check_backend("mine")`` runs every check of `CHECKS` on a registered backend, or on an instance of one. The
expected answers are enumerated here from all images of a size or all placements of the rows, never taken from
a backend. An incomplete backend may answer ``partial`` (its grid must contain every solution) or ``solved``.
Nearly all the time goes into the 58 196 descriptions of 4x4: some twenty seconds with a backend that needs
0.1 ms a puzzle; `sample` thins them. The rest is some two thousand runs.
"""

from __future__ import annotations

from nonocsp.backends.base import Backend
from nonocsp.backends.registry import create
from nonocsp.datasets import n_dom
from nonocsp.testing.checks import CHECKS, Check, NonConformance
from nonocsp.testing.puzzles import SMALL, SMALL_IN_COLOUR, descriptions, permutations, placements, solutions

__all__ = [
    "CHECKS",
    "SMALL",
    "SMALL_IN_COLOUR",
    "Check",
    "NonConformance",
    "check_backend",
    "descriptions",
    "n_dom",
    "permutations",
    "placements",
    "solutions",
]


def check_backend(backend: str | Backend, *, sample: int = 1) -> None:
    """Run all checks.

    Parameters
    ----------
    backend
        A spec such as ``"sat:solver=cadical195"``, or an instance that need not be registered.
    sample
        Take only every `sample`-th of the many small puzzles, for a slow backend.

    Raises
    ------
    NonConformance
        If a check fails or the backend raises; the message lists every check that did not pass and why.
    """
    subject = create(backend) if isinstance(backend, str) else backend
    failures = []
    for check in CHECKS:
        try:
            check(subject, sample)
        except NonConformance as error:
            failures.append(f"{check.__name__}: {error}")
        except Exception as error:  # the other checks may say more
            failures.append(f"{check.__name__}: {type(error).__name__}: {error}")
    if failures:
        raise NonConformance("\n".join(failures))
