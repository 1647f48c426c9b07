"""Write the HTML page of one or several campaigns: one file, offline, in light and dark, printable.

Tables are HTML, so they show at once and without JavaScript. The page's script draws plots and the table of
runs from packed columns (`page_data`). A content security policy with the hashes of the page's own style and
script keeps everything else from running or loading, whatever titles and messages contain.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from nonocsp.backends.base import Termination
from nonocsp.bench.report.bundle import bundle, source
from nonocsp.bench.report.digest import Digest
from nonocsp.bench.report.duels import matrix
from nonocsp.bench.report.entrants import Entrant, entrants
from nonocsp.bench.report.figures import count, shortened
from nonocsp.bench.report.page_data import page_data
from nonocsp.bench.report.provenance import provenance, session_facts, setting
from nonocsp.bench.report.tables import change_table, pair_table, score_tables
from nonocsp.formats.target import write_text

if TYPE_CHECKING:
    from jinja2 import Environment

    from nonocsp.bench.rows import RunRow

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
    "runs": "All runs",
    "provenance": "How this was measured",
}


def write_page(digest: Digest, path: Path) -> None:
    """Write the page; what makes campaigns unsound comes first. After an error the old page is still there.

    Parameters
    ----------
    digest
        What the page shows.
    path
        Of the page; its folder is made if missing.

    Raises
    ------
    UsageError
        If the page cannot be written, or its place is a link.
    """
    write_text(path, render(digest, path.parent))


def render(digest: Digest, folder: Path) -> str:
    """Return the page as text.

    Parameters
    ----------
    digest
        What the page shows.
    folder
        Where the page will be, for links to puzzles that failed.
    """
    standing = entrants(digest)
    empty = {
        "wrong": not digest.wrong,
        "disagreements": not digest.disagreements,
        "changes": not digest.comparisons,
        "pairs": not any(part.pairs for part in digest.parts),
    }
    template = _environment(digest, standing, folder).get_template("page.html.jinja")
    return template.render(
        digest=digest,
        style=source("page.css"),
        script=bundle(),
        data=page_data(digest, standing),
        shown=sum(len(entrant.runs) for entrant in standing),
        sections=[(id, title) for id, title in _SECTIONS.items() if not empty.get(id)],
        max_listed=MAX_LISTED,
        version=version("nonocsp"),
    )


def _environment(digest: Digest, standing: Sequence[Entrant], folder: Path) -> Environment:
    """Return the environment of the template; its filters are views of the digest."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("nonocsp.bench.report"),
        autoescape=True,  # titles and messages of others stand on the page
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    places = np.concatenate([entrant.runs for entrant in standing]).argsort()
    starts = np.cumsum([len(part.table) for part in digest.parts])
    number_of = np.concatenate([entrant.runs for entrant in standing])[places]
    folders = [part.campaign.folder for part in digest.parts]
    environment.filters |= {
        "digest": lambda text: (  # by which a content security policy knows a text
            f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
        ),
        "place": lambda run: places[np.searchsorted(number_of, run)],
        "failure": lambda row, run: _failure(row, folders[np.searchsorted(starts, run, "right")], folder),
        "short": shortened,
        "count": count,
        "scores": lambda part: score_tables(part, is_labelled=len(digest.parts) > 1),
        "by_other_time": lambda part: score_tables(
            part.compared_by("wall" if part.runs.by == "cpu" else "cpu"), is_labelled=len(digest.parts) > 1
        ),
        "pairs": lambda part: pair_table(part.pairs, "pairs", f"Pairs, {part.label}"),
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
