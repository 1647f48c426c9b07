"""Names of a report's files and entrants: no two are equal, whatever the folders are called."""

from __future__ import annotations

import pytest

from nonocsp.bench.report.figures import file_names, latex_label, told_apart


@pytest.mark.parametrize(
    ("texts", "names"),
    [
        (["t", "t", "t-2"], ["t", "t-2", "t-2-2"]),
        (["d1/after", "d2/after", "d1-after"], ["d1-after", "d2-after", "d1-after-2"]),
        (["v1.0", "v1_0", "V1.0"], ["v1.0", "v1_0-2", "V1.0-3"]),
        (["before", "nachher, größer"], ["before", "nachher-größer"]),
        (["../..", "", "猫", "犬"], ["campaign", "campaign-2", "猫", "犬-2"]),
    ],
)
def test_files_of_different_texts_have_different_names(texts: list[str], names: list[str]) -> None:
    assert file_names(texts) == names
    assert len({latex_label(name).lower() for name in names}) == len(names)


def test_equal_labels_get_a_number_that_no_other_one_has() -> None:
    assert told_apart(["a", "a", "a (2)", "a", "b"]) == ["a", "a (2)", "a (2) (2)", "a (3)", "b"]
    assert told_apart(["a (2)", "a", "a"]) == ["a (2)", "a", "a (3)"]
    assert told_apart(["x"] * 3000)[-1] == "x (3000)"
