"""Write the page that shows how puzzles came out of a picture, like figures 10 to 13 of Batenburg et al.

First the picture and the images made of it, then each puzzle, its changed cells framed, above its last
variation, then the curves of figure 11: how difficulty evolves while *Vary* changes more cells. Only simple
puzzles have a difficulty, so a curve has a point for each simple puzzle and for no other.

The page is built from ``web/src/gallery``, as the contact sheet and the contents of a pack are. It is one
file that loads nothing: pictures are data URIs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from nonocsp.formats.target import open_target
from nonocsp.making.changes import CellChange
from nonocsp.making.gallery.images import cells_uri, picture_uri, solution_uri
from nonocsp.making.init import Prepared
from nonocsp.making.puzzles import Generated, Varied
from nonocsp.pages import filled


def write_gallery(path: Path, prepared: Prepared, puzzles: Sequence[Generated]) -> None:
    """Write the gallery to a file; an error leaves the file as it was."""
    with open_target(path) as stream:
        stream.write(gallery(prepared, puzzles).encode())


def gallery(prepared: Prepared, puzzles: Sequence[Generated]) -> str:
    """Return the text of the gallery."""
    palette = prepared.palette
    rows, columns = prepared.picture.shape
    reduced = "thresholded" if palette.is_one_colour else "colours"
    images = {reduced: prepared.thresholded, "edges": prepared.outlined}
    made = {stage: cells_uri(image, palette) for stage, image in images.items() if image is not None}
    if (start := cells_uri(prepared.start, palette)) not in made.values():
        made["filled"] = start
    name = Path(prepared.picture.name).stem or "picture"
    data = {
        "kind": "made",
        "name": name,
        "rows": rows,
        "columns": columns,
        "colours": [colour.name for colour in palette.colours],
        "stages": [("picture", picture_uri(prepared.picture)), *made.items()],
        "puzzles": [_record(one) for one in puzzles],
    }
    return filled(
        "gallery", data, title=f"{name} – nonocsp", without_script="<p>The pictures need JavaScript.</p>"
    )


def places(changes: Iterable[CellChange]) -> list[tuple[int, int]]:
    """Return row and column of each changed cell, counted from 0."""
    return [(change.row, change.column) for change in changes]


def _record(one: Generated) -> dict[str, Any]:
    """Return a puzzle and its variations, as ``web/src/gallery/data.ts`` declares them."""
    stages = [*([Varied(one.puzzle, one.difficulty, 0)] if one.is_simple else []), *one.varied]
    return {
        "title": one.puzzle.title,
        "image": solution_uri(one.puzzle),
        "grade": one.difficulty if one.is_simple else one.class_,
        "isWanted": one.is_wanted,
        "changes": places(one.changes),
        "curve": [(stage.depth, stage.difficulty, solution_uri(stage.puzzle)) for stage in stages],
        "isVaried": bool(one.varied),
    }
