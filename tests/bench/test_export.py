"""Export: other libraries read the same table from CSV and from Parquet."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from nonocsp.bench.export import MOST_COLUMNS, columns, write_parquet, write_rows
from nonocsp.model import UsageError

ROWS: list[dict[str, Any]] = [
    {
        "run": "a",
        "limits": {"wall": 10.0, "memory": None},
        "solutions": [[".#", "#."]],
        "stats": {"nodes": 3, "guidance": 1},
        "reliable": True,
        "message": 'says "no", and\nstops',
    },
    {
        "run": "b",
        "limits": {"wall": 10.0, "memory": 1 << 40},
        "solutions": [],
        "stats": {"settles": 2.5, "guidance": "none"},
        "reliable": False,
    },
]
NAMES = [
    *("run", "limits.wall", "limits.memory", "solutions", "message"),
    *("stats.nodes", "stats.guidance", "stats.settles", "reliable"),
]


def test_columns_follow_the_keys_of_a_row_and_mappings_become_several_columns() -> None:
    assert [*columns(ROWS)] == NAMES
    assert [*columns([{"unheard_of": 1, **row} for row in ROWS])] == NAMES


def test_a_csv_table_reads_back() -> None:
    stream = io.StringIO()
    write_rows(ROWS, stream)
    head, first, second = csv.reader(io.StringIO(stream.getvalue()))
    assert head == NAMES
    assert dict(zip(head, first, strict=True)) == {
        "run": "a",
        "limits.wall": "10.0",
        "limits.memory": "",
        "solutions": '[[".#", "#."]]',
        "stats.nodes": "3",
        "stats.guidance": "1",
        "stats.settles": "",
        "reliable": "true",
        "message": 'says "no", and\nstops',
    }
    assert (second[NAMES.index("reliable")], second[NAMES.index("message")]) == ("false", "")


def test_a_parquet_table_reads_back_with_types() -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    write_parquet(ROWS, file := io.BytesIO())
    table = parquet.read_table(file)
    assert table.column_names == NAMES
    first, second = table.to_pylist()
    assert (first["limits.wall"], first["limits.memory"], second["limits.memory"]) == (10.0, None, 1 << 40)
    assert (first["stats.guidance"], second["stats.guidance"]) == ("1", "none")
    assert (first["reliable"], second["message"]) == (True, None)
    assert json.loads(first["solutions"]) == [[".#", "#."]]


def test_rows_of_much_text_make_small_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr("nonocsp.bench.export.GROUP", 4)
    monkeypatch.setattr("nonocsp.bench.export.GROUP_CHARS", 1000)
    rows: Any = [{"run": f"{n}", "message": "x" * (600 if n < 3 else 1)} for n in range(10)]
    write_parquet(rows, file := io.BytesIO())
    found = parquet.ParquetFile(file)
    assert [found.metadata.row_group(n).num_rows for n in range(found.num_row_groups)] == [2, 4, 4]
    assert found.read().to_pylist() == rows


def test_keys_beyond_the_most_columns_share_a_column(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nonocsp.bench.export.MOST_COLUMNS", 4)
    rows: list[dict[str, Any]] = [
        {"run": "a", "limits": {"wall": 1.0}, "stats": {"x": 1, "y": 2}, "versions": {"sat": "v1"}},
        {
            "run": "b",
            "limits": {"wall": 2.0},
            "stats": {"z": 3, "y": 4, "u": None},
            "versions": {"sat": "v2"},
        },
    ]
    names = ["run", "limits.wall", "stats.x", "stats.y", "stats", "versions.sat"]
    assert [*columns(rows)] == names
    write_rows(rows, stream := io.StringIO())
    head, first, second = csv.reader(io.StringIO(stream.getvalue()))
    assert head == names
    assert (first, second[:4]) == (["a", "1.0", "1", "2", "", "v1"], ["b", "2.0", "", "4"])
    assert (json.loads(second[4]), second[5]) == ({"z": 3, "u": None}, "v2")


def test_rows_with_thousands_of_keys_make_a_bounded_table() -> None:
    rows = [{"run": f"{n}", "stats": {f"{n}.{i}": i for i in range(500)}} for n in range(10)]
    assert len(columns(rows)) == 2 + MOST_COLUMNS
    write_rows(rows, stream := io.StringIO())
    last = [*csv.DictReader(io.StringIO(stream.getvalue()))][-1]
    assert json.loads(last["stats"]) == rows[-1]["stats"]


def test_without_pyarrow_parquet_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nonocsp.extras.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'nonocsp\[parquet\]'"):
        write_parquet(ROWS, io.BytesIO())


def test_a_campaign_without_rows_exports_an_empty_table() -> None:
    write_rows([], stream := io.StringIO())
    assert stream.getvalue() == "\n"


def test_a_carriage_return_stays_in_its_cell() -> None:
    write_rows([ROWS[0] | {"stats": {"a\rb": "c\rd"}}], stream := io.StringIO(newline=""))
    head, row = csv.reader(io.StringIO(stream.getvalue(), newline=""))
    assert row[head.index("stats.a\rb")] == "c\rd"


def test_a_count_keeps_all_its_digits() -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    rows: Any = [{"run": "a", "count": 7}, {"run": "b", "count": 10**400 + 1}, {"run": "c"}]
    stream, file = io.StringIO(), io.BytesIO()
    write_rows(rows, stream)
    write_parquet(rows, file)
    expected = ["7", f"{10**400 + 1}"]
    assert [line[1] for line in csv.reader(io.StringIO(stream.getvalue()))][1:] == [*expected, ""]
    assert parquet.read_table(file).to_pydict()["count"] == [*expected, None]
