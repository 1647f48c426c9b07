"""An apple, a cat and a face as in the tutorial, looked at in a browser; the screenshots are in build/."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import PIL.Image
import pytest

import nonocsp
from nonocsp.making.drawings import apple, portrait
from nonocsp.making.gallery.page import write_gallery
from tools.benchmarks.making.forty import subjects

from ...bench.report.conftest import Visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHOICES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("apple", {"size": (20, 20), "vary": 10, "count": 2}),
    ("apple", {"size": (20, 20), "edges": "only", "count": 2}),
    ("cat", {"colours": 2}),
    ("cat", {"size": (20, None)}),
    ("portrait", {"size": (20, 16), "count": 2}),
    ("portrait", {"size": (20, 16), "edges": "both", "vary": 10}),
    ("portrait", {"size": (15, 12), "colours": 2}),
)


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the three pictures."""
    folder = tmp_path_factory.mktemp("photos")
    for draw in (apple, portrait):
        PIL.Image.fromarray(draw()).save(folder / f"{draw.__name__}.png")
    next(subject for subject in subjects() if subject.name == "cat").saved(folder)
    return folder


@pytest.mark.parametrize(("name", "options"), CHOICES, ids=lambda value: "-".join(map(str, value)))
def test_the_gallery_of_the_tutorials_pictures_shows_its_puzzles_large_enough(
    browser: Browser, photos: Path, tmp_path: Path, *, repository: Path, name: str, options: dict[str, Any]
) -> None:
    production = nonocsp.generate(photos / f"{name}.png", **options)
    made = list(production)
    write_gallery(tmp_path / "gallery.html", production.prepared, made)
    shots = repository / "build" / "screenshots"
    shots.mkdir(parents=True, exist_ok=True)
    for width in (390, 1280):
        visit = Visit(browser, tmp_path / "gallery.html", viewport={"width": width, "height": 800})
        chosen = "-".join(f"{key}-{value}" for key, value in options.items() if key in ("edges", "colours"))
        visit.page.screenshot(path=shots / f"{name}-{chosen or 'plain'}-{width}.png", full_page=True)
        shown = visit.page.locator("#puzzles img").all()
        assert len(shown) == len(made) * (2 if options.get("vary") else 1)
        for image in shown:
            box = image.bounding_box()
            assert box
            assert box["width"] >= 90
            assert 0 <= box["x"] <= width - box["width"]
        visit.page.close()
        assert not visit.errors
