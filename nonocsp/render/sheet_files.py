"""Sheets as files: one PDF, or one SVG or PNG a page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from nonocsp.formats.target import open_target
from nonocsp.model import UsageError
from nonocsp.render import pdf, png, svg
from nonocsp.render.drawing import Drawing
from nonocsp.render.sheet import Sheets

DPI = 200
SUFFIXES = (".pdf", ".svg", ".png")
_PICTURES: dict[str, Callable[[Drawing], bytes]] = {
    ".svg": lambda page: svg.document(page, "pt").encode(),
    ".png": lambda page: png.file(page, dpi=DPI),
}


def write_sheets(sheets: Sheets, path: Path, *, title: str = "") -> list[Path]:
    """Write sheets in the format that the suffix says; return the files, several for several pictures.

    Raises
    ------
    UsageError
        For another suffix, and if a file cannot be made.
    """
    check_suffix(path)
    suffix = path.suffix.lower()
    if suffix == ".pdf":
        files = {path: pdf.to_pdf(sheets.pages, title=title)}
    else:
        encode = _PICTURES[suffix]
        files = dict(zip(_paths(path, len(sheets.pages)), map(encode, sheets.pages), strict=True))
    for file, content in files.items():
        with open_target(file) as stream:
            stream.write(content)
    return list(files)


def check_suffix(path: Path) -> None:
    """Raise UsageError if sheets cannot be written to such a file."""
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError(f"{path}: sheets are written as {', '.join(SUFFIXES)}")


def _paths(path: Path, pages: int) -> list[Path]:
    """Return a path a page: the given one, or ones numbered before the suffix."""
    if pages == 1:
        return [path]
    return [path.with_stem(f"{path.stem}-{number}") for number in range(1, pages + 1)]
