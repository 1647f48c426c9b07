"""The live display of a campaign, on standard error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from nonocsp.bench import Event, Planned


@contextmanager
def campaign_progress(name: str) -> Iterator[Callable[[Event], None]]:
    """Show how far a campaign is; provides what is to hear of its events.

    Beside the bar stand the answers so far. Nothing is shown where standard error is no terminal.
    """
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[answers]}"),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        task = progress.add_task(name, total=None, answers="")
        answers: Counter[str] = Counter()

        def on_event(event: Event) -> None:
            if isinstance(event, Planned):
                progress.update(task, total=event.total, completed=event.done)
                return
            answers[event.row["answer"]] += 1
            counts = ", ".join(f"{answer} {count}" for answer, count in answers.most_common())
            progress.update(task, advance=1, answers=counts)

        yield on_event
