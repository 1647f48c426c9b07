"""Do all backends agree? On random grids, on every description of 4x4, on every puzzle file of a folder.

``python -m benchmarks agreement`` has every complete backend count the solutions of 10 000 random grids of 5
to 12 lines in one to three colours, and compares the sets. ``--every-4x4`` does so with the descriptions of
4x4, ``--datasets FOLDER`` has them decide what the files below a folder hold. Prints Markdown: what was
found, how the runs of each backend ended, and which were cut off. The exit code is 1 if anything does not
fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console

from nonocsp.backends.base import Answer, Limits, Request, Task, Termination
from nonocsp.backends.registry import canonical_spec, complete_names, split_specs
from nonocsp.bench.checking import Checked, Finding, Tally, check_puzzles, ended_how, save_finding
from nonocsp.environment import usable_cores
from nonocsp.formats import NamedPuzzle, load_named
from nonocsp.model import Grid, NonocspError, Palette, Puzzle
from nonocsp.testing import descriptions

BOUND = 100
"""Of puzzles with fewer solutions the whole sets are compared."""

COLUMNS = (
    *(Answer.UNSAT, Answer.UNIQUE, Answer.MULTIPLE, Answer.PARTIAL, Answer.UNKNOWN),
    *(Termination.WALL, Termination.CPU, Termination.MEMORY, Termination.UNSUPPORTED, Termination.CRASHED),
)
CUT_OFF = (Termination.WALL, Termination.CPU, Termination.MEMORY)


def random_puzzles(count: int, seed: int = 0) -> Iterator[NamedPuzzle]:
    """Yield puzzles of random images: 5 to 12 rows and columns, one to three colours, 30 to 80 % filled."""
    random = np.random.default_rng(seed)
    for index in range(1, count + 1):
        rows, columns = random.integers(5, 13, 2)
        colours, density = int(random.integers(1, 4)), random.uniform(0.3, 0.8)
        filled = random.random((rows, columns)) < density
        cells = random.integers(1, colours + 1, (rows, columns)) * filled
        puzzle = Puzzle.from_grid(Grid.from_cells(cells), palette=Palette.of(colours))
        yield NamedPuzzle(f"random#{index}", index, replace(puzzle, goal=None))


def every_4x4() -> Iterator[NamedPuzzle]:
    """Yield every description of 4x4 that has a solution."""
    for index, (puzzle, _) in enumerate(descriptions(4, 4), start=1):
        yield NamedPuzzle(f"4x4#{index}", index, puzzle)


def puzzles_below(folder: Path, thin: int, refused: list[str]) -> Iterator[NamedPuzzle]:
    """Yield the puzzles of all files below a folder, of tournament sets one in `thin`.

    What is no puzzle is added to `refused`, with the reason. Images are left out: they are drawings
    of puzzles, which would be read as puzzles of hundreds of lines.
    """
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".png"):
        step = thin if path.parent.name == "tournament" else 1
        try:
            yield from islice(load_named(path, name=str(path.relative_to(folder))), 0, None, step)
        except NonocspError as error:
            refused.append(str(error))


def main(
    *,
    puzzles: Annotated[int, typer.Option(min=0, help="Random puzzles.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Of the random puzzles.")] = 0,
    every: Annotated[bool, typer.Option("--every-4x4", help="Every description of 4x4 instead.")] = False,
    datasets: Annotated[
        Path | None, typer.Option(help="Every puzzle file below this folder instead.")
    ] = None,
    thin: Annotated[int, typer.Option(min=1, help="Take one in so many of a tournament set.")] = 20,
    limit: Annotated[float, typer.Option(help="Wall seconds a run.")] = 60.0,
    backends: Annotated[str, typer.Option(help="Specs; default: every complete backend.")] = "",
    jobs: Annotated[int, typer.Option(min=1, help="Runs at a time.")] = usable_cores(),
    save: Annotated[Path, typer.Option(help="Where puzzles go that show a fault.")] = Path("failures"),
) -> None:
    """Compare the answers of all backends and print Markdown."""
    refused: list[str] = []
    request = Request(Task.COUNT, Limits(wall=limit), bound=BOUND)
    if datasets:
        sources, request = puzzles_below(datasets, thin, refused), replace(request, task=Task.DECIDE)
    else:
        sources = every_4x4() if every else random_puzzles(puzzles, seed)
    specs = [canonical_spec(spec) for spec in split_specs(backends)] or complete_names()
    tally, notes = Tally(specs), list[str]()
    progress = Console(stderr=True).status("starting")
    progress.start()
    try:
        for checked in check_puzzles(sources, specs, request, jobs=jobs):
            tally.add(checked)
            progress.update(str(tally))
            notes.extend(remarks(checked))
            if not checked.is_sound:
                notes.append(f"{checked.source.name}: saved as {save_finding(checked, save)}")
    finally:  # what was found by then is worth having
        progress.stop()
        print("\n".join([*table(tally), "", *listed("Remarks", notes), *listed("No puzzle", refused)]))
    faults = tally.findings[Finding.DISAGREED] + tally.findings[Finding.BROKEN]
    raise typer.Exit(1 if faults else 0)


def table(tally: Tally) -> Iterator[str]:
    """Yield the sum of everything, and how the runs of each backend ended, as a Markdown table."""
    shown = [column for column in COLUMNS if any(ended[column] for ended in tally.ended.values())]
    yield f"{tally}\n"
    yield f"| backend | {' | '.join(shown)} | seconds |"
    yield "|---" * (2 + len(shown)) + "|"
    for backend, ended in tally.ended.items():
        counts = " | ".join(str(ended[column]) for column in shown)
        yield f"| `{backend}` | {counts} | {tally.wall_s[backend]:.1f} |"


def remarks(checked: Checked) -> Iterator[str]:
    """Yield what does not fit, and what was cut off."""
    yield from (f"DISAGREEMENT {disagreement}" for disagreement in checked.disagreements)
    for backend, outcome in checked.outcomes.items():
        if outcome.termination is Termination.CRASHED:
            yield f"BROKEN {checked.source.name}: {backend}: {outcome.message}"
        elif outcome.termination in CUT_OFF:
            rows, columns = checked.source.puzzle.shape
            yield f"{checked.source.name} ({rows}x{columns}): {backend} {ended_how(outcome)}"


def listed(title: str, items: Iterable[str]) -> Iterator[str]:
    """Yield a list under a title; nothing for no items."""
    lines = [f"- {item}" for item in items]
    yield from [f"{title}:\n", *lines, ""] if lines else []
