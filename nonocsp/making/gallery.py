"""A page that shows how puzzles came out of a picture, in the manner of figures 10 to 13 of Batenburg et al.

First the picture and what was made of it, then the puzzles, each above what *Vary* made of it, and how the
difficulty evolved meanwhile (figure 11). The plot is drawn here; the script only adds what the pointer or
the arrow keys find on it. About 0.3 kB for every variation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nonocsp.formats.target import open_target
from nonocsp.making import page
from nonocsp.making.curves import Curve, plot
from nonocsp.making.generated import Generated, solution
from nonocsp.making.prepared import Prepared
from nonocsp.model import Puzzle


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture of the page and what is said below it."""

    uri: str
    caption: str
    note: str = ""


def write_gallery(path: Path, prepared: Prepared, puzzles: Sequence[Generated]) -> None:
    """Write the page; an error leaves what was there before."""
    with open_target(path) as stream:
        stream.write(gallery(prepared, puzzles).encode())


def gallery(prepared: Prepared, puzzles: Sequence[Generated]) -> str:
    """Return the page as text."""
    curves = plot(puzzles)
    rows, columns = prepared.picture.shape
    return page.render(
        "gallery.html.jinja",
        script=page.script("gallery"),
        name=Path(prepared.picture.name).stem or "picture",
        size=f"{rows}x{columns}",
        palette=prepared.palette,
        steps=list(_steps(prepared)),
        puzzles=[(_shown(one), _last(one)) for one in puzzles],
        is_varied=any(one.varied for one in puzzles),
        plot=curves,
        data=[_data(curve) for curve in curves.curves] if curves else [],
    )


def _steps(prepared: Prepared) -> list[Shown]:
    """Return the images of the first row of figure 10."""
    steps = [
        Shown(page.shades(prepared.picture), "the picture"),
        Shown(page.cells(prepared.thresholded, prepared.palette), _reduced(prepared)),
    ]
    if prepared.outlined is not None:
        steps.append(Shown(page.cells(prepared.outlined, prepared.palette), "edges"))
    return [*steps, Shown(page.cells(prepared.start, prepared.palette), "no empty lines")]


def _reduced(prepared: Prepared) -> str:
    return "thresholded" if prepared.palette.is_one_colour else f"{len(prepared.palette)} colours"


def _shown(one: Generated) -> Shown:
    note = "" if one.is_wanted else "not the difficulty asked for"
    return Shown(_uri(one.puzzle), f"{one.difficulty}" if one.is_simple else one.class_, note)


def _last(one: Generated) -> Shown | None:
    if not one.varied:
        return None
    *_, last = one.varied
    return Shown(_uri(last.puzzle), f"{last.difficulty}", f"{last.depth} cells later")


def _data(curve: Curve) -> dict[str, Any]:
    """Return what the script shows at the points of a curve."""
    points = [[p.depth, p.difficulty, p.x, p.y, _uri(p.puzzle)] for p in curve.points]
    return {"name": curve.name, "points": points}


def _uri(puzzle: Puzzle) -> str:
    return page.cells(solution(puzzle), puzzle.palette)
