"""``nonocsp difficulty``: how hard puzzles are, one by one and as a set."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nonocsp.cli.shared import values
from nonocsp.cli.shared.exit_codes import ExitCode
from nonocsp.cli.shared.manual import epilog
from nonocsp.cli.shared.options import (
    OUTPUT,
    RANDOM,
    AsJson,
    Count,
    Density,
    Jobs,
    Plot,
    Seed,
    Summary,
    WallLimit,
    grouped,
)
from nonocsp.cli.shared.puzzles import Choice

if TYPE_CHECKING:
    from nonocsp.formats import NamedPuzzle
    from nonocsp.grading.meter import Difficulty
    from nonocsp.grading.sets import Graded
    from nonocsp.model import Puzzle

EPILOG = epilog(
    "nonocsp difficulty cat.non",
    "nonocsp difficulty --jobs 2 --csv set.csv --plot set.svg set.txt.gz",
    "nonocsp difficulty --summary --sample 100 --seed 1 puzzles.zip",
    "nonocsp difficulty --random 25x25 --density 0.5 --count 1000 --summary",
    "nonocsp difficulty --map sweeps.svg cat.non",
    "nonocsp difficulty --depth 3 --limit 10min --json cat.non",
    exits={
        ExitCode.FINE: "every puzzle has exactly one solution",
        ExitCode.NEGATIVE: "a puzzle has no solution, or several",
        ExitCode.LIMIT: "a limit left a puzzle undecided",
    },
    see=("explain", "census", "print"),
)

_Files = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="FILE...",
        help="Puzzles: files, folders, archives, FILE#3; - is the standard input.",
    ),
]
_Random = Annotated[
    values.Size | None,
    typer.Option(
        "--random",
        metavar="ROWSxCOLUMNS",
        parser=values.grid_size,
        help="Grade random images of this size instead of files.",
        rich_help_panel=RANDOM,
    ),
]
_Colours = Annotated[
    int,
    typer.Option(metavar="N", min=1, help="Number of foreground colours.", rich_help_panel=RANDOM),
]
_Depth = Annotated[int, typer.Option(metavar="N", min=0, help="Levels of nested what-if to try.")]
_Csv = Annotated[
    Path | None,
    typer.Option(
        "--csv",
        metavar="FILE",
        help="Write all figures as a table, one row per puzzle.",
        rich_help_panel=OUTPUT,
    ),
]
_Map = Annotated[
    Path | None,
    typer.Option(
        "--map",
        metavar="FILE",
        help="Write the number of the sweep that fixes each cell: .txt, .svg or .png.",
        rich_help_panel=OUTPUT,
    ),
]


@grouped
def difficulty(
    files: _Files = None,
    *,
    random: _Random = None,
    density: Density = 0.5,
    count: Count = 100,
    colours: _Colours = 1,
    seed: Seed = 0,
    depth: _Depth = 2,
    limit: WallLimit = None,
    jobs: Jobs = 1,
    summary: Summary = False,
    csv: _Csv = None,
    plot: Plot = None,
    map_file: _Map = None,
    choice: Choice,
    as_json: AsJson = False,
) -> None:
    """Grade how hard puzzles are.

    The difficulty of a simple puzzle is the number of sweeps, rows first, that line solving takes. The class
    names the weakest method that solves a puzzle: trivial, simple, 2-sat, fp1, fp2, fp3, k-deep or beyond; or
    it is multiple, unsat or unknown.
    """
    from nonocsp.cli.shared.puzzles import resumable
    from nonocsp.cli.shared.saving import check_folder, refuse_inputs, saving
    from nonocsp.datasets.random_images import random_set
    from nonocsp.formats import NamedPuzzle
    from nonocsp.grading.classes import DifficultyClass
    from nonocsp.render.plot import check_plot

    if bool(files) == (random is not None):
        raise typer.BadParameter("give either files or --random ROWSxCOLUMNS")
    if plot:
        check_plot(plot)
        check_folder(plot)
        refuse_inputs(plot, files or [], "--plot")
    if csv:
        refuse_inputs(csv, files or [], "--csv")
        csv.write_text("")  # fails now, not after the computation, if the file cannot be written
    sources: Iterable[NamedPuzzle]
    if random:
        rows, columns = random.rows, random.columns
        made = random_set(seed, count=count, rows=rows, columns=columns, density=density, colours=colours)
        sources = (NamedPuzzle(f"random#{number}", number, puzzle) for number, puzzle in enumerate(made, 1))
    else:
        sources = choice.puzzles(files or [], seed)
    graded: list[Graded] = []
    with ExitStack() as stack:
        done = stack.enter_context(resumable(choice))
        if map_file:
            from nonocsp.cli.views.difficulty import map_encoders

            write = stack.enter_context(saving(map_file, files or [], map_encoders(), "--map"))
            sources = _each_mapped(sources, write)
        try:
            for one in _graded(sources, depth, limit, jobs, count if random else None):
                graded.append(one)
                if as_json and not summary:
                    print(json.dumps(one.record()), flush=True)
                if not random:
                    done(one.name, one.index)
        finally:  # show and keep what was graded even after Ctrl-C or an error
            _show(graded, summary=summary, as_json=as_json)
            _write_files(graded, csv, plot)
    classes = {one.difficulty.class_ for one in graded}
    if DifficultyClass.UNKNOWN in classes:
        raise typer.Exit(ExitCode.LIMIT)
    several_or_none = classes & {DifficultyClass.MULTIPLE, DifficultyClass.UNSAT}
    # A random image may have several solutions; only a puzzle from a file is at fault.
    raise typer.Exit(ExitCode.NEGATIVE if several_or_none and not random else ExitCode.FINE)


def _each_mapped(
    sources: Iterable[NamedPuzzle], write: Callable[[NamedPuzzle], None]
) -> Iterator[NamedPuzzle]:
    """Yield puzzles, and write the map of each before it is graded."""
    for source in sources:
        write(source)
        yield source


def _graded(
    sources: Iterable[NamedPuzzle], depth: int, limit: float | None, jobs: int, total: int | None
) -> Iterator[Graded]:
    from nonocsp.cli.shared.running import beside
    from nonocsp.grading.sets import Graded, grade_all
    from nonocsp.run.many import with_progress

    def grade(puzzles: Iterable[Puzzle]) -> Generator[Difficulty, None, None]:
        return with_progress(grade_all(puzzles, jobs=jobs, wall=limit, deepest=depth), total)

    with closing(beside(sources, grade)) as pairs:
        for source, found in pairs:
            yield Graded.of(source, found)


def _show(graded: Sequence[Graded], *, summary: bool, as_json: bool) -> None:
    """Print the table and the figures of the set, or the details of a single puzzle."""
    from nonocsp.cli.views.difficulty import print_details, print_summary, print_table
    from nonocsp.grading.sets import Statistics

    if as_json:
        if summary:
            print(json.dumps(Statistics.of(graded).record()))
    elif len(graded) == 1 and not summary:
        print_details(graded[0])
    elif graded:
        if not summary:
            print_table(graded)
        print_summary(Statistics.of(graded))


def _write_files(graded: Sequence[Graded], csv: Path | None, plot: Path | None) -> None:
    """Write the table of ``--csv`` and the plot of ``--plot``."""
    from nonocsp.grading.sets import INCHES, draw, write_table
    from nonocsp.render.plot import write_plot

    if csv:
        with csv.open("w", encoding="utf-8", newline="") as file:
            write_table(graded, file)
    if plot:
        write_plot(plot, lambda figure: draw(figure, graded), inches=INCHES)
