"""``nonocsp export``: a puzzle in the language of a solver."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared.endings import usage_error
from nonocsp.cli.shared.manual import command, command_line

app = command_line()


@command(
    app,
    "nonocsp export cat.non --to dimacs --output cat.cnf",
    "nonocsp export set.txt#3 --to smt2 --no-root --output third.smt2",
    "nonocsp export cat.non --to lp --output - --map-file cat.lp.map.json",
    fine="written",
    see="decode, solve, convert",
)
def export(
    source: Annotated[
        str, typer.Argument(metavar="PUZZLE", help="File with a puzzle, or FILE#3; - is the standard input.")
    ],
    *,
    language: opt.Language,
    output: Annotated[str, opt.output("File to write; - is the standard output.")],
    map_file: Annotated[
        Path | None,
        opt.file("Write what the variables mean to FILE.  [default: OUTPUT.map.json]", "--map-file"),
    ] = None,
    encoding: opt.Encoding = "order",
    root: Annotated[
        bool, opt.option("Write what line solving leaves open, or the whole puzzle.", "--root/--no-root")
    ] = True,
    without: Annotated[
        str | None,
        opt.option("Forbid the solution in FILE, to ask for another one.", "--without", metavar="FILE"),
    ] = None,
    input_format: opt.InputFormat = None,
    size: opt.PuzzleSize = None,
) -> None:
    """Write a puzzle in the language of a solver.

    A map beside it leads from the variables to the cells. With it, nonocsp decode reads what the solver
    prints.
    """
    from nonocsp.cli.shared.saving import refuse_inputs
    from nonocsp.exporting.languages import export as exported
    from nonocsp.formats import load
    from nonocsp.formats.grids import load_grid
    from nonocsp.formats.target import open_target

    if output == "-" and map_file is None:
        raise usage_error("the map of an export on standard output needs a file: name it with --map-file")
    map_file = map_file or Path(f"{output}.map.json")
    for path in (Path(output), map_file):
        refuse_inputs(
            path, [source.rpartition("#")[0] or source, *filter(None, [without])], "--output or --map-file"
        )
    puzzle = load(source, format=input_format, size=size)
    forbidden = load_grid(without, puzzle) if without else None
    made = exported(puzzle, language, encoding=encoding, root=root, without=forbidden)
    meaning = made.map.text()
    with open_target(output) as stream:
        stream.writelines(part.encode("ascii") for part in made.parts)
    with open_target(map_file) as stream:
        stream.write(meaning.encode())
    if output != "-":
        typer.echo(f"{output}, {map_file}: {len(made.map.variables)} variables of cells", err=True)
