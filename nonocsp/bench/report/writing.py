"""Write reports as files: those that `nonocsp report` is asked for, and the page of `nonocsp bench`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nonocsp.bench.campaign import CampaignResult
from nonocsp.bench.report.digest import Digest
from nonocsp.bench.report.export import to_markdown, write_tables
from nonocsp.bench.report.html import write_page
from nonocsp.bench.report.plots import Pair, write_plots
from nonocsp.bench.report.tables import score_table
from nonocsp.bench.report.terminal import rich_table
from nonocsp.bench.scoring import Runs, scores, virtual_best
from nonocsp.bench.store import Campaign
from nonocsp.formats.target import write_text

if TYPE_CHECKING:
    from rich.table import Table


def write_files(digest: Digest, format: str, path: Path, pair: Pair | None = None) -> list[Path]:
    """Write a report, as a file or as several in a folder; return the files.

    Parameters
    ----------
    format
        ``html`` or ``markdown``, which are a file, or ``csv``, ``png`` or ``svg``, which are several.
    path
        The file or the folder.
    pair
        The two backends of the scatter plot of png and svg.

    Raises
    ------
    UsageError
        For plots without Matplotlib, and a backend in `pair` that has no runs.
    ValueError
        For another format.
    """
    match format:
        case "html":
            write_page(digest, path)
        case "markdown":
            write_text(path, to_markdown(digest))
        case "csv":
            return write_tables(digest, path)
        case "png" | "svg":
            return write_plots(digest, path, format, pair)
        case _:
            raise ValueError(f"no report is written as {format!r}")
    return [path]


def write_report(campaigns: CampaignResult | Sequence[Campaign], path: Path) -> None:
    """Write the HTML page of a campaign that was run into the folder of `path`, or of stored ones.

    Parameters
    ----------
    campaigns
        A campaign that was run into the folder of `path`, or stored campaigns.
    path
        Of the page.
    """
    if isinstance(campaigns, CampaignResult):
        campaigns = [campaigns.campaign]
    write_page(Digest.of(campaigns), path)


def summary_table(result: CampaignResult) -> Table:
    """Return the scores of a campaign that was run, for the terminal."""
    (ideal,) = scores(virtual_best(Runs.of(result.campaign.table)))
    title = f"{result.name}, {result.planned} runs"
    return rich_table(score_table(result.scores, ideal, "scores", title))
