"""The scores of a campaign as columns of text, for the terminal and the page alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nonocsp.bench.campaign import CampaignResult
from nonocsp.bench.scoring import Score

if TYPE_CHECKING:
    from rich.table import Table


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table of scores: its heading, what it means, and the text of a cell."""

    heading: str
    meaning: str
    text: Callable[[Score], str]


_UNITS = ((1.0, "s"), (1e3, "ms"), (1e6, "µs"))


def seconds(value: float | None) -> str:
    """Return a duration with three significant digits and its unit; a dash for None."""
    if value is None:
        return "–"
    factor, unit = next((entry for entry in _UNITS if value * entry[0] >= 1.0), _UNITS[-1])
    return f"{value * factor:.{max(0, 3 - len(str(int(value * factor))))}f} {unit}"


_RUNS = Column("runs", "all runs", lambda score: str(score.runs))

COLUMNS = (
    Column("backend", "the backend and its options", lambda score: score.backend),
    _RUNS,
    Column("decided", "ended by themselves with an answer that settles the task", lambda s: str(s.decided)),
    Column("unique", "exactly one solution, proved", lambda score: str(score.unique)),
    Column("multiple", "at least two solutions, found", lambda score: str(score.multiple)),
    Column("unsat", "no solution, proved", lambda score: str(score.unsat)),
    Column("time out", "cut off by the wall or CPU limit", lambda score: str(score.timeouts)),
    Column("failed", "crashed, out of memory, killed or unsupported", lambda score: str(score.failed)),
    Column("median", "wall time, all runs", lambda score: seconds(score.median_s)),
    Column("p95", "wall time that 95 % of all runs stay below", lambda score: seconds(score.p95_s)),
    Column("max", "longest wall time", lambda score: seconds(score.max_s)),
    Column(
        "PAR-2",
        "mean wall time, with twice the wall limit for a run that is not decided",
        lambda score: seconds(score.par2_s),
    ),
)


def summary_table(result: CampaignResult) -> Table:
    """Return the scores as a rich table; columns that are zero throughout are left out."""
    from rich import box
    from rich.table import Table

    title = f"{result.name}, {result.planned} runs"
    table = Table(title=title, box=box.SIMPLE_HEAD, padding=0, show_edge=False, title_justify="left")
    for column in shown_columns(result.scores):
        if column is COLUMNS[0]:
            table.add_column(column.heading, min_width=6, overflow="fold")
        else:
            table.add_column(column.heading.replace(" ", "\n"), justify="right", no_wrap=True)
    for score in result.scores:
        table.add_row(*(column.text(score) for column in shown_columns(result.scores)))
    return table


def shown_columns(scores: list[Score]) -> list[Column]:
    """Return the columns that tell something: not all zero, and runs only if backends differ in them."""
    same = len({score.runs for score in scores}) == 1
    return [
        column
        for column in COLUMNS
        if any(column.text(score) != "0" for score in scores) and not (same and column is _RUNS)
    ]
