"""A pack as a folder: its puzzles, an index for programs and a page of contents for people.

``puzzles/01-name.json`` and so on, easiest first, in any format; ``index.json``, which says of each file what
is in it; and ``index.html``, a page without other files that hides the pictures until they are asked for.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from nonocsp.formats import Format
from nonocsp.formats.target import open_target
from nonocsp.making import page
from nonocsp.making.folder import write_folder
from nonocsp.making.generated import solution
from nonocsp.making.pack import CERTIFIERS, Pack
from nonocsp.model import UsageError


def check_folder(folder: Path) -> None:
    """Raise UsageError if a pack cannot be written there."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; a pack is a folder")
    if any((folder / name).exists() for name in ("puzzles", "index.json", "index.html")):
        raise UsageError(f"{folder} has a pack already; name another folder")


def write_pack(pack: Pack, folder: Path, format: Format) -> list[str]:
    """Write a pack into a folder; return its puzzles' files, as paths in the folder.

    Raises
    ------
    UsageError
        If there is a pack already, or a file cannot be made.
    """
    check_folder(folder)
    paths = write_folder((packed.puzzle for packed in pack.puzzles), folder / "puzzles", format)
    files = [path.relative_to(folder).as_posix() for path in paths]
    records = index(pack, files)
    with open_target(folder / "index.json") as stream:
        stream.write(f"{json.dumps(records, indent=1)}\n".encode())
    with open_target(folder / "index.html") as stream:
        stream.write(_contents(pack, records).encode())
    return files


def index(pack: Pack, files: list[str]) -> dict[str, Any]:
    """Return what ``index.json`` says."""
    return {
        "seed": pack.seed,
        "unique_by": list(CERTIFIERS),
        "puzzles": [
            {
                "file": file,
                "puzzle": packed.puzzle.title,
                "rows": packed.puzzle.shape[0],
                "columns": packed.puzzle.shape[1],
                "colours": len(packed.puzzle.palette) - 1,
                "class": packed.class_,
                "sweeps": packed.difficulty,
                "hash": packed.puzzle.canonical_hash,
            }
            for file, packed in zip(files, pack.puzzles, strict=True)
        ],
        "skipped": pack.skipped,
    }


def _contents(pack: Pack, records: dict[str, Any]) -> str:
    images = [page.cells(solution(packed.puzzle), packed.puzzle.palette) for packed in pack.puzzles]
    return page.render(
        "pack.html.jinja",
        puzzles=list(zip(records["puzzles"], images, strict=True)),
        hardest=max(packed.difficulty for packed in pack.puzzles),
        certifiers=CERTIFIERS,
    )
