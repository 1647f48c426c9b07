"""Judge puzzles of forty pictures: likeness, changed cells, uniqueness, targets, distinct puzzles, time.

``python -m tools.benchmarks pictures --page FILE`` also writes a page with every picture (`forty`), the
prepared picture, and the puzzle with its changed cells framed. ``--only NAME`` judges one picture.

Every picture is asked for a difficulty between a quarter and half of its longer side, in sweeps: a rule that
knows nothing of the results.
"""

from __future__ import annotations

import base64
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import combinations
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import numpy as np
import typer
from PIL import Image
from rich.console import Console
from rich.progress import track
from rich.table import Table

import nonocsp
from nonocsp.grading.levels import effort
from nonocsp.making.gallery import cells_uri, places
from nonocsp.making.image import Prepared
from nonocsp.making.likeness import likeness
from nonocsp.making.puzzles import Generated
from nonocsp.model import Puzzle
from nonocsp.pages import filled
from tools.benchmarks.making.forty import HEADINGS, Subject, subjects
from tools.benchmarks.making.remarks import REMARKS

COUNT = 8
JUDGES = ("hybrid", "sat")
_THUMBNAIL = 160


@dataclass(frozen=True, eq=False)
class Judged:
    """What came of a picture.

    Parameters
    ----------
    subject, prepared, made, seconds
        The picture, what was made of it without a target, and the time that took.
    was_unique
        Whether the prepared picture is the only solution of its clues.
    is_unique
        Whether all `JUDGES` find the picture to be the only solution of the puzzle.
    target, aimed
        Lowest and highest sweeps asked for, and the puzzle made for them.
    distinct, least_apart
        How many of `COUNT` puzzles differ, and the fewest cells in which two of those do.
    """

    subject: Subject
    prepared: Prepared
    made: Generated
    seconds: float
    was_unique: bool
    is_unique: bool
    target: tuple[int, int]
    aimed: Generated
    distinct: int
    least_apart: int

    @property
    def likeness(self) -> float:
        """Of the puzzle to the prepared picture."""
        return likeness(self.made.image, self.prepared.start, self.prepared.palette)

    @property
    def likeness_to_picture(self) -> float:
        """Of the puzzle to the picture itself, a pixel a cell."""
        return likeness(self.made.image, self.prepared.picture, self.prepared.palette)

    @property
    def likeness_of_aimed(self) -> float:
        """Of the puzzle made for the target to the prepared picture."""
        return likeness(self.aimed.image, self.prepared.start, self.prepared.palette)

    @property
    def changed(self) -> float:
        """The share of the cells that were changed."""
        return len(self.made.changes) / self.made.image.size

    @property
    def level(self) -> str:
        """Of the puzzle."""
        return str(effort(self.made.puzzle, is_unique=True).level)

    @property
    def remark(self) -> str:
        """What an author would still object to; empty if nothing."""
        return REMARKS.get(self.subject.name, "")


def main(
    page: Annotated[Path | None, typer.Option(help="Write the page of all pictures here.")] = None,
    only: Annotated[list[str] | None, typer.Option(help="Judge only this picture; may be repeated.")] = None,
) -> None:
    """Print a table of all pictures and a summary."""
    chosen = [subject for subject in subjects() if not only or subject.name in only]
    with TemporaryDirectory() as folder:
        console = Console(width=200)
        found = [judge(subject, Path(folder)) for subject in track(chosen, console=Console(stderr=True))]
    console.print(_table(found))
    for line in summary(found):
        console.print(line)
    if page:
        page.write_text(page_of(found), encoding="utf-8")


def judge(subject: Subject, folder: Path) -> Judged:
    """Make and check all puzzles of a picture.

    Parameters
    ----------
    subject
        The picture.
    folder
        Where its file goes.
    """
    path = subject.saved(folder)
    began = time.perf_counter()
    production = nonocsp.generate(path, count=COUNT, **subject.options)
    made = next(production)
    seconds = time.perf_counter() - began  # of the first alone: the others are made when asked for
    prepared = production.prepared
    start = Puzzle.from_grid(nonocsp.Grid.from_cells(prepared.start), palette=prepared.palette)
    longer = max(made.image.shape)
    target = max(2, longer // 4), max(4, longer // 2)
    many = [made.image, *(one.image for one in production)]
    apart = [np.count_nonzero(one != other) for one, other in combinations(many, 2)]
    return Judged(
        subject=subject,
        prepared=prepared,
        made=made,
        seconds=seconds,
        was_unique=_is_unique(start, JUDGES[0]),
        is_unique=all(_is_unique(made.puzzle, judge) for judge in JUDGES),
        target=target,
        aimed=next(nonocsp.generate(path, difficulty=target, **subject.options)),
        distinct=len({image.tobytes() for image in many}),
        least_apart=min((cells for cells in apart if cells), default=0),
    )


def _is_unique(puzzle: Puzzle, backend: str) -> bool:
    outcome = nonocsp.solve(puzzle, backend=backend)
    return outcome.answer is nonocsp.Answer.UNIQUE and outcome.solutions == (puzzle.goal,)


COLUMNS = (
    *("picture", "kind", "size", "colours", "likeness", "to picture", "changed", "class", "level", "sweeps"),
    *("target", "reached", "changed then", "likeness then", f"of {COUNT} distinct", "apart", "s"),
)


def _table(found: list[Judged]) -> Table:
    load = f"on {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; *: unique as prepared"
    table = Table(*COLUMNS, title=load)
    for one in found:
        rows, columns = one.made.image.shape
        table.add_row(
            *(one.subject.name, one.subject.kind, f"{rows}x{columns}", f"{len(one.prepared.palette) - 1}"),
            *(f"{one.likeness:.2f}", f"{one.likeness_to_picture:.2f}"),
            f"{len(one.made.changes)} ({one.changed:.1%}){'*' * one.was_unique}",
            *(one.made.class_, one.level, f"{one.made.difficulty}"),
            "{}..{}".format(*one.target),
            f"{one.aimed.difficulty}{'' if one.aimed.is_wanted else ' (missed)'}",
            *(f"{len(one.aimed.changes)}", f"{one.likeness_of_aimed:.2f}"),
            *(f"{one.distinct}", f"{one.least_apart}", f"{one.seconds:.2f}"),
        )
    return table


def summary(found: list[Judged]) -> Iterator[str]:
    """Yield what holds of all pictures together.

    Parameters
    ----------
    found
        At least one.
    """
    unique = [one for one in found if one.was_unique]
    untouched = sum(not one.made.changes for one in unique)
    yield f"likeness to the prepared picture, median: {median(one.likeness for one in found):.3f}"
    yield f"changed cells, median: {median(one.changed for one in found):.1%}"
    yield f"unique as prepared, and left as they are: {untouched} of {len(unique)}"
    yield f"unique by {' and '.join(JUDGES)}: {sum(one.is_unique for one in found)} of {len(found)}"
    reached = sum(one.aimed.is_wanted for one in found)
    aimed = median(one.likeness_of_aimed for one in found)
    yield f"targets reached: {reached} of {len(found)}, with a median likeness of {aimed:.3f}"
    yield f"{COUNT} distinct puzzles: {sum(one.distinct == COUNT for one in found)} of {len(found)}"
    yield f"fit to publish, says the author: {sum(not one.remark for one in found)} of {len(found)}"


def page_of(found: list[Judged]) -> str:
    """Return the text of the page.

    Parameters
    ----------
    found
        At least one.
    """
    title = f"{len(found)} pictures and their puzzles"
    groups = {
        heading: [_entry(one) for one in found if one.subject.kind == kind]
        for kind, heading in HEADINGS.items()
    }
    data = {
        "kind": "compared",
        "title": title,
        "summary": list(summary(found)),
        "groups": [
            {"heading": heading, "entries": entries} for heading, entries in groups.items() if entries
        ],
    }
    return filled("gallery", data, title=title, without_script="<p>The pictures need JavaScript.</p>")


def _entry(one: Judged) -> dict[str, Any]:
    """Return a picture and its puzzle, as ``web/src/gallery/data.ts`` declares them."""
    palette, (rows, columns) = one.prepared.palette, one.made.image.shape
    options = "".join(f", {key}={value}" for key, value in one.subject.options.items())
    cells = len(one.made.changes)
    return {
        "name": one.subject.name,
        "about": f"{rows}x{columns}{options}",
        "isSmooth": not one.prepared.picture.is_drawing,
        "rows": rows,
        "columns": columns,
        "picture": _thumbnail(one.subject.draw()),
        "prepared": cells_uri(one.prepared.start, palette),
        "puzzle": cells_uri(one.made.image, palette),
        "changes": places(one.made.changes),
        "facts": [
            ("likeness", f"{one.likeness:.2f}; to the picture {one.likeness_to_picture:.2f}"),
            (
                "changed",
                f"{cells} cell{'s' * (cells != 1)} ({100 * one.changed:.1f} %)"
                f"{'; unique as prepared' if one.was_unique else ''}",
            ),
            ("difficulty", f"{one.level}, {one.made.class_}, {one.made.difficulty} sweeps"),
            (
                "target",
                f"{one.target[0]}..{one.target[1]} sweeps: {one.aimed.difficulty}"
                f"{'' if one.aimed.is_wanted else ' (missed)'}, {len(one.aimed.changes)} changed, "
                f"likeness {one.likeness_of_aimed:.2f}",
            ),
            (f"of {COUNT} puzzles", _distinct(one)),
        ],
        "remark": one.remark,
    }


def _distinct(one: Judged) -> str:
    if one.distinct == 1:
        return "1 distinct"
    cells = "cell" if one.least_apart == 1 else "cells"
    return f"{one.distinct} distinct, at least {one.least_apart} {cells} apart"


def _thumbnail(picture: Image.Image) -> str:
    """Return a picture, no larger than it is shown."""
    if picture.mode == "RGBA":
        picture = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture).convert("RGB")
    is_small = max(picture.size) <= _THUMBNAIL
    picture.thumbnail((_THUMBNAIL, _THUMBNAIL))
    stream = BytesIO()
    if is_small:
        picture.save(stream, "PNG", optimize=True)
    else:
        picture.save(stream, "JPEG", quality=80)
    kind = "png" if is_small else "jpeg"
    return f"data:image/{kind};base64,{base64.b64encode(stream.getvalue()).decode()}"
