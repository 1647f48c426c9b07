"""The steps of a drawn puzzle in the studio: those of the command line, found in the page itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import nonocsp
from nonocsp import Explanation, Puzzle
from tests.browsing import DESKTOP, PHONE, Visit, shots
from tests.waiting import AMPLE_S

if TYPE_CHECKING:
    from playwright.sync_api import Page

SHOWCASE = Path(__file__).parents[2] / "datasets" / "showcase" / "puzzles"
GUESSING = json.dumps({"goal": [".#.##.", "#.##..", "#....#", "#...##", ".#.#.#", "#.##.."]})

# Where the middle of the knob is at the last step, counted in bars of the histogram from its end.
KNOB = """() => {
    const [slider, low, high] = ["#slider", ".grades path", ".grades .hardest"].map(
        (part) => document.querySelector(part).getBoundingClientRect());
    const [left, right] = [Math.min(low.left, high.left), Math.max(low.right, high.right)];
    return (right - slider.right + 8) / (right - left) * document.querySelector("#slider").max;
}"""


@pytest.fixture(scope="module")
def page(browser, studio_page) -> Iterator[Page]:
    """The studio; nothing may fail in it or leave it."""
    context = browser.new_context(viewport=DESKTOP, reduced_motion="reduce")  # type: ignore[arg-type]
    visit = Visit(context, studio_page)
    visit.page.set_default_timeout(AMPLE_S * 1000)
    yield visit.page
    context.close()
    visit.check()


def step_through(page: Page, content: str) -> str:
    """Open a puzzle, ask for its steps and return what is said of them in the end."""
    page.get_by_role("button", name="Draw").click()
    file = {"name": "puzzle.json", "mimeType": "text/plain", "buffer": content.encode()}
    page.get_by_label("Open file").set_input_files(file)  # type: ignore[arg-type]
    page.locator("#verdict[aria-busy=false]").wait_for()
    page.get_by_role("button", name="Steps").click()
    page.locator("#walk[aria-busy=false]").wait_for()
    return page.locator("#walk").text_content() or ""


def listed(page: Page) -> list[str]:
    return [" ".join(text.split()) for text in page.locator("#list li").all_text_contents()]


def expected(explanation: Explanation) -> list[str]:
    return [f"{s.number}. {s.title} grade {s.grade} {s.text}" for s in explanation.steps]


@pytest.mark.parametrize("name", ["04-rocket", "30-cherries"])
def test_the_steps_of_the_page_are_those_of_the_command_line(page, name):
    path = SHOWCASE / f"{name}.json"
    explanation = nonocsp.explain(nonocsp.load(path))
    said = step_through(page, path.read_text())
    assert said.startswith(explanation.summary)
    assert f"Level {explanation.effort.text}." in said
    assert listed(page) == expected(explanation)
    page.keyboard.press("End")
    colours = "[...document.querySelectorAll('#board td[data-colour]')].map(td => Number(td.dataset.colour))"
    assert page.evaluate(colours) == explanation.end.colours(unknown=9).ravel().tolist()


def test_what_if_questions_are_announced_with_their_first_step(page):
    puzzle = Puzzle.from_grid(nonocsp.Grid.from_strings(json.loads(GUESSING)["goal"]))
    explanation = nonocsp.explain(puzzle)
    first = next(step.number for step in explanation.steps if step.technique == "probe")
    said = step_through(page, GUESSING)
    assert f"From step {first} on, steps ask what-if questions" in said
    assert listed(page) == expected(explanation)


def test_another_view_ends_the_steps_and_the_verdict_comes_back(page):
    """In one task of the page, so that the steps are still being looked for when the view changes."""
    step_through(page, (SHOWCASE / "29-bicycle.json").read_text())
    for _ in range(3):
        page.evaluate(
            """async () => {
                const views = [...document.querySelectorAll('nav button')];
                const press = async name => {
                    views.find(view => view.textContent === name).click();
                    await new Promise(resolve => setTimeout(resolve));
                };
                for (const name of ['Draw', 'Steps', 'Draw']) await press(name);
            }"""
        )
        page.locator("#verdict[aria-busy=false]", has_text="One solution").wait_for()
        page.get_by_role("button", name="Steps").click()
        page.locator("#list li").first.wait_for()


def test_a_step_to_find_shows_its_cells_by_a_button_that_says_so(page):
    page.set_viewport_size(DESKTOP)
    step_through(page, (SHOWCASE / "04-rocket.json").read_text())
    page.get_by_role("button", name="Try first").click()
    page.get_by_role("button", name="Next step").click()
    page.get_by_text("This step is about").wait_for()
    assert page.locator("td.now").count() == 0
    page.locator(".card").get_by_role("button", name="Show the step").click()
    page.locator("td.now").first.wait_for()
    page.get_by_role("button", name="Try first").click()


def test_a_small_phone_reaches_the_last_step_the_whole_reason_and_the_menu(page):
    page.set_viewport_size({"width": 360, "height": 640})
    step_through(page, (SHOWCASE / "30-cherries.json").read_text())
    page.get_by_role("button", name="More").click()
    page.get_by_label("Language").select_option("de")
    page.keyboard.press("Escape")
    page.get_by_label("Sprache").wait_for(state="hidden")
    page.get_by_role("button", name="Zum Ende").click()
    page.locator("#title").wait_for()
    assert page.get_by_role("button", name="Nächster Schritt").is_disabled()
    assert page.evaluate(KNOB) == pytest.approx(0.4, abs=0.2)
    page.get_by_role("button", name="Zum Anfang").click()
    lengths = [len(text) for text in page.locator("#list .why").all_text_contents()]
    for _ in range(1 + lengths.index(max(lengths))):
        page.keyboard.press("ArrowRight")
    assert page.locator(".card").evaluate("card => card.scrollHeight > card.clientHeight")
    page.locator(".card").hover()
    board = page.locator("#board").bounding_box()
    page.mouse.wheel(0, 1000)
    bottom = "document.querySelector('#sentence').getBoundingClientRect().bottom"
    page.wait_for_function(f"() => {bottom} <= document.querySelector('.dock').getBoundingClientRect().top")
    assert page.locator("#board").bounding_box() == board
    page.get_by_role("button", name="Mehr").click()
    page.get_by_label("Sprache").select_option("en")
    page.keyboard.press("Escape")


@pytest.mark.parametrize("width", [390, 1280])
def test_the_view_is_accessible_and_fits(page, repository, width):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.set_viewport_size({"width": width, "height": 844})
    step_through(page, (SHOWCASE / "04-rocket.json").read_text())
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        violations = axe.run(page).response["violations"]
        assert [(found["id"], found["nodes"][0]["html"]) for found in violations] == []
        page.screenshot(path=shots(repository) / f"studio-steps-{scheme}-{width}.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    board, reason, dock = (
        page.locator(part).bounding_box() or {} for part in ("#board", "#sentence", ".dock")
    )
    assert board["y"] >= 0
    assert (
        width > PHONE["width"] or board["y"] + board["height"] <= reason["y"] < dock["y"] - reason["height"]
    )
