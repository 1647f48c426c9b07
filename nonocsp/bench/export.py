"""Export rows as a flat table: CSV, or Parquet with the extra of that name.

The columns are the keys of `nonocsp.bench.rows.RunRow`, in their order. A mapping in a row becomes a column
for each of its keys (``limits.wall``, ``stats.nodes``); a list, such as the grids of ``solutions``, becomes
JSON text. A column is empty for the rows that lack it. The rows are read twice, first for the columns and
their types, and no more than `GROUP` of them are in memory.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

from nonocsp.bench.rows import KEYS
from nonocsp.extras import require
from nonocsp.formats.spreadsheet import Value, write_csv

if TYPE_CHECKING:
    from nonocsp.bench.rows import RunRow

FORMATS = ("csv", "parquet")
COUNTS = ("count", "count_at_least")
"""Columns whose numbers keep all digits: as text, if one has more than 64 bits."""
GROUP = 50_000
"""Rows of a row group in a Parquet file."""


def write_rows(rows: Iterable[RunRow], stream: TextIO) -> None:
    """Write rows as CSV (`nonocsp.formats.spreadsheet`).

    Parameters
    ----------
    rows
        One line each; read twice.
    stream
        Open for writing text.
    """
    names = [*columns(rows)]
    flat = (dict(_flat(row)) for row in rows)
    write_csv(stream, names, ([row.get(name) for name in names] for row in flat))


def write_parquet(rows: Iterable[RunRow], file: BinaryIO) -> None:
    """Write a Parquet file. A column with text in some rows is text in all.

    Parameters
    ----------
    rows
        One line each; read twice.
    file
        Open for writing bytes.

    Raises
    ------
    UsageError
        If pyarrow is not installed.
    """
    require("parquet")
    import pyarrow as pa
    from pyarrow import parquet

    kinds = {
        frozenset({bool}): pa.bool_(),
        frozenset({int}): pa.int64(),
        frozenset({float}): pa.float64(),
        frozenset({int, float}): pa.float64(),
    }
    schema = pa.schema(
        [(name, kinds.get(frozenset(types), pa.string())) for name, types in columns(rows).items()]
    )
    stream = iter(rows)
    with parquet.ParquetWriter(file, schema) as writer:
        while group := [dict(_flat(row)) for row in islice(stream, GROUP)]:
            table = {field.name: [row.get(field.name) for row in group] for field in schema}
            for field in schema:
                if field.type in (pa.string(), pa.float64()):
                    make = str if field.type == pa.string() else float
                    table[field.name] = [
                        None if value is None else make(value) for value in table[field.name]
                    ]
            writer.write_table(pa.table(table, schema=schema))


def columns(rows: Iterable[RunRow]) -> dict[str, set[type]]:
    """Return the columns that rows have and the types of their values, those of one mapping side by side."""
    found: dict[str, dict[str, set[type]]] = {key: {} for key in KEYS}
    for row in rows:
        for key, value in row.items():
            if key in found:
                for name, flat in _flat({key: value}):
                    types = found[key].setdefault(name, set())
                    if flat is not None:
                        is_long = type(flat) is int and flat.bit_length() > 63  # too long for a whole number
                        longer = str if name in COUNTS else float
                        types.add(longer if is_long else type(flat))
    return {name: types for names in found.values() for name, types in names.items()}


def _flat(record: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Value]]:
    for key, value in record.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", json.dumps(value) if isinstance(value, list) else value
