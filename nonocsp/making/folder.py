"""Puzzles in a folder, a file each, named after their titles."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from nonocsp.formats import Format, save
from nonocsp.model import Puzzle, UsageError


def write_folder(puzzles: Iterable[Puzzle], folder: Path, format: Format) -> list[Path]:
    """Write puzzles to ``01-title.json`` and so on; return the files.

    Raises
    ------
    UsageError
        If the folder or a file cannot be made, or the format cannot hold a puzzle.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder} cannot be made: {error.strerror}") from None
    numbered = list(enumerate(puzzles, start=1))
    digits = max(2, len(str(len(numbered))))
    paths = [folder / f"{i:0{digits}}-{slug(puzzle.title)}{_suffix(format)}" for i, puzzle in numbered]
    for path, (_, puzzle) in zip(paths, numbered, strict=True):
        save(puzzle, path, format=format.name)
    return paths


def slug(title: str) -> str:
    """Return a title as part of a file name: letters and digits of ASCII, hyphens between them."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9]+", "-", plain).strip("-")[:40] or "puzzle"


def _suffix(format: Format) -> str:
    return format.suffixes[0] if format.suffixes else ".txt"
