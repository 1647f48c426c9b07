"""Write what a program gets to read, and turn what it printed into grids."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from nonocsp.backends.base import Run, Unsupported
from nonocsp.backends.command.declaration import DIMACS, FLATZINC, Declaration
from nonocsp.backends.command.reading import Reading, read_json, read_text
from nonocsp.formats import formats, write_for_program
from nonocsp.model import Grid, Puzzle, UsageError


class Question(Protocol):
    """A puzzle in the language of a program."""

    settled: Reading | None
    """The answer, if writing the question has settled it already; None if the program has to be asked."""

    def write(self, folder: Path, excluded: list[Grid]) -> Path:
        """Write the file that the program reads, without solutions found already; return its path."""
        ...

    def read(self, output: bytes) -> Reading:
        """Return what the program printed."""
        ...


def question_of(declaration: Declaration, puzzle: Puzzle, run: Run) -> Question:
    """Return a puzzle in the language of a declaration; it may be `Unsupported` there."""
    if declaration.input == DIMACS:
        from nonocsp.backends.command.dimacs import DimacsQuestion

        return DimacsQuestion(declaration, puzzle, run)
    if declaration.input == FLATZINC:
        from nonocsp.backends.command.flatzinc import FlatZincQuestion

        return FlatZincQuestion(declaration, puzzle, run)
    return FileQuestion(declaration, puzzle)


class FileQuestion:
    """The puzzle in a file format of nonocsp.

    Parameters
    ----------
    declaration, puzzle
        See `question_of`.
    """

    settled: Reading | None = None

    def __init__(self, declaration: Declaration, puzzle: Puzzle) -> None:
        self._declaration, self._puzzle = declaration, puzzle
        self._format = next(known for known in formats() if known.name == declaration.input)

    def write(self, folder: Path, excluded: list[Grid]) -> Path:
        """Write the puzzle, and beside it the excluded grids, a text grid each, for ``{found}``."""
        path = folder / f"puzzle{(self._format.suffixes or ('.txt',))[0]}"
        try:
            write_for_program(self._puzzle, path, self._format.name)
        except UsageError as error:
            raise Unsupported(f"the program cannot be given this puzzle: {error}") from None
        if excluded:
            grids = ["\n".join(grid.strings(self._puzzle.palette)) for grid in excluded]
            found_file(folder).write_text("\n\n".join(grids) + "\n", encoding="utf-8")
        return path

    def read(self, output: bytes) -> Reading:
        """Return what the program printed: text or JSON."""
        read = read_json if self._declaration.printed == "json" else read_text
        return read(output, self._puzzle, self._declaration.rules)


def found_file(folder: Path) -> Path:
    """Return the file of the grids that are found already."""
    return folder / "found.grid"
