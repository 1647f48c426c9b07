"""What `nonocsp generate` prints, and what it saves: puzzle files, a folder, sheets, or a gallery."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
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
    from nonocsp.render.figure import Exercise

Writer = Callable[[str, "Prepared", Sequence["Generated"]], None]
FOLDER_FORMAT = "json"
"""What the files of a folder are unless asked otherwise."""


def print_made(one: Generated, number: int, *, as_json: bool, is_saved: bool) -> None:
    """Print a puzzle and its last variation.

    Parameters
    ----------
    one
        The puzzle.
    number
        Its place among those that were made, counted from 1.
    as_json
        As a JSON record.
    is_saved
        Only its title, size and grade, on standard error.
    """
    if as_json:
        print(json.dumps(_record(one, number)), flush=True)
        return
    rows, columns = one.puzzle.shape
    missed = "" if one.is_wanted else ", the closest to the target"
    told = [(one.puzzle, f"{rows}x{columns}, {one.class_}, difficulty {one.difficulty}{missed}")]
    told += [(varied.puzzle, f"simple, difficulty {varied.difficulty}") for varied in one.varied[-1:]]
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
    write: Writer

    @classmethod
    def of(cls, path: str | None, format: str | None, picture: str) -> Target | None:
        """Check that it can be written, before anything is made; None for no path.

        Raises
        ------
        UsageError
            For a suffix without a meaning, a format without a path, or with a page; and if the picture itself
            would be replaced.
        """
        if path is None:
            if format:
                raise UsageError(f"--to {format} says how to write, --output where; give both")
            return None
        if Path(path).is_file() and Path(picture).exists() and Path(path).samefile(picture):
            raise UsageError(f"{path} is the picture; --output would replace it")
        if not is_folder(path):
            check_folder(Path(path))
        return cls(path, _writer(path, format))

    def save(self, prepared: Prepared, made: Sequence[Generated]) -> None:
        """Save the puzzles, each followed by its last variation."""
        self.write(self.path, prepared, made)


def _writer(path: str, format: str | None) -> Writer:
    if is_folder(path):
        return partial(_write_folder, format_to_write(path, format or FOLDER_FORMAT))
    page = _PAGES.get(Path(path).suffix.lower())
    if page and format:
        raise UsageError(f"--to {format} is for puzzle files; {path} is a page")
    return page or partial(_write_files, format_to_write(path, format))


def is_folder(path: str) -> bool:
    """Whether an output is a folder: it exists, or ends as one."""
    return Path(path).is_dir() or path.endswith((os.sep, "/"))


def _write_files(format: Format, path: str, _: Prepared, made: Sequence[Generated]) -> None:
    """Write a file, or several, numbered, if it can hold one only."""
    puzzles = list(_puzzles(made))
    if len(puzzles) == 1 or format.holds_many:
        save(puzzles, path, format=format.name)
        return
    for number, puzzle in enumerate(puzzles, start=1):
        save(puzzle, _numbered(path, number), format=format.name)


def _numbered(path: str, number: int) -> str:
    stem, dot, suffixes = Path(path).name.partition(".")
    return path if path == "-" else str(Path(path).with_name(f"{stem}-{number}{dot}{suffixes}"))


def _write_folder(format: Format, path: str, _: Prepared, made: Sequence[Generated]) -> None:
    from nonocsp.making.packs.files import write_folder

    write_folder(_puzzles(made), Path(path), format)


def _write_sheets(path: str, _: Prepared, made: Sequence[Generated]) -> None:
    from nonocsp.cli.commands.print import write
    from nonocsp.render.sheet import sheets

    write(sheets(list(_exercises(made)), with_solutions=True), Path(path))


def _write_gallery(path: str, prepared: Prepared, made: Sequence[Generated]) -> None:
    from nonocsp.making.gallery.page import write_gallery

    write_gallery(Path(path), prepared, made)


_PAGES: dict[str, Writer] = {".pdf": _write_sheets, ".svg": _write_sheets, ".html": _write_gallery}


def _puzzles(made: Sequence[Generated]) -> Iterator[Puzzle]:
    for one in made:
        yield one.puzzle
        yield from (varied.puzzle for varied in one.varied[-1:])


def _exercises(made: Sequence[Generated]) -> Iterator[Exercise]:
    from nonocsp.render.figure import Exercise, caption

    for one in made:
        title, goal = one.puzzle.title, one.puzzle.goal
        yield Exercise(one.puzzle, title, caption(one.puzzle.shape, one.class_, one.difficulty), goal)
        for varied in one.varied[-1:]:
            puzzle = varied.puzzle
            graded = caption(puzzle.shape, "simple", varied.difficulty)
            yield Exercise(puzzle, puzzle.title, graded, puzzle.goal)
