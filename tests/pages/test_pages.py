"""A page takes its data and title as they are, and nothing of them becomes markup."""

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from nonocsp import pages
from nonocsp.model import UsageError

HOSTILE = "</script><img src=x onerror=alert(1)> & <!-- <script> \\ \u2028 \"'"


class Elements(HTMLParser):
    """The start tags of a page, its title, and its data."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: dict[str, str] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.texts[self.tags[-1]] = ""

    def handle_data(self, data: str) -> None:
        if self.tags:
            self.texts[self.tags[-1]] += data


@pytest.fixture
def page(tmp_path, monkeypatch) -> Path:
    monkeypatch.setattr(pages, "FOLDER", tmp_path)
    path = tmp_path / "mine.html"
    path.write_text(f"<html><head><title>Mine</title></head><body>{pages.PLACE}</body></html>")
    return path


@pytest.mark.parametrize("as_json", [False, True])
def test_data_and_title_are_what_was_given_and_never_markup(page, as_json):
    data = {"title": HOSTILE, "goal": ["#.", ".#"]}
    found = Elements(pages.filled("mine", json.dumps(data) if as_json else data, title=HOSTILE))
    assert found.tags == ["html", "head", "title", "body", "script"]
    assert json.loads(found.texts["script"]) == data
    assert found.texts["title"] == HOSTILE


def test_a_page_that_is_not_built_or_takes_no_data_is_an_error(page):
    with pytest.raises(UsageError, match="make release-pages"):
        pages.filled("other", {}, title="Other")
    page.write_text("<title>Mine</title>")
    with pytest.raises(ValueError, match=r"web/mine\.html has no element for data"):
        pages.filled("mine", {}, title="Mine")
