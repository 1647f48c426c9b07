"""``nonocsp line``: one line solved, and its placements."""

from __future__ import annotations

import json
from itertools import islice
from typing import Annotated

import typer

from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared.endings import ExitCode
from nonocsp.cli.shared.manual import command, command_line

app = command_line()


@command(
    app,
    'nonocsp line "3 1" "??#????"',
    'nonocsp line "3 1" --length 10 --most 5',
    'nonocsp line "2r 1b" "???r?."',
    fine="there is a placement",
    negative="no placement of the blocks fits",
    see="explain",
)
def line(
    clue: Annotated[
        str, typer.Argument(metavar="CLUE", help="Lengths of the blocks: '3 1'; in colours '3r 1b'.")
    ],
    cells: Annotated[
        str | None,
        typer.Argument(
            metavar="CELLS",
            show_default=False,
            help="The line: ? is open, # or a colour's letter filled, . or x white.",
        ),
    ] = None,
    *,
    length: Annotated[
        int | None, opt.option("Cells of a line of which none is known.", metavar="N", min=1, max=4096)
    ] = None,
    most: Annotated[int, opt.number("Placements to list at most.")] = 20,
    as_json: opt.AsJson = False,
) -> None:
    """Solve one line and list its placements.

    Each is shown with a letter for each block, too: small letters, and _, are the cells that were given.
    """
    from nonocsp.grading.one_line import OneLine, ranges
    from nonocsp.model import UNKNOWN_CHAR

    if (cells is None) == (length is None):
        raise typer.BadParameter("give either the cells of the line, such as ??#??, or --length N")
    if cells and cells.isdigit():
        raise typer.BadParameter(f"{cells!r} are no cells; for {cells} open cells, write --length {cells}")
    one = OneLine.read(clue, cells if cells is not None else UNKNOWN_CHAR * (length or 0))
    settled, total, listed = one.settled(), one.count(), list(islice(one.possibilities(), most))
    if as_json:
        print(
            json.dumps({"settled": settled, "blocks": one.blocks(), "count": total, "possibilities": listed})
        )
    elif settled is None:
        print("no placement of the blocks fits")
    else:
        print(f"settled        {settled}")
        for number, block in enumerate(one.blocks(), start=1):
            name = f"block {number} ({block['length']}{block['colour'].strip('#')})"
            print(f"{name:<14} starts at {ranges(block['starts'])}")
        print(f"possibilities  {'more than 10^19' if total is None else total}")
        for possibility, letters in zip(listed, one.lettered(), strict=False):
            print(f"               {possibility}   {letters}")
        if total is None or len(listed) < total:
            print("               … (--most N lists more)")
    raise typer.Exit(ExitCode.FINE if settled is not None else ExitCode.NEGATIVE)
