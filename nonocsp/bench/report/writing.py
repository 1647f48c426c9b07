"""Write reports: as files in the format that is asked for, and as tables for a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nonocsp.bench.campaign import CampaignResult
from nonocsp.bench.report.digest import Digest
from nonocsp.bench.report.export import to_text, write_tables
from nonocsp.bench.report.html import write_page
from nonocsp.bench.report.plots import write_plots
from nonocsp.bench.report.tables import Table as Content
from nonocsp.bench.report.tables import chosen_tables, score_table
from nonocsp.bench.scoring import Runs, scores, virtual_best
from nonocsp.bench.store import Campaign
from nonocsp.formats.target import write_text

if TYPE_CHECKING:
    from rich.table import Table


_STYLES = {"bad": "red", "regression": "red", "improvement": "green", "ideal": "dim"}


def write_files(digest: Digest, format: str, path: Path, names: Sequence[str] = ()) -> list[Path]:
    """Write a report, as a file or as several in a folder; return the files.

    Parameters
    ----------
    format
        ``html``, ``latex`` or ``markdown``, which are a file, or ``csv``, ``pdf``, ``png`` or ``svg``, which
        are several.
    path
        The file or the folder.
    names
        Of the tables of ``csv``, ``latex`` and ``markdown``; by default all.

    Raises
    ------
    UsageError
        For plots without Matplotlib, and a name that no table has.
    ValueError
        For another format.
    """
    match format:
        case "html":
            write_page(digest, path)
        case "latex" | "markdown":
            write_text(path, to_text(digest, format, names))
        case "csv":
            return write_tables(digest, path, names)
        case "pdf" | "png" | "svg":
            return write_plots(digest, path, format)
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
    return rich_table(score_table(result.scores, ideal, title))


def terminal_tables(digest: Digest, names: Sequence[str] = ()) -> Iterator[Table]:
    """Yield tables of a report."""
    return map(rich_table, chosen_tables(digest, names))


def rich_table(content: Content) -> Table:
    """Return a table as rich draws it: headings of two words on two lines, texts of files made harmless."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=content.title, box=box.SIMPLE_HEAD, padding=0, show_edge=False, title_justify="left")
    for column in content.columns:
        if column.is_text:
            table.add_column(column.heading, min_width=6, overflow="fold")
        else:
            table.add_column(column.heading.replace(" ", "\n"), justify="right", no_wrap=True)
    for line in content.lines:
        texts = (column.text(value) for column, value in zip(content.columns, line.values, strict=True))
        plain = ("".join(char if char.isprintable() else " " for char in text) for text in texts)
        table.add_row(*map(escape, plain), style=_STYLES.get(line.kind, ""))
    return table
