"""Write reports: tables for a terminal of 80 columns, Markdown, LaTeX, CSV, JSON, and files of any format."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nonocsp.bench.campaign import CampaignResult
from nonocsp.bench.report.digest import Digest
from nonocsp.bench.report.figures import one_line
from nonocsp.bench.report.measurement import configured
from nonocsp.bench.report.tables import Table, chosen_tables, score_table
from nonocsp.bench.scoring import class_scores, set_scores
from nonocsp.bench.store import Campaign
from nonocsp.formats.spreadsheet import write_csv
from nonocsp.formats.target import make_folder, write_text
from nonocsp.model import UsageError

if TYPE_CHECKING:
    from rich.table import Table as RichTable

    from nonocsp.bench.scoring.changes import Change

_STYLES = {"bad": "red", "regression": "red", "improvement": "green", "ideal": "dim"}


def write_files(digest: Digest, format: str, path: Path, names: Sequence[str] = ()) -> list[Path]:
    """Write a report as a file, or several in a folder (csv and plots); return the files."""
    match format:
        case "html":
            from nonocsp.bench.report.html import write_page

            write_page(digest, path)
        case "latex" | "markdown":
            write_text(path, to_text(digest, format, names))
        case "csv":
            make_folder(path)
            files = {path / f"{table.file}.csv": table for table in chosen_tables(digest, names)}
            for file, table in files.items():
                write_text(file, csv_table(table, digest))
            return [*files]
        case "pdf" | "png" | "svg":
            from nonocsp.bench.report.plots import write_plots

            return write_plots(digest, path, format)
        case _:
            raise ValueError(f"no report is written as {format!r}")
    return [path]


def write_report(campaigns: CampaignResult | Sequence[Campaign], path: Path) -> Digest:
    """Write the HTML page of a campaign that was run into the folder of `path`, or of stored ones."""
    from nonocsp.bench.report.html import write_page

    if isinstance(campaigns, CampaignResult):
        campaigns = [campaigns.campaign]
    digest = Digest.of(campaigns)
    write_page(digest, path)
    return digest


def summary_table(digest: Digest) -> RichTable:
    """Return the scores of a campaign for the terminal, the best first."""
    return rich_table(score_table(digest.scores, digest.ideal, f"{digest.name}, {len(digest.table)} runs"))


def terminal_tables(digest: Digest, names: Sequence[str] = ()) -> Iterator[RichTable]:
    """Yield tables of a report."""
    return map(rich_table, chosen_tables(digest, names))


def rich_table(content: Table) -> RichTable:
    """Return a table as rich draws it: headings of two words on two lines, texts of files made harmless."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table as RichTable

    drawn = RichTable(title=content.title, box=box.SIMPLE_HEAD, padding=0, show_edge=False)
    drawn.title_justify = "left"
    for column in content.columns:
        if column.is_text:
            drawn.add_column(column.heading, min_width=6, overflow="fold")
        else:
            drawn.add_column(column.heading.replace(" ", "\n"), justify="right", no_wrap=True)
    for line in content.lines:
        texts = (column.text(value) for column, value in zip(content.columns, line.values, strict=True))
        plain = ("".join(char if char.isprintable() else " " for char in text) for text in texts)
        drawn.add_row(*map(escape, plain), style=_STYLES.get(line.kind, ""))
    return drawn


_MARKUP = re.compile(r"([\\`*_{}\[\]<>|~])")


def to_text(digest: Digest, format: str, names: Sequence[str] = ()) -> str:
    """Return tables as one text."""
    chosen = chosen_tables(digest, names)
    if format == "csv":
        if len(chosen) != 1:
            raise UsageError(f"CSV has room for one table, not {len(chosen)}; name one with --table")
        return csv_table(chosen[0], digest)
    if format == "latex":
        from nonocsp.bench.report.latex import latex_table

        notes = (f"% {one_line(warning)}" for warning in digest.warnings)
        plain = (note.encode("ascii", "replace").decode() for note in notes)
        return "\n".join([*plain, *(latex_table(table, table.caption) for table in chosen)])
    return to_markdown(digest, names)


def to_markdown(digest: Digest, names: Sequence[str] = ()) -> str:
    """Return tables, the best figures in bold, and before all tables what has to be known about them."""
    notes = [] if names else markdown_notes(digest)
    blocks = [*notes, *(markdown_table(table) for table in chosen_tables(digest, names))]
    return "\n\n".join(blocks) + "\n"


def markdown_notes(digest: Digest) -> list[str]:
    """Return paragraphs that say what has to be known about the figures."""
    sound = "Every answer was verified, and no two backends contradict each other."
    warnings = [f"**Warning:** {markdown_text(warning)}" for warning in digest.warnings]
    return [*map(markdown_text, digest.headline), *([sound] if digest.is_sound else []), *warnings]


def csv_table(table: Table, digest: Digest) -> str:
    """Return a table as CSV: figures as computed, None as nothing; several folders have a column."""
    heads = [column.heading for column in table.columns]
    rows: list[list[Any]] = [[*line.values] for line in table.lines]
    if len(digest.parts) > 1 and "backend" in heads and "folder" not in heads and "before" not in heads:
        place = heads.index("backend") + 1
        for row in rows:
            row.insert(place, digest.folder_of(row[place - 1]) or None)
        heads.insert(place, "folder")
    write_csv(text := io.StringIO(newline=""), heads, rows)
    return text.getvalue()


def to_records(digest: Digest) -> Iterator[dict[str, Any]]:
    """Yield everything that the report says as plain JSON values, what is wrong first."""
    for row in digest.wrong:
        yield {"kind": "wrong", "campaign": row["campaign"], "puzzle": row["puzzle"],
               "backend": row["backend"], "message": row.get("message", "")}  # fmt: skip
    for found in digest.disagreements:
        yield {"kind": "disagreement", "puzzle": found.claim["puzzle"], "backend": found.claim["backend"],
               "evidence": found.evidence["backend"], "message": str(found)}  # fmt: skip
    for sentence in digest.headline:
        yield {"kind": "headline", "message": sentence}
    for warning in digest.warnings:
        yield {"kind": "warning", "message": warning}
    for comparison in digest.comparisons:
        between = {"before": comparison.before, "after": comparison.after}
        for change in comparison.changes:
            yield {"kind": "change", **between, **change_record(change)}
    for kind, subjects in (
        ("score", [*digest.scores, digest.ideal]),
        ("pair", digest.pairs),
        ("class", class_scores(digest.runs)),
        ("set", set_scores(digest.runs)),
        ("options", configured(digest)),
    ):
        for subject in subjects:
            name = getattr(subject, "backend", "")
            campaign = {"campaign": digest.folder_of(name)} if name else {}
            yield {"kind": kind, **campaign, **asdict(subject)}


def change_record(change: Change) -> dict[str, Any]:
    """Return a change as plain JSON values, its instances by their puzzles."""
    names = {key: [it.puzzle for it in getattr(change, key)] for key in ("newly_decided", "lost")}
    return asdict(change) | names


def markdown_table(table: Table) -> str:
    """Return a table in Markdown, with its title."""
    heads = [markdown_text(column.heading) for column in table.columns]
    rules = [":---" if column.is_text else "---:" for column in table.columns]
    lines, best_values = [heads, rules], table.best_values()
    for line in table.lines:
        cells = []
        for column, value, best in zip(table.columns, line.values, best_values, strict=True):
            text = markdown_text(column.text(value))
            is_best = best is not None and value == best and not line.kind
            cells.append(f"**{text}**" if is_best else text)
        lines.append(cells)
    return "\n".join(
        [f"### {markdown_text(table.title)}", "", *(f"| {' | '.join(cells)} |" for cells in lines)]
    )


def markdown_text(text: str) -> str:
    """Return text escaped for Markdown, on one line."""
    return _MARKUP.sub(r"\\\1", one_line(text))
