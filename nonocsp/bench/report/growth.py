"""Compute the charts of growth: time and shares against size and density, and time against a swept option.

Random images are grouped by the rule that their names state, all other puzzles by size alone. A chart has at
least `LEAST_VALUES` values, each with `LEAST_RUNS` runs. A run that was not decided counts as longer than
every decided one; a median or an end of a band that lies among these is None, beyond the limit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeVar

import numpy as np

from nonocsp.bench.report.digest import Digest
from nonocsp.bench.report.figures import file_names, percent, seconds, shortened
from nonocsp.bench.report.measurement import Configured, configured
from nonocsp.bench.report.tables import Column, Table
from nonocsp.bench.scoring import Runs
from nonocsp.bench.scoring.means import wilson
from nonocsp.bench.scoring.runs import ANSWERS, BoolArray, FloatArray, IntArray
from nonocsp.bench.sources import random_rule

Unit = Literal["time", "share"]


class Point(NamedTuple):
    """A value of the axis, its text there, and what was found: seconds or a share, None beyond the limit."""

    x: float
    text: str
    low: float | None  # end of the band
    middle: float | None
    high: float | None
    runs: int  # or puzzles
    undecided: int  # of these, or not known


@dataclass(frozen=True, slots=True)
class Series:
    """A line of a chart with its band; `entrant` is the number of the backend, if it is about one."""

    label: str
    entrant: int | None
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """Some series over one axis, whose values are times or shares."""

    kind: str  # such as "time against density"
    of: str  # which puzzles, such as "15x15"
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


LEAST_VALUES = 3
"""The fewest sizes, densities or values of an option that make a chart."""
LEAST_RUNS = 3
"""The fewest instances of a size or density that stand on it."""
MOST_CHARTS = 24
"""The most charts of one kind; of more, these are evenly chosen."""
BAND = (0.25, 0.75)
"""Quantiles at the ends of a band of times."""
_SIZES = 8
"""The most sizes of one chart."""


def charts(digest: Digest) -> list[Chart]:
    """Return the charts of a report, those of one kind together."""
    kinds: dict[str, list[Chart]] = {}
    for chart in (*_growth(digest), *_of_options(digest)):
        kinds.setdefault(chart.kind, []).append(chart)
    return [chart for each in kinds.values() for chart in evenly(each, MOST_CHARTS)]


T = TypeVar("T")


def chosen(digest: Digest) -> dict[str, Chart]:
    """Return the charts that a paper needs, by the names of their files."""
    kinds: dict[str, list[Chart]] = {}
    for chart in charts(digest):
        is_single = chart.of.endswith("all sizes") or "option" in chart.kind
        kinds.setdefault(chart.title if is_single else chart.kind, []).append(chart)
    found = {}
    files = file_names("growth-" + re.sub(r"\W+", "-", name) for name in kinds)
    for name, own in zip(files, kinds.values(), strict=True):
        # the largest size, or the middle density
        place = len(own) // 2 if own[0].axis == "size" else -1
        found[name] = own[place]
    return found


def evenly(values: Sequence[T], most: int) -> list[T]:
    """Return evenly spaced values, the first and the last among them."""
    places = np.unique(np.linspace(0, len(values) - 1, min(len(values), most)).round().astype(int))
    return [values[place] for place in places]


Rest = frozenset[tuple[str, str]]
"""The options of a backend but for one, with their values."""


class _Family(NamedTuple):
    """Instances that differ in one thing only, and their values of it."""

    axis: Literal["size", "density"]
    of: str
    values: tuple[tuple[float, str, IntArray], ...]


def _growth(digest: Digest) -> Iterator[Chart]:
    families = list(_families(digest))
    if not families:
        return
    times, facts = _times(digest.runs), _facts(digest)
    for what, unit, point in _OF_BACKENDS:
        for family in families:
            series = []
            for number, name in enumerate(digest.runs.backends):
                points = (point(x, text, times[number, chosen]) for x, text, chosen in family.values)
                if there := tuple(one for one in points if one.runs):
                    series.append(Series(name, number, there))
            yield Chart(f"{what} against {family.axis}", family.of, family.axis, unit, tuple(series))
    for family in families:
        all_facts = tuple(_series(name, family, fact) for name, fact in facts.items())
        yield Chart(f"puzzles against {family.axis}", family.of, family.axis, "share", all_facts)
    across = evenly([family for family in families if family.axis == "density"], _SIZES)
    for name in ("unique", "simple") if len(across) > 1 else ():
        series = [_series(family.of, family, facts[name]) for family in across]
        yield Chart("puzzles against density", f"{name}, all sizes", "density", "share", tuple(series))


def _families(digest: Digest) -> Iterator[_Family]:
    """Yield the families of instances that have enough sizes or densities: sizes first."""
    instances = digest.runs.instances
    puzzles = instances.table.puzzles
    groups: dict[tuple[int, int, tuple[float, int] | None], list[int]] = {}
    rules: dict[int, tuple[float, int] | None] = {}
    for place, puzzle in enumerate(instances.puzzle.tolist()):
        if puzzle not in rules:
            rules[puzzle] = random_rule(str(puzzles.names[puzzle]))
        key = int(puzzles.rows[puzzle]), int(puzzles.columns[puzzle]), rules[puzzle]
        groups.setdefault(key, []).append(place)
    large = {
        key: np.array(group) for key, group in sorted(groups.items(), key=str) if len(group) >= LEAST_RUNS
    }
    by_rule: dict[tuple[float, int] | None, list[tuple[float, str, IntArray]]] = {}
    by_size: dict[tuple[int, int, int], list[tuple[float, str, IntArray]]] = {}
    for (rows, columns, rule), places in large.items():
        by_rule.setdefault(rule, []).append(((rows * columns) ** 0.5, f"{rows}x{columns}", places))
        if rule:
            density, colours = rule
            by_size.setdefault((rows, columns, colours), []).append((density, f"{density:g}", places))
    for rule, values in sorted(by_rule.items(), key=lambda item: item[0] or (2.0, 0)):
        if len({x for x, _, _ in values}) >= LEAST_VALUES:
            of = f"density {rule[0]:g}{_colours(rule[1])}" if rule else "puzzles of other kinds"
            yield _Family("size", of, _in_order(values))
    for (rows, columns, colours), values in sorted(by_size.items()):
        if len(values) >= LEAST_VALUES:
            yield _Family("density", f"{rows}x{columns}{_colours(colours)}", _in_order(values))


def _in_order(values: Iterable[tuple[float, str, IntArray]]) -> tuple[tuple[float, str, IntArray], ...]:
    """Return values by their places; sizes of equally many cells are one value."""
    found: dict[float, list[tuple[str, IntArray]]] = {}
    for x, text, places in values:
        found.setdefault(x, []).append((text, places))
    return tuple(
        (x, ", ".join(text for text, _ in own), np.concatenate([places for _, places in own]))
        for x, own in sorted(found.items())
    )


def _colours(count: int) -> str:
    return f", {count} colours" if count > 1 else ""


def _times(runs: Runs) -> FloatArray:
    """Return the time of each run, shape (B, I): inf where it was not decided, NaN where there is none."""
    return np.where(runs.is_decided, runs.time_s, np.where(runs.has_run, np.inf, np.nan))


def _quartiles(x: float, text: str, times: FloatArray) -> Point:
    """Return the point of the times of some runs: their median and quartiles, the lower ones."""
    there = np.sort(times[~np.isnan(times)])
    low, middle, high = (
        _or_none(there[int(share * (len(there) - 1))]) if len(there) else None
        for share in (BAND[0], 0.5, BAND[1])
    )
    return Point(x, text, low, middle, high, len(there), int(np.isinf(there).sum()))


def _or_none(value: float) -> float | None:
    return None if np.isinf(value) else float(f"{value:.4g}")


def _decided(x: float, text: str, times: FloatArray) -> Point:
    """Return the point of the share of decided runs, with its 95 % interval."""
    there = times[~np.isnan(times)]
    decided = int(np.isfinite(there).sum())
    return _share(x, text, decided, 0, len(there))


def _share(x: float, text: str, yes: int, unknown: int, count: int) -> Point:
    """Return the point of a share with its 95 % interval, widened by the unknown cases."""
    low, high = wilson(yes, count)[0], wilson(yes + unknown, count)[1]
    middle = yes / (count - unknown) if count > unknown else None
    return Point(x, text, round(low, 4), None if middle is None else round(middle, 4), round(high, 4),
                 count, unknown)  # fmt: skip


class _Fact(NamedTuple):
    """A yes-or-no fact about each puzzle of a table: its value, and whether it is known, shape (P,)."""

    is_so: BoolArray
    is_known: BoolArray
    puzzle: IntArray  # the puzzle of each instance, shape (I,)


def _facts(digest: Digest) -> dict[str, _Fact]:
    """Return which puzzles are unique, which are simple, and which any backend decided."""
    table, count = digest.table, len(digest.table.puzzles)
    puzzle = digest.runs.instances.puzzle

    def any_of(chosen: BoolArray) -> BoolArray:
        there = np.zeros(count, bool)
        there[table["puzzle"][chosen]] = True
        return there

    unique, multiple = (any_of(table["answer"] == ANSWERS.index(name)) for name in ("unique", "multiple"))
    return {
        "unique": _Fact(unique, unique | multiple, puzzle),
        "simple": _Fact(table.open_shares == 0, ~np.isnan(table.open_shares), puzzle),
        "decided by any": _Fact(any_of(table.is_decided), np.ones(count, bool), puzzle),
    }


def _series(label: str, family: _Family, fact: _Fact) -> Series:
    """Return the series of the share of a family's puzzles of which a fact is true; each counts once."""
    points = []
    for x, text, instances in family.values:
        puzzles = np.unique(fact.puzzle[instances])
        unknown = int((~fact.is_known[puzzles]).sum())
        points.append(_share(x, text, int(fact.is_so[puzzles].sum()), unknown, len(puzzles)))
    return Series(label, None, tuple(points))


_OF_BACKENDS: tuple[tuple[str, Unit, Callable[[float, str, FloatArray], Point]], ...] = (
    ("time", "time", _quartiles),
    ("decided", "share", _decided),
)


def _of_options(digest: Digest) -> Iterator[Chart]:
    """Yield the charts of options that a campaign sweeps, a line for each setting of the others."""
    costs = {score.backend: score.par2_s for score in digest.scores}
    times = dict(zip(digest.runs.backends, _times(digest.runs), strict=True))
    swept = _swept(configured(digest))
    for (base, folder, key), lines in swept.items():
        values = list(dict.fromkeys(value for line in lines.values() for value in line))
        order = sorted(values, key=float) if all(map(_is_number, values)) else values
        medians, scores = [], []
        for label, line in lines.items():
            entries = sorted((order.index(value), value, backend) for value, backend in line.items())
            found = [_quartiles(x, value, times[backend]) for x, value, backend in entries]
            cost = [costs[backend] for _, _, backend in entries]
            medians.append(Series(label, None, tuple(found)))
            points = (one._replace(low=c, middle=c, high=c) for one, c in zip(found, cost, strict=True))
            scores.append(Series(label, None, tuple(points)))
        of = f"{key} of {base}{f', {folder}' if len(digest.parts) > 1 else ''}"
        yield Chart("PAR-2 against an option", of, key, "time", tuple(scores))
        yield Chart("time against an option", of, key, "time", tuple(medians))


def _swept(entrants: Sequence[Configured]) -> dict[tuple[str, str, str], dict[str, dict[str, str]]]:
    """Return the options that backends sweep, by backend, folder and option."""
    found: dict[tuple[str, str, str], dict[Rest, dict[str, str]]] = {}
    for entrant in entrants:
        for key, value in entrant.options.items():
            rest = frozenset((other, text) for other, text in entrant.options.items() if other != key)
            kind = entrant.spec.partition(":")[0], entrant.folder, key
            found.setdefault(kind, {}).setdefault(rest, {}).setdefault(value, entrant.backend)
    swept = {}
    for kind, lines in found.items():
        long = {rest: line for rest, line in lines.items() if len(line) >= LEAST_VALUES}
        shared = frozenset.intersection(*long) if long else frozenset()
        if long:
            named = (", ".join(f"{k}={v}" for k, v in sorted(rest - shared)) for rest in long)
            swept[kind] = {name or kind[0]: line for name, line in zip(named, long.values(), strict=True)}
    return swept


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
