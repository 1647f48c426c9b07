"""The manual and the web site build without warnings, load nothing from elsewhere, and are accessible."""

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
import yaml

from tools.site import LINKS, add_pages

PAGES = ("index.html", "reference/configs.html", "explanation/architecture.html")


@pytest.fixture(scope="module")
def site(repository, tmp_path_factory) -> Path:
    pytest.importorskip("mkdocs")
    folder = tmp_path_factory.mktemp("below") / "site"
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


def test_every_page_is_in_the_navigation(repository):
    text = (repository / "mkdocs.yml").read_text()
    pages = {str(page.relative_to(repository / "docs")) for page in (repository / "docs").rglob("*.md")}
    assert pages == set(entries(yaml.safe_load(text)["nav"]))


def entries(nav: object) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    for part in nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else ():
        yield from entries(part)


@pytest.mark.slow
def test_pages_load_nothing_from_other_sites_and_are_accessible(site, browser):
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


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder without a word."""

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def published(site) -> Iterator[str]:
    """The address of the site with its pages, below a path of a web server."""
    add_pages(site)
    handler = partial(Quiet, directory=str(site.parent))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/{site.name}/"
        server.shutdown()
        thread.join()


def test_the_site_works_below_a_path_and_asks_for_nothing_elsewhere(published, browser):
    page = browser.new_page()
    requested: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.on("response", lambda response: errors.append(response.url) if response.status >= 400 else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    for target, name in LINKS.items():
        page.goto(f"{published}index.html")
        page.get_by_role("link", name=name, exact=True).click()
        page.wait_for_url(f"{published}{target}")
        assert page.title()
    page.close()
    assert errors == []
    assert [url for url in requested if not url.startswith((published, "blob:", "data:"))] == []
