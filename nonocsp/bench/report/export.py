"""Write the tables of a report as Markdown for a paper, as CSV for a spreadsheet, and as JSON lines."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from nonocsp.bench.report.digest import Digest
from nonocsp.bench.report.figures import shortened
from nonocsp.bench.report.provenance import configured
from nonocsp.bench.report.tables import Table, tables
from nonocsp.bench.scoring import set_scores
from nonocsp.formats.spreadsheet import write_csv
from nonocsp.formats.target import make_folder, write_text

_MARKUP = re.compile(r"([\\`*_{}\[\]<>|~])")


def to_markdown(digest: Digest) -> str:
    """Return all tables, the best figures in bold, and what has to be known about them."""
    sound = "Every answer was verified, and no two backends contradict each other."
    notes = [f"**Warning:** {_escaped(warning)}" for warning in digest.warnings]
    verdict = [sound] if digest.is_sound else []
    return "\n\n".join([*verdict, *notes, *map(_markdown_table, tables(digest)), ""]).rstrip("\n") + "\n"


def write_tables(digest: Digest, folder: Path) -> list[Path]:
    """Write each table as a CSV file, figures as computed and None as nothing; return the files.

    Parameters
    ----------
    digest
        What the report says.
    folder
        Made if missing.
    """
    make_folder(folder)
    paths = []
    for table in tables(digest):
        path = folder / (re.sub(r"[^\w.-]+", "-", shortened(table.name)) + ".csv")
        text = io.StringIO(newline="")
        write_csv(text, (column.heading for column in table.columns), (line.values for line in table.lines))
        write_text(path, text.getvalue())
        paths.append(path)
    return paths


def to_records(digest: Digest) -> Iterator[dict[str, Any]]:
    """Yield everything that the report says as plain JSON values, what is wrong first."""
    for row in digest.wrong:
        yield {"kind": "wrong", "campaign": row["campaign"], "puzzle": row["puzzle"],
               "backend": row["backend"], "message": row.get("message", "")}  # fmt: skip
    for found in digest.disagreements:
        yield {"kind": "disagreement", "puzzle": found.claim["puzzle"], "backend": found.claim["backend"],
               "evidence": found.evidence["backend"], "message": str(found)}  # fmt: skip
    for warning in digest.warnings:
        yield {"kind": "warning", "message": warning}
    for comparison in digest.comparisons:
        between = {"before": comparison.before, "after": comparison.after}
        for change in comparison.changes:
            yield {
                "kind": "change",
                **between,
                **asdict(change),
                "newly_decided": [instance.puzzle for instance in change.newly_decided],
                "lost": [instance.puzzle for instance in change.lost],
            }
    for kind, subjects in (
        ("score", [*digest.scores, digest.ideal]),
        ("pair", digest.pairs),
        ("set", set_scores(digest.runs)),
        ("options", configured(digest)),
    ):
        for subject in subjects:
            name = getattr(subject, "backend", "")
            campaign = {"campaign": digest.folder_of(name)} if name else {}
            yield {"kind": kind, **campaign, **asdict(subject)}


def _markdown_table(table: Table) -> str:
    heads = [_escaped(column.heading) for column in table.columns]
    rules = [":---" if column.is_text else "---:" for column in table.columns]
    lines, best_values = [heads, rules], table.best_values()
    for line in table.lines:
        cells = []
        for column, value, best in zip(table.columns, line.values, best_values, strict=True):
            text = _escaped(column.text(value))
            is_best = best is not None and value == best and not line.kind
            cells.append(f"**{text}**" if is_best else text)
        lines.append(cells)
    return "\n".join([f"### {_escaped(table.title)}", "", *(f"| {' | '.join(cells)} |" for cells in lines)])


def _escaped(text: str) -> str:
    """Return text escaped for Markdown, on one line."""
    plain = "".join(char if char.isprintable() else " " for char in text)
    return _MARKUP.sub(r"\\\1", " ".join(plain.split()))
