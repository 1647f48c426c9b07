"""Write the HTML page of one or several campaigns: one file, offline, in light and dark, printable.

Tables are HTML, so they show at once and without JavaScript. The script of the built page
(``web/src/report``) draws plots and the table of runs from packed columns (`page_data`). The page's content
security policy has the hashes of its own style and script, which keeps everything else from running or
loading, whatever titles and messages contain.
"""

from __future__ import annotations

import base64
import io
import os
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from math import log10
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from nonocsp.backends.base import Termination
from nonocsp.bench.report import figures
from nonocsp.bench.report.digest import Digest
from nonocsp.bench.report.figures import count, shortened
from nonocsp.bench.report.growth import charts
from nonocsp.bench.report.measurement import provenance, session_facts, setting
from nonocsp.bench.report.page_data import page_data, shown_runs
from nonocsp.bench.report.tables import change_table, pair_table, score_tables
from nonocsp.bench.scoring import Pair
from nonocsp.bench.scoring.significance import is_significant
from nonocsp.formats.target import write_text
from nonocsp.pages import filled
from nonocsp.render.plot import COLOURS

if TYPE_CHECKING:
    from jinja2 import Environment
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

    from nonocsp.bench.rows import RunRow
    from nonocsp.bench.scoring.runs import IntArray

MAX_LISTED = 100
"""The most contradictions, wrong answers or instances that the page lists in full."""

_SECTIONS = {
    "wrong": "Wrong answers",
    "disagreements": "Disagreements",
    "changes": "What changed",
    "scores": "Scores",
    "pairs": "Pairs",
    "cactus": "Cactus",
    "scatter": "Scatter",
    "heat": "Heat map",
    "effort": "Difficulty and size",
    "growth": "Growth",
    "runs": "All runs",
    "provenance": "How this was measured",
}


@dataclass(frozen=True, slots=True)
class Duel:
    """A cell of the matrix: the row's backend against the column's; with a ratio below 1 it is faster."""

    wins: int
    losses: int
    ratio: str
    is_significant: bool
    shade: int
    detail: str


def write_page(digest: Digest, path: Path) -> None:
    """Write the page, problems first; after an error the old page is still there."""
    write_text(path, render(digest, path.parent))


def render(digest: Digest, folder: Path) -> str:
    """Return the page as text."""
    shown, growth = shown_runs(digest), charts(digest)
    empty = {
        "growth": not growth,
        "wrong": not digest.wrong,
        "disagreements": not digest.disagreements,
        "changes": not digest.comparisons,
        "pairs": not digest.pairs,
    }
    environment = _environment(digest, shown, folder)
    content = environment.get_template("content.html.jinja").render(
        digest=digest,
        growth=growth,
        shown=sum(map(len, shown)),
        sections=[(id, title) for id, title in _SECTIONS.items() if not empty.get(id)],
        max_listed=MAX_LISTED,
        version=version("nonocsp"),
    )
    head = environment.get_template("head.html.jinja").render(
        digest=digest, about=sentence(digest), picture=picture(digest)
    )
    page = filled("report", f'"{page_data(digest, shown, growth)}"', title=f"{digest.name} – nonocsp")
    for place, text in (("<!--head-->", head), ("<!--content-->", content)):
        before, found, after = page.partition(place)  # texts of others have no "<" of their own
        if not found:
            raise ValueError(f"web/report.html has no {place}")
        page = f"{before}{text}{after}"
    return page


def _environment(digest: Digest, shown: Sequence[IntArray], folder: Path) -> Environment:
    """Return the environment of the template; its filters are views of the digest."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("nonocsp.bench.report"),
        autoescape=True,  # titles and messages of others stand on the page
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    places = np.concatenate(shown).argsort()
    starts = np.cumsum([len(part.table) for part in digest.parts])
    number_of = np.concatenate(shown)[places]
    folders = [part.campaign.folder for part in digest.parts]
    environment.filters |= {
        "place": lambda run: places[np.searchsorted(number_of, run)],
        "failure": lambda row, run: _failure(row, folders[np.searchsorted(starts, run, "right")], folder),
        "short": figures.shortened,
        "count": figures.count,
        "scores": score_tables,
        "by_other_time": lambda digest: score_tables(
            digest.compared_by("wall" if digest.runs.by == "cpu" else "cpu")
        ),
        "pairs": lambda digest: pair_table(digest.pairs),
        "change_table": change_table,
        "matrix": matrix,
        "setting": setting,
        "provenance": provenance,
        "session": session_facts,
    }
    return environment


def _failure(row: RunRow, campaign: Path, page: Path) -> str:
    """Return the path from the page to the puzzle of a run that crashed; empty if there is none."""
    path = campaign / "failures" / f"{row['run']}.json"
    if row["termination"] != Termination.CRASHED or not path.is_file():
        return ""
    return os.path.relpath(path, page).replace(os.sep, "/")


def matrix(digest: Digest) -> dict[str, list[Duel | None]]:
    """Return each backend against all, None for itself, in the order of the scores."""
    cells = {(it.first, it.second): _cell(it) for pair in digest.pairs for it in (pair, pair.turned())}
    names = [score.backend for score in digest.scores]
    return {name: [cells.get((name, other)) for other in names] for name in names}


def _cell(pair: Pair) -> Duel:
    low, high = pair.interval or (None, None)
    return Duel(
        pair.wins,
        pair.losses,
        figures.ratio(pair.ratio),
        is_significant(pair.corrected_p_value),
        _shade(pair.ratio),
        f"{pair.wins} won, {pair.losses} lost, {pair.ties} tied; ratio {figures.ratio(pair.ratio)}, "
        f"95 % interval {figures.ratio(low)} to {figures.ratio(high)}, "
        f"p {figures.p_value(pair.corrected_p_value)}",
    )


def _shade(ratio: float | None) -> int:
    """Return how dark a cell is, from -4 (a hundredth of the time) over 0 to 4 (a hundred times as long)."""
    return 0 if not ratio else max(-4, min(4, round(2 * log10(ratio))))


SIZE = 600, 315
"""Of the picture: the shape that sites show."""
_FINE = 2
"""It is drawn so many times as large, and made smaller, so that lines are smooth."""
_MARGIN, _TOP, _BOTTOM = 32, 92, 30
_MOST_LINES = len(COLOURS)
_POINTS = 300
_LETTERS = 300
_PAPER, _INK, _SOFT, _RULE = "#fbfaf8", "#1d1f23", "#5c626b", "#c9c6c0"


def sentence(digest: Digest) -> str:
    """Return what the report is about: what its config says, or else what was run."""
    told = [part.description for part in digest.parts if part.description]
    if told:
        return shortened(" ".join(" ".join(told).split()), _LETTERS)
    runs = digest.runs
    sound = "Every answer was verified." if digest.is_sound else "It has wrong or contradictory answers."
    return (
        f"Comparison of {count(len(runs.backends))} ways to solve nonograms on {count(len(runs.instances))} "
        f"instances ({setting(digest.parts[0])}). {sound}"
    )


def picture(digest: Digest) -> str:
    """Return a picture with the name and the cactus curves of the report, as a ``data:`` address of a PNG."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (SIZE[0] * _FINE, SIZE[1] * _FINE), _PAPER)
    draw = ImageDraw.Draw(image)
    runs = digest.runs
    name = _shown(digest.name, 34)
    facts = f"{count(len(runs.backends))} backends, {count(len(runs.instances))} instances, nonocsp"
    draw.text((_MARGIN * _FINE, 22 * _FINE), name, _INK, _font(27))
    draw.text((_MARGIN * _FINE, 58 * _FINE), _shown(facts, 60), _SOFT, _font(15))
    _draw_curves(draw, digest)
    small = image.resize(SIZE, Image.Resampling.LANCZOS).quantize(64)
    small.save(stream := io.BytesIO(), format="PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(stream.getvalue()).decode()}"


def _draw_curves(draw: ImageDraw, digest: Digest) -> None:
    """Draw how many runs each entrant decides within a time, on a logarithmic axis."""
    left, right = _MARGIN * _FINE, (SIZE[0] - _MARGIN) * _FINE
    top, bottom = _TOP * _FINE, (SIZE[1] - _BOTTOM) * _FINE
    draw.line([(left, top), (left, bottom), (right, bottom)], _RULE, _FINE)
    runs = digest.runs
    curves = [
        np.log10(np.maximum(np.sort(times[decided]), 1e-6))
        for times, decided in zip(runs.wall_s, runs.is_decided, strict=True)
    ]
    levels = np.concatenate(curves)
    if not len(levels):
        return
    low, high = float(levels.min()), float(max(levels.max(), levels.min() + 1.0))
    most = max(map(len, curves))
    ranked = sorted(range(len(curves)), key=lambda b: -len(curves[b]))[:_MOST_LINES]
    for b in reversed(ranked):
        places = np.unique(np.linspace(0, max(0, len(curves[b]) - 1), _POINTS).astype(int))
        points = [
            (
                left + (right - left) * (place + 1) / most,
                bottom - (bottom - top) * (float(curves[b][place]) - low) / (high - low),
            )
            for place in places[: len(curves[b])].tolist()
        ]
        if len(points) > 1:
            draw.line(points, COLOURS[b % len(COLOURS)], 3 * _FINE, joint="curve")


def _shown(text: str, letters: int) -> str:
    """Return a text as the font of the picture can show it."""
    plain = "".join(char if char.isprintable() and ord(char) < 0x250 else " " for char in text)
    return shortened(" ".join(plain.replace("\u202f", " ").split()), letters).replace("…", "...")


def _font(size: int) -> FreeTypeFont | ImageFont:
    """Return the font that comes with Pillow."""
    from PIL import ImageFont

    return ImageFont.load_default(size * _FINE)
