"""``nonocsp fetch``: what is shown and written, and how it ends."""

import pytest

from nonocsp.formats import load, sites
from nonocsp.formats.sites import FetchTimeout

XML = b"""<puzzleset><puzzle type="grid"><title>Dot</title><author>A. Uthor</author>
<color name="black" char="X">000</color><clues type="columns"><line><count>1</count></line></clues>
<clues type="rows"><line><count>1</count></line></clues>
<solution type="goal"><image>|X|</image></solution></puzzle></puzzleset>
"""


@pytest.fixture
def asked(monkeypatch, tmp_path) -> list[str]:
    """The addresses that were asked for; each holds a puzzle."""
    asked: list[str] = []

    def ask(address: str, wall: float) -> bytes:
        asked.append(address)
        return XML

    monkeypatch.setattr(sites, "_in_time", ask)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return asked


def test_a_puzzle_is_shown_without_its_solution_and_the_terms_are_named(cli, asked):
    result = cli("fetch", "webpbn:21718")
    assert result.exit_code == 0, result.stderr
    assert asked == ["https://webpbn.com/XMLpuz.cgi?id=21718"]
    assert result.stdout.startswith("webpbn:21718: 1x1, Dot, by A. Uthor\n")
    assert "?" in result.stdout
    assert "fetched; the copyright is the author's" in result.stderr
    again = cli("fetch", "webpbn:21718")
    assert "from the cache" in again.stderr
    assert len(asked) == 1


def test_a_puzzle_is_written_in_any_format(cli, asked, tmp_path):
    assert cli("fetch", "--output", tmp_path / "dot.non", "webpbn:1").exit_code == 0
    assert load(tmp_path / "dot.non").author == "A. Uthor"
    assert cli("fetch", "--output", "-", "--to", "nin", "webpbn:1").stdout == "1 1\n1\n1\n"


def test_a_site_that_does_not_answer_in_time_is_a_limit(cli, asked, monkeypatch):
    def never(address: str, wall: float) -> bytes:
        raise FetchTimeout(f"no answer within {wall:g} s")

    monkeypatch.setattr(sites, "_in_time", never)
    result = cli("fetch", "--limit", "2s", "webpbn:1")
    assert (result.exit_code, result.stderr) == (3, "error: no answer within 2 s\n")
