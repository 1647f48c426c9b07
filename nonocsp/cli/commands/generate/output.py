"""Print generated puzzles, and save them: as puzzle files, a folder, sheets, or a gallery."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from nonocsp.cli.shared.console import counted, print_grid, printable
from nonocsp.cli.shared.endings import ExitCode
from nonocsp.cli.shared.saving import check_folder, refuse_inputs, save_picture, save_sheets
from nonocsp.formats import format_to_write, save
from nonocsp.making.likeness import changed_cells
from nonocsp.model import UsageError

if TYPE_CHECKING:
    from nonocsp.formats import Format
    from nonocsp.making.cells import Mask
    from nonocsp.making.image import Prepared
    from nonocsp.making.puzzles import Generated, Production, PuzzleOptions
    from nonocsp.model import Puzzle

FOLDER_FORMAT = "json"
"""Default format of the files of a folder."""
LISTED = 8
"""Changed cells that the text lists."""
_PAGES = (".pdf", ".svg", ".html")
"""Suffixes of sheets to print, and of a gallery."""


def print_made(one: Generated, number: int, *, is_drawing: bool, as_json: bool, is_saved: bool) -> None:
    """Print a puzzle, what was changed to make it, and its last variation."""
    if as_json:
        print(json.dumps(_record(one, number)), flush=True)
        return
    rows, columns = one.puzzle.shape
    missed = "" if one.is_wanted else ", the closest to what was wanted"
    grade = f"{rows}x{columns}, {one.level}, {one.class_}, difficulty {one.difficulty}{missed}"
    typer.echo(f"{printable(one.puzzle.title)}: {grade}", err=is_saved)
    for line in _changes(one, is_drawing):
        typer.echo(f"  {line}", err=is_saved)
    if not is_saved:
        _print_solution(one.puzzle, changed_cells(one.changes, one.puzzle.shape))
    for varied in one.varied[-1:]:
        title = printable(varied.puzzle.title)
        typer.echo(f"{title}: {varied.level}, simple, difficulty {varied.difficulty}", err=is_saved)
        if not is_saved:
            _print_solution(varied.puzzle, None)


def _changes(one: Generated, is_drawing: bool) -> list[str]:
    """Return what was changed: how many cells, and which if they are few."""
    if not one.changes:
        return [f"unique as {'drawn' if is_drawing else 'prepared'}: nothing was changed"]
    count = len(one.changes)
    cells = "1 cell of the picture is" if count == 1 else f"{count} cells of the picture are"
    lines = [f"{cells} changed, likeness {one.likeness:.2f}"]
    if count > LISTED:
        return [f"{lines[0]}; --json lists them"]
    return lines + [change.text(one.puzzle.palette) for change in one.changes]


def _print_solution(puzzle: Puzzle, marked: Mask | None) -> None:
    if puzzle.goal:
        print()
        print_grid(puzzle, puzzle.goal, marked=marked)
        print()


def conclude(found: Production, made: Sequence[Generated], options: PuzzleOptions) -> ExitCode:
    """Say on standard error what was wanted and not made, and return the exit code."""
    total = counted(len(made), "puzzle")
    most = options.max_changes
    if most is not None and (over := sum(len(one.changes) > most for one in made)):
        typer.echo(f"{over} of {total} changed more than {most} cells; no closer one was found", err=True)
    if options.difficulty and (missed := sum(options.missed_by(one) > 0 for one in made)):
        wanted = options.difficulty
        target = wanted if isinstance(wanted, str) else f"{wanted[0]}..{wanted[1]}"
        what = f"{missed} of {total} missed the target {target}"
        typer.echo(f"{what}; try another --edges, --size or --seed", err=True)
    if len(made) == options.count:
        return ExitCode.FINE if all(one.is_wanted for one in made) else ExitCode.NEGATIVE
    if found.shortage:
        typer.echo(f"{found.shortage}; allow more --max-changes or a smaller --apart", err=True)
        return ExitCode.NEGATIVE
    typer.echo(f"time is up: {len(made)} of {options.count} puzzles were made", err=True)
    return ExitCode.LIMIT


def check_comparison(path: Path, picture: str) -> None:
    """Raise UsageError unless a picture of before and after can be saved."""
    if path.suffix.lower() not in (".svg", ".png"):
        raise UsageError(f"--compare {path}: expected a file that ends in .svg or .png")
    refuse_inputs(path, [picture], "--compare")
    check_folder(path)


def save_comparison(path: Path, prepared: Prepared, made: Sequence[Generated]) -> None:
    """Save the prepared picture beside the puzzles, the changed cells framed."""
    from nonocsp.model import Grid
    from nonocsp.render.drawing import draw, side_by_side

    drawing = draw(made[0].puzzle, Grid.from_cells(prepared.start), has_clues=False)
    for one in made:
        marked = changed_cells(one.changes, one.puzzle.shape)
        drawing = side_by_side(drawing, draw(one.puzzle, one.puzzle.goal, has_clues=False, marked=marked))
    save_picture(drawing, path)
    typer.echo(f"{path}: before and after", err=True)


def _record(one: Generated, number: int) -> dict[str, Any]:
    """Return the JSON record, with the keys that every report of the project uses."""
    rows, columns = one.puzzle.shape
    return {
        "puzzle": one.puzzle.title,
        "index": number,
        "rows": rows,
        "columns": columns,
        "level": str(one.level),
        "class": one.class_,
        "sweeps": one.difficulty,
        "wanted": one.is_wanted,
        "changes": [change.record(one.puzzle.palette) for change in one.changes],
        "likeness": round(one.likeness, 3),
        "solutions": [_strings(one.puzzle)],
        "varied": [
            {"depth": varied.depth, "sweeps": varied.difficulty, "solutions": [_strings(varied.puzzle)]}
            for varied in one.varied
        ],
    }


def _strings(puzzle: Puzzle) -> list[str]:
    return puzzle.goal.strings(puzzle.palette) if puzzle.goal else []


@dataclass(frozen=True, slots=True)
class Target:
    """Where puzzles are saved, and how."""

    path: str
    format: Format | None  # of puzzle files; None for a page

    @classmethod
    def of(cls, path: str | None, format: str | None, picture: str) -> Target | None:
        """Return the target, checked before anything is made."""
        if path is None:
            if format:
                raise UsageError(f"--to {format} says how to write, --output where; give both")
            return None
        refuse_inputs(Path(path), [picture], "--output")
        if is_folder(path):
            return cls(path, format_to_write(path, format or FOLDER_FORMAT))
        check_folder(Path(path))
        if Path(path).suffix.lower() not in _PAGES:
            return cls(path, format_to_write(path, format))
        if format:
            raise UsageError(f"--to {format} is for puzzle files; {path} is a page")
        return cls(path, None)

    def save(self, prepared: Prepared, made: Sequence[Generated]) -> None:
        """Save the puzzles, each followed by its last variation."""
        path = Path(self.path)
        puzzles = [puzzle for one in made for puzzle in puzzles_of(one)]
        if not self.format:
            if path.suffix.lower() == ".html":
                from nonocsp.making.gallery import write_gallery

                write_gallery(path, prepared, made)
            else:
                _write_sheets(path, made)
        elif is_folder(self.path):
            from nonocsp.making.pack import write_folder

            write_folder(puzzles, path, self.format)
        elif len(puzzles) == 1 or self.format.holds_many:
            save(puzzles, self.path, format=self.format.name)
        else:
            stem, dot, suffixes = path.name.partition(".")
            for number, puzzle in enumerate(puzzles, start=1):
                numbered = "-" if self.path == "-" else path.with_name(f"{stem}-{number}{dot}{suffixes}")
                save(puzzle, numbered, format=self.format.name)


def puzzles_of(one: Generated) -> list[Puzzle]:
    """Return a puzzle and its last variation: what is saved."""
    return [one.puzzle, *(varied.puzzle for varied in one.varied[-1:])]


def is_folder(path: str) -> bool:
    """Whether an output is a folder: it exists, or ends as one."""
    return Path(path).is_dir() or path.endswith((os.sep, "/"))


def _write_sheets(path: Path, made: Sequence[Generated]) -> None:
    """Write sheets to print, with the puzzles, their levels and their solutions."""
    from nonocsp.render.figure import Exercise, caption
    from nonocsp.render.sheet import sheets

    exercises = []
    for one in made:
        graded = [(one.puzzle, one.level)]
        graded += [(varied.puzzle, varied.level) for varied in one.varied[-1:]]
        for puzzle, level in graded:
            below = caption(puzzle.shape, str(level))
            exercises.append(Exercise(puzzle, puzzle.title, below, puzzle.goal, level=str(level)))
    save_sheets(sheets(exercises, with_solutions=True), path)
