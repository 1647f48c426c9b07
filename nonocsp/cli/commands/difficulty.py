"""``nonocsp difficulty``: how hard puzzles are, one by one and as a set."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Annotated

import typer

from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared import values
from nonocsp.cli.shared.console import PROSE, counted, facts, json_line, print_rows, printable
from nonocsp.cli.shared.endings import ExitCode
from nonocsp.cli.shared.manual import command, command_line
from nonocsp.cli.shared.puzzles import Choice, beside, resumable

if TYPE_CHECKING:
    from nonocsp.formats import NamedPuzzle
    from nonocsp.grading.meter import Difficulty
    from nonocsp.grading.sets import Graded, Statistics
    from nonocsp.model import Puzzle


_NAME = 22
"""Longest name of a puzzle in a table."""
app = command_line()


@command(
    app,
    "nonocsp difficulty cat.non",
    "nonocsp difficulty --jobs 2 --csv set.csv --plot set.svg set.txt.gz",
    "nonocsp difficulty --summary --sample 100 --seed 1 puzzles.zip",
    "nonocsp difficulty --random 25x25 --density 0.5 --count 1000 --summary",
    "nonocsp difficulty --map sweeps.svg cat.non",
    "nonocsp difficulty --depth 3 --limit 10min --json cat.non",
    fine="every puzzle has exactly one solution",
    negative="a puzzle has no solution, or several",
    limit="a limit left a puzzle undecided",
    see="explain, census, print",
)
@opt.grouped
def difficulty(
    files: opt.FilesOrNone = None,
    *,
    random: Annotated[
        values.Size | None,
        opt.option(
            "Grade random images of this size instead of files.",
            "--random",
            metavar="ROWSxCOLUMNS",
            parser=values.grid_size,
            panel=opt.RANDOM,
        ),
    ] = None,
    density: Annotated[float, opt.density(opt.RANDOM)] = 0.5,
    count: Annotated[int, opt.count(opt.RANDOM)] = 100,
    colours: Annotated[int, opt.number("Number of foreground colours.", least=1, panel=opt.RANDOM)] = 1,
    seed: opt.Seed = 0,
    depth: Annotated[int, opt.number("Levels of nested what-if to try.", panel=opt.MORE)] = 2,
    limit: opt.WallLimit = None,
    jobs: opt.Jobs = 1,
    summary: opt.Summary = False,
    csv: Annotated[
        Path | None, opt.file("Write all figures as a table, one row per puzzle.", "--csv")
    ] = None,
    plot: opt.Plot = None,
    map_file: Annotated[
        Path | None,
        opt.file("Write the number of the sweep that fixes each cell: .txt, .svg or .png.", "--map"),
    ] = None,
    choice: Choice,
    as_json: opt.AsJson = False,
) -> None:
    """Grade how hard puzzles are.

    The difficulty of a simple puzzle is the number of sweeps, rows first, that line solving takes. The class
    names the weakest method that solves a puzzle: trivial, simple, 2-sat, fp1, fp2, fp3, k-deep or beyond; or
    it is multiple, unsat or unknown.
    """
    from nonocsp.cli.shared.saving import check_folder, refuse_inputs, saving
    from nonocsp.datasets import random_set
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
            encoders = {suffix: partial(_map, suffix=suffix) for suffix in (".txt", ".svg", ".png")}
            sources = _mapped(sources, stack.enter_context(saving(map_file, files or [], encoders, "--map")))
        try:
            for one in _graded(sources, depth, limit, jobs, count if random else None):
                graded.append(one)
                if as_json and not summary:
                    print(json_line(one.record()), flush=True)
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


def _mapped(sources: Iterable[NamedPuzzle], write: Callable[[NamedPuzzle], None]) -> Iterator[NamedPuzzle]:
    """Yield puzzles, and write the map of each before it is graded."""
    for source in sources:
        write(source)
        yield source


def _graded(
    sources: Iterable[NamedPuzzle], depth: int, limit: float | None, jobs: int, total: int | None
) -> Iterator[Graded]:
    from nonocsp.grading.sets import Graded, grade_all
    from nonocsp.run.many import with_progress

    def grade(puzzles: Iterable[Puzzle]) -> Generator[Difficulty, None, None]:
        return with_progress(grade_all(puzzles, jobs=jobs, wall=limit, deepest=depth), total)

    with closing(beside(sources, grade)) as pairs:
        for source, found in pairs:
            yield Graded.of(source, found)


def _show(graded: Sequence[Graded], *, summary: bool, as_json: bool) -> None:
    """Print the table and the figures of the set, or the details of a single puzzle."""
    from nonocsp.grading.sets import Statistics

    if as_json:
        if summary:
            print(json.dumps(Statistics.of(graded).record()))
    elif len(graded) == 1 and not summary:
        _print_details(graded[0])
    elif graded:
        if not summary:
            _print_set(graded)
        _print_summary(Statistics.of(graded))


def _write_files(graded: Sequence[Graded], csv: Path | None, plot: Path | None) -> None:
    from nonocsp.grading.sets import INCHES, draw, write_table
    from nonocsp.render.plot import write_plot

    if csv:
        with csv.open("w", encoding="utf-8", newline="") as file:
            write_table(graded, file)
    if plot:
        write_plot(plot, lambda figure: draw(figure, graded), inches=INCHES)


def _print_set(graded: Sequence[Graded]) -> None:
    """Print one row per puzzle; long names lose their beginning."""
    heads = ("puzzle", "size", "level", "class", "sweeps", "columns\nfirst", "settles", "unknown")
    rows = []
    for one in graded:
        found, name = one.difficulty, printable(one.name)
        short = name if len(name) <= _NAME else f"…{name[1 - _NAME :]}"
        figures = found.sweeps, found.sweeps_columns_first, found.useful_settles
        said = (found.level or "", found.label, *map(str, figures), f"{found.unknown:.1%}")
        rows.append((short, f"{one.rows}x{one.columns}", *said))
    print_rows(heads, rows, texts=4)


def _print_details(one: Graded) -> None:
    """Print everything about one puzzle, one figure per line."""
    found = one.difficulty
    print(f"{printable(one.name)}: {one.rows}x{one.columns}")
    lines = {
        "level": found.level_text,
        "class": found.label,
        "context": found.context.text if found.context else "",
        "sweeps": f"{found.sweeps} rows first, {found.sweeps_columns_first} columns first",
        "cells fixed": f"{' '.join(map(str, found.cells_per_sweep))} (in each sweep)",
        "settles": f"{found.useful_settles} line visits that helped",
        "unknown": f"{found.unknown:.1%} of the cells, after line solving",
        "clues alone": f"{_facts(found.facts.rows, 'row')}; {_facts(found.facts.columns, 'column')}",
        "note": found.message,
    }
    print(facts(lines))


def _facts(facts: Sequence[str], line: str) -> str:
    """Return the number of lines of an axis by what their clues alone decide."""
    said = {"fixed": "fully", "partly": "partly", "silent": "not at all"}
    (count, what), *others = [(facts.count(fact), what) for fact, what in said.items() if fact in facts]
    first = f"{count} {line}{'s' * (count > 1)} {what}"
    return ", ".join([first, *(f"{count} {what}" for count, what in others)])


def _print_summary(figures: Statistics) -> None:
    from nonocsp.grading.classes import DifficultyClass
    from nonocsp.grading.levels import Level

    total = figures.classes.total()
    classes = [f"{figures.classes[class_]} {class_}" for class_ in DifficultyClass if figures.classes[class_]]
    levels = [f"{figures.levels[level]} {level}" for level in Level if figures.levels[level]]
    levels += [f"{figures.levels[None]} without a level"] * bool(figures.levels[None])
    print(fill(f"{counted(total, 'puzzle')}: {', '.join(levels)}", PROSE))
    print(fill(f"classes: {', '.join(classes)}", PROSE))
    if several := figures.classes[DifficultyClass.MULTIPLE]:
        print(f"contextually solvable: {figures.contextual} of {several} with several solutions")
    unknown = f"{figures.mean_unknown:.2%} of cells"
    print(f"simple: {figures.simple_share:.2%}; unknown after line solving: {unknown}")
    if sweeps := figures.sweeps:
        print(f"difficulty of the simple puzzles: mean {figures.mean_sweeps:.2f}, maximum {max(sweeps)}")


def _map(source: NamedPuzzle, *, suffix: str) -> bytes:
    """Return the number of the sweep that fixes each cell; black cells are marked, open ones have a ?."""
    from nonocsp.cli.shared.saving import picture_bytes
    from nonocsp.engine import LineSolver
    from nonocsp.grading.sweeps import sweep_map
    from nonocsp.model import Grid
    from nonocsp.render.drawing import draw
    from nonocsp.render.plain import numbered

    numbers, grid = sweep_map(source.puzzle), Grid(LineSolver(source.puzzle).propagate().candidates)
    if suffix == ".txt":
        return f"{printable(source.name)}:\n{numbered(source.puzzle, grid, numbers)}\n\n".encode()
    return picture_bytes(draw(source.puzzle, grid, numbers=numbers), suffix)
