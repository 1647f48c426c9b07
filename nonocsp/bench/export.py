"""Export rows as a flat table: CSV, or Parquet with the extra of that name.

The columns are the keys of `nonocsp.bench.rows.RunRow`, in their order. A mapping in a row becomes a column
for each of its keys (``limits.wall``, ``stats.nodes``); a list, such as the grids of ``solutions``, becomes
JSON text. A column is empty for the rows that lack it.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from nonocsp.bench.rows import KEYS
from nonocsp.extras import require

if TYPE_CHECKING:
    from nonocsp.bench.rows import RunRow

FORMATS = ("csv", "parquet")

Value = str | int | float | bool | None


def write_csv(rows: Sequence[RunRow], stream: TextIO) -> None:
    """Write a table with a head; None becomes an empty cell, booleans ``true`` and ``false``.

    Parameters
    ----------
    rows
        One line each.
    stream
        Open for writing text.
    """
    names = columns(rows)
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(names)
    for row in rows:
        flat = dict(_flat(row))
        values = (flat.get(name) for name in names)
        writer.writerow([str(value).lower() if isinstance(value, bool) else value for value in values])


def write_parquet(rows: Sequence[RunRow], path: Path) -> None:
    """Write a Parquet file. A column with text in some rows is text in all.

    Parameters
    ----------
    rows
        One line each.
    path
        Of the file; replaced if it exists.

    Raises
    ------
    UsageError
        If pyarrow is not installed.
    """
    require("parquet")
    import pyarrow as pa
    from pyarrow import parquet

    flat = [dict(_flat(row)) for row in rows]
    table = {name: [row.get(name) for row in flat] for name in columns(rows)}
    for name, values in table.items():
        if any(isinstance(value, str) for value in values):
            table[name] = [None if value is None else str(value) for value in values]
    with path.open("wb") as file:
        parquet.write_table(pa.table(table), file)


def columns(rows: Sequence[RunRow]) -> list[str]:
    """Return the names of all columns that rows have, those from one mapping beside each other."""
    found: dict[str, dict[str, None]] = {key: {} for key in KEYS}
    for row in rows:
        for key, value in row.items():
            if key in found:
                found[key].update((name, None) for name, _ in _flat({key: value}))
    return [name for names in found.values() for name in names]


def _flat(record: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Value]]:
    for key, value in record.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", json.dumps(value) if isinstance(value, list) else value
