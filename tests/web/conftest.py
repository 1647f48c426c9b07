"""What tests of the studio need: the core for browsers, node to run it, and visits of the page."""

from __future__ import annotations

import fcntl
import json
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests import browsing
from tests.browsing import DESKTOP
from tools.studio import core, npm, page

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

Judge = Callable[..., list[dict[str, Any]]]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--studio", metavar="NONOCSP", help="drive the studio of this command, installed anywhere"
    )
    parser.addoption("--full", action="store_true", help="judge all puzzles, not a sample (make studio-test)")


@pytest.fixture(scope="session")
def is_full(pytestconfig) -> bool:
    return bool(pytestconfig.getoption("--full", default=False))


@pytest.fixture(scope="session")
def node() -> str:
    """A node that runs TypeScript as it is."""
    found = npm.node()
    if found is None:
        pytest.skip("node 24 or newer is not installed: make studio installs it")
    return found[0]


@contextmanager
def locked() -> Iterator[None]:
    """Let one process build at a time."""
    core.FOLDER.mkdir(parents=True, exist_ok=True)
    with (core.FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def core_module(packages) -> Path:
    """The core for browsers, built from the present sources."""
    if find_spec("ziglang") is None:
        pytest.skip("ziglang is not installed: make studio installs it")
    with locked():
        return core.build_core()


@pytest.fixture(scope="session")
def packages(node) -> Path:
    """The folder of TypeScript, with its packages."""
    if not npm.INSTALLED.exists():
        pytest.skip("the packages of web/ are not installed: make studio installs them")
    return npm.WEB


@pytest.fixture(scope="session")
def studio_page(packages, core_module, tmp_path_factory) -> Path:
    """The page, built from the present sources; a copy, since another process may build it again."""
    with locked():
        *_, built = page.build_pages(["player", page.STUDIO])  # which has the script of the player
        return Path(shutil.copy(built, tmp_path_factory.mktemp("studio")))


@pytest.fixture(scope="session")
def judge(node, core_module, repository) -> Judge:
    """Judge puzzles by the core for browsers, in one process."""

    def run(puzzles: Sequence[dict[str, Any]], *options: str) -> list[dict[str, Any]]:
        command = [node, str(repository / "tests" / "web" / "judge.ts"), str(core_module), *options]
        given = "\n".join(map(json.dumps, puzzles))
        done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


class Visit(browsing.Visit):
    """The studio."""

    def says(self, text: str) -> None:
        told = "#verdict[aria-busy=false], .said, .panel [role=status]"
        self.page.locator(told, has_text=text).first.wait_for()

    def unfold(self, panel: str) -> None:
        """Open a panel, which may be closed at first."""
        self.page.locator("summary", has_text=panel).wait_for()
        if self.page.locator("details:not([open]) > summary", has_text=panel).count():
            self.page.locator("summary", has_text=panel).click()

    def drawn(self) -> list[str]:
        """Return the picture once all changes are shown, the index of a colour for each cell."""
        self.cell(0, 0).wait_for()
        rows: list[list[str]] = self.page.evaluate(
            """async () => {
                await new Promise(resolve => setTimeout(resolve));
                return [...document.querySelectorAll('tbody tr')].map(row =>
                    [...row.querySelectorAll('td')].map(td => td.dataset.colour));
            }"""
        )
        return ["".join(row) for row in rows]

    def drag(self, *places: tuple[int, int], button: str = "left") -> None:
        """Draw straight from cell to cell, without a stop between them."""
        for i, place in enumerate(places):
            box = self.cell(*place).bounding_box()
            assert box
            self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            if i == 0:
                self.page.mouse.down(button=button)  # type: ignore[arg-type]
        self.page.mouse.up(button=button)  # type: ignore[arg-type]

    def open(self, name: str, content: str) -> None:
        file = {"name": name, "mimeType": "text/plain", "buffer": content.encode()}
        self.page.locator("input[type=file]:not([capture])").set_input_files(file)  # type: ignore[arg-type]


Open = Callable[..., Visit]


@pytest.fixture
def visit(browser, studio_page) -> Iterator[Open]:
    """Open the page, every time in the same new context; nothing may fail in it or leave it."""
    contexts: list[BrowserContext] = []
    visits: list[Visit] = []

    def opened(part: str = "", *, is_new: bool = True, viewport: Any = DESKTOP, **options: Any) -> Visit:
        if is_new:
            contexts.append(browser.new_context(viewport=viewport, **options))
        visits.append(Visit(contexts[-1], studio_page.as_uri() + part))
        return visits[-1]

    yield opened
    for one in visits:
        one.check()
    for context in contexts:
        context.close()
