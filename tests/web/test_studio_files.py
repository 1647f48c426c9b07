"""What goes into and out of the studio: files and pictures, chosen, dropped or pasted, and downloads."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree
from zipfile import ZipFile

import numpy as np
import PIL.Image
import pytest

import nonocsp
from nonocsp.certificates.verifier import verify
from nonocsp.formats import formats
from tests.browsing import DESKTOP, Visit, shots
from tests.web.test_formats import FOR_AUTHORS, READ_ONLY

if TYPE_CHECKING:
    from playwright.sync_api import Page

PLUS = ("..#..", "..#..", "#####", "..#..", "..#..")


@pytest.fixture(scope="module")
def opened(browser, studio_page) -> Iterator[Page]:
    visit = Visit(browser.new_context(viewport=DESKTOP), studio_page)  # type: ignore[arg-type]
    yield visit.page
    visit.check()
    visit.page.context.close()


@pytest.fixture
def page(opened) -> Page:
    """The page of this file, reloaded: blank, as the storage is cleared."""
    opened.evaluate("localStorage.clear()")
    opened.reload()
    opened.evaluate("localStorage.clear()")
    choose(opened, "blank.txt", b".....\n.....\n..#..\n")
    says(opened, "solution")
    return opened


def says(page: Page, text: str) -> None:
    page.locator("#verdict, .said", has_text=text).first.wait_for()


def choose(page: Page, name: str, content: bytes, kind: str = "text/plain") -> None:
    file: Any = {"name": name, "mimeType": kind, "buffer": content}
    page.locator("input[type=file]:not([capture])").set_input_files(file)


def drawn(page: Page, rows: int) -> list[str]:
    """Return the picture once it has so many rows, the index of a colour for each cell."""
    page.locator(f"tbody tr:nth-child({rows}):last-child").wait_for()
    cells = "row => [...row.querySelectorAll('td')].map(td => td.dataset.colour).join('')"
    found: list[str] = page.evaluate(f"[...document.querySelectorAll('tbody tr')].map({cells})")
    return found


def deliver(page: Page, event: str, name: str, content: bytes, kind: str = "") -> None:
    page.evaluate(
        """([event, name, content, kind]) => {
            const data = new DataTransfer();
            const bytes = Uint8Array.from(atob(content), char => char.charCodeAt(0));
            if (name) data.items.add(new File([bytes], name, { type: kind }));
            else data.setData("text/plain", new TextDecoder().decode(bytes));
            const options = { bubbles: true, cancelable: true };
            document.body.dispatchEvent(event === "drop"
                ? new DragEvent("drop", { ...options, dataTransfer: data })
                : new ClipboardEvent("paste", { ...options, clipboardData: data }));
        }""",
        [event, name, base64.b64encode(content).decode(), kind],
    )


def picture(cells: Any, kind: str = "PNG") -> bytes:
    stream = io.BytesIO()
    PIL.Image.fromarray(np.array(cells, np.uint8)).save(stream, kind)
    return stream.getvalue()


def disc(side: int = 200) -> Any:
    """Return a red disc with a blue middle on white."""
    y, x = np.mgrid[:side, :side] - side / 2
    image = np.full((side, side, 3), 255)
    image[x * x + y * y < (0.45 * side) ** 2] = (210, 30, 30)
    image[x * x + y * y < (0.2 * side) ** 2] = (20, 40, 200)
    return image


@pytest.mark.parametrize("event", ["drop", "paste"])
def test_a_file_that_is_dropped_or_pasted_is_opened(page, event):
    deliver(page, event, "cross.txt", "\n".join(PLUS).encode())
    assert drawn(page, 5) == ["00100", "00100", "11111", "00100", "00100"]


def test_a_pasted_text_is_recognised_and_opened_and_one_of_a_solver_names_the_command(page):
    deliver(page, "paste", "", b"width 2\nheight 2\nrows\n2\n1\ncolumns\n2\n1\n")
    assert drawn(page, 2) == ["11", "10"]
    deliver(page, "paste", "", b"2x2:2/1/2/1")
    says(
        page, "text: the format is game-id, which this page does not read; open it with `nonocsp convert FILE"
    )
    choose(page, "model.dzn", b"row_rules = [|2|1|]; col_rules = [|2|1|];")
    says(
        page,
        "the format is dzn, which this page does not read; open it with `nonocsp convert model.dzn model.j",
    )


def test_what_is_no_puzzle_is_refused_with_its_place(page):
    choose(page, "evil.xml", b'<!DOCTYPE a [<!ENTITY b "c">]><puzzle><clues>&b;</clues></puzzle>')
    says(page, "evil.xml:1:1: the file declares an entity; expected a file without entities of its own")
    choose(page, "long.txt", b"1" * ((4 << 20) + 1))
    says(page, "long.txt: the file is too large; expected at most 4 MiB")
    choose(page, "broken.png", picture(disc())[:60], "image/png")
    says(page, "broken.png: the browser cannot read this picture.")


def test_a_picture_becomes_cells_with_a_preview_and_is_one_step_of_undo(page):
    before = drawn(page, 3)
    deliver(page, "drop", "disc.png", picture(disc()), "image/png")
    dialog = page.get_by_role("dialog", name="Picture disc.png")
    status = dialog.get_by_role("status")
    status.filter(has_text="Preview of 30 rows and 30 columns").wait_for()
    dialog.get_by_label("Rows").fill("20")
    page.keyboard.press("Enter")
    status.filter(has_text="Preview of 20 rows and 20 columns").wait_for()
    dialog.get_by_role("group", name="Crop").press("Shift+ArrowLeft")
    status.filter(has_text="Preview of 20 rows and 20 columns").wait_for()
    dialog.get_by_label("Make it unique").check()
    status.filter(has_text="One solution").wait_for()
    dialog.get_by_label("Colours").select_option(label="2 on a background")
    dialog.get_by_role("button", name="Use this picture").and_(page.locator(":enabled")).wait_for()
    dialog.locator("[role=status][aria-busy=false]").wait_for()
    dialog.get_by_role("button", name="Use this picture").click()
    rows = drawn(page, 20)
    says(page, "One solution")
    assert dialog.count() == 0
    assert page.get_by_label("Title").input_value() == "disc"
    assert {rows[10][10], rows[10][3], rows[0][0]} == {"1", "2", "0"}
    filled = sum(row.count("1") + row.count("2") for row in rows) / 400
    assert 0.7 < filled < 0.85  # pi / 4 of the square around a disc
    page.keyboard.press("Control+z")
    assert drawn(page, 3) == before


def test_the_dialog_works_by_keyboard_and_is_accessible(page, repository):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    deliver(page, "paste", "disc.png", picture(disc()), "image/png")
    dialog = page.get_by_role("dialog")
    dialog.locator("[role=status][aria-busy=false]", has_text="Preview").wait_for()
    found = axe.Axe().run(page)
    assert found.response["violations"] == []
    page.screenshot(path=shots(repository) / "studio-picture.png")
    dialog.get_by_label("Invert").focus()
    page.keyboard.press("Space")
    assert dialog.get_by_label("Invert").is_checked()
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    assert len(drawn(page, 3)) == 3


def download(page: Page, option: str, folder: Path) -> Path:
    page.get_by_label("Format").select_option(option)
    with page.expect_download() as found:
        page.get_by_role("button", name="Save", exact=True).click()
    path = folder / option / found.value.suggested_filename
    found.value.save_as(path)
    return path


CATCH_DOWNLOADS = """() => {
    window.saved = [];
    URL.createObjectURL = blob => (window.saved.push({ blob }), "blob:null/caught");
    HTMLAnchorElement.prototype.click = function () { window.saved.at(-1).name = this.download; };
}"""


def test_every_format_that_is_saved_holds_the_puzzle(page, tmp_path):
    read = {known.name for known in formats() if known.can_write and known.name in FOR_AUTHORS}
    writable = read.difference(READ_ONLY)
    choose(page, "plus.json", json.dumps({"title": "Plus", "goal": PLUS}).encode())
    assert len(drawn(page, 5)) == 5
    expected = nonocsp.Puzzle.from_grid(np.array([[char == "#" for char in row] for row in PLUS]))
    offered = page.get_by_label("Format").locator("option").evaluate_all("all => all.map(one => one.value)")
    names = [name for name in offered if not name.endswith(("Svg", "Png"))]
    assert set(names) == writable
    page.evaluate(CATCH_DOWNLOADS)  # the browser holds back many downloads in a row
    for name in names:
        page.get_by_label("Format").select_option(name)
        page.get_by_role("button", name="Save", exact=True).click()
        file, text = page.evaluate("async () => [saved.at(-1).name, await saved.at(-1).blob.text()]")
        path = tmp_path / name / file
        path.parent.mkdir()
        path.write_text(text, encoding="utf-8", newline="")
        assert path.stem == "Plus"
        assert nonocsp.load(path, format=name).canonical_hash == expected.canonical_hash, name


def test_the_certificate_of_the_only_solution_is_saved(page, tmp_path):
    button = page.get_by_role("button", name="Save certificate")
    choose(page, "two.json", json.dumps({"goal": ["#.", ".#"]}).encode())
    page.locator("#verdict.several").wait_for()
    assert button.count() == 0
    choose(page, "plus.json", json.dumps({"title": "Plus & minus", "goal": PLUS}).encode())
    with page.expect_download() as found:
        button.click()
    assert found.value.suggested_filename == "Plus  minus-certificate.zip"
    with ZipFile(found.value.path()) as archive:
        archive.extractall(tmp_path)
    assert verify(tmp_path / "Plus-minus.json")


def test_a_page_from_plain_http_offers_no_certificate(browser, studio_page):
    there = browser.new_page()
    there.route("http://studio.test/", lambda route: route.fulfill(path=studio_page))
    there.goto("http://studio.test/")
    choose(there, "plus.json", json.dumps({"goal": PLUS}).encode())
    there.locator("#verdict.one").or_(there.locator("#verdict", has_text="One solution")).first.wait_for()
    there.get_by_label("Format").wait_for()
    assert there.get_by_role("button", name="Save certificate").count() == 0
    there.close()


def test_puzzle_and_solution_are_saved_as_svg_and_png(page, tmp_path):
    choose(page, "plus.json", json.dumps({"title": "A <b> & c", "goal": PLUS}).encode())
    assert len(drawn(page, 5)) == 5
    sizes = {}
    for option, cells in (("puzzleSvg", 0), ("solutionSvg", 5)):
        root = ElementTree.fromstring(download(page, option, tmp_path).read_bytes())
        space = "{http://www.w3.org/2000/svg}"
        assert root.findtext(f"{space}title") == "A <b> & c"
        assert len(root.findall(f"{space}g/{space}text")) == 10
        assert len(root.findall(f"{space}g/{space}rect")) == 1 + cells
        sizes[option] = float(root.attrib["width"]), float(root.attrib["height"])
    for option in ("puzzlePng", "solutionPng"):
        with PIL.Image.open(download(page, option, tmp_path)) as image:
            assert image.size == tuple(2 * side for side in sizes["puzzleSvg"])
            middle = image.convert("L").getpixel((2 * (10 + 20 + 50), 2 * (10 + 20 + 50)))
            assert middle == (0 if option == "solutionPng" else 255)
