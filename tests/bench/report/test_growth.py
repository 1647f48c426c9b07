"""Charts of growth: what the rows say, nothing dropped, and none where there is too little."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest

from nonocsp.bench.report import Digest
from nonocsp.bench.report.growth import Chart, Point, charts
from nonocsp.bench.scoring.means import wilson
from tests.bench.conftest import Held

Rows = Iterable[dict[str, Any]]
Draw = Callable[[Rows], dict[str, Chart]]
DENSITIES = (0.1, 0.25, 0.5)


@pytest.fixture
def draw(sound, real_row) -> Draw:
    """Return the charts of rows that differ from a real one in what is given, by their titles."""

    def draw(rows: Rows) -> dict[str, Chart]:
        plain = {**real_row, "stats": {}, "solutions": [], "answer": "multiple", "termination": "ok"}
        held = Held([plain | row | {"puzzle_hash": f"{hash(row['puzzle']):064x}"[-64:]} for row in rows])
        return {chart.title: chart for chart in charts(Digest.of([replace(sound, rows=held)]))}

    return draw


def row(density: float, number: int, size: int = 5, spec: str = "settle", **other: Any) -> dict[str, Any]:
    name = f"random-{size}x{size}-{density:g}-seed0#{number}"
    where = {"puzzle": name, "index": number, "rows": size, "columns": size}
    return where | {"backend": spec, "spec": spec} | other


def test_a_point_has_the_median_and_quartiles_and_undecided_runs_count_as_longest(draw):
    cut = {"answer": "unknown", "termination": "wall"}
    rows = [
        row(density, k, wall_s=float(k), **(cut if k > 9 - undecided else {}))
        for density, undecided in zip(DENSITIES, (0, 4, 6), strict=True)
        for k in range(1, 10)
    ]
    found = draw(rows)
    assert set(found) == {f"{what} against density: 5x5" for what in ("time", "decided", "puzzles")}
    chart = found["time against density: 5x5"]
    assert [series.label for series in chart.series] == ["settle"]
    assert chart.series[0].points == (
        Point(0.1, "0.1", 3.0, 5.0, 7.0, 9, 0),
        Point(0.25, "0.25", 3.0, 5.0, None, 9, 4),
        Point(0.5, "0.5", 3.0, None, None, 9, 6),
    )
    assert [point.middle for point in found["decided against density: 5x5"].series[0].points] == [
        1.0,
        pytest.approx(5 / 9, abs=1e-4),
        pytest.approx(3 / 9, abs=1e-4),
    ]
    table = chart.table()
    assert [column.heading for column in table.columns] == ["density", "settle"]
    assert table.lines[2].values == ("0.5", "not decided (3.00 s to not decided)")


@pytest.mark.parametrize(("densities", "count"), [(DENSITIES[:2], 9), (DENSITIES, 2)])
def test_two_values_or_two_runs_each_are_no_chart(draw, densities, count):
    assert not draw(row(density, k) for density in densities for k in range(count))


def test_shares_of_puzzles_count_each_puzzle_once_and_widen_for_the_unknown(draw):
    answers = {0.1: ["multiple"] * 4, 0.25: ["unique", "multiple", "solved", "solved"], 0.5: ["unique"] * 4}
    rows = [
        row(density, k, spec=spec, answer=answer, stats={"painted": painted})
        for density, own in answers.items()
        for k, answer in enumerate(own)
        for spec, painted in (("settle", 25 if answer == "unique" else 20), ("gac", 0))
    ]
    found = draw(rows)["puzzles against density: 5x5"]
    unique, simple, decided = found.series
    assert [series.label for series in found.series] == ["unique", "simple", "decided by any"]
    assert [point.middle for point in unique.points] == [0.0, 0.5, 1.0]
    assert [(point.runs, point.undecided) for point in unique.points] == [(4, 0), (4, 2), (4, 0)]
    low, high = unique.points[1].low, unique.points[1].high
    assert (low, high) == (pytest.approx(wilson(1, 4)[0], abs=1e-4), pytest.approx(wilson(3, 4)[1], abs=1e-4))
    assert [point.middle for point in simple.points] == [0.0, 0.25, 1.0]
    assert [point.middle for point in decided.points] == [1.0, 0.5, 1.0]


def test_the_interval_of_a_share_is_that_of_wilson():
    assert wilson(5, 10) == (pytest.approx(0.2366, abs=1e-4), pytest.approx(0.7634, abs=1e-4))
    assert wilson(0, 10) == (0.0, pytest.approx(0.2775, abs=1e-4))
    assert wilson(0, 0) == (0.0, 1.0)
