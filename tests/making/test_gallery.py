"""The gallery and the contact sheet, as data and in a browser: they show what was made, to everybody."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import PIL.Image
import pytest

from nonocsp.making.drawings import apple
from nonocsp.making.gallery import facts, write_gallery, write_sheet
from nonocsp.making.renderings import Rendering, ranked, renderings

from ..bench.report.conftest import Visit
from .conftest import NAME

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

Choices = list[tuple[Rendering, str]]
COMMAND = "nonocsp generate '<b>my apple</b>.png' --size 16x16 --edges only"


def pixels(uri: str | None) -> np.ndarray:
    """Decode a picture of the page with pillow, as RGB."""
    data = base64.b64decode((uri or "").removeprefix("data:image/png;base64,"))
    return np.asarray(PIL.Image.open(BytesIO(data)).convert("RGB"))


def filled(board: Locator, like: np.ndarray) -> np.ndarray:
    """Return where a small board is filled, read off the outlines of its runs."""
    cells = np.zeros_like(like, bool)
    outline = board.locator("path[fill='var(--ink)']").get_attribute("d") or ""
    for x, y, length in re.findall(r"M(\d+) (\d+)h(\d+)", outline):
        cells[int(y), int(x) : int(x) + int(length)] = True
    return cells


@contextmanager
def visited(browser: Browser, path: Path, **settings: Any) -> Iterator[Visit]:
    """Visit a page that loads nothing, without errors."""
    visit = Visit(browser, path, **settings)
    yield visit
    assert visit.requests == [path.as_uri()] + [url for url in visit.requests if url.startswith("data:")]
    visit.page.close()
    assert not visit.errors


@pytest.fixture(scope="module")
def gallery_page(made, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("gallery") / "gallery.html"
    write_gallery(path, *made)
    return path


@pytest.fixture(scope="module")
def choices(tmp_path_factory) -> Choices:
    """Renderings of a small apple from a file with a harmful name, all with one command."""
    path = tmp_path_factory.mktemp("picture") / NAME.replace("/", "")
    PIL.Image.fromarray(apple()).save(path)
    return [(one, COMMAND) for one in ranked(renderings(path, (16, 16)))]


@pytest.fixture(scope="module")
def sheet_page(choices, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("sheet") / "sheet.html"
    write_sheet(path, choices)
    return path


def test_the_gallery_shows_the_picture_its_images_and_each_puzzle_above_its_last_variation(
    browser, gallery_page, made
):
    prepared, puzzles = made
    with visited(browser, gallery_page) as visit:
        assert visit.texts("h1") == [f"Puzzles from {Path(NAME).stem}"]
        assert visit.page.title() != "run"
        assert visit.texts("#stages figcaption") == ["the picture", "thresholded", "edges"]
        shown = pixels(visit.page.locator("#stages img").get_attribute("src"))
        assert np.abs((1 - prepared.picture.grey) * 255 - shown.mean(axis=2)).max() <= 2
        stages = visit.page.locator("#stages svg.picture").all()
        for board, cells in zip(stages, (prepared.thresholded, prepared.outlined), strict=True):
            assert np.array_equal(filled(board, cells), cells == 1)
        columns = visit.page.locator("#puzzles > div").all()
        for column, one in zip(columns, puzzles, strict=True):
            later = one.varied[-1]
            texts = [text.split() for text in column.locator("figcaption").all_text_contents()]
            assert texts == [[f"{one.difficulty}"], [f"{later.difficulty}{later.depth}", "cells", "later"]]
            boards = column.locator("svg.picture").all()
            for board, expected in zip(boards, (one, later), strict=True):
                assert np.array_equal(filled(board, expected.image), expected.image == 1)
            frames = column.locator(".framed").first.locator("rect").all()
            places = [[int(float(f.get_attribute(side) or "")) for side in "yx"] for f in frames]
            assert places == [[change.row, change.column] for change in one.changes] != []


def test_a_sheet_shows_what_each_rendering_is_like_and_readers_order_and_copy(browser, sheet_page, choices):
    with visited(browser, sheet_page) as visit:
        assert visit.texts("h1") == [f"Puzzles from {Path(NAME).stem} to choose from"]
        cards = visit.page.locator("article").all()
        for number, (card, (one, command)) in enumerate(zip(cards, choices, strict=True), start=1):
            assert card.locator("h2").inner_text() == f"{number}. {one.description}"
            boards = card.locator("svg.picture").all()
            for board, cells in zip(boards, (one.prepared.start, one.made.image), strict=True):
                assert np.array_equal(filled(board, cells), cells == 1)
            assert card.locator(".framed rect").count() == len(one.made.changes)
            heads, values = (card.locator(tag).all_inner_texts() for tag in ("dt", "dd"))
            assert dict(zip(heads, values, strict=True)).items() <= facts(one).items()
            assert card.locator("code").text_content() == command
            alt = boards[1].get_attribute("aria-label") or ""
            first = one.made.changes[:1]
            places = [f"row {row + 1} column {column + 1}" for row, column, *_ in first] or [
                "nothing changed"
            ]
            assert places[0] in alt
        button = visit.page.locator("button.reveal").first
        opacity = "button => getComputedStyle(button.querySelector('.framed')).opacity"
        assert button.evaluate(opacity) == "0"
        button.hover()
        assert button.evaluate(opacity) == "1"
        button.press("Enter")
        assert button.get_attribute("aria-pressed") == "true"
        changes = [len(one.made.changes) for one, _ in choices]
        visit.page.get_by_label("Order").select_option("changes")
        numbers = [int(text.split(".")[0]) for text in visit.texts("article h2")]
        assert numbers == sorted(range(1, len(changes) + 1), key=lambda number: changes[number - 1])
        visit.page.locator("button.copy").first.click()
        visit.page.locator("#said", has_text=re.compile("Copied|Selected")).wait_for()
        assert visit.page.evaluate("getSelection().toString()") == COMMAND


@pytest.mark.parametrize("name", ["gallery_page", "sheet_page"])
def test_puzzles_are_played_on_the_page(browser, request, name, made, choices):
    image = made[1][1].image if name == "gallery_page" else choices[1][0].made.image
    with visited(browser, request.getfixturevalue(name)) as visit:
        visit.page.get_by_role("link", name="Play puzzle 2", exact=True).click()
        for row, column in np.argwhere(image):
            visit.page.locator(f'td[data-row="{row}"][data-column="{column}"]').click()
        visit.page.locator("#player-status.solved").wait_for()


@pytest.mark.parametrize(
    ("name", "width", "scheme"), [("gallery_page", 390, "light"), ("sheet_page", 1200, "dark")]
)
def test_the_pages_are_accessible_and_fit_every_window(browser, request, name, width, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    size = {"width": width, "height": 800}
    with visited(browser, request.getfixturevalue(name), color_scheme=scheme, viewport=size) as visit:
        violations = axe.run(visit.page).response["violations"]
        assert [(found["id"], found["nodes"][0]["html"]) for found in violations] == []
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
