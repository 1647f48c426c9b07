"""The views of the studio that play, publish and keep puzzles."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from nonocsp.formats import load_all
from nonocsp.model import Puzzle
from tests.browsing import DESKTOP, Visit, shots
from tests.waiting import AMPLE_S

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

PLUS = {"title": "Plus", "goal": [".#.", "###", ".#."]}


@pytest.fixture
def studio(browser, studio_page) -> Iterator[Page]:
    """The studio with a puzzle in it; nothing may fail in it or leave it."""
    visit = Visit(browser.new_context(viewport=DESKTOP), studio_page)  # type: ignore[arg-type]
    page = visit.page
    page.set_default_timeout(AMPLE_S * 1000)
    page.locator("input[type=file]").first.set_input_files(upload(PLUS))
    page.get_by_role("heading", name="Plus").wait_for()
    yield page
    visit.check()
    page.context.close()


def upload(content: Any) -> Any:
    text = content if isinstance(content, str) else json.dumps(content)
    return {"name": "puzzle.json", "mimeType": "application/json", "buffer": text.encode()}


def view(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def ask_for_cells(page: Page) -> None:
    """Press for a hint until it shows cells."""
    for button in ("Hint", "Why?", "Show cells"):
        view(page, button)
    page.locator("td.hinted").first.wait_for()


def test_the_core_gives_hints_and_names_cells_that_are_wrong_in_every_solution(studio):
    view(studio, "Play")
    studio.locator('td[data-row="0"][data-column="0"]').click()
    view(studio, "Check")
    studio.locator("td.wrong").wait_for()
    assert "1 cell is wrong" in studio.locator("#player-status").inner_text()
    studio.keyboard.press("Control+z")
    assert studio.get_by_role("heading", name="Plus").count() == 2  # the drawing is as it was
    while not studio.locator("#player-status.solved").count():
        ask_for_cells(studio)
        view(studio, "Fill in")
    assert studio.locator("td.ink-1").count() == 5


@pytest.mark.parametrize("with_steps", [False, True])
def test_a_published_page_plays_without_the_studio(studio, tmp_path, with_steps):
    view(studio, "Play")
    if with_steps:
        studio.get_by_label("with the explanation").check()
    with studio.expect_download() as download:
        view(studio, "Save as a page to play")
    assert download.value.suggested_filename == "Plus.html"
    file = tmp_path / "Plus.html"
    download.value.save_as(file)
    assert '"goal"' not in file.read_text()
    page = studio.context.browser.new_page()  # type: ignore[union-attr]
    page.goto(file.as_uri())
    assert page.title() == "Nonogram"
    assert page.get_by_role("button", name="Hint").count() == with_steps
    for row, column in ((0, 1), (1, 0), (1, 1), (1, 2), (2, 1)):
        page.locator(f'td[data-row="{row}"][data-column="{column}"]').click()
    page.locator("#player-status.solved").wait_for()
    page.close()


def kept(page: Page) -> Locator:
    return page.get_by_role("list", name="Kept drawings").get_by_role("listitem")


def draw_another(page: Page, puzzle: Any) -> None:
    """Open a puzzle, so that the gallery has the one before it."""
    page.locator("input[type=file]").first.set_input_files(upload(puzzle))
    page.get_by_role("heading", name=puzzle["title"]).wait_for()


def test_the_gallery_opens_renames_duplicates_and_deletes_with_undo(studio):
    view(studio, "Gallery")
    studio.get_by_text("Nothing else is kept yet.").wait_for()
    draw_another(studio, PLUS | {"title": "Next", "goal": ["##"]})
    view(studio, "Gallery")
    view(studio, "Duplicate Plus")
    kept(studio).nth(1).wait_for()
    name = kept(studio).first.get_by_role("textbox")
    name.fill("Other")
    name.press("Enter")
    name.blur()
    view(studio, "Delete Other")
    studio.get_by_text("Other is deleted.").wait_for()
    assert kept(studio).count() == 1
    view(studio, "Undo")
    kept(studio).nth(1).wait_for()
    view(studio, "Open Other")
    studio.get_by_role("heading", name="Other").wait_for()
    studio.reload()
    studio.get_by_role("heading", name="Other").wait_for()
    view(studio, "Gallery")
    view(studio, "Play Plus")
    view(studio, "Gallery")
    kept(studio).nth(1).wait_for()
    titles = [box.input_value() for box in kept(studio).get_by_role("textbox").all()]
    assert sorted(titles) == ["Next", "Other"]  # one goes on with the drawing that one opens


def test_all_puzzles_travel_as_one_file_that_nonocsp_reads(studio, tmp_path):
    view(studio, "Gallery")
    with studio.expect_download() as download:
        view(studio, "Export all")
    file = tmp_path / "puzzles.json"
    download.value.save_as(file)
    colours = {"title": "Flag", "goal": ["ab"]}
    colours["palette"] = [  # type: ignore[assignment]
        {"name": name, "rgb": rgb, "char": char}
        for name, rgb, char in (("white", "#ffffff", "."), ("red", "#ff0000", "a"), ("blue", "#0000ff", "b"))
    ]
    [plus] = load_all(file)
    assert plus == Puzzle.from_grid([[0, 1, 0], [1, 1, 1], [0, 1, 0]], title="Plus")
    field = studio.get_by_label("Import")
    field.set_input_files(upload([colours, {"rows": [[1]]}, {"goal": ["##", "#"]}, PLUS | {"title": "Two"}]))
    studio.get_by_text("2 imported. Not imported: 2: ").wait_for()
    assert kept(studio).count() == 2
    for text in ("no json", "7", '"<script>"'):
        field.set_input_files(upload(text))
        studio.get_by_text("This is no JSON file of puzzles.").or_(
            studio.get_by_text("0 imported.")
        ).wait_for()
    assert kept(studio).count() == 2


def test_a_full_storage_is_told_and_loses_nothing(studio):
    many = [{"title": f"{i}", "goal": ["#."]} for i in range(501)]
    view(studio, "Gallery")
    studio.get_by_label("Import").set_input_files(upload(many))
    studio.get_by_text("501 imported.").wait_for()
    draw_another(studio, PLUS | {"title": "Next"})
    view(studio, "Gallery")
    kept(studio).nth(501).wait_for()  # the imported ones and Plus
    studio.evaluate(
        "IDBObjectStore.prototype.put = () => { throw new DOMException('', 'QuotaExceededError'); }; null"
    )
    view(studio, "Duplicate Plus")
    studio.get_by_text("The browser stores no more.").wait_for()
    assert kept(studio).count() == 502


def test_a_drawing_kept_with_its_undo_in_one_record_keeps_both(studio):
    studio.evaluate(
        """async () => {
            const ends = asked => new Promise(done => { asked.onsuccess = () => done(asked.result); });
            const old = await ends(indexedDB.open('nonocsp'));
            const kept = await ends(old.transaction('drawings').objectStore('drawings').getAll());
            old.close();
            const { present } = kept.at(-1);
            const past = [{ ...present, cells: new Uint8Array(9) }];
            await ends(indexedDB.deleteDatabase('nonocsp'));
            const opening = indexedDB.open('nonocsp', 1);
            opening.onupgradeneeded = () => opening.result
                .createObjectStore('drawings', { keyPath: 'id' }).createIndex('changed', 'changed');
            const made = await ends(opening);
            const store = made.transaction('drawings', 'readwrite').objectStore('drawings');
            const history = { past, present, future: [] };
            await ends(store.put({ id: 'old', version: 1, changed: 1, history }));
            made.close();
            sessionStorage.clear();
        }"""
    )
    studio.reload()
    studio.get_by_role("heading", name="Plus").wait_for()
    assert studio.locator("td.ink-1").count() == 5
    view(studio, "Undo")
    studio.locator("td.ink-1").first.wait_for(state="detached")


def test_what_earlier_pages_kept_is_moved_once_with_its_date(studio):
    entry = json.dumps({"changed": 1577880000000, "puzzle": {"title": "Old", "goal": ["#"]}})
    for _ in range(2):  # as if another tab had read it before this one moved it
        studio.evaluate("entry => localStorage.setItem('nonocsp.gallery.old', entry)", entry)
        view(studio, "Draw")
        view(studio, "Gallery")
        studio.wait_for_function("() => !localStorage.getItem('nonocsp.gallery.old')")
        kept(studio).filter(has_text="2020").wait_for()
    assert kept(studio).count() == 1


@pytest.mark.parametrize("look", ["light", "dark"])
def test_axe_finds_nothing_in_play_and_gallery(studio, repository, look):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    studio.emulate_media(color_scheme=look)
    draw_another(studio, PLUS | {"title": "Next"})
    for width in (1280, 390):
        studio.set_viewport_size({"width": width, "height": 844})
        for name, seen in (("Play", "td.hinted"), ("Gallery", ".collection canvas")):
            view(studio, name)
            if name == "Play":
                ask_for_cells(studio)
            studio.locator(seen).first.wait_for()
            found = axe.run(studio).response["violations"]
            assert not found, [(one["id"], one["nodes"][0]["html"]) for one in found]
            studio.screenshot(path=shots(repository) / f"studio-{name.lower()}-{look}-{width}.png")
