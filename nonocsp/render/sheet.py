"""Lay out puzzles on sheets to print, and write these as PDF, SVG or PNG.

A page is a drawing in points. Puzzles stand in slots of equal size, arranged so that the smallest cell of all
is as large as possible. Solutions follow on pages of their own, smaller and without clues.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from nonocsp.formats.target import open_target
from nonocsp.model import UsageError
from nonocsp.render import pdf, png, svg
from nonocsp.render.drawing import Drawing, Label
from nonocsp.render.figure import CAPTION, SOFT, Exercise, Figure, Slot, puzzle_figure, solution_figure

MARGIN, GAP, FOOT = 36.0, 14.0, 16.0
SOLUTIONS_PER_PAGE = 12
DPI = 200
"""Resolution of PNG pages."""
SUFFIXES = (".pdf", ".svg", ".png")
_POINT = 25.4 / 72
"""In millimetres."""


class Paper(StrEnum):
    """Sizes of paper."""

    A4 = "a4"
    LETTER = "letter"

    @property
    def size(self) -> tuple[float, float]:
        """(width, height) in points."""
        return (595.28, 841.89) if self is Paper.A4 else (612.0, 792.0)


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The slots of a page."""

    paper: Paper
    across: int
    down: int

    @property
    def slot(self) -> Slot:
        """The size of each, in points."""
        width, height = self.paper.size
        return (
            (width - 2 * MARGIN + GAP) / self.across - GAP,
            (height - 2 * MARGIN - FOOT + GAP) / self.down - GAP,
        )

    @property
    def on_page(self) -> int:
        """Number of slots."""
        return self.across * self.down

    def corner(self, position: int) -> tuple[float, float]:
        """Return the upper left corner of a slot; they are counted row by row from 0."""
        width, height = self.slot
        row, column = divmod(position, self.across)
        return MARGIN + column * (width + GAP), MARGIN + row * (height + GAP)

    def smallest_cell(self, figures: Sequence[Figure]) -> float:
        """Return the side of the smallest cell of all figures, each in a slot."""
        return min(figure.scale(self.slot) * figure.cell for figure in figures)


@dataclass(frozen=True, slots=True)
class Sheets:
    """Pages to print.

    Parameters
    ----------
    pages
        Drawings of the paper's size, in points.
    smallest_cell
        The side of the smallest cell of the puzzles, in millimetres.
    on_page
        Number of slots of a page of puzzles.
    """

    pages: tuple[Drawing, ...]
    smallest_cell: float
    on_page: int

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
    """Return puzzles on sheets.

    Parameters
    ----------
    exercises
        At least one; several are numbered.
    paper
        The size of the pages.
    per_page
        The most puzzles on a page.
    with_solutions
        Whether pages with the known solutions follow.
    has_patterns
        Whether each colour has a hatching of its own.
    title
        At the foot of every page.
    """
    numbers = [f"{i}. " for i in range(1, len(exercises) + 1)] if len(exercises) > 1 else [""]
    numbered = list(zip(exercises, numbers, strict=True))
    puzzles = [puzzle_figure(one, number, has_patterns=has_patterns) for one, number in numbered]
    arrangement = _arranged(puzzles, paper, per_page)
    pages = list(_pages(puzzles, arrangement))
    if with_solutions:
        solved = [solution_figure(one, number, has_patterns=has_patterns) for one, number in numbered]
        known = [figure for figure in solved if figure]
        pages += _pages(known, _arranged(known, paper, max(per_page, SOLUTIONS_PER_PAGE)))
    for number, page in enumerate(pages, start=1):
        words = " · ".join(filter(None, [title, f"{number} / {len(pages)}" if len(pages) > 1 else ""]))
        foot = Label(page.width / 2, page.height - MARGIN, words, CAPTION, SOFT)
        pages[number - 1] = replace(page, labels=(*page.labels, foot))
    return Sheets(tuple(pages), arrangement.smallest_cell(puzzles) * _POINT, arrangement.on_page)


def _arranged(figures: Sequence[Figure], paper: Paper, per_page: int) -> Arrangement:
    """Return the arrangement with the largest cells."""
    count = max(1, min(per_page, len(figures)))
    possible = [Arrangement(paper, across, -(-count // across)) for across in range(1, count + 1)]
    if not figures:
        return possible[0]
    return max(possible, key=lambda arrangement: arrangement.smallest_cell(figures))


def _pages(figures: Sequence[Figure], arrangement: Arrangement) -> Iterator[Drawing]:
    for first in range(0, len(figures), arrangement.on_page):
        drawn = [
            figure.drawn(arrangement.slot).placed(*arrangement.corner(position), 1.0)
            for position, figure in enumerate(figures[first : first + arrangement.on_page])
        ]
        boxes = tuple(box for part in drawn for box in part.boxes)
        strokes = tuple(stroke for part in drawn for stroke in part.strokes)
        labels = tuple(label for part in drawn for label in part.labels)
        yield Drawing(*arrangement.paper.size, drawn[0].title, boxes, strokes, labels)


def write_sheets(sheets: Sheets, path: Path, *, title: str = "") -> list[Path]:
    """Write sheets: one PDF, or one SVG or PNG a page.

    Parameters
    ----------
    sheets
        At least one page.
    path
        The suffix says which format. The pages of several pictures are numbered before the suffix.
    title
        Of the PDF.

    Returns
    -------
    list[Path]
        The files.

    Raises
    ------
    UsageError
        For another suffix, or if a file cannot be written.
    """
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
