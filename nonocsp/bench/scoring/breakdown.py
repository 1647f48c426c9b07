"""Score backends on classes of puzzles: by verdict, by whether line solving is enough, and by size.

A class exists only if there is another one beside it, so a campaign of one size has no class of that size.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nonocsp.backends.base import Answer
from nonocsp.bench.scoring.means import mean, quantile
from nonocsp.bench.scoring.runs import ANSWERS, PENALTY, BoolArray, IntArray, Runs

MAX_SIZES = 12
"""With more sizes than this each is too small a class to say anything."""
_VERDICTS = {
    "one solution": Answer.UNIQUE,
    "several solutions": Answer.MULTIPLE,
    "no solution": Answer.UNSAT,
    "solved": Answer.SOLVED,
}


@dataclass(frozen=True, slots=True)
class ClassScore:
    """How a backend did on a class of puzzles; times as in `nonocsp.bench.scoring.Score`."""

    puzzles: str
    backend: str
    runs: int
    decided: int
    median_s: float | None
    par2_s: float | None


def classes(runs: Runs) -> dict[str, BoolArray]:
    """Return which instances belong to each class, shape (I,), by what is special about its puzzles."""
    found: dict[str, BoolArray] = {}
    for division in (_by_verdict(runs), _by_line_solving(runs), _by_size(runs)):
        there = {name: chosen for name, chosen in division.items() if chosen.any()}
        found |= there if len(there) > 1 else {}
    return found


def class_scores(runs: Runs) -> list[ClassScore]:
    """Return the scores of all backends on each class."""
    found = []
    for name, chosen in classes(runs).items():
        part = runs.of_instances(chosen)
        once_s, twice_s = part.cost_s(), part.cost_s(PENALTY)
        found += [
            ClassScore(
                puzzles=name,
                backend=backend,
                runs=int(there.sum()),
                decided=int(part.is_decided[b].sum()),
                median_s=quantile(once_s[b, there], 0.5),
                par2_s=mean(twice_s[b, there]),
            )
            for b, (backend, there) in enumerate(zip(runs.backends, part.has_run, strict=True))
            if there.any()
        ]
    return found


def _by_verdict(runs: Runs) -> dict[str, BoolArray]:
    """Divide by what the backends that decided an instance say; contradictions count for the first one."""
    answer = np.full(len(runs.instances), -1)
    for own, is_decided in zip(runs.answer[::-1], runs.is_decided[::-1], strict=True):
        answer[is_decided] = own[is_decided]
    found = {name: answer == ANSWERS.index(verdict) for name, verdict in _VERDICTS.items()}
    return {**found, "undecided by all": answer < 0}


def _by_line_solving(runs: Runs) -> dict[str, BoolArray]:
    """Divide by the share of cells that line solving leaves open, where a backend has told it."""
    open_share = runs.instances.table.open_shares[runs.instances.puzzle]
    return {"line-solvable": open_share == 0, "not line-solvable": open_share > 0}


def _by_size(runs: Runs) -> dict[str, BoolArray]:
    puzzles, place = runs.instances.table.puzzles, runs.instances.puzzle
    sizes: IntArray = np.stack([puzzles.rows[place], puzzles.columns[place]], axis=1).astype(np.intp)
    distinct = np.unique(sizes, axis=0)
    distinct = distinct[np.argsort(distinct.prod(axis=1), kind="stable")]
    if len(distinct) > MAX_SIZES:
        return {}
    return {f"{rows}x{columns}": (sizes == (rows, columns)).all(axis=1) for rows, columns in distinct}
