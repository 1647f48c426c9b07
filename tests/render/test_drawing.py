"""Pictures: the drawing is read back from the SVG with an XML parser and from the PNG's pixels."""

from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from PIL import Image

from nonocsp.model import Grid, Palette, Puzzle
from nonocsp.model.palette import Colour
from nonocsp.render.drawing import DrawingLayout, draw
from nonocsp.render.png import to_png
from nonocsp.render.svg import to_svg

SVG = "{http://www.w3.org/2000/svg}"
RED_ON_YELLOW = Palette(
    (Colour("yellow", "#ffee00", "."), Colour("red", "#aa0000", "r"), Colour("blue", "#0000aa", "b"))
)
CELLS = arrays(np.uint8, array_shapes(min_dims=2, max_dims=2, max_side=12), elements=st.integers(0, 3))


def puzzle_of(cells: list[list[int]], **rest: object) -> Puzzle:
    return Puzzle.from_grid(Grid.from_cells(cells), **rest)


def pixel(image: Image.Image, puzzle: Puzzle, row: int, column: int) -> str:
    """Return the colour in the middle of a cell."""
    layout = DrawingLayout.of(puzzle)
    x = layout.left + column * layout.cell + layout.cell // 2
    y = layout.top + row * layout.cell + layout.cell // 2
    return "#{:02x}{:02x}{:02x}".format(*image.getpixel((x, y)))


def test_a_small_puzzle_is_drawn_like_the_one_drawn_by_hand():
    puzzle = puzzle_of([[1, 1, 0], [0, 0, 0]])
    picture = draw(puzzle, puzzle.goal)
    layout = DrawingLayout.of(puzzle)
    assert (layout.left, layout.top) == (30, 30)
    ground, run = picture.boxes
    assert (ground.width, ground.height, ground.fill) == (60, 40, "#ffffff")
    assert (run.x, run.y, run.width, run.height, run.fill) == (30, 30, 40, 20, "#000000")
    assert [label.text for label in picture.labels] == ["2", "0", "1", "1", "0"]
    assert (picture.width, picture.height) == (100, 80)


@settings(max_examples=25)
@given(CELLS)
def test_every_pixel_in_the_middle_of_a_cell_has_the_colour_of_the_cell(cells):
    palette = RED_ON_YELLOW if cells.max() < 3 else Palette.of(3)
    puzzle = Puzzle.from_grid(Grid.from_cells(cells), palette=palette)
    image = Image.open(BytesIO(to_png(puzzle, puzzle.goal)))
    for (row, column), colour in np.ndenumerate(cells):
        assert pixel(image, puzzle, row, column) == palette[colour].rgb


def test_undecided_cells_carry_a_question_mark_and_the_empty_sheet_has_none():
    puzzle = puzzle_of([[1, 0], [0, 1]])
    partial = Grid.from_strings(["#?", "??"])
    assert [label.text for label in draw(puzzle, partial).labels].count("?") == 3
    assert [label.text for label in draw(puzzle).labels] == ["1"] * 4
    assert len(draw(puzzle).boxes) == 1


@pytest.mark.parametrize(
    "title", ["</title><script>alert(1)</script>", "a & b", "\x00\x1b[31m]]>", "Katze ☺"]
)
def test_a_title_cannot_break_out_of_the_svg(title):
    puzzle = puzzle_of([[1]], title=title)
    root = ElementTree.fromstring(to_svg(puzzle))
    assert root.findtext(f"{SVG}title") == "".join(char for char in title if char.isprintable())
    assert not list(root.iter("script"))
    assert not list(root.iter(f"{SVG}script"))
