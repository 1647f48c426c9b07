"""What was graded, as rows of a table, as CSV and as plots."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from nonocsp.grading.classes import DifficultyClass
from nonocsp.grading.many import Statistics
from nonocsp.grading.meter import Difficulty

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from nonocsp.formats import NamedPuzzle

INCHES = 8.0, 3.4
"""Of the plot."""


@dataclass(frozen=True, slots=True)
class Graded:
    """A puzzle and its difficulty.

    Parameters
    ----------
    name, index
        The puzzle's file, and its place in it from 1.
    """

    name: str
    index: int
    rows: int
    columns: int
    difficulty: Difficulty

    @classmethod
    def of(cls, source: NamedPuzzle, difficulty: Difficulty) -> Graded:
        """Put a puzzle and its difficulty together."""
        return cls(source.name, source.index, *source.puzzle.shape, difficulty)

    def record(self) -> dict[str, Any]:
        """Return everything as plain JSON values, with the keys that every report of the project uses."""
        about = {"puzzle": self.name, "index": self.index, "rows": self.rows, "columns": self.columns}
        return about | self.difficulty.record()


def statistics(graded: Iterable[Graded]) -> Statistics:
    """Return the figures of a set."""
    figures = Statistics()
    for one in graded:
        figures.add(one.difficulty)
    return figures


def write_csv(graded: Iterable[Graded], file: TextIO) -> None:
    """Write one row a puzzle below the names of the columns; what is a list is separated by spaces."""
    writer = None
    for one in graded:
        row = {key: _cell(value) for key, value in one.record().items()}
        if writer is None:
            writer = csv.DictWriter(file, row, lineterminator="\n")
            writer.writeheader()
        writer.writerow(row)


def _cell(value: object) -> object:
    return " ".join(map(str, value)) if isinstance(value, list) else value


def draw(figure: Figure, graded: Sequence[Graded]) -> None:
    """Draw how many puzzles have each difficulty, and difficulty against size."""
    histogram, scatter = figure.subplots(1, 2)
    simple = statistics(graded).sweeps
    histogram.bar(list(simple), list(simple.values()), width=0.8)
    histogram.set(xlabel="difficulty (sweeps, rows first)", ylabel="simple puzzles")
    for class_, points in _points(graded):
        cells, sweeps = zip(*points, strict=True)
        scatter.scatter(cells, sweeps, s=12, alpha=0.6, label=str(class_))
    scatter.set(xlabel="cells", ylabel="sweeps until nothing changes")
    if graded:
        scatter.legend(frameon=False)
    for axes in (histogram, scatter):
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.yaxis.get_major_locator().set_params(integer=True)


def _points(graded: Sequence[Graded]) -> Iterator[tuple[DifficultyClass, list[tuple[int, int]]]]:
    for class_ in DifficultyClass:
        found = [one for one in graded if one.difficulty.class_ is class_]
        if found:
            yield class_, [(one.rows * one.columns, one.difficulty.sweeps) for one in found]
