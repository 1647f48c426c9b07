"""Keep solutions that are too long for the row of their run in a file: ``solutions/RUN.json.gz``.

The row then holds the first two, how many there are (``solution_count``), and the file (``solutions_file``).
The file holds a JSON list of all of them, as the row would. It is written before the row, so a row never
names a file that is not there.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import zlib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from nonocsp.bench.rows import solutions_file
from nonocsp.formats.source import is_plain
from nonocsp.model import FormatError, bounds

if TYPE_CHECKING:
    from nonocsp.bench.rows import AnswerRow, RunRow

FOLDER = "solutions"
ROW_BYTES = 256 << 10
"""The most bytes of solutions in a row that has more than two."""
MOST_BYTES = 256 << 20
"""The most bytes of solutions of a run, as JSON."""
KEPT = 2
"""How many solutions such a row keeps."""

AnyRow = TypeVar("AnyRow", bound="AnswerRow")


def put_aside(row: RunRow, folder: Path) -> RunRow:
    """Return the row as it is stored: with the first solutions only, if all of them are too long.

    Parameters
    ----------
    row
        Valid.
    folder
        The campaign's; gets the file.

    Raises
    ------
    OSError
        If the file cannot be written.
    FormatError
        If the solutions have more than `MOST_BYTES`.
    """
    grids, cells = row["solutions"], row["rows"] * (row["columns"] + 3)
    if len(grids) <= KEPT or len(grids) * cells <= ROW_BYTES:
        return row
    text = json.dumps(grids, separators=(",", ":")).encode()
    if len(text) > MOST_BYTES:
        raise FormatError(f"solutions: expected at most {MOST_BYTES >> 20} MiB, not {len(text) >> 20} MiB")
    name = solutions_file(row["run"])
    path, new = folder / name, folder / f"{name}.new"
    path.parent.mkdir(exist_ok=True)
    new.unlink(missing_ok=True)
    with new.open("xb") as file:  # not through a link
        file.write(gzip.compress(text, mtime=0))
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    stored: dict[str, Any] = {}
    for key, value in row.items():
        stored[key] = value if key != "solutions" else grids[:KEPT]
        if key == "solutions":
            stored |= {"solution_count": len(grids), "solutions_file": name}
    return cast("RunRow", stored)


def with_all_solutions(row: AnyRow, folder: Path) -> AnyRow:
    """Return the row with all its solutions; unchanged if their file is missing or does not hold them.

    Parameters
    ----------
    row
        As it is stored.
    folder
        The campaign's.
    """
    if "solutions_file" not in row:
        return row
    path, count = folder / row["solutions_file"], min(row["solution_count"], bounds.SOLUTIONS)
    height, width = row["rows"], row["columns"]
    size = min(MOST_BYTES, count * (height * (width * 6 + 3) + 2) + 2)  # a character takes up to six bytes
    most_marks = 2 * count * (height * (width + 1) + 2)  # each list takes 56 bytes of memory
    grids = None
    with suppress(OSError, EOFError, zlib.error, ValueError, RecursionError):
        if _is_plain(path):
            with gzip.open(path) as file:
                text = file.read(size + 1)
            is_small = len(text) <= size and sum(map(text.count, (b"[", b"{", b","))) <= most_marks
            grids = json.loads(text) if is_small else None
    if (
        isinstance(grids, list)
        and len(grids) == count
        and grids[: len(row["solutions"])] == row["solutions"]
        and all(isinstance(grid, list) and len(grid) == height for grid in grids)
        and all(isinstance(cells, str) and len(cells) == width for grid in grids for cells in grid)
    ):
        return cast("AnyRow", {**row, "solutions": grids})
    return row


def copy_solutions(row: RunRow, source: Path, target: Path) -> None:
    """Copy the file with the solutions of a row, if it has one that the target lacks.

    Parameters
    ----------
    row
        As it is stored in `source`.
    source, target
        Folders of campaigns. `target` is new: nobody could put a link there.
    """
    if "solutions_file" not in row or (target / row["solutions_file"]).exists():
        return
    if _is_plain(source / row["solutions_file"]):
        (target / FOLDER).mkdir(exist_ok=True)
        shutil.copyfile(source / row["solutions_file"], target / row["solutions_file"])


def _is_plain(path: Path) -> bool:
    """Return whether a file with solutions is an ordinary one, in a folder that is no link."""
    return is_plain(path, MOST_BYTES) and not path.parent.is_symlink()
