"""Animations: GIF frames and the SVG show what the steps say, when they say it."""

import io
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from nonocsp import Explanation, Grid, Palette, Puzzle, explain
from nonocsp.grading.explain.animation import to_animated_svg, to_gif
from nonocsp.render.drawing import UNDECIDED, DrawingLayout

SVG = "{http://www.w3.org/2000/svg}"
PUZZLE = Puzzle.from_grid(
    Grid.from_strings(["a#aa#.", "...a#.", "##a#.a", "#.#..#", "#...a."], Palette.of(2)),
    palette=Palette.of(2),
    title="<b>&",
)
"""Solved in some twenty steps."""


@pytest.fixture(scope="module")
def explanation() -> Explanation:
    return explain(PUZZLE)


def middle(row: int, column: int) -> tuple[int, int]:
    """Return the pixel in the middle of a cell."""
    layout = DrawingLayout.of(PUZZLE)
    half = layout.cell // 2
    return layout.left + column * layout.cell + half, layout.top + row * layout.cell + half


def rgb_of(colour: int) -> str:
    return UNDECIDED if colour == 9 else PUZZLE.palette[colour].rgb


def test_every_frame_of_the_gif_shows_the_grid_after_its_step(explanation):
    image = Image.open(io.BytesIO(to_gif(explanation, pace=0.25)))
    grids = list(explanation.grids())
    assert (image.n_frames, image.info["loop"]) == (len(grids) + 1, 0)
    for number, grid in enumerate([*grids, grids[-1]]):
        image.seek(number)
        assert image.info["duration"] == (1000 if number == len(grids) else 250)
        frame = image.convert("RGB")
        for row, cells in enumerate(grid.colours(unknown=9).tolist()):
            for column, colour in enumerate(cells):
                assert "#{:02x}{:02x}{:02x}".format(*frame.getpixel(middle(row, column))) == rgb_of(colour)


def test_the_svg_decides_every_cell_at_its_step(explanation):
    root = ET.fromstring(to_animated_svg(explanation, pace=0.5))
    assert root.find(f"{SVG}title").text == "<b>&"  # type: ignore[union-attr]
    groups = [group for group in root.iter(f"{SVG}g") if group.get("class") == "cell"]
    moments = {int(group.get("style", "").removeprefix("--t:")): group for group in groups}
    for step in explanation.steps:
        boxes = moments[step.number].findall(f"{SVG}rect")
        assert len(boxes) == step.decided
    assert sum(len(group) for group in moments.values()) == explanation.end.candidates.size


def test_the_svg_moves_in_a_browser_and_ends_with_the_solution(explanation, browser, tmp_path):
    path = tmp_path / "moving.svg"
    path.write_text(to_animated_svg(explanation, pace=10), encoding="utf-8")
    page = browser.new_page()
    page.goto(path.as_uri())
    seek = "(t) => document.getAnimations().forEach((each) => { each.pause(); each.currentTime = t; })"
    count = """(selector) => [...document.querySelectorAll(selector)]
        .filter((element) => getComputedStyle(element).visibility === 'visible').length"""

    def shown() -> tuple[int, int]:
        return page.evaluate(count, ".cell rect"), page.evaluate(count, ".mark")

    decided = 0
    for step in explanation.steps[:5]:
        decided += step.decided
        page.evaluate(seek, 10_000 * step.number + 1)
        assert shown() == (decided, 1)
    page.evaluate(seek, 10_000 * (len(explanation.steps) + 2))
    assert shown() == (explanation.end.candidates.size, 0)
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate("() => document.getAnimations().length") == 0
    page.close()
