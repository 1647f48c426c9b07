"""Statistics: rows hold numbers and short texts; the rest is dropped with a note."""

from __future__ import annotations

import numpy as np
import pytest

from nonocsp.backends.statistics import MOST, NAME_CHARS, TEXT_CHARS, usable


def test_numbers_and_texts_are_kept_and_numpy_scalars_become_numbers() -> None:
    kept, note = usable(
        {"n": np.int64(3), "share": np.float32(0.5), "is_fast": np.bool_(True), "rule": "<&>"}
    )
    assert kept == {"n": 3, "share": 0.5, "is_fast": True, "rule": "<&>"}
    assert [type(value) for value in kept.values()] == [int, float, bool, str]
    assert not note


@pytest.mark.parametrize(
    ("stats", "said"),
    [
        ({"": 1}, "name"),
        ({"x" * (NAME_CHARS + 1): 1}, "name"),
        ({"\ud800": 1}, "name"),
        ({7: 1}, "name"),
        ({"trace": [1, 2]}, "'trace' is a value of type list"),
        ({"trace": None}, "'trace'"),
        ({"trace": np.zeros(3)}, "'trace' is a value of type ndarray"),
        ({"n": 1 << 63}, "'n'"),
        ({"n": np.inf}, "'n' is inf"),
        ({"text": "x" * (TEXT_CHARS + 1)}, "'text'"),
        ({"text": "\ud800"}, "'text'"),
        ({str(number): number for number in range(MOST + 1)}, f"the first {MOST} were kept"),
        ([1, 2], "expected a dict"),
    ],
)
def test_what_no_row_can_hold_is_dropped_with_a_note(stats: object, said: str) -> None:
    kept, note = usable(stats if not isinstance(stats, dict) else {"kept": 1} | stats)
    assert said in note
    assert (kept.get("kept") == 1) is isinstance(stats, dict)
