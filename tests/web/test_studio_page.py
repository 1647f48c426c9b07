"""The editor in a browser: by mouse, touch and keyboard; screenshots are in build/screenshots."""

from __future__ import annotations

import base64
import json
import subprocess

import pytest

from tests.browsing import DESKTOP, PHONE, shots

LEAST_TARGET = 44
UNIQUE = "One solution, line-solvable in"


def puzzle(*goal: str) -> str:
    return json.dumps({"goal": goal})


PLUS = ("..#..", "..#..", "#####", "..#..", "..#..")


def test_the_unit_tests_of_its_parts_pass(node, packages, core_module):
    command = [node, "node_modules/vitest/vitest.mjs", "run"]
    done = subprocess.run(command, cwd=packages, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_mouse_draws_and_the_verdict_follows(visit):
    here = visit()
    here.says("Draw something")
    here.open("plus.json", puzzle(*PLUS))
    here.says(UNIQUE)
    here.cell(2, 2).click()
    assert here.drawn()[2] == "11011"
    here.says("solution")
    here.button("Undo").click()
    assert here.drawn()[2] == "11111"
    here.says(UNIQUE)
    here.button("Redo").click()
    assert here.drawn()[2] == "11011"


def test_the_keyboard_does_everything(visit):
    here = visit()
    keyboard = here.page.keyboard
    here.cell(0, 0).focus()
    for key in ("Space", "ArrowRight", "ArrowDown", "Space", "End", "Enter"):
        keyboard.press(key)
    assert here.drawn()[:2] == ["1000000000", "0100000001"]
    assert here.page.evaluate("document.activeElement.dataset.column") == "9"
    assert here.page.locator('td[role="gridcell"][tabindex="0"]').count() == 1
    keyboard.press("Delete")
    keyboard.press("Control+z")
    keyboard.press("Control+z")
    assert here.drawn()[:2] == ["1000000000", "0100000000"]
    keyboard.press("Control+y")
    assert here.drawn()[1] == "0100000001"
    keyboard.press("l")
    keyboard.press("Home")
    keyboard.press("Space")
    keyboard.press("ArrowDown")
    keyboard.press("ArrowDown")
    keyboard.press("Space")
    assert [row[0] for row in here.drawn()[:5]] == ["1", "1", "1", "1", "0"]
    keyboard.press("f")
    keyboard.press("0")
    keyboard.press("Space")
    assert "1" not in "".join(row[0] for row in here.drawn()[:5])


def test_ambiguous_cells_are_marked_and_a_repair_can_be_applied(visit):
    here = visit()
    here.open("one.json", puzzle("#.", ".#"))
    here.says("Several solutions: 4 ambiguous cells")
    assert here.page.locator("td.ambiguous").count() == 4
    assert "ambiguous" in str(here.cell(0, 1).get_attribute("aria-label"))
    here.page.get_by_label("Show repairs").check()
    here.page.locator("td.simple").first.wait_for()
    here.cell(0, 1).hover()
    here.page.locator('td.offered[data-column="1"]').wait_for()
    here.page.get_by_text(": black, line-solvable").wait_for()
    here.button("Apply").click()
    here.says(UNIQUE)
    assert here.page.locator("td.ambiguous").count() == 0
    here.button("Undo").click()
    here.cell(1, 0).focus()
    here.page.locator('td.offered[data-row="1"]').wait_for()
    here.page.keyboard.press("r")
    here.says(UNIQUE)
    assert here.drawn() == ["10", "11"]


def test_adapt_changes_few_cells_in_one_step_of_undo_and_names_them(visit):
    here = visit()
    here.open("one.json", puzzle("#.....", ".#....", "......", "...#..", "....#.", "......"))
    here.says("Several solutions")
    before = here.drawn()
    here.button("Adapt").click()
    here.says("Changed")
    after = here.drawn()
    changed = [(i, j) for i in range(6) for j in range(6) if before[i][j] != after[i][j]]
    assert len(changed) == 2
    row, column = changed[0]
    here.says(f"row {row + 1}, column {column + 1} is")
    here.button("Undo").click()
    assert here.drawn() == before
    here.says("Several solutions")
    here.button("Redo").click()
    here.says(UNIQUE)
    assert not here.button("Adapt").is_enabled()


def test_colours_have_names_and_patterns_and_count_in_clues(visit):
    here = visit()
    here.button("Add colour").click()
    here.button("red").click()
    here.cell(0, 0).click()
    assert "red" in str(here.cell(0, 0).get_attribute("aria-label"))
    chip = here.page.locator("tbody th .chip").first
    marks = [
        part.evaluate("part => getComputedStyle(part, '::before').clipPath")
        for part in (here.cell(0, 0), chip, here.button("red"))
    ]
    assert marks == ["circle(38%)"] * 3
    here.unfold("Colours")
    here.page.get_by_label("Name of red").fill("rose")
    here.page.get_by_label("Name of red").press("Enter")
    assert here.button("rose").count() == 1
    here.page.get_by_label("Merge rose into").select_option("black")
    assert here.drawn()[0][0] == "1"
    assert here.button("rose").count() == 0
    here.button("Undo").click()
    here.button("Remove black").click()
    assert here.drawn()[0][0] == "1"
    assert here.button("rose").get_attribute("aria-pressed") == "true"


def test_clues_without_a_picture_are_solved(visit):
    here = visit()
    here.open("a.non", "width 3\nheight 2\nrows\n3\n1\ncolumns\n1\n2\n1\n")
    here.says(UNIQUE)
    assert here.drawn() == ["111", "010"]
    here.open("b.non", "width 3\nheight 3\nrows\n1 1\n0\n1 1\ncolumns\n2\n0\n2\n")
    here.says("The clues have no solution.")


def test_typed_clues_are_solved_and_the_wrong_one_is_mended(visit):
    here = visit()
    here.button("New").click()
    here.button("Enter clues").click()
    dialog = here.page.get_by_role("dialog", name="Enter clues")
    rows, columns = (dialog.get_by_label(name) for name in ("Rows", "Columns"))
    rows.fill("3\n1a")
    columns.fill("1\n2\n1")
    here.button("Solve and draw").click()
    dialog.get_by_text("cells and the columns").wait_for()
    rows.fill("3\n2")
    here.button("Solve and draw").click()
    dialog.get_by_role("button", name="row 2: 2 should be 1").click()
    here.says(UNIQUE)
    assert here.drawn() == ["111", "010"]
    here.button("New").click()
    here.button("Enter clues").click()
    rows.press("Control+z")  # of the text, not of the drawing
    rows.fill("Rows: 1, 1 1\nColumns: 1, 2, 0")
    here.button("Solve and draw").click()
    dialog.get_by_role("button", name="column 2 and column 3 should change places").wait_for()
    assert here.drawn() == ["111", "010"]
    rows.fill("1a\n1b")
    columns.fill("1a\n1b")
    here.button("Solve and draw").click()
    here.says(UNIQUE)
    assert here.drawn() == ["10", "02"]


def test_cancelled_clues_open_nothing(visit):
    here = visit()
    before = here.drawn()
    here.button("New").click()
    here.button("Enter clues").click()
    dialog = here.page.get_by_role("dialog", name="Enter clues")
    dialog.get_by_label("Rows").fill("Rows: 3, 1\nColumns: 1, 2, 1")
    dialog.locator("footer").evaluate(
        "footer => [...footer.querySelectorAll('button')].reverse().forEach(button => button.click())"
    )  # solves, and cancels before the text is read
    here.open("b.non", "width 3\nheight 3\nrows\n1 1\n0\n1 1\ncolumns\n2\n0\n2\n")
    here.says("The clues have no solution.")
    assert here.drawn() == before


def test_a_link_contains_the_puzzle_and_a_reload_resumes_with_undo(visit):
    here = visit()
    here.open("plus.json", puzzle(*PLUS))
    here.says(UNIQUE)
    here.cell(0, 0).click()
    here.unfold("Picture")
    for turn in ("Turn right", "Flip top and bottom", "Flip left and right", "Move up"):
        here.button(turn).click()
    assert [row.index("1") for row in here.drawn()] == [2, 0, 2, 0, 2]
    for _ in range(5):
        here.button("Undo").click()
    assert here.drawn() == ["00100", "00100", "11111", "00100", "00100"]
    here.button("Link and QR code").click()
    here.page.get_by_text("This page is a file").wait_for()
    assert here.page.get_by_role("img", name="QR code of the link").count() == 0
    link = here.page.get_by_label("Link to this puzzle").input_value()
    here.button("Close").click()
    here.cell(0, 0).click()
    here.button("Link and QR code").click()
    assert here.page.get_by_label("Link to this puzzle").input_value() != link
    here.button("Close").click()
    here.button("Undo").click()
    there = visit("#" + link.partition("#")[2])
    there.says(UNIQUE)
    assert there.drawn() == here.drawn()
    there.cell(0, 0).click()
    there.says("solution")
    there.page.reload()
    there.cell(0, 0).wait_for()
    assert there.drawn() == ["10100", *here.drawn()[1:]]
    there.button("Undo").click()
    assert there.drawn() == here.drawn()
    visit("#p=AAAA").page.get_by_text("the link is damaged").wait_for()


def test_two_tabs_and_a_link_lose_no_work(visit):
    here = visit()
    here.cell(0, 0).click()
    there = visit(is_new=False)
    assert there.drawn()[0][:2] == "10"
    there.cell(0, 1).click()
    here.page.locator('td[data-row="0"][data-column="1"][data-colour="1"]').wait_for()
    mine = here.drawn()
    link = "#p=" + base64.urlsafe_b64encode(puzzle(*PLUS).encode()).decode().rstrip("=")
    other = visit(link, is_new=False)
    other.button("Keep mine").click()
    assert other.drawn() == mine
    other = visit(link, is_new=False)
    other.button("Open the link").click()
    other.says(UNIQUE)
    other.cell(0, 0).click()
    assert here.drawn() == there.drawn() == mine
    other.page.reload()
    other.cell(0, 0).wait_for()
    assert other.drawn()[0] == "10100"
    other.button("Gallery").click()
    other.page.get_by_role("listitem").first.get_by_role("button").first.click()
    assert other.drawn() == mine


def test_a_damaged_save_and_a_storage_that_fails_are_told(visit):
    here = visit()
    here.cell(0, 0).click()
    here.says("solution")
    here.page.evaluate(
        """() => new Promise(resolve => {
            const opening = indexedDB.open('nonocsp');
            opening.onsuccess = () => {
                const store = opening.result.transaction('drawings', 'readwrite').objectStore('drawings');
                store.getAll().onsuccess = ({ target }) => {
                    const [kept] = target.result;
                    kept.present.cells = new Uint8Array(3);
                    store.put(kept).onsuccess = resolve;
                };
            };
        })"""
    )
    again = visit(is_new=False)
    again.page.get_by_text("is damaged and was set aside").wait_for()
    again.page.evaluate(
        "IDBObjectStore.prototype.put = () => { throw new DOMException('', 'QuotaExceededError'); }; null"
    )
    again.cell(1, 1).click()
    again.page.get_by_role("alert").filter(has_text="stores no more").wait_for()


def test_it_speaks_the_chosen_language_and_keeps_the_choice(visit):
    here = visit()
    here.page.get_by_label("Language").select_option(label="Deutsch")
    here.open("plus.json", puzzle(*PLUS))
    here.says("Eine Lösung, zeilenweise lösbar in")
    assert here.cell(0, 2).get_attribute("aria-label") == "Zeile 1 Spalte 3, schwarz"
    again = visit(is_new=False)
    again.says("Eine Lösung")
    assert again.page.evaluate("document.documentElement.lang") == "de"
    visit("?lang=en", is_new=False).says(UNIQUE)
    visit(locale="de-AT").says("Zeichne etwas")


def test_the_print_is_one_clean_page_with_the_picture(visit, tmp_path):
    pypdfium2 = pytest.importorskip("pypdfium2")
    here = visit(color_scheme="dark")
    here.open("plus.json", json.dumps({"title": "Plus", "author": "Ada", "goal": PLUS}))
    here.says(UNIQUE)
    pages = pypdfium2.PdfDocument(here.page.pdf())
    assert len(pages) == 1
    words = "".join(pages[0].get_textpage().get_text_bounded().split())
    assert sorted(words) == sorted("PlusAda1151111511")
    shades = pages[0].render().to_pil().convert("L").histogram()
    assert sum(shades[:64]) > 9 * 20 * 20  # the cells of the plus
    assert max(range(256), key=shades.__getitem__) == 255


@pytest.mark.parametrize(
    ("viewport", "scheme"), [(DESKTOP, "dark"), (PHONE, "light")], ids=["desktop", "phone"]
)
def test_it_is_accessible_and_looks_right(visit, repository, viewport, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    here = visit(viewport=viewport, color_scheme=scheme)
    here.button("Add colour").click()
    here.open("one.json", coloured())
    here.says("Several solutions")
    here.unfold("Repairs")
    here.page.get_by_label("Show repairs").check()
    here.page.locator("td.offered").wait_for()
    here.page.screenshot(path=shots(repository) / f"studio-{viewport['width']}-{scheme}.png", full_page=True)
    width = here.page.evaluate("document.documentElement.scrollWidth")
    assert width <= viewport["width"]
    for element in here.page.locator("button:visible, summary:visible, select:visible").all():
        size = element.bounding_box()
        assert size
        assert min(size["width"], size["height"]) >= LEAST_TARGET, element.inner_text()
    here.unfold("Export")
    views = here.page.get_by_role("navigation").get_by_role("button").all()
    for view in (here.button("Link and QR code"), here.button("New"), here.button("Open"), *views):
        view.click()
        violations = axe.run(here.page).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in violations] == []
        here.page.keyboard.press("Escape")


def coloured() -> str:
    """A tree on a meadow under two clouds, with an ambiguous corner."""
    palette = [
        {"name": "white", "rgb": "#ffffff", "char": "."},
        {"name": "black", "rgb": "#000000", "char": "#"},
        {"name": "green", "rgb": "#1a9641", "char": "g"},
        {"name": "brown", "rgb": "#8c510a", "char": "b"},
        {"name": "blue", "rgb": "#2c7bb6", "char": "s"},
    ]
    goal = (
        "#.........",
        ".#..gg....",
        "...gggg..s",
        "..gggggg.s",
        "..gggggg..",
        "...gggg...",
        "....bb....",
        "....bb....",
        "....bb....",
        "gggggggggg",
    )
    return json.dumps({"title": "Tree", "palette": palette, "goal": goal})
