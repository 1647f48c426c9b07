"""``nonocsp decode``: the grid in what a solver printed about an export."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared.console import facts, heading, print_grid
from nonocsp.cli.shared.endings import ExitCode
from nonocsp.cli.shared.manual import command, command_line

app = command_line()


@command(
    app,
    "nonocsp decode cat.cnf.map.json cat.out",
    "nonocsp decode --json cat.cnf.map.json cat.out",
    fine="the output has a solution",
    negative="the output says that there is none",
    see="export, solve",
)
def decode(
    map_file: Annotated[
        str, typer.Argument(metavar="MAP", help="The map that nonocsp export wrote beside the export.")
    ],
    output: Annotated[
        str, typer.Argument(metavar="OUTPUT", help="What the solver printed; - is the standard input.")
    ],
    *,
    as_json: opt.AsJson = False,
) -> None:
    """Read what a solver printed about an exported puzzle.

    The grid is verified. Of several solutions, the first one counts. That there is no solution, or no other
    one, is the solver's word.
    """
    from nonocsp.exporting.answers import read_answer
    from nonocsp.exporting.variable_map import read_map
    from nonocsp.formats import NamedPuzzle
    from nonocsp.formats.source import open_source

    variables = read_map(map_file)
    with open_source(output) as source:
        grid = read_answer(variables, source.text())
    puzzle, without = variables.puzzle, variables.without
    answer = ("multiple" if without else "solved") if grid else "unsat"
    if as_json:
        found = [one.strings(puzzle.palette) for one in (without if grid else None, grid) if one]
        rows, columns = puzzle.shape
        record = {"puzzle": map_file, "rows": rows, "columns": columns, "answer": answer, "solutions": found}
        print(json.dumps(record | ({"without": without.strings(puzzle.palette)} if without else {})))
    else:
        print(heading(NamedPuzzle(map_file, 1, puzzle)), end="\n\n")
        if grid:
            print_grid(puzzle, grid)
            print()
        note = f" ({_NOTES[bool(grid)]})" if without else ""
        print(facts({"answer": f"{answer}{note}"}))
    raise typer.Exit(ExitCode.FINE if grid else ExitCode.NEGATIVE)


_NOTES = {True: "this grid and the one of --without", False: "no grid other than the one of --without"}
