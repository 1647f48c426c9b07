"""The player in a browser, opened as a file; screenshots of its states are in build/screenshots."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image

import nonocsp
from nonocsp import Palette, Puzzle
from nonocsp.model import Colour
from nonocsp.pages import filled
from nonocsp.render.play import Playable, play_page
from tests import browsing
from tests.browsing import DESKTOP, PHONE, Fingers, shots

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

PLUS = Puzzle.from_grid([[0, 1, 0], [1, 1, 1], [0, 1, 0]], title="Plus", author="me", licence="CC0")
SWITCH = Puzzle.from_clues([[1], [1]], [[1], [1]], title="Switch")
FLAG = Puzzle.from_grid(
    [[1, 1, 2, 2], [3, 3, 0, 1]],
    palette=Palette.of(3),
    title="Flag",
)
LARGE = Puzzle.from_grid(np.random.default_rng(1).random((50, 50)) < 0.6, title="Large")


class Visit(browsing.Visit):
    """The player, whose clock the test moves."""

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def drag(self, start: tuple[int, int], end: tuple[int, int], button: Any = "left") -> None:
        boxes = [self.cell(*place).bounding_box() for place in (start, end)]
        for box, act in zip(boxes, (self.page.mouse.down, self.page.mouse.up), strict=True):
            assert box
            self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            act(button=button)

    def says(self, text: str) -> None:
        self.page.locator("#player-status", has_text=text).wait_for()

    def seconds(self) -> int:
        """Return what the timer shows."""
        parts = [int(part) for part in self.page.get_by_role("timer").inner_text().split(":")]
        return sum(part * 60**i for i, part in enumerate(reversed(parts)))

    def marks(self) -> list[str]:
        """Return the grid once all changes are shown: ? open, . crossed out, # or the number of a colour."""
        rows: list[str] = self.page.evaluate(
            """() => [...document.querySelectorAll('tbody tr')].map(row =>
                [...row.querySelectorAll('td')].map(td => td.matches('.open') ? '?' :
                    td.matches('.cross') ? '.' : td.className.match(/ink-(\\d)/)[1]).join(''))"""
        )
        return rows

    def shows(self, *rows: str) -> None:
        """Wait until the grid has these marks."""
        from playwright.sync_api import expect

        for row, marks in enumerate(rows):
            for column, mark in enumerate(marks):
                known = {"?": "open", ".": "cross"}
                pattern = known.get(mark, f"ink-{mark}")
                expect(self.cell(row, column)).to_contain_class(pattern)


Open = Callable[..., Visit]


@pytest.fixture
def visit(browser, tmp_path) -> Iterator[Open]:
    """Open the page of puzzles, every time in a new context; nothing may fail in it or leave it."""
    contexts: list[BrowserContext] = []
    visits: list[Visit] = []
    file = tmp_path / "page.html"

    def opened(
        *puzzles: Puzzle | Playable,
        is_new: bool = True,
        page: str = "",
        title: str = "",
        language: str = "en",
        **options: Any,
    ) -> Visit:
        playables = [one if isinstance(one, Playable) else Playable(one) for one in puzzles]
        if page or playables:
            file.write_text(page or play_page(playables, title=title, language=language))
        if is_new:
            contexts.append(browser.new_context(**({"viewport": DESKTOP} | options)))
        visits.append(Visit(contexts[-1], file, has_clock=True))
        return visits[-1]

    yield opened
    for one in visits:
        one.check()
    for context in contexts:
        context.close()


def explained(puzzle: Puzzle) -> Playable:
    steps = [step.record(puzzle.palette) for step in nonocsp.explain(puzzle).steps]
    return Playable(puzzle, steps=steps)


def test_the_mouse_fills_and_crosses_out_and_the_clues_recognise_the_solution(visit):
    here = visit(PLUS)
    here.drag((1, 0), (1, 2))
    here.shows("???", "111", "???")
    here.cell(0, 0).click(button="right")
    here.drag((2, 2), (2, 1), button="right")
    here.shows(".??", "111", "?..")
    here.cell(2, 1).click()
    here.shows(".??", "111", "?1.")
    assert here.page.locator("th.row .found").all_inner_texts() == ["3", "1"]
    here.page.get_by_role("switch", name="Cross out finished lines").check()
    here.shows(".?.", "111", ".1.")
    here.cell(0, 1).click()
    here.says(", without a mistake.")
    here.cell(0, 1).click()
    assert here.marks()[0] == ".1."


def test_the_keyboard_does_everything(visit):
    here = visit(PLUS)
    here.cell(0, 0).focus()
    here.press("x", "ArrowRight", "Space", "ArrowRight", "x")
    here.shows(".1.", "???", "???")
    here.press("ArrowDown", "Space", "Shift+ArrowLeft", "Shift+ArrowLeft")
    here.shows(".1.", "111", "???")
    here.press("Control+z", "Control+z", "Control+y")
    here.shows(".1.", "?11", "???")
    here.press("Delete")
    assert here.page.evaluate("document.activeElement.dataset.column") == "0"
    here.press("End", "Delete")
    here.shows(".1.", "?1?", "???")
    assert here.page.locator('td[role="gridcell"][tabindex="0"]').count() == 1
    assert here.cell(1, 1).get_attribute("aria-label") == "row 2, column 2, filled"
    assert here.page.locator("#here").inner_text() == "Row 2: 3 · Column 3: 1"
    here.press("Home", "Space", "End", "Space", "PageDown", "ArrowLeft", "Enter")
    here.says("Solved")


def test_a_check_names_lines_that_contradict_their_clue_and_counts_mistakes_once(visit):
    here = visit(PLUS)
    here.cell(1, 0).click(button="right")
    for _ in range(2):
        here.button("Check").click()
        here.says("This line contradicts its clue: row 2.")
    assert here.page.locator("#player-mistakes").inner_text() == "1"
    assert here.page.locator("th.wrong").count() == here.page.locator("td.ambiguous").count() == 1
    here.cell(1, 0).click(button="right")
    assert here.page.locator("th.wrong").count() == 0
    here.button("Check").click()
    here.says("No line contradicts its clue.")
    assert here.page.get_by_role("button", name="Hint").count() == 0
    while here.button("Undo").is_enabled():
        here.button("Undo").click()
    here.button("Restart").click()
    assert here.page.locator("#player-mistakes").inner_text() == "0"


def test_hints_lead_to_the_solution_if_the_explanation_is_in_the_page(visit):
    here = visit(explained(PLUS), language="", locale="de-DE")
    place = here.button("Hint").bounding_box()
    assert (here.page.locator("h1").inner_text(), here.page.title()) == ("Nonogram", "Nonogram")
    here.cell(0, 0).click()
    here.button("Hint").click()
    here.says("First correct what is wrong.")
    assert here.page.locator("td.wrong").count() == 1
    here.button("Undo").click()
    while not here.page.locator("#player-status.solved").count():
        here.button("Hint").click()
        here.says("Look at ")
        here.button("Why?").click()
        here.says("Cell")
        assert here.page.locator("td.hinted").count() == 0
        assert here.button("Hint").bounding_box() == place
        here.button("Hint").click()
        assert here.page.locator("td.hinted").count()
        here.button("Fill in").click()
    here.says("with 1 mistake and ")
    assert here.page.locator("h1").inner_text() == "Plus"


def test_mistakes_show_at_once_if_the_player_wants_it_and_count_once(visit):
    here = visit(explained(PLUS))
    here.page.get_by_role("switch", name="Show mistakes at once").check()
    for column in (0, 1, 2):
        here.cell(0, column).click()
        here.page.locator(f"td.wrong >> nth={column // 2}").wait_for()
    here.drag((2, 0), (2, 2))
    here.page.locator("td.wrong >> nth=3").wait_for()
    here.page.reload()
    here.page.locator("td.wrong >> nth=3").wait_for()
    assert here.page.locator("#player-mistakes").inner_text() == "3"


def test_puzzles_to_choose_from_show_picture_and_name_once_they_are_solved(visit):
    here = visit(SWITCH, PLUS)
    tiles = here.page.locator(".tile")
    assert not {"Switch", "Plus"} & set(" ".join(tiles.all_inner_texts()).split())
    tiles.first.click()
    here.page.get_by_role("heading", name="No. 1").wait_for()
    assert here.page.evaluate("scrollY") == 0
    here.cell(0, 0).click()
    here.cell(1, 1).click()
    here.says("Switch! Solved in")
    here.button("Next puzzle").click()
    here.page.get_by_role("heading", name="No. 2").wait_for()
    here.page.get_by_role("link", name="All puzzles").click()
    tiles.first.locator("canvas").wait_for()
    assert "Switch" in tiles.first.inner_text()
    assert tiles.nth(1).locator("canvas").count() == 0


def test_reloading_resumes_and_restarting_can_be_undone(visit):
    here = visit(PLUS)
    here.cell(1, 1).click()
    here.cell(0, 0).click(button="right")
    here.page.clock.run_for(1000_000)
    here.button("Check").click()
    here.page.reload()
    here.says("Continued where you stopped.")
    here.shows(".??", "?1?", "???")
    assert here.seconds() >= 1000
    here.button("Restart").click()
    here.shows("???", "???", "???")
    assert here.seconds() < 1000
    here.button("Undo").click()
    here.shows(".??", "?1?", "???")
    other = visit(SWITCH, is_new=False)
    other.shows("??", "??")
    again = visit(PLUS, is_new=False)
    again.shows(".??", "?1?", "???")


def test_fingers_fill_hold_for_crosses_and_two_of_them_zoom(visit):
    here = visit(PLUS, viewport=PHONE, has_touch=True, is_mobile=True)
    here.cell(1, 1).tap()
    here.shows("???", "?1?", "???")
    fingers = Fingers(here)
    fingers.touch((0, 0))
    here.page.clock.run_for(1000)
    fingers.touch((0, 1))
    fingers.touch()
    here.shows("..?", "?1?", "???")
    before = here.cell(0, 0).bounding_box()
    fingers.touch((2, 0))
    fingers.touch((2, 0), (2, 1))
    fingers.touch((2, 0), (0, 2))
    fingers.touch()
    here.shows("..?", "?1?", "???")
    after = here.cell(0, 0).bounding_box()
    assert before
    assert after
    assert after["width"] > 1.2 * before["width"]
    here.button("Cross").click()
    here.cell(2, 2).tap()
    here.shows("..?", "?1?", "??.")


def test_fifteen_lines_are_solved_by_touch_with_crosses_and_a_checkpoint(visit):
    goal = np.random.default_rng(5).random((15, 15)) < 0.55
    here = visit(Puzzle.from_grid(goal), viewport=PHONE, has_touch=True, is_mobile=True)
    fingers = Fingers(here)
    here.page.get_by_label("Cross out finished lines").check()

    def draw(row: int) -> None:
        here.page.evaluate("scrollTo(0, 0)")
        filled = np.flatnonzero(goal[row])
        for run in np.split(filled, np.flatnonzero(np.diff(filled) > 1) + 1):
            ends = [here.cell(row, int(column)).bounding_box() for column in (run[0], run[-1])]
            # Quickly: a finger that rests means a cross.
            for box in ends:
                fingers.at((box["x"] + 7, box["y"] + 7))
            fingers.at()

    draw(0)
    here.shows("".join(".1"[cell] for cell in goal[0].astype(int)))
    here.button("Set a checkpoint").click()
    before = here.marks()
    draw(1)
    here.button("Go back (1)").click()
    assert here.marks() == before
    for row in range(1, 15):
        draw(row)
    here.says("Solved")


def test_a_large_puzzle_on_a_phone_keeps_its_clues_in_view(visit, repository):
    here = visit(LARGE, viewport=PHONE, has_touch=True, is_mobile=True)
    last = here.cell(49, 49)
    last.focus()
    row, column = here.page.locator("tbody th").last, here.page.locator("thead th").last
    for clue in (row, column, last):
        box = clue.bounding_box()
        assert box
        assert box["x"] + box["width"] > 0
        assert box["x"] + box["width"] <= PHONE["width"]
        assert box["y"] + box["height"] <= PHONE["height"]
    assert here.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    shoot(here, repository, "player-large-phone")
    size = last.bounding_box()
    here.button("Larger cells").click()
    larger = last.bounding_box()
    assert size
    assert larger
    assert larger["width"] > size["width"]


def test_every_line_shows_where_cells_are_no_whole_pixels(visit):
    here = visit(
        Puzzle.from_grid(np.ones((15, 15), int)), viewport=PHONE, device_scale_factor=2, is_mobile=True
    )
    here.page.add_style_tag(content=".board.board { --cell: 18.5px }")
    box = here.cell(0, 2).bounding_box()
    assert box
    strip = {"x": box["x"] + 7, "y": box["y"], "width": 1, "height": 14 * 18.5 + 2}
    shot = Image.open(BytesIO(here.page.screenshot(clip=strip))).convert("L")  # type: ignore[arg-type]
    assert lines_of(np.asarray(shot)[:, 0], 250) == 14


def lines_of(strip: np.ndarray, paper: int) -> int:
    """Count the runs that are darker than paper."""
    return int((np.diff((strip < paper).astype(int), prepend=0) == 1).sum())


@pytest.mark.parametrize(("name", "paper"), [("Plus", "A4"), ("Large", "A4"), ("Flag", "Letter")])
def test_a_print_is_one_page_that_the_puzzle_fills(visit, repository, paper, name):
    pypdfium2 = pytest.importorskip("pypdfium2")
    puzzle = {"Plus": PLUS, "Large": LARGE, "Flag": FLAG}[name]
    here = visit(puzzle, title=name, color_scheme="dark")
    here.cell(0, 0).click()
    here.page.emulate_media(media="print")
    assert here.page.locator("h1").evaluate("one => getComputedStyle(one).color") == "rgb(27, 29, 33)"
    clue = here.page.locator("th.row.current")
    assert clue.evaluate("one => getComputedStyle(one).backgroundColor") == "rgba(0, 0, 0, 0)"
    document = pypdfium2.PdfDocument(here.page.pdf(format=paper, prefer_css_page_size=name == "Flag"))
    assert len(document) == 1
    text = document[0].get_textpage().get_text_range()
    picture = document[0].render(scale=1).to_pil().convert("L")
    sharp = np.asarray(document[0].render(scale=3).to_pil().convert("L"))
    document.close()
    picture.save(shots(repository) / f"player-print-{name}-{paper}.png")
    assert name in text
    assert "Undo" not in text
    assert "Time" not in text
    dark = np.argwhere(np.asarray(picture) < 128)
    (top, left), (bottom, right) = dark.min(axis=0), dark.max(axis=0)
    height, width = picture.height, picture.width
    cell = here.page.locator(".player").evaluate(
        "one => parseFloat(one.style.getPropertyValue('--print-cell'))"
    )
    cell *= 3 * 72 / 25.4
    end, side = np.argwhere(sharp < 128).max(axis=0)
    rows = puzzle.shape[0]
    assert lines_of(sharp[end - round(rows * cell) - 3 :, side - round(cell / 2)], 200) == rows + 1
    assert max((bottom - top) / height, (right - left) / width) > 0.75
    assert np.asarray(picture)[:5].min() == 255  # white paper, though the page is dark


HOSTILE = "</script><img src=x onerror=alert(1)><!-- <script> ]]>\"'&\u2028"


def test_hostile_texts_stay_texts(visit):
    palette = Palette(
        (Colour(f"w{HOSTILE}", "#ffffff", "<"), Colour(HOSTILE, "#ff0000", ">"), Colour("b", "#0000ff", "&"))
    )
    puzzle = Puzzle.from_grid(
        [[1, 2], [0, 1]], palette=palette, title=HOSTILE, author=HOSTILE, licence=HOSTILE
    )
    here = visit(explained(puzzle), title=HOSTILE)
    assert here.page.title().startswith("</script><img")
    assert here.page.get_by_role("heading").inner_text().startswith("</script><img")
    for button in ("Hint", "Why?", "Show cells"):
        here.button(button).click()
    here.page.locator("td.hinted").first.wait_for()
    assert here.page.locator("img").count() == 0


def test_data_that_nobody_should_write_neither_runs_nor_hangs(visit):
    colours = [{"name": f"c{i}", "rgb": f"#{i:06x}", "char": chr(0x4E00 + i)} for i in range(1000)]
    lines = [[[1, f"c{i + 1}"] for i in range(100)]]
    puzzle = {
        "title": "x" * 100_000,
        "palette": colours,
        "rows": lines,
        "columns": [[pair] for pair in lines[0]],
    }
    here = visit(page=filled("player", {"puzzles": [{"puzzle": puzzle}]}, title="many"))
    here.cell(0, 99).click()
    here.shows("?" * 99 + "1")
    broken: list[Any] = [{}, {"rows": "x", "columns": 1}, {"rows": [[1]] * 101, "columns": [[101]]}]
    broken += [{"rows": [[10**400]], "columns": [[1.5]]}, {"rows": [[[1, "no"]]], "columns": [[1]]}]
    for puzzle in broken:
        text = json.dumps({"puzzles": [{"puzzle": puzzle}]})
        here = visit(page=filled("player", text, title="broken"))
        here.page.get_by_role("alert").filter(has_text="This puzzle cannot be shown.").wait_for()
    here = visit(page=filled("player", {"puzzles": []}, title="empty"))
    here.page.get_by_text("This page is the empty player.").wait_for()


@pytest.mark.parametrize(("look", "size"), [("light", PHONE), ("dark", DESKTOP)], ids=["phone", "desktop"])
def test_axe_finds_nothing_in_any_state(visit, repository, look, size):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()

    def check(here: Visit, state: str) -> None:
        found = axe.run(here.page).response["violations"]
        assert not found, f"{state}: {[(one['id'], one['nodes'][0]['html']) for one in found]}"
        shoot(here, repository, f"player-{state}-{look}-{size['width']}")

    here = visit(explained(FLAG), SWITCH, color_scheme=look, viewport=size, reduced_motion="reduce")
    check(here, "list")
    here.page.get_by_role("link", name="No. 1").click()
    check(here, "begin")
    for button in ("Hint", "Why?", "Show cells"):
        here.button(button).click()
    here.page.locator("td.hinted").first.wait_for()
    check(here, "hint")
    here.cell(0, 0).click(button="right")
    here.button("Check").click()
    here.says("wrong")
    check(here, "mistake")
    here.button("Undo").click()
    here.drag((0, 0), (0, 1))
    check(here, "found")
    here.button("Dark").click()
    check(here, "other-look")
    here = visit(SWITCH, color_scheme=look, viewport=size)
    here.cell(0, 0).click()
    here.cell(1, 1).click()
    here.says("Solved")
    check(here, "solved")


def shoot(here: Visit, repository: Path, name: str) -> None:
    here.page.screenshot(path=shots(repository) / f"{name}.png")
