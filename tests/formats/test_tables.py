"""Workbooks with the clues around a grid: each sheet is a puzzle, and hostile ones are refused in time."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest

from nonocsp.formats.layout import has_layout, layouts
from nonocsp.model import FormatError, Puzzle, PuzzleError, UsageError
from tools.fuzzing.puzzle_files import workbook as packed

Read = Callable[..., list[Puzzle]]

STAIR = Puzzle.from_clues([[1, 1], [2], []], [[1], [1], [2]])


def workbook(*sheets: list[list[Any]]) -> bytes:
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for sheet in sheets:
        page = book.create_sheet()
        for row in sheet:
            page.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def test_each_sheet_of_a_workbook_is_a_puzzle(read: Read) -> None:
    first = [[None, None, 1, 1, 2], [1, 1.0], [None, "2"], [None, 0]]
    assert read(workbook(first, [], [[None, 1], [1]]), name="a.xlsx") == [
        STAIR,
        Puzzle.from_clues([[1]], [[1]]),
    ]


def test_a_workbook_without_puzzles_is_refused(read: Read) -> None:
    with pytest.raises(FormatError, match="the workbook is empty"):
        read(workbook([]))
    with pytest.raises(FormatError, match=r"sheet 'Sheet': no clues around a grid|no clues around a grid"):
        read(workbook([["name", "size"], ["cat", 3]]))


def test_damaged_and_huge_workbooks_are_refused(read: Read) -> None:
    content = workbook([[None, 1], [1]])
    with pytest.raises(FormatError, match="the workbook is damaged"):
        read(content[:-100], format="xlsx")
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", b" " * (65 << 20))
    with pytest.raises(FormatError, match="the workbook is too large; expected at most 32 MiB unpacked"):
        read(bomb.getvalue())


SHEET = (
    b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>%s</sheetData>'
    b"</worksheet>"
)
CELLS = b'<row r="1"><c r="B1"><v>1</v></c></row><row r="2"><c r="A2"><v>1</v></c></row>'


@pytest.mark.parametrize(
    ("rows", "styles", "message"),
    [
        (b"<row/>" * 140_000, b"<styleSheet/>", "at most 131072 tags of XML in its sheets"),
        (CELLS, b"<xf/>" * 17_000, "at most 16384 tags of XML in its other parts"),
        (b'<row><c r="XFD1"><v>1</v></c></row>' * 300, b"<styleSheet/>", "at most 4194304 cells"),
        (CELLS, b"<!DOCTYPE a>", r"the workbook is damaged: [^\n]*$"),
    ],
)
def test_a_small_workbook_that_would_take_long_is_refused(
    read: Read, rows: bytes, styles: bytes, message: str
) -> None:
    pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    assert read(packed(SHEET % CELLS), format="xlsx") == [Puzzle.from_clues([[1]], [[1]])]
    with pytest.raises(FormatError, match=message):
        read(packed(SHEET % rows, b"<sst/>", styles), format="xlsx")


def test_a_note_far_away_and_a_wrong_size_do_not_matter(read: Read) -> None:
    pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    sheet = SHEET % (CELLS + b'<row r="1048576"><c r="XFD1048576" t="str"><v>note</v></c></row>')
    sized = sheet.replace(b"<sheetData>", b'<dimension ref="A1:XFD1048576"/><sheetData>')
    assert read(packed(sized), format="xlsx") == [Puzzle.from_clues([[1]], [[1]])]


def test_a_table_can_be_divided_in_many_ways_and_has_few_cells() -> None:
    stairs = [[""] * (800 - i) + ["1"] for i in range(801)]
    assert [layout[:2] for layout in islice(layouts(stairs), 2)] == [(1, 800), (2, 799)]
    wide = [[""] * 99_999 + ["1"], *[["1"]] * 1999]
    with pytest.raises(PuzzleError, match="a table of 2000 rows and 100000 columns; at most 1048576 cells"):
        list(layouts(wide))
    assert not has_layout(wide)


def test_a_workbook_needs_its_extra(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nonocsp.extras.find_spec", lambda module: None)
    with pytest.raises(UsageError, match=r"pip install 'nonocsp\[spreadsheets\]'"):
        read(b"PK\x03\x04" + bytes(26) + b"[Content_Types].xml", format="xlsx")


@pytest.mark.parametrize("mark", [" ", ", ", ";", "-", "–", ".", "/", "|", "+"])
def test_lengths_of_a_cell_stand_between_many_marks(read, mark):
    found = read(f"\t1\t1\t2\n1{mark}1\t\t\t\n2\t\t\t\n0\t\t\t\n".encode(), name="a.tsv")
    assert found == [STAIR]


@pytest.mark.parametrize("clue", ["2-1.1", "-1", "1-", "2--1"])
def test_other_marks_are_no_clue(read, clue):
    with pytest.raises((FormatError, PuzzleError)):
        read(f",1,1,2\n{clue},,,\n2,,,\n0,,,\n".encode(), name="a.csv")
