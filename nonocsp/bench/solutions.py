"""Keep solutions that are too long for the row of their run in a file: ``solutions/RUN.json.gz``.

The row then holds the first two, how many there are, and the file, which is written before it.
"""

from __future__ import annotations

import gzip
import shutil
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec

from nonocsp.bench.rows import AnswerRow, RunRow, refuse_other_sizes, solutions_file
from nonocsp.formats.source import is_plain
from nonocsp.json_lines import encode
from nonocsp.model import FormatError, bounds

FOLDER = "solutions"
ROW_BYTES = 256 << 10
"""The most bytes of solutions in a row that has more than two."""
MOST_BYTES = 256 << 20
"""The most bytes of solutions of a run, as JSON."""
KEPT = 2
"""How many solutions such a row keeps."""

AnyRow = TypeVar("AnyRow", bound="AnswerRow")


def put_aside(row: RunRow, folder: Path) -> RunRow:
    """Return the row as it is stored: with the first solutions only, and a file, if all are too long."""
    grids, cells = row["solutions"], row["rows"] * (row["columns"] + 3)
    if len(grids) <= KEPT or len(grids) * cells <= ROW_BYTES:
        return row
    text = encode(grids)
    if len(text) > MOST_BYTES:
        raise FormatError(f"solutions: expected at most {MOST_BYTES >> 20} MiB, not {len(text) >> 20} MiB")
    name = solutions_file(row["run"])
    path, new = folder / name, folder / f"{name}.new"
    path.parent.mkdir(exist_ok=True)
    new.unlink(missing_ok=True)
    with new.open("xb") as file:  # not through a link
        file.write(gzip.compress(text, mtime=0))
    new.replace(path)
    stored: dict[str, Any] = {}
    for key, value in row.items():
        stored[key] = value if key != "solutions" else grids[:KEPT]
        if key == "solutions":
            stored |= {"solution_count": len(grids), "solutions_file": name}
    return cast("RunRow", stored)


def with_all_solutions(row: AnyRow, folder: Path) -> AnyRow:
    """Return a row of a campaign's folder with all its solutions, as far as their file holds them."""
    if "solutions_file" not in row:
        return row
    path, count = folder / row["solutions_file"], min(row["solution_count"], bounds.SOLUTIONS)
    height, width = row["rows"], row["columns"]
    size = min(MOST_BYTES, count * (height * (width * 6 + 3) + 2) + 2)  # a character takes up to six bytes
    most_marks = 2 * count * (height * (width + 1) + 2)  # each list takes 56 bytes of memory
    with suppress(OSError, EOFError, zlib.error, ValueError, RecursionError, FormatError):
        if is_plain(path, MOST_BYTES) and not path.parent.is_symlink():
            with gzip.open(path) as file:
                text = file.read(size + 1)
            if len(text) <= size and sum(map(text.count, (b"[", b"{", b","))) <= most_marks:
                grids = msgspec.json.decode(text, type=list[list[str]])
                refuse_other_sizes(grids, height, width, FOLDER)
                if len(grids) == count and grids[: len(row["solutions"])] == row["solutions"]:
                    return cast("AnyRow", {**row, "solutions": grids})
    return row


def copy_solutions(row: RunRow, source: Path, target: Path) -> None:
    """Copy the file with the solutions of a row, if it has one that the target, a new folder, lacks."""
    if "solutions_file" not in row or (target / row["solutions_file"]).exists():
        return
    path = source / row["solutions_file"]
    if is_plain(path, MOST_BYTES) and not path.parent.is_symlink():
        (target / FOLDER).mkdir(exist_ok=True)
        shutil.copyfile(path, target / row["solutions_file"])
