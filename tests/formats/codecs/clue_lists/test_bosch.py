"""Bosch's ``.lp`` files."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nonocsp.model import FormatError, Puzzle

Read = Callable[..., list[Puzzle]]
Write = Callable[..., bytes]

TALL = Puzzle.from_clues([[2], [], [1]], [[1, 1], [1]])
TALL_TEXT = """number_of_rows: 3
number_of_columns: 2

row_1
number_of_clusters: 1
size(s): 2

row_2
number_of_clusters: 0
size(s):

row_3
number_of_clusters: 1
size(s): 1

column_1
number_of_clusters: 2
size(s): 1 1

column_2
number_of_clusters: 1
size(s): 1
"""


def test_keys_may_have_other_names_and_lines_another_order(read: Read, write: Write) -> None:
    assert write(TALL, "bosch").decode() == TALL_TEXT
    head, *lines = TALL_TEXT.replace("clusters", "tiles").replace("size(s)", "width(s)").split("\n\n")
    assert read("\n\n".join([head, *reversed(lines)]), name="a.lp") == [TALL]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("number_of_columns", "columns", ":2: 'columns:'; expected number_of_columns:"),
        ("rows: 3", "rows: 0", ":1: number of rows '0'; expected a number of rows from 1 to 4096"),
        ("row_2", "row_4", ":8: 'row_4' is out of place; expected row_1, column_1 and so on"),
        ("row_2", "row_1", ":8: 'row_1' is out of place; expected row_1, column_1 and so on, each line once"),
        ("rows: 3", "rows: 4", ":22: row_4 is missing; expected 4 rows, as number_of_rows says"),
        (": 1 1", ": 1", ":20: 'column_2' is no block length; expected 2 lengths behind size(s):"),
        (
            "clusters: 2",
            "clusters: 9999",
            ":17: '9999' is no number of blocks; expected a number of blocks up",
        ),
        ("size(s): 1\n", "size(s):\n", ":16: 'column_1' is no block length"),
    ],
)
def test_a_faulty_file_names_the_line(read: Read, old: str, new: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(TALL_TEXT.replace(old, new), name="a.lp", format="bosch")
    assert f"a.lp{message}" in str(error.value)
