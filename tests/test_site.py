"""The manual builds without warnings, loads nothing from other sites, and is accessible."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PAGES = ("index.html", "reference/configs.html", "explanation/architecture.html")


@pytest.fixture
def site(repository: Path, tmp_path: Path) -> Path:
    pytest.importorskip("mkdocs")
    folder = tmp_path / "site"
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(folder)],
        cwd=repository,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    assert not [page for page in folder.rglob("*.html") if "<!-- generated" in page.read_text()]
    return folder


def test_every_page_is_in_the_navigation(repository: Path) -> None:
    text = (repository / "mkdocs.yml").read_text()
    pages = {str(page.relative_to(repository / "docs")) for page in (repository / "docs").rglob("*.md")}
    assert pages == set(entries(yaml.safe_load(text)["nav"]))


def entries(nav: object) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    for part in nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else ():
        yield from entries(part)


def test_pages_load_nothing_from_other_sites_and_are_accessible(site: Path, browser: Browser) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    for scheme in ("light", "dark"):
        context = browser.new_context(color_scheme=scheme, viewport={"width": 390, "height": 844})
        page = context.new_page()
        requested: list[str] = []
        page.on("request", lambda request, urls=requested: urls.append(request.url))
        for name in PAGES:
            page.goto((site / name).as_uri())
            found = axe.run(page, options={"runOnly": ["wcag2a", "wcag2aa"]})
            assert found.violations_count == 0, f"{name}: {found.generate_report()}"
        assert [url for url in requested if not url.startswith("file:")] == []
        context.close()
