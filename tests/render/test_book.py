"""Books: another program reads text, links, outline and fonts back from the PDF, and draws the pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pytest

from nonocsp.model import Grid, Puzzle
from nonocsp.render.book import book
from nonocsp.render.figure import Exercise, caption
from nonocsp.render.paper import Paper
from nonocsp.render.pdf import to_pdf
from nonocsp.render.sheet import Sheets

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

pypdfium2 = pytest.importorskip("pypdfium2")
LEVELS = ("easy", "easy", "medium", "expert")


def exercise(number: int, side: int = 5, level: str = "", heading: str = "") -> Exercise:
    cells = np.random.default_rng(number).integers(0, 2, (side, side))
    puzzle = Puzzle.from_grid(Grid.from_cells(cells))
    below = caption(puzzle.shape, level)
    return Exercise(puzzle, heading or f"Bar {number}", below, puzzle.goal, level=level)


def exercises() -> list[Exercise]:
    return [exercise(i, 5 * i, level) for i, level in enumerate(LEVELS, start=1)]


def opened(made: Sheets) -> PdfDocument:
    return pypdfium2.PdfDocument(to_pdf(made.pages, title="Bars"))


def texts(document: PdfDocument) -> list[str]:
    return [page.get_textpage().get_text_range() for page in document]


def links(document: PdfDocument, page: int) -> Iterator[int]:
    from pypdfium2 import raw

    position, link = raw.c_int(0), raw.FPDF_LINK()
    while raw.FPDFLink_Enumerate(document[page], position, link):
        yield raw.FPDFDest_GetDestPageIndex(document, raw.FPDFLink_GetDest(document, link))


def test_a_book_has_cover_contents_puzzles_and_solutions():
    cover, contents, *puzzles, solutions = texts(opened(book(exercises(), title="Κουκουβάγια και Сова")))
    for text in ("Κουκουβάγια και Сова", "4 nonograms", "5x5 to 20x20", "2 easy · 1 medium · 1 expert"):
        assert text in cover
    assert "/ " not in cover
    for text in ("Contents", "Easy", "Medium", "Expert", "1.", "Bar 1", "Bar 4", "20x20"):
        assert text in contents
    assert "3. Bar 3" in "".join(puzzles)
    assert f"15x15, medium, solution on page {len(puzzles) + 3}" in "".join(puzzles)
    assert all(f"{i}. Bar {i}" in solutions for i in range(1, 5))
    for number, text in enumerate([contents, *puzzles, solutions], start=2):
        assert f"Κουκουβάγια και Сова · {number} / {len(puzzles) + 3}" in text


def test_links_lead_from_contents_to_puzzle_to_solution_and_back():
    document = opened(book(exercises()))
    pages = texts(document)
    titles = [f"{i}. Bar {i}" for i in range(1, 5)]
    places = [next(n for n, text in enumerate(pages) if n > 1 and title in text) for title in titles]
    last = len(pages) - 1
    assert list(links(document, 1)) == places
    for page in set(places):
        assert set(links(document, page)) == {last}
    assert list(links(document, last)) == places


@pytest.mark.parametrize("paper", list(Paper))
@pytest.mark.parametrize(
    "case",
    [
        [exercise(1, heading="long title " * 20)],
        [exercise(i, heading="あ" * 200) for i in range(1, 16)],
        [exercise(1, 60, "expert")],
    ],
    ids=["one", "fifteen", "60x60"],
)
def test_nothing_leaves_the_paper(paper, case):
    made = book(case, paper=paper, title=case[0].heading)
    document = opened(made)
    for number, page in enumerate(made.pages):
        assert (page.width, page.height) == paper.size
        image = np.asarray(document[number].render(scale=0.5).to_pil().convert("L"))
        rim = np.concatenate(
            [image[:8].ravel(), image[-8:].ravel(), image[:, :8].ravel(), image[:, -8:].ravel()]
        )
        assert (rim == 255).all()
