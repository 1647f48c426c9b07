"""The gallery, as text and in a browser: what it shows is what was made."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import PIL.Image
import pytest

from nonocsp.making.drawings import motifs
from nonocsp.making.gallery.images import cells_uri
from nonocsp.making.gallery.page import gallery, write_gallery
from nonocsp.making.init import PictureOptions, Prepared, prepare
from nonocsp.making.picture import read_picture
from nonocsp.making.puzzles import Generated, Production, PuzzleOptions
from tests.pages.data import data_of

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


def drawn_points(text: str | None) -> list[tuple[float, float]]:
    """Return the points of a polyline."""
    found = [tuple(map(float, point.split(","))) for point in (text or "").split()]
    return [(x, y) for x, y in found]


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
    assert visit.texts("#stages figcaption") == ["the picture", "thresholded", "edges"]
    shown = [pixels(image.get_attribute("src")) for image in visit.page.locator("#stages img").all()]
    for image, cells in zip(shown[1:], (prepared.thresholded, prepared.outlined), strict=True):
        assert np.array_equal(black(image), cells == 1)
    assert np.abs((1 - prepared.picture.grey) * 255 - shown[0].mean(axis=2)).max() <= 2


def test_filled_lines_are_a_step_of_their_own(made: Made) -> None:
    prepared, puzzles = made

    def stages(prepared: Prepared) -> dict[str, str]:
        return dict(data_of(gallery(prepared, puzzles))["stages"])

    assert "filled" not in stages(prepared)
    start = prepared.start.copy()
    start[0] = 1
    assert stages(replace(prepared, start=start))["filled"] == cells_uri(start, prepared.palette)


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


def test_file_names_are_shown_and_never_run(visit: Visit) -> None:
    assert visit.texts("h1") == [f"Puzzles from {Path(NAME).stem}"]
    assert visit.page.title() != "run"


def test_the_pointer_finds_the_puzzle_at_a_point_of_a_curve(visit: Visit, made: Made) -> None:
    _, puzzles = made
    drawn = visit.page.locator("#plot svg")
    drawn.scroll_into_view_if_needed()
    box = drawn.bounding_box()
    curves = [drawn_points(curve.get_attribute("points")) for curve in drawn.locator("polyline").all()]
    assert box
    scale = box["width"] / 760
    x, y = curves[1][4]
    stage = puzzles[1].varied[3]
    twins = [one.puzzle.title for one, curve in zip(puzzles, curves, strict=True) if (x, y) in curve]
    visit.page.mouse.move(box["x"] + scale * x, box["y"] + scale * y)
    first, second = visit.texts("#tip p")
    assert first in [f"{title}: difficulty {stage.difficulty}" for title in twins]
    assert second == f"{stage.depth} cells changed"
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


def test_without_variations_there_is_no_curve(browser: Browser, made: Made, tmp_path: Path) -> None:
    prepared, puzzles = made
    write_gallery(tmp_path / "plain.html", prepared, [replace(one, varied=()) for one in puzzles])
    visit = Visit(browser, tmp_path / "plain.html")
    assert visit.page.locator("#puzzles img").count() == len(puzzles)
    assert visit.page.locator("#plot").count() == 0
    visit.page.close()


def test_a_curve_has_a_point_for_every_simple_puzzle(made: Made) -> None:
    prepared, puzzles = made
    beyond = replace(puzzles[0], class_="fp1")
    first, second = data_of(gallery(prepared, [puzzles[0], beyond]))["puzzles"]
    assert [tuple(point[:2]) for point in first["curve"]] == [
        (0, puzzles[0].difficulty),
        *((varied.depth, varied.difficulty) for varied in puzzles[0].varied),
    ]
    assert second["curve"] == first["curve"][1:]
    assert (first["grade"], second["grade"]) == (puzzles[0].difficulty, "fp1")


def test_a_missed_target_difficulty_is_marked(browser: Browser, made: Made, tmp_path: Path) -> None:
    prepared, puzzles = made
    write_gallery(tmp_path / "missed.html", prepared, [replace(puzzles[0], is_wanted=False)])
    visit = Visit(browser, tmp_path / "missed.html")
    assert "target difficulty not reached" in visit.texts("#puzzles figcaption")[0]
    visit.page.close()


def test_the_gallery_speaks_german(browser: Browser, path: Path) -> None:
    visit = Visit(browser, path, locale="de-DE")
    assert visit.texts("h1") == [f"Rätsel aus {Path(NAME).stem}"]
    assert visit.texts("#stages figcaption") == ["das Bild", "zweifarbig", "Kanten"]
    visit.page.get_by_label("Sprache").select_option("en")
    visit.page.locator("h1", has_text="Puzzles from").wait_for()
    visit.page.close()
    assert not visit.errors


def test_the_gallery_uses_the_colours_of_the_palette(browser: Browser, tmp_path: Path) -> None:
    motif = next(motif for motif in motifs() if motif.name == "apple")
    prepared = prepare(read_picture(motif.image(), (16, 16)), PictureOptions(palette=motif.palette))
    one = next(Production(prepared, PuzzleOptions()))
    write_gallery(tmp_path / "apple.html", prepared, [one])
    visit = Visit(browser, tmp_path / "apple.html")
    assert "in red, green, brown on white" in visit.texts("header p")[0]
    visit.page.close()
    image = pixels(cells_uri(one.image, motif.palette))
    rgb = np.array([list(bytes.fromhex(colour.rgb[1:])) for colour in motif.palette.colours])
    assert np.array_equal(image, rgb[one.image])
