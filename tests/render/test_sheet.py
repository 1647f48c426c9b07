"""Sheets to print: another program reads the pages back from the PDF; the SVG is read, too."""

import re
from io import BytesIO
from xml.etree import ElementTree

import pytest
from PIL import Image

from nonocsp.formats import load_all
from nonocsp.grading.exercise import exercise
from nonocsp.model import Colour, Grid, Palette, Puzzle, UsageError
from nonocsp.render.drawing import Drawing
from nonocsp.render.figure import Exercise
from nonocsp.render.paper import MARGIN, Paper
from nonocsp.render.pdf import to_pdf
from nonocsp.render.sheet import DPI, sheets, write_sheets

SVG = "{http://www.w3.org/2000/svg}"
RED_AND_BLUE = Palette(
    (Colour("white", "#ffffff", "."), Colour("red", "#d7191c", "r"), Colour("blue", "#2c7bb6", "b"))
)


def exercises(count: int, rows: int = 8, columns: int = 12) -> list[Exercise]:
    puzzle = Puzzle.from_grid(Grid.from_cells([[1] * columns] * rows))
    return [Exercise(puzzle, f"Bar {i}", "full", puzzle.goal) for i in range(1, count + 1)]


def texts_of(pdf: bytes) -> list[str]:
    pypdfium2 = pytest.importorskip("pypdfium2")
    document = pypdfium2.PdfDocument(pdf)
    texts = [page.get_textpage().get_text_range() for page in document]
    document.close()
    return texts


def pixels_of(pdf: bytes, page: int, scale: float = 1.0) -> Image.Image:
    pypdfium2 = pytest.importorskip("pypdfium2")
    document = pypdfium2.PdfDocument(pdf)
    image = document[page].render(scale=scale).to_pil().convert("RGB")
    document.close()
    return image


def words(page: Drawing) -> list[str]:
    return [label.text for label in page.labels]


def test_solutions_follow_under_the_numbers_of_their_puzzles():
    made = sheets(exercises(5), per_page=2, with_solutions=True)
    assert len(made.pages) == 3 + 1
    *_, last = made.pages
    numbered = [f"{i}. Bar {i}" for i in range(1, 6)]
    assert [text for text in words(last) if "Bar" in text] == numbered
    assert [text for page in made.pages[:3] for text in words(page) if "Bar" in text] == numbered
    assert not {"8", "12"} & set(words(last))  # no clues
    first, second = exercises(2)
    *_, last = sheets([first, Exercise(second.puzzle, "Bar 2", "", None)], with_solutions=True).pages
    assert [text for text in words(last) if "Bar" in text] == ["1. Bar 1"]


def bounds(page: Drawing) -> tuple[float, float, float, float]:
    xs = [x for stroke in page.strokes for x in (stroke.x1, stroke.x2)]
    ys = [y for stroke in page.strokes for y in (stroke.y1, stroke.y2)]
    return min(xs), min(ys), max(xs), max(ys)


@pytest.mark.parametrize("paper", list(Paper))
@pytest.mark.parametrize("shape", [(1, 1), (5, 60), (60, 5), (30, 38), (100, 100)])
@pytest.mark.parametrize("per_page", [1, 2, 4, 9, 24])
def test_every_puzzle_stays_on_the_paper_and_in_its_slot(paper, shape, per_page):
    (page,) = sheets(exercises(per_page, *shape), paper=paper, per_page=per_page).pages
    assert (page.width, page.height) == paper.size
    left, top, right, bottom = bounds(page)
    assert min(left, top) >= MARGIN - 1
    assert right <= page.width - MARGIN + 1
    assert bottom <= page.height - MARGIN + 1
    grids = [box for box in page.boxes if box.width / box.height == pytest.approx(shape[1] / shape[0])]
    assert len(grids) == per_page
    for i, one in enumerate(grids):
        for other in grids[i + 1 :]:
            apart_x = one.x + one.width <= other.x or other.x + other.width <= one.x
            assert apart_x or one.y + one.height <= other.y or other.y + other.height <= one.y


def test_the_pdf_has_readable_text_and_no_bitmaps():
    pdf = to_pdf(sheets(exercises(3), per_page=2, with_solutions=True, title="All bars").pages, title="Bars")
    first, second, third = texts_of(pdf)
    assert "1. Bar 1" in first
    assert re.search(r"^12\s*$", first, re.MULTILINE)
    assert "All bars · 2 / 3" in second
    assert "solution" in third
    assert pdf == to_pdf(
        sheets(exercises(3), per_page=2, with_solutions=True, title="All bars").pages, title="Bars"
    )
    assert b"/Image" not in pdf.replace(b"/ImageB", b"").replace(b"/ImageC", b"").replace(b"/ImageI", b"")


def test_the_pdf_has_its_cells_where_the_drawing_has_them():
    puzzle = Puzzle.from_grid(Grid.from_cells([[1, 0, 2], [0, 2, 0], [2, 0, 1]]), palette=RED_AND_BLUE)
    made = sheets([Exercise(puzzle, "Cross", "", puzzle.goal)], with_solutions=True)
    image = pixels_of(to_pdf(made.pages), 1, scale=2.0)
    ground = made.pages[1].boxes[0]
    side = ground.width / 3
    for (row, column), colour in [((0, 0), "#d7191c"), ((1, 1), "#2c7bb6"), ((0, 1), "#ffffff")]:
        x, y = ground.x + (column + 0.5) * side, ground.y + (row + 0.5) * side
        assert "#{:02x}{:02x}{:02x}".format(*image.getpixel((round(2 * x), round(2 * y)))) == colour


def test_a_page_has_the_size_of_the_paper_and_another_suffix_is_an_error(tmp_path):
    (path,) = write_sheets(sheets(exercises(1), paper=Paper.LETTER), tmp_path / "x.svg")
    root = ElementTree.parse(path).getroot()
    assert (root.get("width"), root.get("height")) == ("612pt", "792pt")
    assert any(text.get("font-weight") == "bold" for text in root.iter(f"{SVG}text"))
    (path,) = write_sheets(sheets(exercises(1)), tmp_path / "x.png")
    image = Image.open(BytesIO(path.read_bytes()))
    assert image.size == (round(595.28 * DPI / 72), round(841.89 * DPI / 72))
    assert image.info["dpi"] == pytest.approx((DPI, DPI), abs=0.1)
    with pytest.raises(UsageError, match=r"x\.docx: sheets are written as \.pdf, \.svg, \.png"):
        write_sheets(sheets(exercises(1)), tmp_path / "x.docx")


def test_a_puzzle_beyond_line_solving_is_hard_and_a_missing_solution_is_computed(repository):
    puzzles = load_all(repository / "datasets" / "pictures" / "pictures.jsonl")
    key = next(puzzle for puzzle in puzzles if puzzle.title == "key 25x25")
    assert exercise(key, "x").caption == "25x25, hard"
    assert exercise(key, "x", is_graded=False).caption == "25x25"
    puzzle = Puzzle.from_clues([[1, 1], [3], [1]], [[2], [2], [2]])
    assert exercise(puzzle, "x").solution == Grid.from_strings(["#.#", "###", ".#."])
    assert exercise(puzzle, "x", is_solved=False).solution is None
