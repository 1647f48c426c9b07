"""Print generated puzzles, and save them: as puzzle files, a folder, sheets, or a gallery."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from nonocsp.cli.shared.console import print_grid, printable
from nonocsp.cli.shared.saving import check_folder
from nonocsp.formats import format_to_write, save
from nonocsp.model import UsageError

if TYPE_CHECKING:
    from nonocsp.formats import Format
    from nonocsp.making.init import Prepared
    from nonocsp.making.puzzles import Generated
    from nonocsp.model import Puzzle

FOLDER_FORMAT = "json"
"""Default format of the files of a folder."""
_PAGES = (".pdf", ".svg", ".html")
"""Suffixes of sheets to print, and of a gallery."""


def print_made(one: Generated, number: int, *, as_json: bool, is_saved: bool) -> None:
    """Print a puzzle and its last variation.

    Parameters
    ----------
    one
        The puzzle.
    number
        Its place among those that were made, counted from 1.
    as_json
        Print a JSON record instead of text.
    is_saved
        Print only its title, size and grade, on standard error.
    """
    if as_json:
        print(json.dumps(_record(one, number)), flush=True)
        return
    rows, columns = one.puzzle.shape
    missed = "" if one.is_wanted else ", the closest to the target"
    told = [(one.puzzle, f"{rows}x{columns}, {one.level}, {one.class_}, difficulty {one.difficulty}{missed}")]
    told += [
        (varied.puzzle, f"{varied.level}, simple, difficulty {varied.difficulty}")
        for varied in one.varied[-1:]
    ]
    for puzzle, grade in told:
        typer.echo(f"{printable(puzzle.title)}: {grade}", err=is_saved)
        if puzzle.goal and not is_saved:
            print()
            print_grid(puzzle, puzzle.goal)
            print()


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
    format: Format | None
    """Of puzzle files; None for a page."""

    @classmethod
    def of(cls, path: str | None, format: str | None, picture: str) -> Target | None:
        """Return the target, checked before anything is made.

        Parameters
        ----------
        path
            A file or folder; without one there is no target.
        format
            Name of the format of puzzle files; by default the suffix decides.
        picture
            The file that the puzzles are made from.

        Raises
        ------
        UsageError
            For an unknown suffix, a format without a path or with a page, or a path that is the picture.
        """
        if path is None:
            if format:
                raise UsageError(f"--to {format} says how to write, --output where; give both")
            return None
        if Path(path).is_file() and Path(picture).exists() and Path(path).samefile(picture):
            raise UsageError(f"{path} is the picture; --output would replace it")
        if is_folder(path):
            return cls(path, format_to_write(path, format or FOLDER_FORMAT))
        check_folder(Path(path))
        if Path(path).suffix.lower() not in _PAGES:
            return cls(path, format_to_write(path, format))
        if format:
            raise UsageError(f"--to {format} is for puzzle files; {path} is a page")
        return cls(path, None)

    def save(self, prepared: Prepared, made: Sequence[Generated]) -> None:
        """Save the puzzles, each followed by its last variation.

        Parameters
        ----------
        prepared
            The picture that the puzzles are made from.
        made
            The puzzles.
        """
        path = Path(self.path)
        puzzles = [each for one in made for each in (one.puzzle, *(v.puzzle for v in one.varied[-1:]))]
        if not self.format:
            if path.suffix.lower() == ".html":
                from nonocsp.making.gallery.page import write_gallery

                write_gallery(path, prepared, made)
            else:
                _write_sheets(path, made)
        elif is_folder(self.path):
            from nonocsp.making.packs.files import write_folder

            write_folder(puzzles, path, self.format)
        elif len(puzzles) == 1 or self.format.holds_many:
            save(puzzles, self.path, format=self.format.name)
        else:
            stem, dot, suffixes = path.name.partition(".")
            for number, puzzle in enumerate(puzzles, start=1):
                numbered = "-" if self.path == "-" else path.with_name(f"{stem}-{number}{dot}{suffixes}")
                save(puzzle, numbered, format=self.format.name)


def is_folder(path: str) -> bool:
    """Whether an output is a folder: it exists, or ends as one."""
    return Path(path).is_dir() or path.endswith((os.sep, "/"))


def _write_sheets(path: Path, made: Sequence[Generated]) -> None:
    """Write sheets to print, with the puzzles, their levels and their solutions."""
    from nonocsp.cli.shared.saving import save_sheets
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
