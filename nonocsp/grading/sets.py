"""Whole sets of puzzles: grade them on several cores; their figures, as a table in CSV and as plots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import isnan, nan
from typing import TYPE_CHECKING, Any, TextIO

from nonocsp.formats.spreadsheet import write_csv
from nonocsp.grading.classes import DifficultyClass
from nonocsp.grading.levels import Level
from nonocsp.grading.meter import DEEPEST, Difficulty, difficulty
from nonocsp.model import BackendError, Puzzle
from nonocsp.run.many import work_on

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from nonocsp.formats import NamedPuzzle

INCHES = 11.0, 3.4
"""Width and height of the plot."""


@dataclass(frozen=True, slots=True)
class Grading:
    """Grading as the work of a batch; the parameters are those of `nonocsp.difficulty`."""

    wall: float | None = None
    deepest: int = DEEPEST

    def start(self) -> Callable[[Puzzle], Difficulty]:
        """Return the function that grades one puzzle."""
        return partial(difficulty, wall=self.wall, deepest=self.deepest)

    def lost(self, how: str) -> Difficulty:
        """Raise BackendError: a process that dies while it grades is a fault of nonocsp, not a finding."""
        raise BackendError(f"a process that graded puzzles ended with {how}")


def grade_all(
    puzzles: Iterable[Puzzle],
    *,
    jobs: int | None = 1,
    wall: float | None = None,
    deepest: int = DEEPEST,
) -> Generator[Difficulty, None, None]:
    """Yield the difficulties of puzzles in their order, from `jobs` processes; None: one for each core."""
    return work_on(puzzles, Grading(wall, deepest), jobs=jobs)


@dataclass(frozen=True, slots=True)
class Graded:
    """A puzzle and its difficulty."""

    name: str
    index: int  # in its file, from 1
    rows: int
    columns: int
    difficulty: Difficulty

    @classmethod
    def of(cls, source: NamedPuzzle, difficulty: Difficulty) -> Graded:
        """Combine a puzzle that was read from a file with its difficulty."""
        return cls(source.name, source.index, *source.puzzle.shape, difficulty)

    def record(self) -> dict[str, Any]:
        """Return everything as plain JSON values, with the keys that every report of the project uses."""
        about = {"puzzle": self.name, "index": self.index, "rows": self.rows, "columns": self.columns}
        return about | self.difficulty.record()


@dataclass(slots=True)
class Statistics:
    """Figures of a set, as section 3 of Batenburg et al. (2009) gives them, and its levels."""

    levels: Counter[Level | None] = field(default_factory=Counter)
    """Number of puzzles by level; None for those without a level."""
    classes: Counter[DifficultyClass] = field(default_factory=Counter)
    """Number of puzzles by class."""
    sweeps: Counter[int] = field(default_factory=Counter)
    """Number of simple puzzles by difficulty."""
    contextual: int = 0
    """Number of puzzles with several solutions of which one stands out."""
    unknown: float = 0.0
    """Sum of the shares of cells that line solving leaves open."""

    @classmethod
    def of(cls, graded: Iterable[Graded]) -> Statistics:
        """Return the figures of a set."""
        figures = cls()
        for one in graded:
            figures.add(one.difficulty)
        return figures

    def add(self, graded: Difficulty) -> None:
        """Count a puzzle."""
        self.levels[graded.level] += 1
        self.classes[graded.class_] += 1
        self.contextual += bool(graded.context and graded.context.is_contextual)
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
            "levels": {str(level): self.levels[level] for level in Level if self.levels[level]},
            "classes": {
                str(class_): self.classes[class_] for class_ in DifficultyClass if self.classes[class_]
            },
            "contextual": self.contextual,
            "histogram": {str(sweeps): count for sweeps, count in sorted(self.sweeps.items())},
            **{key: None if isnan(value) else value for key, value in figures.items()},
        }


def _ratio(part: float, whole: int) -> float:
    return part / whole if whole else nan


def write_table(graded: Iterable[Graded], file: TextIO) -> None:
    """Write one row for each puzzle below the names of the columns; blanks separate the items of a list."""
    records = [one.record() for one in graded]
    rows = ([_cell(value) for value in record.values()] for record in records)
    write_csv(file, [*records[0]] if records else [], rows)


def _cell(value: Any) -> Any:
    """Return a value as a cell; a list of one number is that number, and an empty one is nothing."""
    if isinstance(value, dict):
        value = [f"{key}:{count}" for key, count in value.items()]
    if not isinstance(value, list):
        return value
    items = value or [None]
    return items[0] if len(items) == 1 else " ".join(map(str, items))


def draw(figure: Figure, graded: Sequence[Graded]) -> None:
    """Draw the number of puzzles by level and by difficulty, and difficulty against size."""
    levels, histogram, scatter = figure.subplots(1, 3)
    statistics = Statistics.of(graded)
    named: dict[Level | None, str] = {**{level: str(level) for level in Level}, None: "no level"}
    shown = {level: name for level, name in named.items() if level or statistics.levels[None]}
    levels.bar([*shown.values()], [statistics.levels[level] for level in shown], width=0.8)
    levels.set(xlabel="level", ylabel="puzzles")
    simple = statistics.sweeps
    histogram.bar(list(simple), list(simple.values()), width=0.8)
    histogram.set(xlabel="difficulty (sweeps, rows first)", ylabel="simple puzzles")
    for level, name in shown.items():
        found = [one for one in graded if one.difficulty.level is level]
        if found:
            cells, sweeps = (
                [one.rows * one.columns for one in found],
                [one.difficulty.sweeps for one in found],
            )
            scatter.scatter(cells, sweeps, s=12, alpha=0.6, label=name)
    scatter.set(xlabel="cells", ylabel="sweeps until nothing changes")
    if graded:
        scatter.legend(frameon=False)
    for axes in (histogram, scatter):
        axes.xaxis.get_major_locator().set_params(integer=True)
    for axes in (levels, histogram, scatter):
        axes.yaxis.get_major_locator().set_params(integer=True)
