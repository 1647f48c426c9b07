"""Export rows as a flat table: CSV, or Parquet with the extra of that name.

The columns are the keys of a row, in their order. A mapping becomes a column for each of its keys
(``limits.wall``, ``stats.nodes``), a list JSON text. The rows are read twice, first for the columns and their
types. Beyond `MOST_COLUMNS` further keys of a mapping stand as JSON text in a column of its name.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator, Mapping
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
"""The most rows of a row group in a Parquet file."""
GROUP_CHARS = 32 << 20
"""Characters of text at which a row group ends: a row can have 16 MiB."""
MOST_COLUMNS = 2000
"""Columns for keys of mappings: forty backends with fifty counts each."""


def write_rows(rows: Iterable[RunRow], stream: TextIO) -> None:
    """Write rows as CSV (`nonocsp.formats.spreadsheet`)."""
    names = columns(rows)
    flat = (_record(row, names) for row in rows)
    write_csv(stream, [*names], ([row.get(name) for name in names] for row in flat))


def write_parquet(rows: Iterable[RunRow], file: BinaryIO) -> None:
    """Write a Parquet file. A column with text in some rows is text in all."""
    require("parquet")
    import pyarrow as pa
    from pyarrow import parquet

    kinds = {
        frozenset({bool}): pa.bool_(),
        frozenset({int}): pa.int64(),
        frozenset({float}): pa.float64(),
        frozenset({int, float}): pa.float64(),
    }
    names = columns(rows)
    schema = pa.schema([(name, kinds.get(frozenset(types), pa.string())) for name, types in names.items()])
    with parquet.ParquetWriter(file, schema) as writer:
        for group in _groups(_record(row, names) for row in rows):
            table = {field.name: [row.get(field.name) for row in group] for field in schema}
            for field in schema:
                if field.type in (pa.string(), pa.float64()):
                    make = str if field.type == pa.string() else float
                    table[field.name] = [
                        None if value is None else make(value) for value in table[field.name]
                    ]
            writer.write_table(pa.table(table, schema=schema))


def _groups(records: Iterable[dict[str, Value]]) -> Iterator[list[dict[str, Value]]]:
    """Yield the records of one row group after the other."""
    group, chars = list[dict[str, Value]](), 0
    for record in records:
        group.append(record)
        chars += sum(len(cell) for cell in record.values() if isinstance(cell, str))
        if len(group) == GROUP or chars >= GROUP_CHARS:
            yield group
            group, chars = [], 0
    if group:
        yield group


def columns(rows: Iterable[RunRow]) -> dict[str, set[type]]:
    """Return the columns that rows have and the types of their values, those of one mapping side by side."""
    found: dict[str, dict[str, set[type]]] = {key: {} for key in KEYS}
    left = MOST_COLUMNS
    for row in rows:
        for key, value in row.items():
            if key not in found:
                continue
            for name, flat in _flat({key: value}):
                if name not in found[key] and name != key:
                    if not left:
                        found[key].setdefault(key, set()).add(str)
                        continue
                    left -= 1
                types = found[key].setdefault(name, set())
                if flat is not None:
                    is_long = type(flat) is int and flat.bit_length() > 63  # too long for a whole number
                    longer = str if name in COUNTS else float
                    types.add(longer if is_long else type(flat))
    return {name: types for names in found.values() for name, types in names.items()}


def _record(row: RunRow, names: Container[str]) -> dict[str, Value]:
    """Return the cells of a row by their columns."""
    record: dict[str, Value] = {}
    for key, value in row.items():
        flat = dict(_flat({key: value}))
        record |= {name: cell for name, cell in flat.items() if name in names}
        if isinstance(value, Mapping) and key in names:
            rest = {name.removeprefix(f"{key}."): cell for name, cell in flat.items() if name not in names}
            record |= {key: json.dumps(rest)} if rest else {}
    return record


def _flat(record: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Value]]:
    for key, value in record.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", json.dumps(value) if isinstance(value, list) else value
