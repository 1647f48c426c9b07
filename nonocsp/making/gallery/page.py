"""Write the page that shows how puzzles came out of a picture, like figures 10 to 13 of Batenburg et al.

First the picture and the images made of it, then each puzzle, its changed cells framed, above its last
variation, then the curves of figure 11. The plot is part of the page; the script only shows the puzzle at the
pointer or the arrow keys. A variation takes about 0.3 kB.

A page is one file that loads nothing. Pictures are data URIs, and style and script are inside. A content
security policy with their hashes keeps everything else from running, whatever the titles say. The style
begins with that of the campaigns' report, so all pages of the project look alike.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nonocsp.formats.target import open_target
from nonocsp.making.changes import CellChange
from nonocsp.making.gallery.curves import plot
from nonocsp.making.init import Prepared
from nonocsp.making.picture import Cells, Picture
from nonocsp.making.puzzles import Generated
from nonocsp.model import Palette, Puzzle

if TYPE_CHECKING:
    from PIL.Image import Image


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture of the page, its caption and a note below, and the cells of the picture to frame."""

    uri: str
    caption: str
    note: str = ""
    framed: tuple[CellChange, ...] = ()


def write_gallery(path: Path, prepared: Prepared, puzzles: Sequence[Generated]) -> None:
    """Write the gallery to a file; an error leaves the file as it was.

    Parameters
    ----------
    path
        The HTML file.
    prepared
        The picture and the images made of it.
    puzzles
        Puzzles made from it, at least one.

    Raises
    ------
    UsageError
        If the file cannot be written.
    """
    with open_target(path) as stream:
        stream.write(gallery(prepared, puzzles).encode())


def gallery(prepared: Prepared, puzzles: Sequence[Generated]) -> str:
    """Return the text of the gallery.

    Parameters
    ----------
    prepared, puzzles
        As for `write_gallery`.
    """
    palette = prepared.palette
    curves = plot(puzzles)
    rows, columns = prepared.picture.shape
    shown = picture_uri(prepared.picture)
    reduced = "thresholded" if palette.is_one_colour else f"{len(palette)} colours"
    images = {reduced: prepared.thresholded, "edges": prepared.outlined}
    steps = {name: cells_uri(image, palette) for name, image in images.items() if image is not None}
    if (filled := cells_uri(prepared.start, palette)) not in steps.values():
        steps["no empty lines"] = filled
    return render(
        "gallery/gallery.html.jinja",
        script=own("gallery/gallery.js"),
        name=Path(prepared.picture.name).stem or "picture",
        size=f"{rows}x{columns}",
        palette=palette,
        rows=rows,
        columns=columns,
        steps=[Figure(uri, name) for name, uri in ({"the picture": shown} | steps).items()],
        puzzles=[_figures(one) for one in puzzles],
        is_changed=any(one.changes for one in puzzles),
        is_varied=any(one.varied for one in puzzles),
        plot=curves,
        data=[
            {
                "name": curve.name,
                "points": [[p.depth, p.difficulty, p.x, p.y, solution_uri(p.puzzle)] for p in curve.points],
            }
            for curve in (curves.curves if curves else ())
        ],
    )


def _figures(one: Generated) -> tuple[Figure, Figure | None]:
    """Return the figures of a puzzle and of its last variation."""
    caption = f"{one.difficulty}" if one.is_simple else one.class_
    note = "" if one.is_wanted else "target difficulty not reached"
    figure = Figure(solution_uri(one.puzzle), caption, note, one.changes)
    if not one.varied:
        return figure, None
    last = one.varied[-1]
    return figure, Figure(solution_uri(last.puzzle), f"{last.difficulty}", f"{last.depth} cells later")


def render(template: str, *, folder: Path | None = None, style: str = "", **content: Any) -> str:
    """Return a page.

    Parameters
    ----------
    template
        Its path in ``nonocsp/making``, or in the folder.
    folder
        Has templates of others, which may extend those of ``nonocsp/making``; None for no others.
    style
        CSS that follows that of all pages.
    **content
        What the template shows; strings are escaped.
    """
    from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PackageLoader, StrictUndefined

    from nonocsp.bench.report.bundle import source

    environment = Environment(
        loader=ChoiceLoader(
            [PackageLoader("nonocsp.making", ""), *([FileSystemLoader(folder)] if folder else [])]
        ),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # The hash by which a content security policy recognises a text.
    environment.filters["integrity"] = lambda text: (
        f"sha256-{_base64(hashlib.sha256(text.encode()).digest())}"
    )
    style = source("page.css") + own("gallery/page.css") + style
    return environment.get_template(template).render(style=style, **content)


def own(name: str) -> str:
    """Return a script or a style; its name is its path in ``nonocsp/making``."""
    return (files("nonocsp.making") / name).read_text(encoding="utf-8")


def solution_uri(puzzle: Puzzle) -> str:
    """Return the goal of a puzzle as a data URI, a pixel a cell."""
    assert puzzle.goal is not None
    return cells_uri(puzzle.goal.cells, puzzle.palette)


def cells_uri(image: Cells, palette: Palette) -> str:
    """Return an image as a data URI, a pixel a cell.

    Parameters
    ----------
    image
        Colours of the cells, shape (rows, columns).
    palette
        The colours that its numbers mean.
    """
    import PIL.Image

    picture = PIL.Image.fromarray(image)
    picture.putpalette(bytes.fromhex("".join(colour.rgb[1:] for colour in palette.colours)))
    return _uri(picture)


def picture_uri(picture: Picture, *, side: int | None = None) -> str:
    """Return a picture as a data URI, a pixel a cell.

    Parameters
    ----------
    picture
        The picture.
    side
        Show what lies under the cells instead, if that is known, with at most so many pixels on a side.
    """
    from PIL.Image import fromarray

    if side is None or picture.fine is None:
        return _uri(fromarray(picture.pixels))
    image = fromarray(picture.fine.pixels)
    image.thumbnail((side, side))
    return _uri(image)


def _uri(picture: Image) -> str:
    stream = BytesIO()
    picture.save(stream, "PNG", optimize=True)
    return f"data:image/png;base64,{_base64(stream.getvalue())}"


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode()
