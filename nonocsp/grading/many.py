"""Grading of whole sets, on several cores, and what their figures amount to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from functools import partial
from math import isnan, nan
from typing import Any

from nonocsp.grading.classes import DifficultyClass
from nonocsp.grading.meter import DEEPEST, Difficulty, difficulty
from nonocsp.model import BackendError, Puzzle
from nonocsp.runner.many import work_on


@dataclass(frozen=True, slots=True)
class Grading:
    """Grading as the work of a batch; the parameters are those of `nonocsp.difficulty`."""

    wall: float | None = None
    deepest: int = DEEPEST

    def start(self) -> Callable[[Puzzle], Difficulty]:
        """Return the meter."""
        return partial(difficulty, wall=self.wall, deepest=self.deepest)

    def lost(self, how: str) -> Difficulty:
        """Raise: a process that dies while it grades is a fault of nonocsp, not a finding."""
        raise BackendError(f"a process that graded puzzles ended with {how}")


def grade_all(
    puzzles: Iterable[Puzzle],
    *,
    jobs: int | None = 1,
    wall: float | None = None,
    deepest: int = DEEPEST,
) -> Generator[Difficulty, None, None]:
    """Yield the difficulties of puzzles in their order.

    Parameters
    ----------
    jobs
        How many puzzles are graded at a time, each in a process of its own. None: one a usable core. 1: in
        this process.
    wall, deepest
        For each puzzle, as for `nonocsp.difficulty`.
    """
    return work_on(puzzles, Grading(wall, deepest), jobs=jobs)


@dataclass(slots=True)
class Statistics:
    """Figures of a set, as section 3 of Batenburg et al. (2009) gives them.

    Parameters
    ----------
    classes
        How many puzzles have each class.
    sweeps
        How many of the simple ones have each difficulty.
    unknown
        The sum of the shares that line solving leaves open.
    """

    classes: Counter[DifficultyClass] = field(default_factory=Counter)
    sweeps: Counter[int] = field(default_factory=Counter)
    unknown: float = 0.0

    def add(self, graded: Difficulty) -> None:
        """Count a puzzle."""
        self.classes[graded.class_] += 1
        self.unknown += graded.unknown
        if graded.is_simple:
            self.sweeps[graded.sweeps] += 1

    @property
    def simple_share(self) -> float:
        """The share of simple puzzles; NaN of nothing."""
        return _ratio(self.sweeps.total(), self.classes.total())

    @property
    def mean_sweeps(self) -> float:
        """The mean difficulty of the simple ones; NaN if there are none."""
        return _ratio(sum(sweeps * count for sweeps, count in self.sweeps.items()), self.sweeps.total())

    @property
    def mean_unknown(self) -> float:
        """The mean share that line solving leaves open; NaN of nothing."""
        return _ratio(self.unknown, self.classes.total())

    def record(self) -> dict[str, Any]:
        """Return the figures as plain JSON values; null where there is nothing to divide by."""
        figures = {"simple": self.simple_share, "mean_sweeps": self.mean_sweeps, "unknown": self.mean_unknown}
        return {
            "puzzles": self.classes.total(),
            "classes": {
                str(class_): self.classes[class_] for class_ in DifficultyClass if self.classes[class_]
            },
            "histogram": {str(sweeps): count for sweeps, count in sorted(self.sweeps.items())},
            **{key: None if isnan(value) else value for key, value in figures.items()},
        }


def _ratio(part: float, whole: int) -> float:
    return part / whole if whole else nan
