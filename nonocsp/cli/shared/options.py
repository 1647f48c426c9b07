"""Options that several commands share, so that they read and mean the same everywhere.

A command with many options takes them as dataclasses, see `grouped`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

import typer

from nonocsp.cli.shared import values
from nonocsp.cli.shared.completion import complete_backend, complete_format
from nonocsp.cli.shared.manual import OUTPUT

INPUT, RANDOM, MORE = "Input", "Random puzzles", "More options"
"""Headings of groups of rare options; see `nonocsp.cli.shared.manual.OUTPUT`."""
RESULTS = Path("results")
"""Where campaigns and censuses go, unless ``--output`` names a folder."""


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that takes the fields of its dataclasses, typer options, as options of its own."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}
    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(command).parameters.values():
        if (kind := groups.get(parameter.name)) is None:
            parameters.append(parameter.replace(annotation=hints[parameter.name]))
            continue
        annotations = get_type_hints(kind, include_extras=True)
        parameters += [
            inspect.Parameter(
                field.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=field.default,
                annotation=annotations[field.name],
            )
            for field in fields(kind)
        ]

    @wraps(command)
    def run(**given: Any) -> None:
        made = {
            name: kind(**{field.name: given.pop(field.name) for field in fields(kind)})
            for name, kind in groups.items()
        }
        command(**given, **made)

    vars(run)["__signature__"] = inspect.Signature(parameters)  # where typer looks
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def is_given(ctx: typer.Context, name: str) -> bool:
    """Return whether the option of that parameter stands on the command line."""
    source = ctx.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def option(help: str, *flags: str, panel: str | None = None, **more: Any) -> Any:
    """Return an option; `panel` is its heading in the help."""
    return typer.Option(*flags, help=help, rich_help_panel=panel, **more)


def output(help: str, metavar: str = "FILE") -> Any:
    """Return the option ``--output`` of a command."""
    return typer.Option("--output", "-o", metavar=metavar, help=help, rich_help_panel=OUTPUT)


def number(help: str, *flags: str, least: int = 0, panel: str | None = None) -> Any:
    """Return an option whose value is a whole number, `least` or more."""
    return typer.Option(*flags, metavar="N", min=least, help=help, rich_help_panel=panel)


def duration(help: str, *flags: str, panel: str | None = None) -> Any:
    """Return an option whose value is a duration such as ``10s``."""
    return typer.Option(*flags, metavar="TIME", parser=values.duration, help=help, rich_help_panel=panel)


def density(panel: str | None = None) -> Any:
    """Return the option for the share of filled cells of random images."""
    return typer.Option(
        metavar="P", min=0.0, max=1.0, help="Probability that a cell is filled.", rich_help_panel=panel
    )


def count(panel: str | None = None) -> Any:
    """Return the option for the number of puzzles to make."""
    return number("Number of puzzles.", least=1, panel=panel)


def file(help: str, *flags: str, metavar: str = "FILE", panel: str = OUTPUT) -> Any:
    """Return an option that names what is written beside the usual output."""
    return typer.Option(*flags, metavar=metavar, help=help, rich_help_panel=panel)


def titled(panel: str = OUTPUT) -> Any:
    """Return the option for the title of what is written."""
    return file(
        "Title of a book or page; text at the foot of sheets.", "--title", metavar="TEXT", panel=panel
    )


_FILES = typer.Argument(
    metavar="FILE...", help="Puzzles: files, folders, archives, FILE#3; - is the standard input."
)
_JOBS = "Work on N at a time, one core each."
_SEED = "Seed of every random choice; the same seed gives the same result."

Files = Annotated[list[str], _FILES]
FilesOrNone = Annotated[list[str] | None, _FILES]
InputFormat = Annotated[
    str | None,
    option(
        "Format of the input, if it is not recognised.",
        "--from",
        metavar="FORMAT",
        autocompletion=complete_format,
        panel=INPUT,
    ),
]
PuzzleSize = Annotated[
    values.Size | None,
    option(
        "Size of the puzzles in a tournament file, if they are not square.",
        metavar="ROWSxCOLUMNS",
        parser=values.grid_size,
        panel=INPUT,
    ),
]
Cell = Annotated[
    values.Size | None,
    option(
        "Pixels of a cell in a picture: 8, or 8x10 for 8 rows of 10; 1: each pixel is a cell.  "
        "[default: as found]",
        metavar="N|HxW",
        parser=values.cell_size,
        panel=INPUT,
    ),
]
Invert = Annotated[bool, option("The dark colour of a picture is the background.", "--invert", panel=INPUT)]
ColumnsFirst = Annotated[
    bool,
    option(
        "The clues that come first are those of the columns, in lists that do not say it.",
        "--columns-first",
        panel=INPUT,
    ),
]
Transpose = Annotated[
    bool, option("Exchange rows and columns of any puzzle that was read.", "--transpose", panel=INPUT)
]
Selection = Annotated[
    range | None,
    option(
        "Only these puzzles of each FILE; the first is 1. Slices count from 0, as in Python: 0:10.",
        metavar="N|A-B|A-|A:B",
        parser=values.selection,
    ),
]

Spec = Annotated[
    str,
    option(
        "Backend to use: name, name:key=value,key=value or ./program.yaml; see nonocsp backends.",
        "--backend",
        "-b",
        metavar="SPEC",
        autocompletion=complete_backend,
    ),
]
Bound = Annotated[
    int | None,
    option(
        "Largest number of solutions that --task count looks for, and lists.  [default: all]",
        metavar="N|all",
        parser=values.bound,
        panel=MORE,
    ),
]
Seed = Annotated[int, number(_SEED, panel=MORE)]
SeedOfSet = Annotated[int, number(_SEED)]
SeedOfSome = Annotated[int | None, number(f"{_SEED}  [default: 0]")]
Jobs = Annotated[int, number(_JOBS, "--jobs", "-j", least=1)]
JobsOfConfig = Annotated[int | None, number(f"{_JOBS}  [default: the config's]", "--jobs", "-j", least=1)]
JobsOnCores = Annotated[
    int | None, number(f"{_JOBS}  [default: all cores]", "--jobs", "-j", least=1, panel=MORE)
]
DryRun = Annotated[
    bool, option("Print what would be done and how long it takes, and do nothing.", "--dry-run")
]

WallLimit = Annotated[float | None, duration("Wall limit of each run, such as 10s.", "--limit", "-l")]
TotalTime = Annotated[float | None, duration("Time limit for everything together, such as 20s.", "--time")]
Memory = Annotated[
    int | None,
    option("Memory limit of each run, such as 2GiB.", metavar="SIZE", parser=values.byte_count, panel=MORE),
]

Rows = Annotated[int, number("Rows of each puzzle.", least=1)]
Columns = Annotated[int, number("Columns of each puzzle.", least=1)]
Count = Annotated[int, count()]
Density = Annotated[float, density()]

Proofs = Annotated[
    Path | None, file("Write a proof of each verdict to FOLDER.", "--proof", metavar="FOLDER", panel=MORE)
]
Patterns = Annotated[
    bool,
    option(
        "Hatch each colour in its own way in pictures, to tell colours apart without seeing them.",
        "--patterns",
        panel=MORE,
    ),
]
Title = Annotated[str, titled()]
OutputFormat = Annotated[
    str | None,
    option(
        "Format to write, if the suffix does not name one.",
        "--to",
        metavar="FORMAT",
        autocompletion=complete_format,
        panel=OUTPUT,
    ),
]
Language = Annotated[
    Literal["dimacs", "opb", "flatzinc", "xcsp3", "smt2", "lp"], option("Language to write.", "--to")
]
Encoding = Annotated[
    Literal["order", "direct", "automaton"], option("Encoding of the formula; xcsp3 has none.", "--encoding")
]
Summary = Annotated[bool, option("Print only the totals.", "--summary", panel=OUTPUT)]
Plot = Annotated[Path | None, file("Save a plot: .svg, .png or .pdf.")]
AsJson = Annotated[bool, option("Print one JSON object per line.", "--json", panel=OUTPUT)]
