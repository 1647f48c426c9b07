"""Write the page on which one chooses between renderings of a picture: a contact sheet.

Each rendering shows the prepared picture beside the puzzle, the changed cells framed at the pointer, what the
puzzle is like, and the command that makes it. `page.py` says what all pages have in common.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nonocsp.formats.target import open_target
from nonocsp.making.gallery.page import Figure, cells_uri, own, picture_uri, render
from nonocsp.making.renderings import Rendering

MARK = b'<meta name="generator" content="nonocsp contact sheet">'
"""What tells a sheet from other pages, near its beginning."""
_SIDE = 288
"""Pixels of the picture's longer side."""
_NAMED = 12
"""Changed cells that the text for screen readers names."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A rendering on the page."""

    description: str
    before: Figure
    after: Figure
    alt: str
    rows: int
    columns: int
    facts: tuple[tuple[str, str], ...]
    command: str


def write_sheet(path: Path, choices: Sequence[tuple[Rendering, str]]) -> None:
    """Write the page to a file; an error leaves the file as it was.

    Parameters
    ----------
    path
        The HTML file.
    choices
        Renderings of one picture, at least one, each with the command that makes it.

    Raises
    ------
    UsageError
        If the file cannot be written.
    """
    with open_target(path) as stream:
        stream.write(sheet(choices).encode())


def is_sheet(path: Path) -> bool:
    """Whether a file is a page that `write_sheet` wrote."""
    with path.open("rb") as file:
        return MARK in file.read(1024)


def sheet(choices: Sequence[tuple[Rendering, str]]) -> str:
    """Return the text of the page.

    Parameters
    ----------
    choices
        As for `write_sheet`.
    """
    finest = max((one.prepared.picture for one, _ in choices), key=lambda picture: picture.grey.size)
    return render(
        "gallery/sheet.html.jinja",
        script=own("gallery/sheet.js"),
        name=Path(finest.name).stem or "picture",
        original=Figure(picture_uri(finest, side=_SIDE), "the picture"),
        entries=[_entry(one, command) for one, command in choices],
    )


def facts(one: Rendering) -> dict[str, str]:
    """Return what there is to know about a rendering, for a table: what it is, and its value."""
    rows, columns = one.made.puzzle.shape
    return {
        "size": f"{rows}x{columns}",
        "colours": str(len(one.palette) - 1),
        "look": one.description,
        "likeness": f"{one.likeness:.2f}",
        "changes": str(len(one.made.changes)),
        "level": str(one.level or "–"),
        "class": one.made.class_,
    }


def _entry(one: Rendering, command: str) -> _Entry:
    changes, (rows, columns) = one.made.changes, one.made.puzzle.shape
    named = [f"row {change.row + 1} column {change.column + 1}" for change in changes[:_NAMED]]
    more = [f"{len(changes) - _NAMED} more"] if len(changes) > _NAMED else []
    told = "nothing changed"
    if changes:
        told = f"{len(changes)} cell{'s' * (len(changes) != 1)} changed"
    listed = f": {', '.join([*named, *more])}" if changes else ""
    return _Entry(
        one.description,
        Figure(cells_uri(one.prepared.start, one.palette), "prepared"),
        Figure(cells_uri(one.made.image, one.palette), "puzzle", told, changes),
        f"solution of the puzzle; {told}{listed}",
        rows,
        columns,
        tuple((what, value) for what, value in facts(one).items() if what not in ("look", "changes")),
        command,
    )
