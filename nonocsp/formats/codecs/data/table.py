"""Tables with the clues around a grid: CSV, TSV, pasted from a spreadsheet, and ``.xlsx``; one colour.

::

    ,,1,,
    ,,1,1,3
    1,1,,,
    ,3,,,

`nonocsp.formats.layout` says how a table is read. Tabs separate cells, else semicolons, else commas; a clue
may also stand in one cell (``"1,1"``). A title may stand in the corner, with the apostrophe that
`spreadsheet` puts before what could be a formula. Of a workbook each sheet that is not empty holds a puzzle;
formulas count with the values that were saved, and the extra ``spreadsheets`` is needed. Only CSV is written.
"""

from __future__ import annotations

import csv
import io
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, BinaryIO

from nonocsp.extras import require
from nonocsp.formats.base import Evidence, Format, Sureness
from nonocsp.formats.layout import EXPECTED, check_cells, has_layout, puzzle_of, table_of
from nonocsp.formats.source import HEAD_BYTES, Source
from nonocsp.formats.spreadsheet import cell
from nonocsp.formats.text_lines import shortened
from nonocsp.model import MAX_LINES, NonocspError, Puzzle, bounds

_DELIMITERS = "\t;,"
_MOST_LINES = 2 * MAX_LINES
_MOST_CELLS = 4 * bounds.TABLE_CELLS
"""Of a workbook; a note in a column far off makes them many."""
_ZIP = b"PK\x03\x04"
_FIRST = b"[Content_Types].xml", b"_rels/", b"docProps/", b"xl/"
"""First members of workbooks."""


def sniff(head: bytes) -> Evidence:
    """Say whether there are clues around a grid; of a long head, numbers below an empty corner."""
    text = head.decode(errors="replace").removeprefix("\ufeff").replace("\r\n", "\n")
    is_cut = len(head) >= HEAD_BYTES
    if not any(mark in text.lstrip("\n").partition("\n")[0] for mark in _DELIMITERS):
        return Evidence(Sureness.NO, "no tabs, semicolons or commas in the first line", 1)
    table = list(_rows(text.rpartition("\n")[0] if is_cut else text))
    if not is_cut:
        if has_layout(table):
            return Evidence(Sureness.STRONG, "clues around a grid")
        return Evidence(Sureness.NO, "the cells are not clues around a grid", 1)
    for number, row in enumerate(table, start=1):
        wrong = next((text for text in row if text and not text.replace(" ", "").isdigit()), "")
        if wrong:
            return Evidence(Sureness.NO, f"{shortened(wrong)} is no clue", number)
    if table and not table[0][0]:
        return Evidence(Sureness.STRONG, "numbers in cells with an empty corner")
    return Evidence(Sureness.NO, "the corner is not empty", 1)


def sniff_workbook(head: bytes) -> Evidence:
    """Say whether the file is a workbook of Office Open XML."""
    if head.startswith(_ZIP) and head[30:].startswith(_FIRST):
        return Evidence(Sureness.CERTAIN, "a zip archive with a workbook")
    return Evidence(Sureness.NO, "no workbook")


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the one puzzle of a table in text."""
    text = source.text(bounds.GRID_BYTES)
    yield puzzle_of(source, list(_rows(text)))


def read_workbook(source: Source) -> Iterator[Puzzle]:
    """Yield the puzzles of the sheets."""
    require("spreadsheets")
    found = False
    for name, table in _sheets(source, source.content()):
        if any(any(row) for row in table):
            found = True
            yield puzzle_of(source, table, f"sheet {shortened(name)}: ")
    if not found:
        raise source.error("the workbook is empty", expected=EXPECTED)


def write(puzzles: Iterable[Puzzle], stream: BinaryIO) -> None:
    """Write a puzzle as CSV, with its goal."""
    for puzzle in puzzles:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        for row in table_of(puzzle):
            writer.writerow([value if value == "" else cell(value) for value in row])
        stream.write(text.getvalue().encode())


def _rows(text: str) -> Iterator[list[str]]:
    delimiter = next((mark for mark in _DELIMITERS if mark in text), ",")
    csv.field_size_limit(max(csv.field_size_limit(), bounds.GRID_BYTES))
    lines = io.StringIO(text, newline="")
    yield from islice(csv.reader(lines, delimiter=delimiter), _MOST_LINES)


def _sheets(source: Source, content: bytes) -> list[tuple[str, list[list[str]]]]:
    """Return the sheets of a workbook with their names; FormatError if it is damaged or too large."""
    try:
        _check_size(source, content)
        with warnings.catch_warnings(action="ignore"):  # of styles and extensions, which hold no clues
            return _tables(source, content)
    except NonocspError:
        raise
    except Exception as error:  # a damaged workbook makes openpyxl fail in any way
        fault = f"{error}".partition("\n")[0]
        raise source.error(f"the workbook is damaged: {fault}"[:200], expected="a workbook") from None


def _check_size(source: Source, content: bytes) -> None:
    """Raise FormatError if a workbook unpacks to more than there is time and memory for."""
    tags = Counter[bool]()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if sum(part.file_size for part in archive.infolist()) > bounds.FILE_BYTES:
            expected = f"at most {bounds.FILE_BYTES >> 20} MiB unpacked"
            raise source.error("the workbook is too large", expected=expected)
        for part in archive.infolist():
            tags[part.filename.startswith("xl/worksheets/")] += archive.read(part).count(b"<")
    for is_sheet, most, place in (
        (True, bounds.SHEET_TAGS, "sheets"),
        (False, bounds.WORKBOOK_TAGS, "other parts"),
    ):
        if tags[is_sheet] > most:
            expected = f"at most {most} tags of XML in its {place}"
            raise source.error("the workbook is too large", expected=expected)


def _tables(source: Source, content: bytes) -> list[tuple[str, list[list[str]]]]:
    import openpyxl

    book: Any = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    if len({sheet._worksheet_path for sheet in book.worksheets}) < len(book.worksheets):
        raise source.error("two sheets of the workbook share a part", expected="a workbook")
    tables: list[tuple[str, list[list[str]]]] = []
    cells = 0
    for sheet in book.worksheets:
        sheet.reset_dimensions()  # what it says of its size can be anything
        tables.append((sheet.title, []))
        for row in sheet.iter_rows(max_row=_MOST_LINES, values_only=True):
            tables[-1][1].append([_text(value) for value in row[: _end(row)]])
            cells += 1 + len(row)
            if cells > _MOST_CELLS:
                expected = f"at most {_MOST_CELLS} cells, empty ones between others included"
                raise source.error("the sheets of the workbook are too large", expected=expected)
    check_cells(source, (table for _, table in tables))
    return tables


def _end(row: Sequence[object]) -> int:
    """Return where the empty cells at the end of a row begin."""
    return next((end for end in range(len(row), 0, -1) if row[end - 1] is not None), 0)


def _text(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)


_CSV = "a table as CSV or TSV, or pasted from a spreadsheet: the clues around a grid"
_XLSX = "a workbook whose sheets have the clues around a grid; needs the extra spreadsheets"
FORMATS = (
    Format("csv", (".csv", ".tsv"), _CSV, sniff, read, write),
    Format("xlsx", (".xlsx",), _XLSX, sniff_workbook, read_workbook, holds_many=True),
)
