"""Estimates of a census from replicates, against exact counts, and what is kept of them."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from nonocsp.engine.images import SweepCensus, SweepSample
from nonocsp.grading.census.counts import Difficulties
from nonocsp.grading.census.pools import threads
from nonocsp.grading.census.replicates import FILE, Extrapolation, estimate_census
from nonocsp.grading.census.taking import take_census
from nonocsp.model import FormatError, UsageError


def estimated(folder: Path, rows: int, columns: int, replicates: int, **options: float) -> Extrapolation:
    with threads(2) as pool:
        return estimate_census(rows, columns, replicates, folder, pool, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_intervals_contain_the_exact_counts_as_often_as_their_confidence_says(confidence, tmp_path):
    with threads(2) as pool:
        exact = take_census(6, 3, tmp_path, pool).difficulties
    core = SweepSample(6, 3)
    graded = [Difficulties.of_histogram(core.count(16, seed, None, None), 1) for seed in range(800)]
    groups = [
        Extrapolation(6, 3, 1, confidence, tuple(graded[i : i + 10])) for i in range(0, len(graded), 10)
    ]
    intervals = {
        "simple": [(one.simple(), exact.simple) for one in groups],
        "mean": [(one.mean(), exact.mean) for one in groups],
        "difficulty 5": [(one.histogram()[4], exact.histogram[4]) for one in groups],
    }
    for name, pairs in intervals.items():
        hits = sum(one.low <= true <= one.high for one, true in pairs if one)
        assert stats.binomtest(hits, len(groups), confidence).pvalue > 0.001, name
    everything = Extrapolation(6, 3, 1, 0.999, tuple(graded)).simple()
    assert everything.low < exact.simple < everything.high


@pytest.mark.parametrize(("rows", "columns"), [(5, 4), (3, 6)])
def test_every_image_of_a_size_is_equally_likely(rows, columns):
    counts = SweepSample(rows, columns).count(3000, 1, None, None)
    assert counts.sum() == 3000 * 2 ** (columns * min(rows, 2))
    core = SweepCensus(rows, columns)
    exact: np.ndarray = sum(s[2] * core.count(s, None, None) for s in core.shards())  # type: ignore[assignment]
    seen = exact * counts.sum() / exact.sum() > 10
    assert counts[exact == 0].sum() == 0
    # Stratified samples vary less than independent images, so the statistic is small, not only not large.
    expected = exact[seen] * (counts[seen].sum() / exact[seen].sum())
    assert stats.chisquare(counts[seen], expected).pvalue > 0.001


def test_an_estimate_is_continued_from_what_is_kept(tmp_path):
    first = estimated(tmp_path / "a", 6, 3, 3, seed=4)
    kept = (tmp_path / "a" / FILE).read_bytes()
    heard: list[int] = []
    with threads(1) as pool:
        more = estimate_census(6, 3, 5, tmp_path / "a", pool, seed=4, on_graded=heard.append)
    assert heard == [3, 4, 5]
    assert (tmp_path / "a" / FILE).read_bytes().startswith(kept)
    assert more.replicates[:3] == first.replicates
    assert more == estimated(tmp_path / "b", 6, 3, 5, seed=4)
    assert estimated(tmp_path / "a", 6, 3, 3, seed=4) == first
    assert estimated(tmp_path / "a", 6, 3, 3, seed=5).replicates != first.replicates


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"number": 0}, "replicate 0 for the second time"),
        ({"number": "many"}, "number: expected a whole number, not 'many'"),
        ({"rows": 5}, "a replicate of 5x3"),
        ({"histogram": 7}, "histogram: expected a list, not 7"),
    ],
)
def test_a_malformed_row_is_reported_with_its_line(wrong, message, tmp_path):
    estimated(tmp_path, 6, 3, 2)
    rows = [json.loads(line) for line in (tmp_path / FILE).read_text().splitlines()]
    extra = {**rows[0], "number": 9, **wrong}
    (tmp_path / FILE).write_text("".join(f"{json.dumps(row)}\n" for row in [*rows, extra]))
    with pytest.raises(FormatError, match=message) as refused:
        estimated(tmp_path, 6, 3, 2)
    assert refused.value.line == 3


def test_a_size_out_of_reach_is_refused_and_leaves_no_file(tmp_path):
    with pytest.raises(UsageError, match="estimate of 9x8 is out of reach"):
        estimated(tmp_path / "x", 9, 8, 2)
    assert not (tmp_path / "x").exists()
