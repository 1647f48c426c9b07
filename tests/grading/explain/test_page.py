"""The page in a browser: it steps forwards and backwards, lets readers try first, and runs no title."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from nonocsp import Explanation, Grid, Palette, Puzzle, explain
from nonocsp.grading.explain.html import to_html
from nonocsp.grading.explain.texts import Words
from nonocsp.model.palette import WHITE, Colour
from tests.waiting import AMPLE_S

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOSTILE = "</script><script>document.title = 'run'</script>\"'&amp;"
RED = Colour("red<b>", "#d7191c", "r")
BLUE = Colour("blue&", "#2c7bb6", "b")
PUZZLE = Puzzle.from_grid(
    Grid.from_strings(["brbbr.", "...br.", "rrbr.b", "r.r..r", "r...b."], Palette((WHITE, RED, BLUE))),
    palette=Palette((WHITE, RED, BLUE)),
    title=HOSTILE,
    author=HOSTILE,
)


@pytest.fixture(scope="module")
def explanation() -> Explanation:
    return explain(PUZZLE)


@pytest.fixture(scope="module")
def path(explanation, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(to_html(explanation, pace=0.05), encoding="utf-8")
    return path


@pytest.fixture
def page(browser, path) -> Iterator[Page]:
    """The page, open; whatever is done with it, it loads nothing and has no errors."""
    page = browser.new_page()
    page.set_default_timeout(AMPLE_S * 1000)
    requests: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.goto(path.as_uri())
    yield page
    page.close()
    assert requests == [path.as_uri()]
    assert not errors


def cells(page: Page) -> list[list[int]]:
    """Return the colours that the page shows, -1 where a cell is open."""
    rows: list[list[int]] = page.evaluate(
        "() => [...document.querySelectorAll('#board tbody tr')]"
        ".map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.dataset.colour)))"
    )
    return rows


def expected(explanation: Explanation, step: int) -> list[list[int]]:
    grid = list(explanation.grids())[step]
    return [[-1 if colour == 9 else colour for colour in row] for row in grid.colours(unknown=9).tolist()]


def shown_step(page: Page) -> int:
    return int(page.locator("#slider").input_value())


def test_keys_step_forwards_backwards_and_to_both_ends(page, explanation):
    last = len(explanation.steps)
    walk = [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("ArrowRight", last)]
    walk += [("ArrowLeft", last - 1), ("Home", 0), ("ArrowLeft", 0)]
    assert cells(page) == expected(explanation, 0)
    for key, step in walk:
        page.keyboard.press(key)
        assert shown_step(page) == step
        assert cells(page) == expected(explanation, step)


def test_who_tries_first_sees_the_line_before_its_cells(page, explanation):
    page.locator("#try").click()
    assert page.locator("#list li").count() == 0
    for step in explanation.steps[:6]:
        before = cells(page)
        page.keyboard.press("ArrowRight")
        assert cells(page) == before
        assert step.text not in (page.locator("#sentence").text_content() or "")
        assert page.locator("th.told").count() == (step.line is not None)
        assert page.locator("td.now, span.about").count() == 0
        assert page.locator("#list li").count() == step.number - 1
        page.keyboard.press("ArrowRight")
        assert cells(page) == expected(explanation, step.number)
        assert page.locator("#sentence").text_content().split() == step.text.split()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert cells(page) == expected(explanation, 6)
    page.locator("#try").click()
    assert page.locator("#list li").count() == len(explanation.steps)


def test_screen_readers_announce_the_sentence(page, explanation):
    page.keyboard.press("ArrowRight")
    live = page.locator("[aria-live=polite]")
    step = explanation.steps[0]
    said = "".join((live.text_content() or "").split())
    whole = f"Step 1 of {len(explanation.steps)} · grade {step.grade} {step.title} {step.text}"
    assert said == "".join(whole.split())
    page.keyboard.press("End")
    assert explanation.summary in (live.text_content() or "")
    for button in ("first", "previous", "next", "last"):
        assert page.locator(f"#{button}").get_attribute("aria-label")


def test_without_scripts_the_page_still_shows_every_reason(browser, explanation, path):
    page = browser.new_page(java_script_enabled=False)
    page.goto(path.as_uri())
    told = page.locator("noscript li").all_text_contents()
    assert told == [f"{step.title}, grade {step.grade}. {step.text}" for step in explanation.steps]
    page.close()


def test_the_page_speaks_german_with_german_reasons(browser, explanation, path):
    page = browser.new_page(locale="de-DE")
    page.goto(path.as_uri())
    assert page.locator("html").get_attribute("lang") == "de"
    told = explain(PUZZLE, language="de")
    assert f"{told.ending('de')} Stufe mittel: " in (page.locator("header").text_content() or "")
    for step in told.steps[:5]:
        page.get_by_role("button", name="Nächster Schritt").click()
        title = Words(PUZZLE.palette, "de").title(step.technique, step.line)
        shown = page.locator("[aria-live]").text_content() or ""
        assert f"Schritt {step.number} von {len(told.steps)} · Grad {step.grade}{title}" in shown
        assert step.text in shown
    page.get_by_label("Sprache").select_option("en")
    page.locator("#sentence", has_text=explanation.steps[4].text).wait_for()
    page.close()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_is_accessible_at_every_stage(page, repository, width):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(reduced_motion="reduce")
    shots = repository / "build" / "screenshots"
    shots.mkdir(parents=True, exist_ok=True)

    def check(stage: str) -> None:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            violations = axe.run(page).response["violations"]
            assert [(found["id"], found["nodes"][0]["html"]) for found in violations] == []
            page.screenshot(path=shots / f"steps-{stage}-{scheme}-{width}.png", full_page=True)

    check("start")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    check("step")
    page.locator("#try").click()
    page.keyboard.press("ArrowRight")
    check("question")
    page.keyboard.press("End")
    check("end")
