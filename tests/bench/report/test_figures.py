"""Figures as people read them."""

from __future__ import annotations

import pytest

from nonocsp.bench.report import figures


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0.0, "0 s"),
        (4e-9, "0.00 µs"),
        (1.234e-6, "1.23 µs"),
        (0.000113, "113 µs"),
        (0.0222, "22.2 ms"),
        (0.9996, "1000 ms"),
        (1.0, "1.00 s"),
        (9.9999, "10.0 s"),
        (12.34, "12.3 s"),
        (7200.0, "7200 s"),
    ],
)
def test_durations_have_three_digits(value: float | None, text: str) -> None:
    assert figures.seconds(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (1.0, "1.00"), (0.0393, "0.0393"), (101.9, "102"), (12345.6, "12346"), (0.5, "0.500")],
)
def test_ratios_have_three_digits(value: float | None, text: str) -> None:
    assert figures.ratio(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(None, "–"), (1e-9, "<0.001"), (0.0421, "0.042"), (1.0, "1.000")]
)
def test_p_values_have_three_decimals(value: float | None, text: str) -> None:
    assert figures.p_value(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (0, "0"), (9999, "9999"), (10_000, "10\u202f000"), (1234567, "1\u202f234\u202f567")],
)
def test_large_counts_have_their_thousands_apart(value: int | None, text: str) -> None:
    assert figures.count(value) == text
    assert figures.points(value) == (text if value is None else f"{text}.0")
