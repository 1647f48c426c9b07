"""The studio in a browser as ``nonocsp studio`` serves it: its folder, PDF, photos and reports."""

from __future__ import annotations

import json
import re
import signal
import subprocess
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from PIL import Image

import nonocsp

pytest.importorskip("httpx", reason="httpx is not installed")

from tests.browsing import DESKTOP, Visit, shots
from tests.studio.serving import serving
from tests.waiting import AMPLE_S

if TYPE_CHECKING:
    from playwright.sync_api import Page

REFUSED = re.compile("status of 4(00|03|09) ")
CAT = 'title "Cat"\nwidth 3\nheight 3\nrows\n1,1\n3\n1\ncolumns\n2\n2\n2\n'
REPORT = """<!doctype html><title>Report</title><p>waiting</p><script>
const said = [];
try { localStorage.length; said.push("stores"); } catch { said.push("stores nothing"); }
fetch("/api/files", { method: "POST" }).then(() => said.push("asks"), () => said.push("asks nothing"))
  .then(() => { document.querySelector("p").textContent = said.join(", "); });
</script>"""


class Served(NamedTuple):
    """A running studio: its folder, and the address that it prints."""

    folder: Path
    address: str

    @property
    def origin(self) -> str:
        return self.address.partition("/?")[0]


@pytest.fixture(scope="module")
def served(request, tmp_path_factory) -> Iterator[Served]:
    """A studio with the page of these sources; with ``--studio``, an installed one, and no other program."""
    folder = tmp_path_factory.mktemp("puzzles")
    file = folder / "cat.non"
    file.write_text(CAT)
    (folder / "report.html").write_text(REPORT)
    command = request.config.getoption("--studio", default=None)
    if command is None:
        page: Path = request.getfixturevalue("studio_page")
        with serving(folder, page.read_text(encoding="utf-8"), file) as studio:
            yield Served(folder, studio.address)
        return
    with subprocess.Popen(
        [command, "studio", "--no-browser", str(file)], stdout=subprocess.PIPE, env={"PATH": ""}, text=True
    ) as process:
        assert process.stdout
        yield Served(folder, process.stdout.readline().strip())
        process.send_signal(signal.SIGINT)
        assert process.wait(AMPLE_S) == 130


@pytest.fixture
def page(browser, served) -> Iterator[Page]:
    """The page, opened at the printed address; nothing may fail in it or leave the server."""
    visit = Visit(browser.new_context(viewport=DESKTOP), served.address)  # type: ignore[arg-type]
    says(visit.page, "One solution")
    yield visit.page
    visit.page.context.close()
    visit.errors = [error for error in visit.errors if not REFUSED.search(error)]
    visit.check(served.origin)


def says(page: Page, text: str) -> None:
    page.locator("#verdict[aria-busy=false], .said", has_text=text).first.wait_for()


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def told(page: Page, text: str) -> None:
    """Wait until the view of the folder says something."""
    page.locator(".folder [role=status][aria-busy=false]", has_text=text).wait_for()


def test_it_opens_the_file_of_the_command_line_once_and_shows_no_token(page, served):
    assert page.get_by_label("Title").input_value() == "Cat"
    press(page, "Clear")
    assert page.url == f"{served.origin}/"
    page.reload()
    says(page, "Draw something")
    assert page.url == f"{served.origin}/"


def test_python_reads_the_files_that_the_page_cannot(page):
    content = b"row_rules = [|1|3|1|]; col_rules = [|1|3|1|];"
    file = {"name": "plus.dzn", "mimeType": "text/plain", "buffer": content}
    page.locator("input[type=file]:not([capture])").set_input_files(file)  # type: ignore[arg-type]
    page.locator("tbody td.ink-1").nth(4).wait_for()
    says(page, "One solution")
    assert page.locator("tbody td").count() == 9
    page.locator("input[type=file]:not([capture])").set_input_files(file | {"buffer": b"row_rules = [|x|]"})  # type: ignore[arg-type]
    says(page, "plus.dzn")


def test_it_saves_in_the_folder_and_asks_before_it_replaces(page, served):
    press(page, "Folder")
    page.get_by_label("Name", exact=True).fill("my cat")
    press(page, "Save in the folder")
    told(page, "my cat.json is saved.")
    file = served.folder / "my cat.json"
    assert nonocsp.load(file).title == "Cat"
    file.write_text(json.dumps({"title": "Mine", "goal": ["#"], "rows": [[1]], "columns": [[1]]}))
    press(page, "Save in the folder")
    told(page, "my cat.json is there already")
    assert nonocsp.load(file).title == "Mine"
    press(page, "Open my cat.json")
    says(page, "One solution")
    assert page.get_by_label("Title").input_value() == "Mine"
    press(page, "Folder")
    press(page, "Open cat.non")
    says(page, "One solution")
    press(page, "Folder")
    page.get_by_label("Name", exact=True).fill("my cat")
    press(page, "Save in the folder")
    press(page, "Replace my cat.json")
    told(page, "my cat.json is saved.")
    assert nonocsp.load(file).title == "Cat"


def test_it_prints_a_puzzle_and_a_book(page, tmp_path):
    press(page, "Folder")
    page.get_by_label("Choose cat.non for a book").check()
    for button, name in (("This puzzle as PDF", "Cat.pdf"), ("Book of 1 chosen file", "book.pdf")):
        with page.expect_download() as download:
            press(page, button)
        assert download.value.suggested_filename == name
        download.value.save_as(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(b"%PDF")
    told(page, "The PDF has 4 pages.")


def test_a_photo_becomes_puzzles_and_the_work_can_be_cancelled(page):
    picture = BytesIO()
    Image.effect_noise((60, 60), 90).save(picture, "PNG")
    press(page, "Folder")
    photo = {"name": "owl.png", "mimeType": "image/png", "buffer": picture.getvalue()}
    page.get_by_label("Picture", exact=True).set_input_files(photo)  # type: ignore[arg-type]
    page.get_by_label("Rows").fill("100")
    press(page, "Make puzzles")
    press(page, "Cancel")
    told(page, "Cancelled.")
    page.get_by_label("Rows").fill("8")
    press(page, "Make puzzles")
    page.get_by_role("button", name="Open puzzle 2").click()
    says(page, "One solution")
    assert page.get_by_label("Title").input_value() == "owl 2"


def test_a_report_runs_without_any_right_over_the_studio(page):
    press(page, "Folder")
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="report.html").click()
    opened.value.get_by_text("stores nothing, asks nothing").wait_for()


@pytest.mark.parametrize("width", [1280, 390])
def test_the_view_is_accessible_and_looks_right(page, repository, width):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.set_viewport_size({"width": width, "height": 900})
    press(page, "Folder")
    told(page, "")
    page.screenshot(path=shots(repository) / f"folder-{width}.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    violations = axe.run(page).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in violations] == []
