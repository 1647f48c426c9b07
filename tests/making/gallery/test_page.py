"""The gallery, as text and in a browser: what it shows is what was made."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import PIL.Image
import pytest

from nonocsp.making.drawings import motifs
from nonocsp.making.gallery.curves import plot
from nonocsp.making.gallery.page import cells_uri, gallery, write_gallery
from nonocsp.making.init import PictureOptions, Prepared, prepare
from nonocsp.making.picture import read_picture
from nonocsp.making.puzzles import Generated, Production, PuzzleOptions

from ...bench.report.conftest import Visit
from ..conftest import NAME

if TYPE_CHECKING:
    from playwright.sync_api import Browser

Made = tuple[Prepared, list[Generated]]


def pixels(uri: str) -> np.ndarray:
    """Decode a picture of the page with pillow, as RGB."""
    data = base64.b64decode(uri.removeprefix("data:image/png;base64,"))
    return np.asarray(PIL.Image.open(BytesIO(data)).convert("RGB"))


def black(image: np.ndarray) -> np.ndarray:
    dark: np.ndarray = image.max(axis=2) < 128
    return dark


def data_of(text: str) -> list[dict]:
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    return json.loads(data)


@pytest.fixture(scope="module")
def path(made: Made, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("gallery") / "gallery.html"
    write_gallery(path, *made)
    return path


@pytest.fixture
def visit(browser: Browser, path: Path) -> Iterator[Visit]:
    visit = Visit(browser, path)
    yield visit
    visit.page.close()
    assert not visit.errors


def test_the_first_row_shows_the_steps_from_picture_to_grid(visit: Visit, made: Made) -> None:
    prepared, _ = made
    assert visit.texts("#steps figcaption") == ["the picture", "thresholded", "edges"]
    shown = [pixels(image.get_attribute("src")) for image in visit.page.locator("#steps img").all()]
    for image, cells in zip(shown[1:], (prepared.thresholded, prepared.outlined), strict=True):
        assert np.array_equal(black(image), cells == 1)
    assert np.abs((1 - prepared.picture.grey) * 255 - shown[0].mean(axis=2)).max() <= 2


def test_filled_lines_are_a_step_of_their_own(made: Made) -> None:
    prepared, puzzles = made
    assert "no empty lines" not in gallery(prepared, puzzles)
    start = prepared.start.copy()
    start[0] = 1
    assert cells_uri(start, prepared.palette) in gallery(replace(prepared, start=start), puzzles)


def test_the_changed_cells_are_framed(visit: Visit, made: Made) -> None:
    _, puzzles = made
    for column, one in zip(visit.page.locator("#puzzles > div").all(), puzzles, strict=True):
        frames = column.locator("figure").first.locator("rect").all()
        places = [(int(float(f.get_attribute("y"))), int(float(f.get_attribute("x")))) for f in frames]
        assert places == [(change.row, change.column) for change in one.changes]
        assert places


def test_each_puzzle_is_shown_above_its_last_variation(visit: Visit, made: Made) -> None:
    _, puzzles = made
    columns = visit.page.locator("#puzzles > div").all()
    for column, one in zip(columns, puzzles, strict=True):
        later = one.varied[-1]
        texts = [text.split() for text in column.locator("figcaption").all_text_contents()]
        assert texts == [[f"{one.difficulty}"], [f"{later.difficulty}{later.depth}", "cells", "later"]]
        images = [pixels(image.get_attribute("src")) for image in column.locator("img").all()]
        for image, shown in zip(images, (one, later), strict=True):
            assert np.array_equal(black(image), shown.image == 1)


def test_the_page_makes_no_further_requests(visit: Visit, path: Path) -> None:
    assert visit.requests == [path.as_uri()] + [url for url in visit.requests if url.startswith("data:")]
    assert "http:" not in path.read_text().replace("http://www.w3.org", "")
    assert "https:" not in path.read_text()


def test_file_names_are_shown_and_never_run(visit: Visit) -> None:
    assert visit.texts("h1") == [f"Puzzles from {Path(NAME).stem}"]
    assert visit.page.title() != "run"


def test_the_pointer_finds_the_puzzle_at_a_point_of_a_curve(visit: Visit, made: Made) -> None:
    _, puzzles = made
    drawn = visit.page.locator("#plot svg")
    drawn.scroll_into_view_if_needed()
    box = drawn.bounding_box()
    curves = plot(puzzles)
    assert box
    assert curves
    scale = box["width"] / curves.width
    point = curves.curves[1].points[4]
    twins = [c.name for c in curves.curves if any((p.x, p.y) == (point.x, point.y) for p in c.points)]
    visit.page.mouse.move(box["x"] + scale * point.x, box["y"] + scale * point.y)
    first, second = visit.texts("#tip p")
    assert first in [f"{name}: difficulty {point.difficulty}" for name in twins]
    assert second == f"{point.depth} cells changed"
    visit.page.mouse.move(0, 0)
    assert visit.page.locator("#tip").is_hidden()


def test_arrow_keys_walk_along_a_curve_and_change_it(visit: Visit, made: Made) -> None:
    _, puzzles = made
    visit.page.locator("#plot").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        visit.page.keyboard.press(key)
    stage = puzzles[1].varied[1]
    assert visit.texts("#tip p") == [
        f"{puzzles[1].puzzle.title}: difficulty {stage.difficulty}",
        f"{stage.depth} cells changed",
    ]
    image = visit.page.locator("#tip img").get_attribute("src")
    assert image
    assert np.array_equal(black(pixels(image)), stage.image == 1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1200])
def test_the_gallery_is_accessible_and_fits_every_window(
    browser: Browser, path: Path, scheme: str, width: int
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    visit = Visit(browser, path, color_scheme=scheme, viewport={"width": width, "height": 800})
    violations = axe.run(visit.page).response["violations"]
    assert [(found["id"], found["nodes"][0]["html"]) for found in violations] == []
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
    visit.page.close()


def test_without_variations_there_is_no_curve(made: Made) -> None:
    prepared, puzzles = made
    text = gallery(prepared, [replace(one, varied=()) for one in puzzles])
    assert plot([replace(one, varied=()) for one in puzzles]) is None
    assert 'id="plot"' not in text
    assert data_of(text) == []


def test_a_curve_has_a_point_for_every_simple_puzzle(made: Made) -> None:
    _, puzzles = made
    beyond = replace(puzzles[0], class_="fp1")
    drawn = plot([puzzles[0], beyond])
    assert drawn
    first, second = drawn.curves
    assert [(p.depth, p.difficulty) for p in first.points] == [
        (0, puzzles[0].difficulty),
        *((varied.depth, varied.difficulty) for varied in puzzles[0].varied),
    ]
    assert second.points == first.points[1:]


def test_the_plot_has_harder_puzzles_higher_and_later_ones_further_right(made: Made) -> None:
    drawn = plot(made[1])
    assert drawn
    points = [point for curve in drawn.curves for point in curve.points]
    for a, b in pairwise(points):
        assert (a.difficulty < b.difficulty) == (a.y > b.y)
        assert (a.depth < b.depth) == (a.x < b.x)
    assert all(drawn.left <= p.x <= drawn.right and drawn.top <= p.y <= drawn.bottom for p in points)


def test_a_missed_target_difficulty_is_marked(made: Made) -> None:
    prepared, puzzles = made
    text = gallery(prepared, [replace(puzzles[0], is_wanted=False)])
    assert "target difficulty not reached" in text


def test_the_gallery_uses_the_colours_of_the_palette() -> None:
    motif = next(motif for motif in motifs() if motif.name == "apple")
    prepared = prepare(read_picture(motif.image(), (16, 16)), PictureOptions(palette=motif.palette))
    one = next(Production(prepared, PuzzleOptions()))
    text = gallery(prepared, [one])
    assert "in red, green, brown on white" in text
    image = pixels(cells_uri(one.image, motif.palette))
    rgb = np.array([list(bytes.fromhex(colour.rgb[1:])) for colour in motif.palette.colours])
    assert np.array_equal(image, rgb[one.image])
