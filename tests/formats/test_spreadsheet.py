"""CSV that a spreadsheet runs nothing of, and that programs read back exactly."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nonocsp.formats.spreadsheet import Value, write_csv

DANGEROUS = (
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "＝1",
    '=cmd|" /C calc"!A0',
    "'=1",
    "--fast",
)
MISTAKABLE = ("", "12", "12e4", " 7", "1_000", "inf", "true", "FALSE", "NA", "nan", "None")
HARMLESS = (
    "hybrid",
    "sat:solver=cadical195",
    "random.jsonl#3",
    "[[1]]",
    "a'b",
    "1-2",
    "x\n=1",
    "none of it",
    "ß",
)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.sampled_from(
    DANGEROUS + MISTAKABLE + HARMLESS
)


def written(rows: list[list[Value]]) -> str:
    stream = io.StringIO(newline="")
    write_csv(stream, [f"c{i}" for i in range(len(rows[0]))], rows)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("value", "shown"),
    [(-1.5, "-1.5"), (-3, "-3"), (True, "true"), (False, "false"), (None, ""), (1e-7, "1e-07")],
)
def test_numbers_truth_values_and_nothing_are_never_marked(value: Value, shown: str) -> None:
    assert written([[value, "x"]]) == f"c0,c1\n{shown},x\n"


@given(st.lists(texts, min_size=1, max_size=5))
def test_no_text_begins_a_cell_as_a_formula_and_all_read_back(column: list[str]) -> None:
    _, *rows = csv.reader(io.StringIO(written([[text] for text in column]), newline=""))
    cells = [row[0] for row in rows]
    assert not any(found.startswith(("=", "+", "-", "@", "\t", "\r")) for found in cells)
    assert [found.removeprefix("'") for found in cells] == column
