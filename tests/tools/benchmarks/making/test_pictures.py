"""The forty pictures, the judgement of their puzzles, and the page that shows them in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from nonocsp.making.likeness import differences
from tests.bench.report.conftest import Visit
from tools.benchmarks.making.forty import HEADINGS, subjects
from tools.benchmarks.making.pictures import Judged, judge, page_of, summary
from tools.benchmarks.making.remarks import REMARKS

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FEW = ("heart", "chequers", "hello")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[Judged]:
    """Three pictures, judged: one that is unique, one that is not, one that is text."""
    folder = tmp_path_factory.mktemp("pictures")
    return [judge(subject, folder) for subject in subjects() if subject.name in FEW]


@pytest.fixture(scope="module")
def path(found: list[Judged], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "pictures.html"
    path.write_text(page_of(found))
    return path


def test_forty_different_pictures_of_all_kinds_are_drawn_alike_at_every_call() -> None:
    once, again = ([np.asarray(subject.draw()).tobytes() for subject in subjects()] for _ in range(2))
    assert once == again
    assert len(set(once)) == 40
    assert {subject.kind for subject in subjects()} == set(HEADINGS)


def test_every_remark_is_about_one_of_the_pictures() -> None:
    assert set(REMARKS) <= {subject.name for subject in subjects()}


def test_a_judged_puzzle_is_unique_and_its_changes_are_all_that_differs(found: list[Judged]) -> None:
    for one in found:
        assert one.is_unique
        assert one.made.changes == differences(one.prepared.start, one.made.image)
        assert (one.likeness == 1) == (not one.made.changes)
        assert 1 <= one.distinct <= 8
    unique = [one.subject.name for one in found if one.was_unique]
    assert ("heart" in unique, "chequers" in unique) == (True, False)
    assert f"unique by hybrid and sat: {len(FEW)} of {len(FEW)}" in summary(found)


def test_the_page_frames_exactly_the_changed_cells(browser: Browser, path: Path, found: list[Judged]) -> None:
    visit = Visit(browser, path)
    for card, one in zip(visit.page.locator("article").all(), found, strict=True):
        assert one.subject.name in (card.locator("h3").text_content() or "")
        frames = card.locator(".framed rect").all()
        places = {(int(float(f.get_attribute("y"))), int(float(f.get_attribute("x")))) for f in frames}
        assert places == {(change.row, change.column) for change in one.made.changes}
    visit.page.close()
    assert not visit.errors


@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_of_pictures_fits_every_window(
    browser: Browser, path: Path, width: int, repository: Path
) -> None:
    visit = Visit(browser, path, viewport={"width": width, "height": 900})
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
    shots = repository / "build" / "screenshots"
    shots.mkdir(parents=True, exist_ok=True)
    visit.page.screenshot(path=shots / f"pictures-{width}.png", full_page=True)
    visit.page.close()
    assert not visit.errors
