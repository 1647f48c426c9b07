"""Scores of backends over the rows of a campaign; nothing that was cut off is left out.

A run is *decided* if it ended by itself (termination ``ok``) with an answer that settles its task: ``unsat``,
``unique`` or ``multiple``, and ``solved`` where one solution was asked for.

PAR-2 is the penalised average run time of the SAT competitions: the mean over all runs of the wall seconds of
a decided run, and twice the wall limit for any other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from nonocsp.backends.base import Answer, Task, Termination
from nonocsp.bench.store import Row

PENALTY = 2.0

_VERDICTS = {Answer.UNSAT, Answer.UNIQUE, Answer.MULTIPLE}


@dataclass(frozen=True, slots=True)
class Score:
    """How a backend did.

    Parameters
    ----------
    runs
        All runs, whatever became of them.
    decided
        Runs that ended by themselves with an answer that settles the task.
    unsat, unique, multiple, solved, partial
        Runs with this answer, cut off or not.
    timeouts
        Runs that their wall or CPU limit ended.
    failed
        Runs that ended in any other way than by themselves or by a time limit.
    median_s, p95_s, max_s
        Quantiles of the wall seconds of all runs, decided or not, interpolated linearly.
    par2_s
        PAR-2 in seconds; None if an undecided run had no wall limit.
    """

    backend: str
    runs: int
    decided: int
    unsat: int
    unique: int
    multiple: int
    solved: int
    partial: int
    timeouts: int
    failed: int
    median_s: float
    p95_s: float
    max_s: float
    par2_s: float | None


def is_decided(row: Row) -> bool:
    """Return whether the run settled its task by itself."""
    settling = _VERDICTS | {Answer.SOLVED} if row["task"] == Task.SOLVE else _VERDICTS
    return row["termination"] == Termination.OK and row["answer"] in settling


def score(backend: str, rows: Iterable[Row]) -> Score:
    """Return the score of one backend over its rows, at least one."""
    rows = list(rows)
    answers = [row["answer"] for row in rows]
    endings = [row["termination"] for row in rows]
    timeouts = endings.count(Termination.WALL) + endings.count(Termination.CPU)
    median, p95, most = np.quantile([row["wall_s"] for row in rows], [0.5, 0.95, 1.0]).tolist()
    return Score(
        backend=backend,
        runs=len(rows),
        decided=sum(map(is_decided, rows)),
        unsat=answers.count(Answer.UNSAT),
        unique=answers.count(Answer.UNIQUE),
        multiple=answers.count(Answer.MULTIPLE),
        solved=answers.count(Answer.SOLVED),
        partial=answers.count(Answer.PARTIAL),
        timeouts=timeouts,
        failed=len(rows) - timeouts - endings.count(Termination.OK),
        median_s=median,
        p95_s=p95,
        max_s=most,
        par2_s=_par(rows),
    )


def score_all(rows: Iterable[Row]) -> list[Score]:
    """Return the scores of all backends, in the order in which they first appear."""
    by_backend: dict[str, list[Row]] = {}
    for row in rows:
        by_backend.setdefault(row["backend"], []).append(row)
    return [score(backend, own) for backend, own in by_backend.items()]


def _par(rows: list[Row]) -> float | None:
    times = [row["wall_s"] if is_decided(row) else _penalty(row) for row in rows]
    known = [time for time in times if time is not None]
    return sum(known) / len(known) if len(known) == len(times) else None


def _penalty(row: Row) -> float | None:
    limit: float | None = row["limits"]["wall"]
    return None if limit is None else PENALTY * limit
