"""Write the two pages of `generate`: a gallery of puzzles, and a contact sheet to choose a look from.

The gallery shows how puzzles came out of a picture, like figures 10 to 13 of Batenburg et al. Its curves have
a point for each simple puzzle, because only simple puzzles have a difficulty.

The pages are built from ``web/src/gallery``, whose ``data.ts`` declares their data. Each is one file that
loads nothing: cells are packed bits, and the picture is a data URI.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from html import escape
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nonocsp.formats.target import open_target
from nonocsp.making.cells import Cells
from nonocsp.making.image import Prepared
from nonocsp.making.likeness import CellChange
from nonocsp.making.picture import Picture
from nonocsp.making.puzzles import Generated, Varied
from nonocsp.making.renderings import Rendering
from nonocsp.model import Palette, Puzzle
from nonocsp.pages import PLACE, filled

if TYPE_CHECKING:
    from PIL.Image import Image

_MARK = PLACE.removesuffix("</script>") + '{"kind":"sheet",'
"""What tells a sheet from other pages."""
_LARGEST = 2**25
"""Bytes of a file that may be a sheet."""
_SIDE = 288
"""Pixels of the picture's longer side on a sheet."""


def write_gallery(path: Path, prepared: Prepared, puzzles: Sequence[Generated]) -> None:
    """Write the gallery of at least one puzzle to a file; an error leaves the file as it was."""
    with open_target(path) as stream:
        stream.write(gallery(prepared, puzzles).encode())


def gallery(prepared: Prepared, puzzles: Sequence[Generated]) -> str:
    """Return the text of the gallery."""
    palette = prepared.palette
    reduced = "thresholded" if palette.is_one_colour else "colours"
    images = {reduced: prepared.thresholded, "edges": prepared.outlined}
    made = {stage: packed(image, palette) for stage, image in images.items() if image is not None}
    if (start := packed(prepared.start, palette)) not in made.values():
        made["filled"] = start
    name = Path(prepared.picture.name).stem or "picture"
    data = {
        "kind": "made",
        "name": name,
        **grid(prepared.picture.shape, palette),
        "stages": [("picture", _uri_of(prepared.picture)), *made.items()],
        "puzzles": [_made(one) for one in puzzles],
    }
    return filled(
        "gallery", data, title=f"{name} – nonocsp", without_script="<p>The pictures need JavaScript.</p>"
    )


def _made(one: Generated) -> dict[str, Any]:
    """Return a puzzle and its variations."""
    stages = [*([Varied(one.puzzle, one.difficulty, 0)] if one.is_simple else []), *one.varied]
    return {
        "title": one.puzzle.title,
        "cells": packed_goal(one.puzzle),
        "grade": one.difficulty if one.is_simple else one.class_,
        "isWanted": one.is_wanted,
        "changes": places(one.changes),
        "curve": [(stage.depth, stage.difficulty, packed_goal(stage.puzzle)) for stage in stages],
        "isVaried": bool(one.varied),
    }


def write_sheet(path: Path, choices: Sequence[tuple[Rendering, str]]) -> None:
    """Write the sheet of at least one rendering, each with the command that makes it, to a file."""
    with open_target(path) as stream:
        stream.write(sheet(choices).encode())


def is_sheet(path: Path) -> bool:
    """Whether a file is a page that `write_sheet` wrote."""
    with path.open("rb") as file:
        return _MARK.encode() in file.read(_LARGEST)


def sheet(choices: Sequence[tuple[Rendering, str]]) -> str:
    """Return the text of the sheet."""
    finest = max((one.prepared.picture for one, _ in choices), key=lambda picture: picture.grey.size)
    name = Path(finest.name).stem or "picture"
    data = {
        "kind": "sheet",
        "name": name,
        "picture": _uri_of(finest, side=_SIDE),
        "entries": [_entry(one, command) for one, command in choices],
    }
    told = "".join(
        f"<li>{escape(one.description)}: <code>{escape(command)}</code></li>" for one, command in choices
    )
    without = f"<p>The pictures need JavaScript.</p><ol>{told}</ol>"
    return filled("gallery", data, title=f"{name} – nonocsp", without_script=without)


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


def _entry(one: Rendering, command: str) -> dict[str, Any]:
    return {
        "look": one.description,
        **grid(one.made.puzzle.shape, one.palette),
        "prepared": packed(one.prepared.start, one.palette),
        "puzzle": packed(one.made.image, one.palette),
        "changes": places(one.made.changes),
        "likeness": round(one.likeness, 4),
        "level": one.level and str(one.level),
        "class": one.made.class_,
        "command": command,
    }


def grid(shape: tuple[int, int], palette: Palette) -> dict[str, Any]:
    """Return what cells of a page are of."""
    colours = [{"name": colour.name, "rgb": colour.rgb, "char": colour.char} for colour in palette.colours]
    return {"rows": shape[0], "columns": shape[1], "palette": colours}


def places(changes: Iterable[CellChange]) -> list[tuple[int, int]]:
    """Return row and column of each changed cell, counted from 0."""
    return [(change.row, change.column) for change in changes]


def packed_goal(puzzle: Puzzle) -> str:
    """Return the cells of a puzzle's goal as a page reads them."""
    assert puzzle.goal is not None
    return packed(puzzle.goal.cells, puzzle.palette)


def packed(image: Cells, palette: Palette) -> str:
    """Return cells as base64 of bits, as many for each as the number of the last colour has."""
    bits = np.arange((len(palette) - 1).bit_length())[::-1]
    return base64.b64encode(np.packbits(image[..., None] >> bits & 1).tobytes()).decode()


def _uri_of(picture: Picture, *, side: int | None = None) -> str:
    """Return a picture as a data URI; with `side`, the pixels under its cells, at most so many on a side."""
    from PIL.Image import fromarray

    if side is None or picture.fine is None:
        return _uri(fromarray(picture.pixels))
    image = fromarray(picture.fine.pixels)
    image.thumbnail((side, side))
    return _uri(image)


def _uri(picture: Image) -> str:
    stream = BytesIO()
    picture.save(stream, "PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(stream.getvalue()).decode()}"
