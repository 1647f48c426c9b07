"""The bar of a batch, on standard error."""

from __future__ import annotations

import sys
from collections.abc import Generator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

from nonocsp.runner.work import Result


def with_progress(
    outcomes: Generator[Result, None, None], total: int | None
) -> Generator[Result, None, None]:
    """Yield the outcomes and count them beside a bar, if standard error is a terminal."""
    columns = BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()
    console = Console(file=sys.stderr)
    hidden = not console.is_terminal
    with Progress(*columns, console=console, disable=hidden, transient=True, redirect_stdout=False) as bar:
        task = bar.add_task("", total=total)
        try:
            for outcome in outcomes:
                bar.advance(task)
                yield outcome
        finally:
            outcomes.close()
