"""Place figures on the pages of a document: slots of equal size, feet with numbers, links between pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from nonocsp.render.drawing import Bookmark, Drawing, Label, Link
from nonocsp.render.figure import CAPTION, HEAD, SOFT, Figure, Slot, cut

MARGIN, GAP, FOOT = 36.0, 14.0, 16.0
POINT = 25.4 / 72
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


def arranged(figures: Sequence[Figure], paper: Paper, per_page: int) -> Arrangement:
    """Return the arrangement with the largest cells."""
    count = max(1, min(per_page, len(figures)))
    possible = [Arrangement(paper, across, -(-count // across)) for across in range(1, count + 1)]
    if not figures:
        return possible[0]
    return max(possible, key=lambda arrangement: arrangement.smallest_cell(figures))


Numbered = tuple[int, Figure]
"""A figure with the number of its puzzle, from 0."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The figures of a page."""

    arrangement: Arrangement
    figures: Sequence[Numbered]

    def drawn(self, targets: Mapping[int, int]) -> Drawing:
        """Return the page; the heading of each puzzle links to a page."""
        slot, corners = self.arrangement.slot, [*map(self.arrangement.corner, range(len(self.figures)))]
        parts = [
            figure.drawn(slot).placed(*corner, 1.0)
            for (_, figure), corner in zip(self.figures, corners, strict=True)
        ]
        return Drawing(
            *self.arrangement.paper.size,
            parts[0].title,
            tuple(box for part in parts for box in part.boxes),
            tuple(stroke for part in parts for stroke in part.strokes),
            tuple(label for part in parts for label in part.labels),
            tuple(
                Link(*corner, slot[0], HEAD, targets[number])
                for (number, _), corner in zip(self.figures, corners, strict=True)
                if number in targets
            ),
        )


def spreads(figures: Sequence[Numbered], paper: Paper, per_page: int) -> Iterator[Spread]:
    """Yield pages that are all arranged alike."""
    arrangement = arranged([figure for _, figure in figures], paper, per_page)
    for first in range(0, len(figures), arrangement.on_page):
        yield Spread(arrangement, figures[first : first + arrangement.on_page])


def bound(puzzles: Sequence[Spread], solutions: Sequence[Spread], first: int = 0) -> list[Drawing]:
    """Return the pages of puzzles and solutions, with links between them and bookmarks."""
    puzzle_pages, solution_pages = places(puzzles, first), places(solutions, first + len(puzzles))
    pages = [
        replace(
            spread.drawn(solution_pages),
            bookmarks=tuple(Bookmark(figure.heading) for _, figure in spread.figures),
        )
        for spread in puzzles
    ]
    for number, spread in enumerate(solutions):
        bookmarks = (Bookmark("Solutions"),) if number == 0 else ()
        pages.append(replace(spread.drawn(puzzle_pages), bookmarks=bookmarks))
    return pages


def places(pages: Sequence[Spread], first: int) -> dict[int, int]:
    """Return the page for the number of each puzzle."""
    return {number: page for page, spread in enumerate(pages, first) for number, _ in spread.figures}


def with_feet(pages: Sequence[Drawing], title: str) -> tuple[Drawing, ...]:
    """Return pages with a line at the foot: the title, and the number of the page if there are several."""
    made = []
    for number, page in enumerate(pages, start=1):
        place = f"{number} / {len(pages)}" if len(pages) > 1 else ""
        words = " · ".join(filter(None, [cut(title, 0.7 * page.width, CAPTION), place]))
        foot = Label(page.width / 2, page.height - MARGIN, words, CAPTION, SOFT)
        made.append(replace(page, labels=(*page.labels, foot)))
    return tuple(made)
