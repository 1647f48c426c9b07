"""How long a census takes: what is left, and where the rate comes from."""

import pytest

from nonocsp.grading.census.forecast import forecast
from nonocsp.grading.census.tallies import sweeps


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr("nonocsp.grading.census.forecast.MEASURE_S", 0.01)


def test_slow_shards_are_estimated_from_fewer_rows(tmp_path):
    found = forecast(sweeps(7, 7), tmp_path)
    assert found.is_lower_bound
    assert found.measured == (5, 7)
    assert found.images_left == found.shards * 2**35
    record = found.record()
    assert (record["rows"], record["columns"], record["tally"]) == (7, 7, "sweeps")
    assert record["is_lower_bound"]
