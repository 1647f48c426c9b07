"""Hold what a chart of growth shows: series of points with bands over one axis, as data and as a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from nonocsp.bench.report.figures import percent, seconds, shortened
from nonocsp.bench.report.tables import Column, Table

Unit = Literal["time", "share"]


class Point(NamedTuple):
    """A value of the axis with what was found there.

    Parameters
    ----------
    x, text
        Its place on the axis, and as it is written there.
    low, middle, high
        Ends of the band and its middle: seconds or a share; None is beyond the limit.
    runs, undecided
        How many runs (or puzzles), and how many of them were not decided (or are not known).
    """

    x: float
    text: str
    low: float | None
    middle: float | None
    high: float | None
    runs: int
    undecided: int


@dataclass(frozen=True, slots=True)
class Series:
    """A line of a chart with its band.

    Parameters
    ----------
    label
        What it is called.
    entrant
        The number of the backend in the plots of the report; None if it is not about one.
    """

    label: str
    entrant: int | None
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """Some series over one axis.

    Parameters
    ----------
    kind, of
        What it shows, such as "time against density", and of which puzzles, such as "15x15".
    axis
        What the axis shows.
    unit
        Whether values are times or shares.
    """

    kind: str
    of: str
    axis: str
    unit: Unit
    series: tuple[Series, ...]

    @property
    def title(self) -> str:
        """What it shows, in full."""
        return f"{self.kind}: {self.of}"

    @property
    def is_score(self) -> bool:
        """Whether values are scores, which count undecided runs, and not medians."""
        return self.kind.startswith("PAR-2")

    def record(self) -> dict[str, object]:
        """Return the chart as data for the page."""
        return {
            "kind": self.kind,
            "of": self.of,
            "axis": self.axis,
            "unit": self.unit,
            "score": self.is_score,
            "series": [{"label": s.label, "entrant": s.entrant, "points": s.points} for s in self.series],
        }

    def table(self) -> Table:
        """Return the same figures as a table, with a line for each value of the axis."""
        by_value = [{point.x: point for point in one.points} for one in self.series]
        texts = {point.x: point.text for one in self.series for point in one.points}

        def column(label: str, found: Mapping[float, Point]) -> Column:
            return Column(shortened(label), "", lambda x: self._written(found.get(x)), str, is_text=True)

        columns = [column(one.label, found) for one, found in zip(self.series, by_value, strict=True)]
        first = Column(self.axis, "", texts.__getitem__, str, is_text=True)
        return Table.of("growth", self.title, [first, *columns], ((x, "") for x in sorted(texts)))

    def _written(self, point: Point | None) -> str:
        if point is None:
            return "–"
        write, none = (seconds, "not decided") if self.unit == "time" else (percent, "not known")
        low, middle, high = (none if value is None else write(value) for value in point[2:5])
        band = f" ({low} to {high})" if (point.low, point.high) != (point.middle,) * 2 else ""
        return f"{middle}{band}"


def wilson(yes: int, count: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share."""
    from scipy.stats import binomtest

    if not count:
        return 0.0, 1.0
    low, high = binomtest(yes, count).proportion_ci(method="wilson")
    return float(low), float(high)
