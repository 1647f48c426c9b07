"""Export: other libraries read the same table from CSV and from Parquet."""

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
        "count": 7,
        "stats": {"nodes": 3, "guidance": 1, "a\rb": "c\rd"},
        "reliable": True,
        "message": 'says "no", and\nstops',
    },
    {
        "run": "b",
        "limits": {"wall": 10.0, "memory": 1 << 40},
        "solutions": [],
        "count": 10**400 + 1,
        "stats": {"settles": 2.5, "guidance": "none"},
        "reliable": False,
    },
]
CELLS = {
    "run": ("a", "b"),
    "limits.wall": ("10.0", "10.0"),
    "limits.memory": ("", "1099511627776"),
    "solutions": ('[[".#", "#."]]', "[]"),
    "count": ("7", f"{10**400 + 1}"),
    "message": ('says "no", and\nstops', ""),
    "stats.nodes": ("3", ""),
    "stats.guidance": ("1", "'none"),  # which no reader of tables takes for nothing
    "stats.a\rb": ("c\rd", ""),
    "stats.settles": ("", "2.5"),
    "reliable": ("true", "false"),
}
"""What a table of text says, in the order of its columns: that of the keys of a row."""


def as_csv(rows: list[dict[str, Any]]) -> list[list[str]]:
    write_rows(rows, stream := io.StringIO(newline=""))
    return [*csv.reader(io.StringIO(stream.getvalue(), newline=""))]


def test_a_csv_table_reads_back():
    head, first, second = as_csv(ROWS)
    assert dict(zip(head, zip(first, second, strict=True), strict=True)) == CELLS
    assert head == [*CELLS] == [*columns([{"unheard_of": 1, **row} for row in ROWS])]
    assert as_csv([]) == [[]]


def test_a_parquet_table_reads_back_with_types(monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    write_parquet(ROWS, file := io.BytesIO())
    table = parquet.read_table(file)
    assert table.column_names == [*CELLS]
    first, second = table.to_pylist()
    assert (first["limits.wall"], first["limits.memory"], second["limits.memory"]) == (10.0, None, 1 << 40)
    assert (first["stats.guidance"], second["stats.guidance"]) == ("1", "none")
    assert (first["reliable"], second["message"]) == (True, None)
    assert (first["count"], second["count"]) == CELLS["count"]
    assert json.loads(first["solutions"]) == [[".#", "#."]]
    monkeypatch.setattr("nonocsp.extras.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'nonocsp\[parquet\]'"):
        write_parquet(ROWS, io.BytesIO())


def test_keys_beyond_the_most_columns_share_a_column(monkeypatch):
    rows: list[dict[str, Any]] = [
        {"run": f"{n}", "stats": {f"{n}.{i}": i for i in range(500)}} for n in range(10)
    ]
    head, *lines = as_csv(rows)
    assert len(head) == 2 + MOST_COLUMNS
    assert json.loads(lines[-1][head.index("stats")]) == rows[-1]["stats"]
    monkeypatch.setattr("nonocsp.bench.export.MOST_COLUMNS", 4)
    stats: list[dict[str, Any]] = [{"x": 1, "y": 2}, {"z": 3, "y": 4, "u": None}]
    rows = [{"run": "r", "limits": {"wall": 1.0}, "stats": it, "versions": {"sat": "v"}} for it in stats]
    head, first, second = as_csv(rows)
    assert head == ["run", "limits.wall", "stats.x", "stats.y", "stats", "versions.sat"]
    assert (first, second[:4]) == (["r", "1.0", "1", "2", "", "v"], ["r", "1.0", "", "4"])
    assert (json.loads(second[4]), second[5]) == ({"z": 3, "u": None}, "v")
