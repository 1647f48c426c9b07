"""Make a book of puzzles: cover, contents, puzzles, solutions.

A page holds as many puzzles as its cells allow, so small puzzles share a page and large ones do not. In a
PDF, the contents lead to the puzzles, and each puzzle leads to its solution and back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from nonocsp.model import Grid, Puzzle
from nonocsp.render.drawing import FAINT, INK, Bookmark, Drawing, Label, Link, Stroke, draw
from nonocsp.render.figure import SOFT, Exercise, cut, puzzle_figure
from nonocsp.render.fonts import width_of
from nonocsp.render.paper import MARGIN, POINT, Numbered, Paper, Spread, arranged, bound, places, with_feet
from nonocsp.render.sheet import Sheets, solution_spreads

TITLE = "Nonograms"
"""Title of a book that has none."""
COMFORTABLE = 4.5 / POINT
"""The side of a cell that is easy to fill in, in points. Smaller cells get a page with fewer puzzles."""
_ORNAMENT = 400
"""The most cells of the puzzle on the cover."""
_TITLE_SIZES, _TITLE_LINES = (36.0, 28.0, 22.0, 17.0), 6
_LINE, _ENTRY, _HEADING = 17.0, 10.0, 22.0
"""Of the contents: distance of lines, size of entries and of the heading."""
_WIDE = 48.0
"""Side margin of cover and contents."""


def book(
    exercises: Sequence[Exercise],
    *,
    paper: Paper = Paper.A4,
    per_page: int = 4,
    has_patterns: bool = False,
    title: str = "",
) -> Sheets:
    """Return a book."""
    title = title or TITLE
    headings = [f"{number}. " for number in range(1, len(exercises) + 1)]
    figures = [
        puzzle_figure(one, heading, has_patterns=has_patterns)
        for one, heading in zip(exercises, headings, strict=True)
    ]
    puzzles = list(_comfortable([*enumerate(figures)], paper, per_page))
    solutions = solution_spreads(exercises, headings, paper, per_page, has_patterns)
    lines = list(_contents_lines(exercises))
    on_page = int((paper.size[1] - 2 * MARGIN - 3 * _HEADING) / _LINE)
    listed = [lines[first : first + on_page] for first in range(0, len(lines), on_page)]
    first = 1 + len(listed)
    puzzle_pages = places(puzzles, first)
    solution_pages = places(solutions, first + len(puzzles))
    captioned = [_with_captions(spread, solution_pages) for spread in puzzles]
    pages = [
        _cover(exercises, paper, title),
        *(_contents_page(page, exercises, puzzle_pages, paper, number) for number, page in enumerate(listed)),
        *_with_levels(bound(captioned, solutions, first), captioned, exercises),
    ]
    numbered = with_feet(pages, title)
    arrangements = [(_smallest_cell(spread), spread.arrangement.on_page) for spread in puzzles]
    smallest, together = min(arrangements)
    return Sheets((pages[0], *numbered[1:]), smallest * POINT, together)


def _smallest_cell(spread: Spread) -> float:
    return spread.arrangement.smallest_cell([figure for _, figure in spread.figures])


def _comfortable(figures: Sequence[Numbered], paper: Paper, per_page: int) -> Iterator[Spread]:
    """Yield pages with as many figures as their cells allow."""
    start = 0
    while start < len(figures):
        for count in range(min(per_page, len(figures) - start), 0, -1):
            some = figures[start : start + count]
            spread = Spread(arranged([figure for _, figure in some], paper, count), some)
            if count == 1 or _smallest_cell(spread) >= COMFORTABLE:
                yield spread
                start += count
                break


def _with_captions(spread: Spread, solutions: dict[int, int]) -> Spread:
    """Return a page whose captions name the page of the solution, too."""
    figures = []
    for number, figure in spread.figures:
        place = f", solution on page {solutions[number] + 1}" if number in solutions else ""
        figures.append((number, replace(figure, caption=figure.caption + place)))
    return Spread(spread.arrangement, figures)


def _with_levels(
    pages: Sequence[Drawing], puzzles: Sequence[Spread], exercises: Sequence[Exercise]
) -> Iterator[Drawing]:
    """Yield pages with a bookmark for each level, above those of its puzzles."""
    level = None
    for page, spread in zip(pages, puzzles, strict=False):
        bookmarks = list[Bookmark]()
        for (number, _), bookmark in zip(spread.figures, page.bookmarks, strict=True):
            if exercises[number].level != level:
                level = exercises[number].level
                bookmarks.append(Bookmark(level.capitalize() or "Puzzles"))
            bookmarks.append(bookmark._replace(level=1))
        yield replace(page, bookmarks=tuple(bookmarks))
    yield from pages[len(puzzles) :]


def _cover(exercises: Sequence[Exercise], paper: Paper, title: str) -> Drawing:
    """Return the first page: title, a puzzle half solved, number of puzzles, sizes and levels."""
    width, height = paper.size
    room = width - 2 * _WIDE
    size, lines = next(
        (size, lines)
        for size in _TITLE_SIZES
        if len(lines := _wrapped(title, room, size)) <= _TITLE_LINES or size == _TITLE_SIZES[-1]
    )
    if len(lines) > _TITLE_LINES:
        lines[_TITLE_LINES - 1 :] = [cut(" ".join(lines[_TITLE_LINES - 1 :]), room, size)]
    top = 0.12 * height
    labels = [
        Label(width / 2, top + number * 1.25 * size, line, size, INK, is_bold=True)
        for number, line in enumerate(lines)
    ]
    top += len(labels) * 1.25 * size + 24
    bottom = 0.8 * height
    picture = _ornament(exercises)
    room_x, room_y = 0.62 * width, bottom - top
    scale = min(room_x / picture.width, room_y / picture.height)
    left, upper = (width - scale * picture.width) / 2, top + (room_y - scale * picture.height) / 2
    placed = picture.placed(left, upper, scale)
    for number, line in enumerate(_summary(exercises)):
        labels.append(Label(width / 2, bottom + 36 + 20 * number, line, 14 if number == 0 else 11, SOFT))
    cover = replace(placed, width=width, height=height, title=title, labels=(*placed.labels, *labels))
    return replace(cover, bookmarks=(Bookmark(title),))


def _ornament(exercises: Sequence[Exercise]) -> Drawing:
    """Return the picture of a puzzle whose upper left half is solved, so that it does not tell everything."""
    known = [(one.puzzle, one.solution) for one in exercises if one.solution is not None]
    fitting = [pair for pair in known if _cells(pair[0]) <= _ORNAMENT]
    if not fitting:
        return draw(min((one.puzzle for one in exercises), key=_cells))
    puzzle, solution = max(fitting, key=lambda pair: _cells(pair[0]))
    rows, columns = puzzle.shape
    near = np.add.outer(np.arange(rows) / rows, np.arange(columns) / columns) < 1
    return draw(puzzle, Grid.from_cells(np.where(near, solution.cells, 0)))


def _summary(exercises: Sequence[Exercise]) -> list[str]:
    """Return what is in a book: number of puzzles, sizes, levels."""
    sizes = sorted((_cells(one.puzzle), _size(one.puzzle)) for one in exercises)
    smallest, largest = sizes[0][1], sizes[-1][1]
    levels = Counter(one.level for one in exercises if one.level)
    return [
        f"{len(exercises)} nonogram{'s' * (len(exercises) != 1)}",
        smallest if smallest == largest else f"{smallest} to {largest}",
        " · ".join(f"{count} {level}" for level, count in levels.items()),
    ]


def _contents_lines(exercises: Sequence[Exercise]) -> Iterator[int | str]:
    """Yield the numbers of the puzzles, with the levels as headings."""
    for level, group in groupby(enumerate(exercises), key=lambda pair: pair[1].level):
        if level:
            yield level.capitalize()
        yield from (number for number, _ in group)


def _contents_page(
    lines: Sequence[int | str],
    exercises: Sequence[Exercise],
    pages: dict[int, int],
    paper: Paper,
    number: int,
) -> Drawing:
    width, height = paper.size
    left, right, y = _WIDE, width - _WIDE, MARGIN + _HEADING
    labels = [Label(left, y, "Contents", _HEADING, INK, "start", is_bold=True)] if number == 0 else []
    strokes, links = list[Stroke](), list[Link]()
    y += 1.5 * _HEADING
    for line in lines:
        if isinstance(line, str):
            labels.append(Label(left, y, line, _ENTRY, INK, "start", is_bold=True))
        else:
            one = exercises[line]
            labels.append(Label(left + 18, y, f"{line + 1}.", _ENTRY, SOFT, "end"))
            name = cut(one.heading, 0.6 * width, _ENTRY)
            labels.append(Label(left + 24, y, name, _ENTRY, INK, "start"))
            labels.append(Label(right - 40, y, _size(one.puzzle), _ENTRY, SOFT, "end"))
            labels.append(Label(right, y, f"{pages[line] + 1}", _ENTRY, INK, "end"))
            start = left + 30 + width_of(name, _ENTRY)
            strokes.append(Stroke(start, y + 3, right - 90, y + 3, 0.4, FAINT))
            links.append(Link(left, y - _LINE / 2, right - left, _LINE, pages[line]))
        y += _LINE
    bookmarks = (Bookmark("Contents"),) if number == 0 else ()
    return Drawing(width, height, "Contents", (), tuple(strokes), tuple(labels), tuple(links), bookmarks)


def _wrapped(text: str, width: float, size: float) -> list[str]:
    """Break a bold text into lines, between words or, in words that are longer than a line, anywhere."""
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}".strip()
        if width_of(joined, size, is_bold=True) <= width:
            lines[-1] = joined
            continue
        lines += [""] * bool(lines[-1])
        for char in word:
            if width_of(lines[-1] + char, size, is_bold=True) > width:
                lines.append("")
            lines[-1] += char
    return lines


def _cells(puzzle: Puzzle) -> int:
    return puzzle.shape[0] * puzzle.shape[1]


def _size(puzzle: Puzzle) -> str:
    return f"{puzzle.shape[0]}x{puzzle.shape[1]}"
