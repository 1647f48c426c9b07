"""Draw tables in a terminal: readable at 80 columns, one after the other, what is wrong first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from nonocsp.bench.report.digest import Digest
from nonocsp.bench.report.tables import Table as Content
from nonocsp.bench.report.tables import tables

if TYPE_CHECKING:
    from rich.table import Table

_STYLES = {"bad": "red", "regression": "red", "improvement": "green", "ideal": "dim"}


def terminal_tables(digest: Digest) -> Iterator[Table]:
    """Yield all tables of a report."""
    return map(rich_table, tables(digest))


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
