"""Tables in a terminal: readable at 80 columns, one after the other, what is wrong first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from nonocsp.bench.report.digest import Digest
from nonocsp.bench.report.tables import Line, tables
from nonocsp.bench.report.tables import Table as Content

if TYPE_CHECKING:
    from rich.table import Table

_STYLES = {"bad": "red", "regression": "red", "improvement": "green", "ideal": "dim"}


def terminal_tables(digest: Digest) -> Iterator[Table]:
    """Yield all tables of a report."""
    return map(rich_table, tables(digest))


def rich_table(content: Content) -> Table:
    """Return a table as rich draws it, headings of two words on two lines."""
    from rich import box
    from rich.table import Table

    table = Table(title=content.title, box=box.SIMPLE_HEAD, padding=0, show_edge=False, title_justify="left")
    for column in content.columns:
        if column.is_text:
            table.add_column(column.heading, min_width=6, overflow="fold")
        else:
            table.add_column(column.heading.replace(" ", "\n"), justify="right", no_wrap=True)
    for line in content.lines:
        table.add_row(*_cells(content, line), style=_STYLES.get(line.kind, ""))
    return table


def _cells(content: Content, line: Line) -> Iterator[str]:
    """Yield the cells of a line without what could steer a terminal or be taken for markup."""
    from rich.markup import escape

    for column, value in zip(content.columns, line.values, strict=True):
        yield escape("".join(char if char.isprintable() else " " for char in column.text(value)))
