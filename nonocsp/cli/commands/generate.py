"""``nonocsp generate``: puzzles from a picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from nonocsp.cli.shared import values
from nonocsp.cli.shared.exit_codes import ExitCode
from nonocsp.cli.shared.manual import epilog
from nonocsp.cli.shared.options import OUTPUT, AsJson, Count, JobsOnCores, OutputFormat, Seed, TotalTime

if TYPE_CHECKING:
    from nonocsp.cli.views.generate import Target
    from nonocsp.making.puzzles import Generated
    from nonocsp.model import Puzzle

EPILOG = epilog(
    "nonocsp generate photo.jpg",
    "nonocsp generate photo.jpg --size 30x38 --count 8 --vary 60 --edges only",
    "nonocsp generate cat.png --difficulty 20..30 --clear --output cat.json",
    "nonocsp generate parrot.webp --colours 4 --class fp1 -o parrot.xml",
    "nonocsp generate photo.jpg --count 6 --vary 40 --output photo.html",
    "nonocsp generate --pack --output pack/",
    exits={
        ExitCode.FINE: "all puzzles were made",
        ExitCode.NEGATIVE: "the wished difficulty was not reached; the nearest is given",
        ExitCode.LIMIT: "the time was over before all were made",
    },
    see=("difficulty", "print", "dataset"),
)

PICTURE, WEIGHTS = "Picture", "Weights"

_Size = Annotated[
    values.PictureSize | None,
    typer.Option(
        metavar="ROWSxCOLUMNS",
        parser=values.picture_size,
        help="Of the puzzle; 30x or x38 keeps the picture's aspect.  [default: suits the picture]",
    ),
]
_Difficulty = Annotated[
    values.Bounds | None,
    typer.Option(metavar="A..B", parser=values.bounds, help="Sweeps that it should take, such as 20..30."),
]
_Class = Annotated[
    Literal["simple", "fp1", "unique"],
    typer.Option("--class", help="What must solve it: line solving, probing, or anything."),
]
_Threshold = Annotated[
    Literal["share", "otsu", "adaptive"],
    typer.Option(
        help="What is black: the darkest share, what Otsu's rule says, or what stands out.",
        rich_help_panel=PICTURE,
    ),
]
_Edges = Annotated[
    Literal["none", "only", "both"],
    typer.Option(
        help="Keep dark areas, only their edges, or these and the darker half.",
        rich_help_panel=PICTURE,
    ),
]
_Palette = Annotated[
    str | None,
    typer.Option(
        metavar="A,B,…",
        help="Colours, background first: white,black,#d7191c.",
        rich_help_panel=PICTURE,
    ),
]
_Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="PATH",
        help="Puzzle files or a folder/ of them, .pdf or .svg to print, .html to look at; - is the standard "
        "output.",
        rich_help_panel=OUTPUT,
    ),
]


_Picture = Annotated[
    str | None,
    typer.Argument(
        metavar="PICTURE",
        show_default=False,
        help="An image file; - is the standard input. With --pack, a folder.",
    ),
]
_Pack = Annotated[
    bool,
    typer.Option(
        "--pack",
        help="Make a set, from small and easy to large and hard, of a folder or of thirty drawings of ours.",
    ),
]
_Vary = Annotated[
    int, typer.Option(metavar="N", min=0, help="Cells to change further in each, which makes it easier.")
]
_Black = Annotated[float, typer.Option(metavar="X", help="The share of black to begin with.")]
_Colours = Annotated[
    int,
    typer.Option(
        metavar="N",
        min=0,
        help="How many beside the background; 0: black and white.",
        rich_help_panel=PICTURE,
    ),
]
_Clear = Annotated[bool, typer.Option("--clear", help="Cells may also lose their colour.")]


def _weight(what: str) -> Any:
    return typer.Option(metavar="X", min=0.0, help=f"How much counts {what}.", rich_help_panel=WEIGHTS)


def generate(
    ctx: typer.Context,
    picture: _Picture = None,
    *,
    pack: _Pack = False,
    size: _Size = None,
    count: Count = 1,
    vary: _Vary = 0,
    difficulty: _Difficulty = None,
    class_: _Class = "simple",
    threshold: _Threshold = "share",
    black: _Black = 0.35,
    edges: _Edges = "none",
    colours: _Colours = 0,
    palette: _Palette = None,
    clear: _Clear = False,
    alpha: Annotated[float, _weight("a cell that line solving leaves open")] = 8.0,
    beta: Annotated[float, _weight("resemblance")] = 1.0,
    gamma: Annotated[float, _weight("unlikeness to earlier puzzles")] = 8.0,
    seed: Seed = 0,
    time: TotalTime = None,
    jobs: JobsOnCores = None,
    output: _Output = None,
    output_format: OutputFormat = None,
    as_json: AsJson = False,
) -> None:
    """Make puzzles from a picture: a photo, a drawing, a logo.

    The darkest part becomes black; then cells are changed one by one until line solving finds the solution,
    so that it is the only one, while it still looks like the picture. Every puzzle is proved unique and
    graded. With --vary the last variation of each is given as well.
    """
    from nonocsp.cli.views.generate import Target
    from nonocsp.cli.views.pack import make_pack_of
    from nonocsp.making.api import generate as puzzles_from
    from nonocsp.model import UsageError

    if pack:
        make_pack_of(ctx)
        return
    if picture is None:
        raise UsageError("name a picture; only --pack does without one")
    if Path(picture).is_dir():
        raise UsageError(f"{picture} is a folder; --pack makes a set of its pictures")
    target = Target.of(output, output_format, picture)
    found = puzzles_from(
        picture,
        size=size,
        count=count,
        vary=vary,
        difficulty=difficulty,
        class_=class_,
        threshold=threshold,
        black=black,
        edges=edges,
        colours=colours,
        palette=palette.split(",") if palette else None,
        clear=clear,
        alpha=alpha,
        beta=beta,
        gamma=gamma,
        seed=seed,
        time=time,
        jobs=jobs,
    )
    made: list[Generated] = []
    try:
        for one in found:
            made.append(one)
            _print(one, len(made), as_json=as_json, target=target)
    except KeyboardInterrupt:
        typer.echo(f"{len(made)} of {count} puzzles were made{' and are kept' if target else ''}", err=True)
        raise
    finally:
        if target and made:
            target.save(found.prepared, made)
    raise typer.Exit(_verdict(made, count, difficulty))


def _print(one: Generated, number: int, *, as_json: bool, target: Target | None) -> None:
    """Print a puzzle as JSON, as text, or, if it is saved, what can be said about it in a line."""
    if as_json:
        print(json.dumps(_record(one, number)), flush=True)
        return
    from nonocsp.cli.shared.console import print_grid, printable

    rows, columns = one.puzzle.shape
    missed = "" if one.is_wanted else ", as near as it came to the wish"
    graded = f"{one.class_}, difficulty {one.difficulty}{missed}"
    typer.echo(f"{printable(one.puzzle.title)}: {rows}x{columns}, {graded}", err=target is not None)
    last = one.varied[-1:]
    if target is None and one.puzzle.goal:
        print()
        print_grid(one.puzzle, one.puzzle.goal)
        print()
    for variation in last:
        title = printable(variation.puzzle.title)
        typer.echo(f"{title}: simple, difficulty {variation.difficulty}", err=target is not None)
        if target is None and variation.puzzle.goal:
            print()
            print_grid(variation.puzzle, variation.puzzle.goal)
            print()


def _record(one: Generated, number: int) -> dict[str, Any]:
    """Return the JSON record, with the keys that every report of the project uses."""
    rows, columns = one.puzzle.shape
    return {
        "puzzle": one.puzzle.title,
        "index": number,
        "rows": rows,
        "columns": columns,
        "class": one.class_,
        "sweeps": one.difficulty,
        "wanted": one.is_wanted,
        "solutions": [_strings(one.puzzle)],
        "varied": [
            {"depth": varied.depth, "sweeps": varied.difficulty, "solutions": [_strings(varied.puzzle)]}
            for varied in one.varied
        ],
    }


def _strings(puzzle: Puzzle) -> list[str]:
    return puzzle.goal.strings(puzzle.palette) if puzzle.goal else []


def _verdict(made: list[Generated], count: int, difficulty: tuple[int, int] | None) -> ExitCode:
    """Say what is missing, and return the exit code."""
    missed = sum(not one.is_wanted for one in made)
    if missed and difficulty:
        lowest, highest = difficulty
        what = f"{missed} of {len(made)} puzzles have no difficulty of {lowest}..{highest}"
        typer.echo(f"{what}; try another --edges, --size or --seed, or --clear", err=True)
    if len(made) < count:
        typer.echo(f"the time is over; {len(made)} of {count} puzzles were made", err=True)
        return ExitCode.LIMIT
    return ExitCode.NEGATIVE if missed else ExitCode.FINE
