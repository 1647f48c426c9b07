"""Lay out puzzles on sheets to print, and write these as PDF, SVG or PNG.

A page is a drawing in points. Puzzles stand in slots of equal size, arranged so that the smallest cell of all
is as large as possible. Solutions follow on pages of their own, smaller and without clues.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nonocsp.formats.target import open_target
from nonocsp.model import UsageError
from nonocsp.render import pdf, png, svg
from nonocsp.render.drawing import Drawing
from nonocsp.render.figure import Exercise, puzzle_figure, solution_figure
from nonocsp.render.paper import POINT, Paper, Spread, bound, spreads, with_feet

SOLUTIONS_PER_PAGE = 12
DPI = 200
"""Resolution of PNG pages."""
SUFFIXES = (".pdf", ".svg", ".png")


@dataclass(frozen=True, slots=True)
class Sheets:
    """Pages to print."""

    pages: tuple[Drawing, ...]  # drawings of the paper's size, in points
    smallest_cell: float  # the side of the smallest cell of the puzzles, in millimetres
    on_page: int  # number of slots of the page of puzzles with the smallest cell

    @property
    def texts(self) -> Iterator[str]:
        """All texts of the pages."""
        return (label.text for page in self.pages for label in page.labels)


def sheets(
    exercises: Sequence[Exercise],
    *,
    paper: Paper = Paper.A4,
    per_page: int = 4,
    with_solutions: bool = False,
    has_patterns: bool = False,
    title: str = "",
) -> Sheets:
    """Return puzzles on sheets."""
    headings = [f"{i}. " for i in range(1, len(exercises) + 1)] if len(exercises) > 1 else [""]
    figures = [
        puzzle_figure(one, heading, has_patterns=has_patterns)
        for one, heading in zip(exercises, headings, strict=True)
    ]
    puzzles = list(spreads([*enumerate(figures)], paper, per_page))
    solutions = solution_spreads(exercises, headings, paper, per_page, has_patterns) if with_solutions else []
    arrangement = puzzles[0].arrangement
    cell = arrangement.smallest_cell(figures) * POINT
    return Sheets(with_feet(bound(puzzles, solutions), title), cell, arrangement.on_page)


def solution_spreads(
    exercises: Sequence[Exercise], headings: Sequence[str], paper: Paper, per_page: int, has_patterns: bool
) -> list[Spread]:
    """Return pages with the known solutions."""
    solved = [
        solution_figure(one, heading, has_patterns=has_patterns)
        for one, heading in zip(exercises, headings, strict=True)
    ]
    known = [(number, figure) for number, figure in enumerate(solved) if figure]
    return list(spreads(known, paper, max(per_page, SOLUTIONS_PER_PAGE)))


def write_sheets(sheets: Sheets, path: Path, *, title: str = "") -> list[Path]:
    """Write sheets: one PDF, or one SVG or PNG a page."""
    check_suffix(path)
    match path.suffix.lower():
        case ".pdf":
            contents = [pdf.to_pdf(sheets.pages, title=title)]
        case ".svg":
            contents = [svg.document(page, "pt").encode() for page in sheets.pages]
        case _:
            contents = [png.file(page, dpi=DPI) for page in sheets.pages]
    paths = [path]
    if len(contents) > 1:
        paths = [path.with_stem(f"{path.stem}-{number}") for number in range(1, len(contents) + 1)]
    for file, content in zip(paths, contents, strict=True):
        with open_target(file) as stream:
            stream.write(content)
    return paths


def check_suffix(path: Path) -> None:
    """Raise UsageError if sheets cannot be written to such a file."""
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError(f"{path}: sheets are written as {', '.join(SUFFIXES)}")
