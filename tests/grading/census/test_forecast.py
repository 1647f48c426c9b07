"""How long a census takes: what is left, and where the rate comes from."""

import pytest

from nonocsp.grading.census.forecast import forecast
from nonocsp.grading.census.pools import threads
from nonocsp.grading.census.taking import take_census
from nonocsp.grading.census.tallies import sweeps


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr("nonocsp.grading.census.forecast.MEASURE_S", 0.01)


def test_a_census_not_yet_begun_has_everything_left_and_a_finished_one_nothing(tmp_path):
    found = forecast(sweeps(4, 4), tmp_path)
    pairs_up_to_reflection = (16**2 + 16 + 4**2 + 16) // 4  # Burnside: 4 of 16 rows are symmetric
    assert (found.shards, found.counted) == (pairs_up_to_reflection, 0)
    assert found.images_left == found.shards * 2**8
    assert found.images == 2**16
    assert found.cpu_s == found.images_left / found.rate > 0
    assert not found.is_lower_bound
    with threads(1) as pool:
        take_census(3, 3, tmp_path, pool)
    found = forecast(sweeps(3, 3), tmp_path)
    assert (found.counted, found.images_left, found.cpu_s) == (found.shards, 0, 0)


def test_slow_shards_are_estimated_from_fewer_rows(tmp_path):
    found = forecast(sweeps(7, 7), tmp_path)
    assert found.is_lower_bound
    assert found.measured == (5, 7)
    assert found.images_left == found.shards * 2**35
    record = found.record()
    assert (record["rows"], record["columns"], record["tally"]) == (7, 7, "sweeps")
    assert record["is_lower_bound"]
