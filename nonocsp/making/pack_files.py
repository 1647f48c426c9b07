"""Write puzzles to a folder, a file each; a pack gets pages to print, an index and a page of contents.

A pack has its puzzles in any format, ``puzzles/01-name.json`` and so on, easiest first, and a page to print
of each, ``print/01-name.svg``. ``index.json`` describes these files for programs. ``index.html`` leads people
to the pages and hides the pictures until asked for. `pack_book` makes a book of the same puzzles.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from nonocsp.formats import Format, save
from nonocsp.formats.target import open_target
from nonocsp.making.gallery import solution_uri
from nonocsp.making.pack import CERTIFIERS, Pack
from nonocsp.model import Puzzle, UsageError
from nonocsp.pages import filled
from nonocsp.render.book import book
from nonocsp.render.figure import Exercise, caption
from nonocsp.render.sheet import Sheets, sheets, write_sheets


def check_pack_folder(folder: Path) -> None:
    """Raise UsageError if a pack cannot be written there."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; a pack is a folder")
    if any((folder / name).exists() for name in ("puzzles", "print", "index.json", "index.html")):
        raise UsageError(f"{folder} has a pack already; name another folder")


def write_pack(pack: Pack, folder: Path, format: Format) -> list[str]:
    """Write a pack into a folder."""
    check_pack_folder(folder)
    paths = write_folder((packed.puzzle for packed in pack.puzzles), folder / "puzzles", format)
    files = [path.relative_to(folder).as_posix() for path in paths]
    records = index(pack, files)
    for record, exercise in zip(records["puzzles"], _exercises(pack), strict=True):
        page = folder / record["page"]
        page.parent.mkdir(exist_ok=True)
        write_sheets(sheets([exercise]), page)
    contents = _contents(pack, records["puzzles"])
    for name, text in {"index.json": f"{json.dumps(records, indent=1)}\n", "index.html": contents}.items():
        with open_target(folder / name) as stream:
            stream.write(text.encode())
    return files


def pack_book(pack: Pack, *, title: str = "") -> Sheets:
    """Return the book of a pack."""
    return book(_exercises(pack), title=title)


def _exercises(pack: Pack) -> list[Exercise]:
    """Return the puzzles of a pack as they are printed."""
    return [
        Exercise(
            packed.puzzle,
            packed.puzzle.title,
            caption(packed.puzzle.shape, str(packed.level)),
            packed.puzzle.goal,
            level=str(packed.level),
        )
        for packed in pack.puzzles
    ]


def _contents(pack: Pack, records: Sequence[dict[str, Any]]) -> str:
    """Return the page that leads to the puzzles."""
    data = {
        "kind": "pack",
        "certifiers": CERTIFIERS,
        "puzzles": [
            {key: record[key] for key in ("file", "page", "level", "rows", "columns", "colours", "sweeps")}
            | {"title": record["puzzle"], "image": solution_uri(packed.puzzle)}
            for record, packed in zip(records, pack.puzzles, strict=True)
        ],
    }
    links = "".join(
        f'<li><a href="{quote(record["page"])}">{escape(record["puzzle"])}</a>, {record["level"]}</li>'
        for record in records
    )
    title = f"{len(records)} nonograms, from easy to hard"
    return filled("gallery", data, title=title, without_script=f"<ol>{links}</ol>")


def index(pack: Pack, files: Sequence[str] = ()) -> dict[str, Any]:
    """Return the content of ``index.json``."""
    return {
        "seed": pack.seed,
        "unique_by": list(CERTIFIERS),
        "puzzles": [
            {
                **({"file": file, "page": f"print/{Path(file).stem}.svg"} if file else {}),
                "puzzle": packed.puzzle.title,
                "rows": packed.puzzle.shape[0],
                "columns": packed.puzzle.shape[1],
                "colours": len(packed.puzzle.palette) - 1,
                "level": str(packed.level),
                "class": packed.class_,
                "sweeps": packed.difficulty,
                "hash": packed.puzzle.canonical_hash,
            }
            for file, packed in zip(files or [""] * len(pack.puzzles), pack.puzzles, strict=True)
        ],
        "skipped": pack.skipped,
    }


def write_folder(puzzles: Iterable[Puzzle], folder: Path, format: Format) -> list[Path]:
    """Write puzzles to ``01-title.json`` and so on."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make the folder {folder}: {error.strerror}") from None
    numbered = list(enumerate(puzzles, start=1))
    digits = max(2, len(str(len(numbered))))
    suffix = format.suffixes[0] if format.suffixes else ".txt"
    paths = [folder / f"{i:0{digits}}-{slug(puzzle.title)}{suffix}" for i, puzzle in numbered]
    for path, (_, puzzle) in zip(paths, numbered, strict=True):
        save(puzzle, path, format=format.name)
    return paths


def slug(title: str) -> str:
    """Return a title as part of a file name: ASCII letters and digits, joined by hyphens."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9]+", "-", plain).strip("-")[:40] or "puzzle"
