"""Journeys on the board of the studio: what the pointer draws is what is drawn."""

from __future__ import annotations

import base64
import itertools
import json

import pytest

from tests.browsing import PHONE, Fingers

CAT = (
    "...#........#.......",
    "...##......##.......",
    "...###....###.......",
    "...##########.......",
    "..############......",
    "..###..##..###...##.",
    "..###..##..###..####",
    "..############..##.#",
    "..#####..#####.....#",
    "...####..####.....##",
    ".....######.......##",
    ".....######......##.",
    "....########....###.",
    "...##########...##..",
    "...###########.###..",
    "..################..",
    "..###############...",
    "..##.####.######....",
    "..##.####.#####.....",
    ".###.###.####.......",
)
PIXELS = 3


def runs(rows: tuple[str, ...]) -> list[tuple[int, int, int, str]]:
    """Return row, first and last column and character of every run."""
    found = []
    for row, cells in enumerate(rows):
        for char, run in itertools.groupby(range(len(cells)), lambda i, cells=cells: cells[i]):  # type: ignore[misc]
            places = list(run)
            if char != ".":
                found.append((row, places[0], places[-1], char))
    return found


def sized(here, rows: int, columns: int) -> None:
    here.unfold("Picture")
    for name, count in (("Rows", rows), ("Columns", columns)):
        here.page.get_by_role("spinbutton", name=name).fill(str(count))
        here.page.keyboard.press("Enter")
    here.cell(rows - 1, columns - 1).wait_for()


def test_straight_drags_draw_the_cat_and_the_board_stays_where_it_is(visit):
    here = visit()
    sized(here, len(CAT), len(CAT[0]))
    before = here.cell(0, 0).bounding_box()
    for row, first, last, _ in runs(CAT):
        here.drag((row, first), (row, last))
    assert here.drawn() == ["".join("01"[cell == "#"] for cell in row) for row in CAT]
    assert here.cell(0, 0).bounding_box() == before
    here.drag((0, 3), (3, 3), button="right")
    assert [row[3] for row in here.drawn()[:5]] == ["0"] * 4 + ["1"]
    here.says("solution")
    here.open("broken.json", "{")
    here.says("broken.json")
    assert here.cell(0, 0).bounding_box() == before


def test_longer_clues_get_room_only_when_the_mouse_has_left_the_board(visit):
    here = visit()
    sized(here, 20, 20)
    before = here.cell(9, 0).bounding_box()
    for column in range(0, 20, 2):
        here.drag((9, column))
    assert here.drawn()[9] == "10" * 10
    here.says("solution")
    assert here.cell(9, 0).bounding_box() == before
    here.page.mouse.move(1, 1)
    here.page.wait_for_function(
        "left => document.querySelector('td[data-row]').getBoundingClientRect().left > left", arg=before["x"]
    )


def test_a_drag_out_of_the_grid_goes_on_along_its_edge(visit):
    here = visit()
    start, mouse = here.cell(4, 4).bounding_box(), here.page.mouse
    mouse.move(start["x"] + 5, start["y"] + 5)
    mouse.down()
    mouse.move(start["x"] + 5, 2)
    mouse.move(1275, 2)
    mouse.up()
    assert here.drawn() == ["0000111111", *["0000100000"] * 4, *["0" * 10] * 5]


def test_a_finger_draws_in_colours_on_a_phone_that_shows_the_whole_board(visit):
    here = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    sized(here, 20, 20)
    for _ in range(3):
        here.button("Add colour").click()
    here.page.evaluate("scrollTo(0, 0)")
    for place in ((0, 0), (19, 19)):
        box = here.cell(*place).bounding_box()
        assert 0 <= box["x"] <= PHONE["width"] - box["width"]
    fingers = Fingers(here)
    for colour, name in enumerate(("black", "red", "blue", "green")):
        here.button(name).click()
        for cells in ([(colour, 2)], [(colour, 2 + 4 * colour)], []):
            fingers.touch(*cells)
    assert here.drawn()[:4] == [
        "00" + str(colour + 1) * (4 * colour + 1) + "0" * (17 - 4 * colour) for colour in range(4)
    ]


@pytest.mark.parametrize("name", ["16-cat", "28-snowman"])
def test_a_phone_shows_all_columns_of_a_puzzle_with_their_numbers_apart(visit, repository, name):
    here = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    here.open(f"{name}.json", (repository / f"datasets/showcase/puzzles/{name}.json").read_text())
    for view in ("Draw", "Play"):
        here.button(view).click()
        here.cell(15, 15).wait_for()
        assert here.page.locator(".room").evaluate("room => room.scrollWidth") <= PHONE["width"]
        beside = "numbers => Math.min(...numbers.map((n) => n.parentElement.clientWidth - n.offsetWidth))"
        assert here.page.locator("th.column span").evaluate_all(beside) >= 3


def test_a_pinch_stays_where_the_fingers_are(visit):
    here = visit("#" + link(60), viewport=PHONE, has_touch=True, is_mobile=True)
    fingers = Fingers(here)
    room = here.page.locator(".room").bounding_box()
    x, y = room["x"] + 200, room["y"] + 250
    under = """([x, y]) => {
        const cell = document.elementFromPoint(x, y).closest('td[data-row]');
        const { left, top, width } = cell.getBoundingClientRect();
        return [+cell.dataset.row, +cell.dataset.column, (x - left) / width, (y - top) / width, width];
    }"""
    row, column, across, down, before = here.page.evaluate(under, [x, y])
    fingers.at((x - 20, y))
    fingers.at((x - 20, y), (x + 20, y))
    for apart in range(22, 61, 2):
        fingers.at((x - apart, y), (x + apart, y))
        now = here.cell(int(row), int(column)).bounding_box()
        assert abs(now["x"] + across * now["width"] - x) <= PIXELS
        assert abs(now["y"] + down * now["height"] - y) <= PIXELS
    fingers.at()
    assert now["width"] > 2 * before
    assert set("".join(here.drawn())) == {"0"}


def test_sixty_lines_are_drawn_on_a_phone_with_their_clues_in_view(visit):
    here = visit("#" + link(60), viewport=PHONE, has_touch=True, is_mobile=True)
    here.cell(59, 59).focus()
    clues = [here.page.locator(f"{part} th").last.bounding_box() for part in ("thead", "tbody")]
    last = here.cell(59, 59).bounding_box()
    assert last["width"] >= 15
    for box in (*clues, last):
        assert 0 < box["x"] + box["width"] <= PHONE["width"]
        assert 0 < box["y"] + box["height"] <= PHONE["height"]
    fingers = Fingers(here)
    for cells in ([(59, 50)], [(59, 59)], []):
        fingers.touch(*cells)
    assert here.drawn()[59] == "0" * 50 + "1" * 10


def link(size: int) -> str:
    document = json.dumps({"goal": ["." * size] * size}).encode()
    return "p=" + base64.urlsafe_b64encode(document).decode().rstrip("=")


def test_a_dead_worker_is_told_and_replaced(visit):
    here = visit()
    here.open("plus.json", json.dumps({"goal": [".#.", "###", ".#."]}))
    here.says("One solution")
    here.page.get_by_text("The level is known once").wait_for(state="detached")  # so no request is under way
    here.page.evaluate(
        """() => {
            const post = Worker.prototype.postMessage;
            Worker.prototype.postMessage = function (...all) {
                Worker.prototype.postMessage = post;
                this.dispatchEvent(new ErrorEvent('error', { message: 'out of memory', cancelable: true }));
            };
        }"""
    )
    here.cell(0, 0).click()
    here.page.get_by_text("The check stopped and was started again.").wait_for()
    here.page.locator("#verdict[aria-busy=false]").wait_for()
    here.page.evaluate(
        """Worker.prototype.postMessage = function () {
            this.dispatchEvent(new ErrorEvent('error', { message: 'out of memory', cancelable: true }));
        }; null"""
    )
    here.cell(0, 0).click()
    here.says("The check stopped; your next change starts it again.")


def test_without_scripts_the_page_says_what_it_needs(visit):
    here = visit(java_script_enabled=False)
    assert "needs JavaScript" in here.page.locator("noscript").inner_text()


def test_an_old_error_goes_with_its_file(visit):
    here = visit()
    here.open("broken.json", "{")
    here.says("broken.json")
    here.open("plus.json", json.dumps({"goal": ["#"]}))
    here.cell(0, 0).wait_for()
    here.says("One solution")
    assert here.page.locator(".said").inner_text() == ""
