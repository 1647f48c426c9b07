"""What notebooks show: pictures that fit, and no text of a puzzle that becomes markup."""

import re
from xml.etree import ElementTree

import nonocsp
from nonocsp import Answer, Grid, Outcome, Palette, Puzzle, Termination
from nonocsp.model import Colour

BREAKS = "document.title='broken'"
HOSTILE = f'</title></svg>"\'><script>{BREAKS}</script><img src=x onerror="{BREAKS}">'
RED = Palette(
    (Colour("white", "#ffffff", "<"), Colour(HOSTILE, "#ff0000", "&"), Colour("blue", "#0000ff", '"'))
)
PUZZLE = Puzzle.from_grid([[1, 2, 0], [0, 1, 1]], palette=RED, title=HOSTILE, author=HOSTILE)
SVG = "{http://www.w3.org/2000/svg}"


def fills(svg: str) -> set[str | None]:
    return {element.get("fill") for element in ElementTree.fromstring(svg).iter(f"{SVG}rect")}


def test_a_puzzle_shows_its_clues_and_not_its_solution():
    heart = Puzzle.from_grid([[1, 1], [0, 1]], title="corner")
    assert "<title>corner</title>" in heart._repr_svg_()
    assert fills(heart._repr_svg_()) == {"#ffffff"}
    assert fills(nonocsp.svg(heart, heart.goal)) == {"#ffffff", "#000000"}
    assert nonocsp.svg(heart)._repr_svg_() == heart._repr_svg_()
    assert ["<path" in nonocsp.svg(PUZZLE, patterns=patterns) for patterns in (False, True)] == [False, True]


def test_an_outcome_marks_the_cells_in_which_two_solutions_differ():
    switch = nonocsp.solve(Puzzle.from_clues([[1], [1]], [[1], [1]]))._repr_html_()
    unique = nonocsp.solve(Puzzle.from_clues([[2]], [[1], [1]]))._repr_html_()
    assert switch.count("<svg") == 2
    assert switch.count("<line") / 2 > unique.count("<line")
    assert "multiple" in switch
    limited = Outcome(Answer.UNKNOWN, Termination.WALL, message="the wall <b>limit</b>")._repr_html_()
    assert "<svg" not in limited
    assert "unknown, ended by wall (the wall &lt;b&gt;limit&lt;/b&gt;)" in limited


def test_nothing_that_a_puzzle_says_becomes_markup(browser):
    explanation = nonocsp.explain(PUZZLE)
    hint = nonocsp.hint(PUZZLE, Grid.unknown(2, 3, RED))
    failed = Outcome(Answer.UNKNOWN, Termination.CRASHED, message=HOSTILE, palette=RED)
    parts = [
        PUZZLE._repr_svg_(),
        nonocsp.svg(PUZZLE, PUZZLE.goal),
        *(shown._repr_html_() for shown in (nonocsp.solve(PUZZLE), failed, explanation, hint)),
    ]
    for part in parts[:2]:
        ElementTree.fromstring(part)
    page = browser.new_page()
    page.set_content("<title>whole</title>" + "".join(f"<section>{part}</section>" for part in parts))
    assert page.locator("section").count() == len(parts)
    page.frame_locator("iframe").get_by_role("button", name="Play").wait_for()
    assert page.title() == "whole"
    assert page.locator("script, img").count() == 0
    assert page.frame_locator("iframe").locator("img").count() == 0
    page.close()


def test_a_puzzle_opens_the_player_in_a_frame_of_its_own(browser):
    page = browser.new_page()
    page.set_content(f"<title>whole</title>{PUZZLE._repr_html_()}")
    assert page.locator("svg").count() == 1
    page.get_by_text("Play").click()
    player = page.frame_locator("iframe")
    player.get_by_role("button", name="blue").click()
    player.locator("td[role=gridcell]").nth(1).click()
    player.locator("td.ink-2").wait_for()
    assert page.title() == "whole"
    assert page.locator("script, img").count() == 0
    assert re.findall(r'sandbox="([^"]*)"', PUZZLE._repr_html_()) == ["allow-scripts"]
    page.close()
