"""Compute Borda points by the rule of the MiniZinc challenge ("Scoring Procedure", https://www.minizinc.org).

Every instance is a voter. On it a backend is compared with each other one: it gets a point if it decided and
the other did not; if both decided, the share ``t' / (t + t')``, t being its own time and t' the other's, or
a half each if both took no time. An undecided run gets nothing, even against another undecided one.
So an instance gives one point for every pair in which at least one decided.
"""

from __future__ import annotations

import numpy as np

from nonocsp.bench.scoring.runs import FloatArray, Runs


def borda(runs: Runs) -> FloatArray:
    """Return the points of each backend, shape (B,). Backends meet on the instances that both have run."""
    points = np.zeros(len(runs.backends))
    for b, mine in enumerate(runs.is_decided):
        others = np.delete(np.arange(len(runs.backends)), b)
        rivals = np.ix_(others, mine)
        own_s, their_s = runs.time_s[b, mine], runs.time_s[rivals]
        total_s = own_s + their_s
        shares = np.divide(their_s, total_s, out=np.full_like(total_s, 0.5), where=total_s > 0)
        points[b] = np.where(runs.is_decided[rivals], shares, runs.has_run[rivals]).sum()
    return points
