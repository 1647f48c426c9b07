"""``nonocsp dataset``: sets of puzzles made by a rule and a seed."""

from __future__ import annotations

from typing import Annotated

import typer

from nonocsp.cli import values
from nonocsp.cli.options import complete_format

app = typer.Typer(name="dataset", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def _dataset() -> None:
    """Make sets of puzzles by a rule and a seed."""


EXAMPLES = values.examples(
    "nonocsp dataset tcga --seed 2026 --output tcga.txt.gz",
    "nonocsp dataset tcga --seed 7 --count 20 --rows 10 --columns 15",
)


@app.command(epilog=EXAMPLES)
def tcga(
    *,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, help="Of the whole set; the same seed gives the same set.")
    ],
    count: Annotated[int, typer.Option(metavar="N", min=1, help="Puzzles in the set.")] = 1000,
    rows: Annotated[int, typer.Option(metavar="N", min=1, help="Rows of each puzzle.")] = 25,
    columns: Annotated[int, typer.Option(metavar="N", min=1, help="Columns of each puzzle.")] = 25,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="File to write; - is the standard output.")
    ] = "-",
    output_format: Annotated[
        str,
        typer.Option("--to", metavar="FORMAT", autocompletion=complete_format, help="Format to write."),
    ] = "tournament",
) -> None:
    """Make a tournament set by the rule of the TCGA organisers.

    Random puzzles that start half black and end 35 % black, placed by a uniform shuffle. A set of another
    count is another set: its density falls in other steps.
    """
    from nonocsp.datasets.tcga import tournament_set
    from nonocsp.formats import save

    save(tournament_set(seed, count=count, rows=rows, columns=columns), output, format=output_format)
