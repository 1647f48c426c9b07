"""Campaigns to report on, and a browser to look at their page with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from nonocsp.bench import load_config, run_campaign
from nonocsp.bench.report import Digest
from nonocsp.bench.report.html import write_page
from nonocsp.bench.rows import RunRow
from nonocsp.bench.store import Campaign, read_campaign
from tests.waiting import AMPLE_S
from tools.benchmarks.harness import synthetic

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

BACKENDS, PUZZLES, SEED = 6, 100, 3
SCRIPT = "<script>document.title = 'run'<.jsonl"
CONFIG = """\
name: report
puzzles: [{file: "*.jsonl"}]
backends: [brute, deny, "unruly:how=lie", "unruly:how=exit", "brute:sleep=1.6"]
limits: {wall: 1.5}
"""
UNSOUND = (
    '{"rows": [[1], [3], [1]], "columns": [[1], [3], [1]]}',
    '{"rows": [[1], [1], [1]], "columns": [[1], [1], [1]]}',
    '{"rows": [[], [], []], "columns": [[], [], []]}',
)


@pytest.fixture(scope="session")
def sound(tmp_path_factory) -> Campaign:
    """A large campaign without contradictions."""
    folder = tmp_path_factory.mktemp("sound")
    synthetic.write_campaign(folder, synthetic.rows(backends=BACKENDS, puzzles=PUZZLES, seed=SEED))
    return read_campaign(folder)


@pytest.fixture(scope="session")
def slowed(tmp_path_factory) -> Campaign:
    """The same campaign with its first backend three times as slow."""
    folder = tmp_path_factory.mktemp("slowed")
    slower = {synthetic.specs_of(BACKENDS)[0]: 3.0}
    synthetic.write_campaign(
        folder, synthetic.rows(backends=BACKENDS, puzzles=PUZZLES, seed=SEED, slower=slower)
    )
    return read_campaign(folder)


@pytest.fixture(scope="session")
def alternated(tmp_path_factory) -> list[Campaign]:
    """Two campaigns of five sessions each, which alternate; in the second the first backend is slower."""
    campaigns = []
    for hours, factor in ((0, 1.0), (12, 3.0)):
        folder = tmp_path_factory.mktemp("alternated")
        slower = {synthetic.specs_of(BACKENDS)[0]: factor}
        rows = synthetic.rows(backends=BACKENDS, puzzles=20, repeats=5, seed=SEED, slower=slower, hours=hours)
        synthetic.write_campaign(folder, rows)
        campaigns.append(read_campaign(folder))
    return campaigns


@pytest.fixture(scope="module")
def unsound(unruly, tmp_path_factory) -> Campaign:
    """A campaign that was run, with wrong answers, contradictions, crashes and time-outs."""
    folder = tmp_path_factory.mktemp("unsound")
    (folder / SCRIPT).write_text("\n".join(UNSOUND))
    (folder / "campaign.yaml").write_text(CONFIG)
    run_campaign(load_config(folder / "campaign.yaml"), folder / "out")
    return read_campaign(folder / "out")


@pytest.fixture(scope="session")
def real_row(sound) -> RunRow:
    """A row, to make others from."""
    return next(iter(sound.rows))


class Visit:
    """A page that was opened in the browser, with what it asked for and what went wrong on it."""

    def __init__(self, browser: Browser, path: Path, **settings: Any) -> None:
        self.page: Page = browser.new_page(**settings)
        self.page.set_default_timeout(AMPLE_S * 1000)
        self.requests: list[str] = []
        self.errors: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._hear)
        self.page.goto(path.as_uri())
        self.page.wait_for_selector("body[data-ready]")

    def _hear(self, message: Any) -> None:
        if message.type in {"error", "warning"}:
            self.errors.append(message.text)

    def texts(self, selector: str) -> list[str]:
        return [text.strip() for text in self.page.locator(selector).all_text_contents()]


@pytest.fixture(scope="session")
def sound_page(sound) -> Path:
    """The page of the campaign without contradictions."""
    path = sound.folder / "report.html"
    write_page(Digest.of([sound]), path)
    return path


@pytest.fixture
def visit(browser, sound_page) -> Iterator[Visit]:
    """The page of the campaign without contradictions, open."""
    visit = Visit(browser, sound_page)
    yield visit
    visit.page.close()
    assert not visit.errors
