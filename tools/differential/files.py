"""Compare the backends on hard puzzles, or on all of a size: ``descriptions`` and ``files``.

Limits are enforced from outside, so a backend cannot exceed them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from nonocsp.backends.base import Limits, Request, Task
from nonocsp.backends.registry import canonical_spec, complete_names, split_specs
from nonocsp.bench.agreement import Tally, check_puzzles, save_finding
from nonocsp.formats import NamedPuzzle, load_named
from nonocsp.model import NonocspError
from nonocsp.run.cores import usable_cores
from nonocsp.testing import descriptions
from tools.differential.table import cut_off, faults, is_fault, listed, table

BOUND = 100
"""Puzzles with fewer solutions are compared by their whole sets of solutions."""
CORES = usable_cores()

Backends = Annotated[str, typer.Option(help="Specs; default: every complete backend.")]
Limit = Annotated[float, typer.Option(help="Wall seconds a run.")]
Jobs = Annotated[int, typer.Option(min=1, help="Runs at a time.")]
Save = Annotated[Path, typer.Option(help="Folder for puzzles that show a fault.")]


def descriptions_main(
    *,
    backends: Backends = "",
    limit: Limit = 60.0,
    jobs: Jobs = CORES,
    save: Save = Path("failures"),
) -> None:
    """Have all backends count the solutions of every description of 4x4, and compare the sets."""
    request = Request(Task.COUNT, Limits(wall=limit), bound=BOUND)
    _conclude(_compare(every_4x4(), backends, request, jobs, save))


def files_main(
    folder: Annotated[Path, typer.Argument(help="Every puzzle file below this folder.")],
    *,
    thin: Annotated[int, typer.Option(min=1, help="Take one of every N puzzles of a tournament set.")] = 20,
    backends: Backends = "",
    limit: Limit = 60.0,
    jobs: Jobs = CORES,
    save: Save = Path("failures"),
) -> None:
    """Have all backends decide the puzzles of files."""
    refused: list[str] = []
    request = Request(Task.DECIDE, Limits(wall=limit))
    tally = _compare(puzzles_below(folder, thin, refused), backends, request, jobs, save)
    print("\n".join(listed("No puzzle", refused)))
    _conclude(tally)


def every_4x4() -> Iterator[NamedPuzzle]:
    """Yield every description of 4x4 that has a solution."""
    for index, (puzzle, _) in enumerate(descriptions(4, 4), start=1):
        yield NamedPuzzle(f"4x4#{index}", index, puzzle)


def puzzles_below(folder: Path, thin: int, refused: list[str]) -> Iterator[NamedPuzzle]:
    """Yield the puzzles of all files below a folder, of tournament sets one in `thin`.

    A file without a puzzle is added to `refused`, with the reason. Images are left out: they show drawn
    puzzles and would be read as puzzles of hundreds of lines.
    """
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".png"):
        step = thin if path.parent.name == "tournament" else 1
        try:
            yield from islice(load_named(path, name=str(path.relative_to(folder))), 0, None, step)
        except NonocspError as error:
            refused.append(str(error))


def _compare(sources: Iterable[NamedPuzzle], backends: str, request: Request, jobs: int, save: Path) -> Tally:
    """Compare, and print Markdown, also after Ctrl-C."""
    specs = [canonical_spec(spec) for spec in split_specs(backends)] or complete_names()
    tally, notes = Tally(specs), list[str]()
    with Console(stderr=True).status("starting") as progress:
        try:
            for checked in check_puzzles(sources, specs, request, jobs=jobs):
                tally.add(checked)
                progress.update(str(tally))
                notes += [*faults(checked), *cut_off(checked)]
                if not checked.is_sound:
                    notes.append(f"{checked.source.name}: saved as {save_finding(checked, save)}")
        except KeyboardInterrupt:
            notes.append("stopped")
    print("\n".join([*table(tally), "", *listed("Remarks", notes)]))
    return tally


def _conclude(tally: Tally) -> None:
    raise typer.Exit(1 if is_fault(tally) else 0)
