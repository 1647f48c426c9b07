"""Durations, sizes and selections as people write them."""

import sys

import pytest

from nonocsp.cli.shared.values import byte_count, duration, grid_size, selection


@pytest.mark.parametrize(
    ("parse", "text", "value"),
    [
        (duration, "10", 10.0),
        (duration, "10s", 10.0),
        (duration, " 1.5 min ", 90.0),
        (duration, "500ms", 0.5),
        (duration, ".5", 0.5),
        (duration, "2m", 120.0),
        (duration, "2h", 7200.0),
        (byte_count, "500MB", 500_000_000),
        (byte_count, "2GiB", 2**31),
        (byte_count, "1 MiB", 2**20),
        (grid_size, "25x30", (25, 30)),
        (grid_size, "1 × 2", (1, 2)),
        (selection, "3", range(3, 4)),
        (selection, "1-10", range(1, 11)),
        (selection, "7-7", range(7, 8)),
        (selection, "4-", range(4, sys.maxsize)),
    ],
)
def test_values_may_be_written_in_any_usual_way(parse, text, value):
    assert parse(text) == value
