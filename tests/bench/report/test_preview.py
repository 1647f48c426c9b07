"""What a link to the page shows: name, description and picture, all inside the page."""

from __future__ import annotations

import base64
import io
import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from PIL import Image

from nonocsp.bench.report import Digest
from nonocsp.bench.report.html import SIZE, picture, render, sentence
from nonocsp.bench.store import Campaign
from tests.bench.held import Held


def described(campaign: Campaign, description: object) -> Campaign:
    sessions = [it | {"config": {"description": description}} for it in campaign.info["sessions"]]
    return replace(campaign, info={"name": campaign.name, "sessions": sessions})


def drawn(digest: Digest) -> Image.Image:
    head, _, content = picture(digest).partition(",")
    assert head == "data:image/png;base64"
    assert len(content) < 60_000
    return Image.open(io.BytesIO(base64.b64decode(content))).convert("RGB")


def test_the_head_of_the_page_has_name_description_and_picture(sound: Campaign, tmp_path: Path) -> None:
    page = render(Digest.of([described(sound, "Which one?\n Do <all> agree?")]), tmp_path)
    tags = dict(re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">', page))
    assert tags["og:title"] == "synthetic"
    assert unescape(tags["og:description"]) == tags["description"].replace("&lt;", "<").replace("&gt;", ">")
    assert unescape(tags["description"]) == "Which one? Do <all> agree?"
    assert tags["og:image"].startswith("data:image/png;base64,")
    assert "Do &lt;all&gt; agree?</p>" in page
    head = page.partition("</head>")[0]
    assert re.findall(r"(?:src|href|content)=\"(https?:|//)", head) == []


def test_without_a_description_the_preview_says_what_was_run(sound: Campaign) -> None:
    for said in ("", "   ", None, 7, ["x"]):
        digest = Digest.of([described(sound, said)])
        assert sentence(digest) == (
            "Comparison of 6 ways to solve nonograms on 100 instances (task decide, wall limit 10.0 s). "
            "Every answer was verified."
        )
    assert len(sentence(Digest.of([described(sound, "word " * 400)]))) <= 300


def test_the_picture_has_the_colours_of_the_curves(sound: Campaign) -> None:
    image = drawn(Digest.of([sound]))
    assert image.size == SIZE
    colours = {colour for _, colour in image.getcolors(1 << 20) or []}
    assert any(red < 60 and green < 140 and blue > 130 for red, green, blue in colours)  # #0072b2
    assert any(red > 150 and green < 120 and blue < 60 for red, green, blue in colours)  # #c4520a


@pytest.mark.parametrize("name", ["", "n" * 900_000, "中文 \x00\u202e", "a\nb\tc"])
def test_any_name_and_any_number_of_runs_has_a_picture(sound: Campaign, name: str) -> None:
    undecided = [row | {"answer": "unknown", "termination": "wall"} for row in list(sound.rows)[:7]]
    for rows in (list(sound.rows)[:1], list(sound.rows)[:2], undecided):
        assert drawn(Digest.of([replace(sound, name=name, rows=Held(rows))])).size == SIZE
