"""Write the HTML page of one or several campaigns: one file, offline, in light and dark, printable.

Tables are HTML and show without JavaScript. The script of the built page (``web/src/report``) draws plots and
the table of runs. The content security policy has the hashes of style and script, which keeps everything else
from running or loading.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
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

if TYPE_CHECKING:
    from jinja2 import Environment

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
    head = environment.get_template("head.html.jinja").render(digest=digest, about=sentence(digest))
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
    backends = [*dict.fromkeys(entrant.backend for entrant in digest.entrants)]
    series = {entrant.label: backends.index(entrant.backend) for entrant in digest.entrants}
    environment.filters |= {
        "series": series.get,
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
        "ratio": figures.ratio,
        "seconds": figures.seconds,
        "shade": _shade,
        "detail": _detail,
        "is_significant": is_significant,
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


def matrix(digest: Digest) -> dict[str, list[Pair | None]]:
    """Return each backend against all, None for itself, in the order of the scores."""
    cells = {(it.first, it.second): it for pair in digest.pairs for it in (pair, pair.turned())}
    names = [score.backend for score in digest.scores]
    return {name: [cells.get((name, other)) for other in names] for name in names}


def _detail(pair: Pair) -> str:
    """Return all figures of a cell of the matrix."""
    low, high = pair.interval or (None, None)
    return (
        f"{pair.wins} won, {pair.losses} lost, {pair.ties} tied; ratio {figures.ratio(pair.ratio)}, "
        f"95 % interval {figures.ratio(low)} to {figures.ratio(high)}, "
        f"p {figures.p_value(pair.corrected_p_value)}"
    )


def _shade(ratio: float | None) -> int:
    """Return how dark a cell is, from -4 (a hundredth of the time) over 0 to 4 (a hundred times as long)."""
    return 0 if not ratio else max(-4, min(4, round(2 * log10(ratio))))


_LETTERS = 300


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
