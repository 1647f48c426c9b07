"""The contact sheet in a browser: what it shows, and that everybody can use it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import PIL.Image
import pytest

from nonocsp.making.drawings import apple, portrait
from nonocsp.making.gallery.sheet import facts, is_sheet, write_sheet
from nonocsp.making.renderings import Rendering, ranked, renderings
from tools.benchmarks.making.forty import subjects

from ...bench.report.conftest import Visit
from ..conftest import NAME
from .test_page import pixels

if TYPE_CHECKING:
    from playwright.sync_api import Browser

Choices = list[tuple[Rendering, str]]
COMMAND = "nonocsp generate '<b>my apple</b>.png' --size 16x16 --edges only"


@pytest.fixture(scope="module")
def choices(tmp_path_factory: pytest.TempPathFactory) -> Choices:
    """Renderings of a small apple from a file with a harmful name, all with one command."""
    path = tmp_path_factory.mktemp("picture") / NAME.replace("/", "")
    PIL.Image.fromarray(apple()).save(path)
    return [(one, COMMAND) for one in ranked(renderings(path, (16, 16)))]


@pytest.fixture(scope="module")
def path(choices: Choices, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sheet") / "sheet.html"
    write_sheet(path, choices)
    return path


@pytest.fixture
def visit(browser: Browser, path: Path) -> Iterator[Visit]:
    visit = Visit(browser, path)
    yield visit
    visit.page.close()
    assert not visit.errors


def test_each_rendering_shows_the_picture_before_and_after_and_what_it_is_like(
    visit: Visit, choices: Choices
) -> None:
    cards = visit.page.locator("article").all()
    assert len(cards) == len(choices)
    for number, (card, (one, command)) in enumerate(zip(cards, choices, strict=True), start=1):
        assert card.locator("h2").inner_text() == f"{number}. {one.description}"
        before, after = (pixels(image.get_attribute("src") or "") for image in card.locator("img").all())
        assert np.array_equal(before.max(axis=2) < 128, one.prepared.start == 1)
        assert np.array_equal(after.max(axis=2) < 128, one.made.image == 1)
        assert card.locator("rect").count() == len(one.made.changes)
        shown = dict(
            zip(card.locator("dt").all_inner_texts(), card.locator("dd").all_inner_texts(), strict=True)
        )
        assert shown.items() <= facts(one).items()
        assert card.locator("code").text_content() == command


def test_changed_cells_show_at_the_pointer_at_the_focus_and_after_a_press(visit: Visit) -> None:
    button = visit.page.locator("button.reveal").first
    frames = button.locator("svg")

    def opacity() -> str:
        found: str = frames.evaluate("svg => getComputedStyle(svg).opacity")
        return found

    assert opacity() == "0"
    button.hover()
    assert opacity() == "1"
    visit.page.mouse.move(0, 0)
    assert opacity() == "0"
    button.press("Enter")
    assert button.get_attribute("aria-pressed") == "true"
    button.blur()
    assert opacity() == "1"


def test_the_text_for_screen_readers_names_changed_cells(visit: Visit, choices: Choices) -> None:
    for card, (one, _) in zip(visit.page.locator("article").all(), choices, strict=True):
        alt = card.locator("img").last.get_attribute("alt") or ""
        if one.made.changes:
            first = one.made.changes[0]
            assert f"row {first.row + 1} column {first.column + 1}" in alt
        else:
            assert "nothing changed" in alt


def test_readers_order_renderings_and_keep_their_numbers(visit: Visit, choices: Choices) -> None:
    changes = [len(one.made.changes) for one, _ in choices]
    visit.page.get_by_label("Order").select_option("changes")
    numbers = [int(text.split(".")[0]) for text in visit.texts("article h2")]
    assert numbers == sorted(range(1, len(changes) + 1), key=lambda number: changes[number - 1])
    visit.page.get_by_label("Order").select_option("given")
    assert [int(text.split(".")[0]) for text in visit.texts("article h2")] == [*range(1, len(changes) + 1)]
    levels = {str(one.level) for one, _ in choices}
    for level in levels if len(levels) > 1 else ():
        visit.page.locator("#level").select_option(level)
        assert len(visit.texts("article")) == sum(str(one.level) == level for one, _ in choices)


def test_without_scripts_the_commands_are_still_there(browser: Browser, path: Path, choices: Choices) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(path.as_uri())
    assert page.locator("noscript code").all_text_contents() == [command for _, command in choices]
    page.close()


def test_a_press_copies_the_command_or_selects_it(visit: Visit) -> None:
    visit.page.locator("button.copy").first.click()
    visit.page.locator("#said", has_text=re.compile("Copied|Selected")).wait_for()
    assert visit.page.evaluate("getSelection().toString()") == COMMAND


def test_names_are_shown_and_never_run(visit: Visit) -> None:
    assert visit.texts("h1") == [f"Puzzles from {Path(NAME).stem} to choose from"]
    assert visit.page.title() != "run"


def test_the_page_loads_nothing(visit: Visit, path: Path) -> None:
    assert visit.requests == [path.as_uri()] + [url for url in visit.requests if url.startswith("data:")]


def test_a_sheet_is_told_from_other_pages(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.html"
    other.write_text("<!doctype html><title>nonocsp contact sheet</title>")
    assert is_sheet(path)
    assert not is_sheet(other)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_sheet_is_accessible_and_fits_every_window(
    browser: Browser, path: Path, scheme: str, width: int
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    visit = Visit(browser, path, color_scheme=scheme, viewport={"width": width, "height": 800})
    violations = axe.run(visit.page).response["violations"]
    assert [(found["id"], found["nodes"][0]["html"]) for found in violations] == []
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
    visit.page.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["apple", "portrait", "cat", "hello", "ramp"])
def test_the_sheets_of_familiar_pictures_are_kept_to_look_at(
    browser: Browser, tmp_path: Path, repository: Path, name: str
) -> None:
    drawn = {"apple": apple, "portrait": portrait}
    if name in drawn:
        PIL.Image.fromarray(drawn[name]()).save(tmp_path / f"{name}.png")
    else:
        next(subject for subject in subjects() if subject.name == name).saved(tmp_path)
    found = ranked(renderings(tmp_path / f"{name}.png", (None, 24)))
    assert len(found) >= 4
    write_sheet(tmp_path / "sheet.html", [(one, COMMAND) for one in found])
    shots = repository / "build" / "screenshots"
    shots.mkdir(parents=True, exist_ok=True)
    for width in (390, 1280):
        visit = Visit(browser, tmp_path / "sheet.html", viewport={"width": width, "height": 800})
        visit.page.screenshot(path=shots / f"sheet-{name}-{width}.png", full_page=True)
        boxes = [image.bounding_box() for image in visit.page.locator("article img").all()]
        assert all(box and 0 <= box["x"] <= width - box["width"] and box["width"] >= 90 for box in boxes)
        visit.page.close()
        assert not visit.errors
