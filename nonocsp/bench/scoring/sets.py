"""Score each set of puzzles by the rule of the TCGA, TAAI and ICGA tournaments, beside what is pooled.

A set is what a puzzle's name has before ``#``, else its folder. In a tournament an entrant has two hours for
1000 puzzles, takes them in their order, and any solution counts; a smaller set has its share of that time.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from posixpath import basename, dirname

import numpy as np

from nonocsp.backends.base import Answer
from nonocsp.bench.scoring.means import mean
from nonocsp.bench.scoring.runs import ANSWERS, PENALTY, BoolArray, FloatArray, IntArray, Runs

BUDGET_S = 7200.0 / 1000
"""Time for a puzzle of a set, to be spent on any of them."""
_SUFFIXES = re.compile(r"(\.[A-Za-z]\w{0,9})+$")
"""Of a file, such as ``.txt.gz``; what follows the point of a number, as in ``random-5x5-0.5``, is none."""
_FOUND = [ANSWERS.index(answer) for answer in (Answer.SOLVED, Answer.UNIQUE, Answer.MULTIPLE)]


@dataclass(frozen=True, slots=True)
class SetScore:
    """How a backend did on one set, a file, rule or folder, as means over seeds and repeats."""

    set: str
    backend: str
    rank: int | None  # by solved puzzles, then by total time; None without the whole set
    runs: int
    decided: int
    solved: float  # with a solution, or a proof that there is none, within the time of the set
    total_s: float  # until the last puzzle or the end of the time
    par2_s: float | None


def set_scores(runs: Runs) -> list[SetScore]:
    """Return the scores of all backends on each set, in the order in which the sets first appear."""
    names, set_of = _sets(runs)
    stems = [_SUFFIXES.sub("", basename(name)) or name for name in names]
    counts = Counter(stems)
    names = [stem if counts[stem] == 1 else name for name, stem in zip(names, stems, strict=True)]
    round_of = _rounds(runs)
    found = []
    for name, own in zip(names, _groups(set_of), strict=True):
        of_set = runs.of_instances(own)
        rounds = map(of_set.of_instances, _groups(round_of[own]))
        solved, total_s = np.mean([_tournament(each) for each in rounds], axis=0)
        whole: BoolArray = np.asarray(of_set.has_run.all(axis=1))
        ranks = _ranks(solved, total_s, whole)
        cost_s = of_set.cost_s(PENALTY)
        found += [
            SetScore(
                set=name,
                backend=backend,
                rank=ranks[b],
                runs=int(of_set.has_run[b].sum()),
                decided=int(of_set.is_decided[b].sum()),
                solved=float(solved[b]),
                total_s=float(total_s[b]),
                par2_s=mean(cost_s[b, of_set.has_run[b]]),
            )
            for b, backend in enumerate(runs.backends)
            if of_set.has_run[b].any()
        ]
    return found


def set_of(puzzle: str) -> str:
    """Return the set that a puzzle belongs to, by its name."""
    file, mark, _ = puzzle.partition("#")
    return file if mark else dirname(puzzle) or "single puzzles"


def _sets(runs: Runs) -> tuple[list[str], IntArray]:
    """Return the names of the sets, and the number of the set of each instance, shape (I,)."""
    puzzles = runs.instances.table.puzzles
    numbers: dict[str, int] = {}
    of_puzzle = np.full(len(puzzles), -1, np.intp)
    for place in dict.fromkeys(runs.instances.puzzle.tolist()):
        of_puzzle[place] = numbers.setdefault(set_of(str(puzzles.names[place])), len(numbers))
    return [*numbers], of_puzzle[runs.instances.puzzle]


def _rounds(runs: Runs) -> IntArray:
    """Return a number for what each instance has besides its puzzle, such as seed and repeat, shape (I,)."""
    numbers: dict[object, int] = {}
    of_request = [numbers.setdefault(asked, len(numbers)) for asked in runs.instances.asked]
    return np.array(of_request, np.intp)[runs.instances.table["request"][runs.instances.first]]


def _groups(numbers: IntArray) -> list[IntArray]:
    """Return the places of each number in an array, in the order of the numbers."""
    order = np.argsort(numbers, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(numbers[order])) + 1) if len(order) else []


def _tournament(runs: Runs) -> tuple[list[int], list[float]]:
    """Return how many puzzles each backend solves in the time of the set, and what it takes, shape (B,)."""
    order = np.argsort(runs.instances.table.puzzles.index[runs.instances.puzzle], kind="stable")
    budget_s = BUDGET_S * len(runs.instances)
    is_found = (runs.is_decided | np.isin(runs.answer, _FOUND))[:, order]
    ends_s = np.nan_to_num(runs.time_s[:, order]).cumsum(axis=1)
    solved = (is_found & runs.has_run[:, order] & (ends_s <= budget_s)).sum(axis=1)
    return solved.tolist(), np.minimum(ends_s[:, -1], budget_s).tolist()


def _ranks(solved: FloatArray, total_s: FloatArray, whole: BoolArray) -> list[int | None]:
    """Return the rank of each backend that has run the whole set."""
    keys = [(-count, seconds) for count, seconds in zip(solved.tolist(), total_s.tolist(), strict=True)]
    ranked = [key for key, is_whole in zip(keys, whole, strict=True) if is_whole]
    return [
        1 + sum(other < key for other in ranked) if is_whole else None
        for key, is_whole in zip(keys, whole, strict=True)
    ]
