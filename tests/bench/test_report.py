"""The report: complete, self-contained, and safe whatever titles and messages say."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from nonocsp.bench import CampaignResult, load_config, run_campaign, summary_table, write_report
from nonocsp.bench.report.cactus import HEIGHT, WIDTH, cactus
from nonocsp.bench.report.table import seconds
from nonocsp.bench.scoring import is_decided

pytestmark = pytest.mark.usefixtures("unruly")

CONFIG = """\
name: report
puzzles: [{file: "*.jsonl"}]
backends: [brute, deny, "unruly:how=lie", "unruly:how=exit", "brute:sleep=0.6"]
limits: {wall: 0.5}
"""
PUZZLES = (
    '{"rows": [[1], [3], [1]], "columns": [[1], [3], [1]]}',
    '{"rows": [[1], [1], [1]], "columns": [[1], [1], [1]]}',
    '{"rows": [[], [], []], "columns": [[], [], []]}',
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the campaign and its results are."""
    return tmp_path_factory.mktemp("report")


@pytest.fixture(scope="module")
def result(unruly: None, folder: Path) -> CampaignResult:
    (folder / "<script>alert(1)<.jsonl").write_text("\n".join(PUZZLES))
    (folder / "campaign.yaml").write_text(CONFIG)
    return run_campaign(load_config(folder / "campaign.yaml"), folder / "out")


class Page(HTMLParser):
    """Collects what a page refers to, defines, and says."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.links += [value for name, value in attrs if name in {"href", "src"} and value]

    def handle_data(self, data: str) -> None:
        self.words += data


@pytest.fixture(scope="module")
def page(result: CampaignResult, folder: Path) -> Page:
    write_report(result, folder / "out" / "report.html")
    return Page((folder / "out" / "report.html").read_text(encoding="utf-8"))


def test_what_is_wrong_comes_first_and_every_link_leads_somewhere(
    result: CampaignResult, page: Page, folder: Path
) -> None:
    assert len(result.wrong) == 2
    assert len(result.disagreements) >= 3
    places = [page.words.index(heading) for heading in ("Wrong answers", "Disagreements", "Scores")]
    assert places == sorted(places)
    assert {"#wrong", "#disagreements"} <= set(page.links)
    for link in page.links:
        if link.startswith("#"):
            assert link[1:] in page.ids
        else:
            assert (folder / "out" / link).is_file()


def test_the_page_loads_nothing(page: Page) -> None:
    assert not any(re.match(r"(https?:)?//", link) for link in page.links)
    assert not {"script", "link", "img", "iframe"} & set(page.tags)


def test_names_of_files_are_text_whatever_they_are(page: Page) -> None:
    assert "<script>alert(1)<.jsonl#1" in page.words


def test_every_score_stands_in_the_page_and_in_the_table(result: CampaignResult, page: Page) -> None:
    console = Console(width=200)
    with console.capture() as capture:
        console.print(summary_table(result))
    for score in result.scores:
        for text in (score.backend, seconds(score.median_s), seconds(score.par2_s)):
            assert text in page.words
            assert text in capture.get()


def test_the_table_fits_a_terminal_of_80_columns(result: CampaignResult) -> None:
    console = Console(width=80)
    with console.capture() as capture:
        console.print(summary_table(result))
    assert "…" not in capture.get()
    assert max(map(len, capture.get().splitlines())) <= 80


def test_a_sound_campaign_says_so(write_config: Callable[[str], Path], tmp_path: Path) -> None:
    path = write_config(CONFIG.replace(', deny, "unruly:how=lie", "unruly:how=exit"', ""))
    write_report(run_campaign(load_config(path), tmp_path / "out"), tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "no two backends contradict each other" in text
    assert "Runs that were cut off" in text


def _points(curve: str) -> list[list[float]]:
    return [[float(number) for number in point.split(",")] for point in curve.split()]


def test_a_cactus_curve_has_a_point_for_every_decided_run(result: CampaignResult) -> None:
    plot = cactus(result.rows, [score.backend for score in result.scores])
    for curve, score in zip(plot.curves, result.scores, strict=True):
        assert curve.decided == score.decided == sum(map(is_decided, _rows_of(result, curve.backend)))
        points = _points(curve.points)
        assert len(points) == max(1, curve.decided) + bool(curve.decided)  # the last one is drawn twice
        assert points == sorted(points, key=lambda point: (point[0], -point[1]))
        assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in points)


def _rows_of(result: CampaignResult, backend: str) -> list[dict[str, Any]]:
    return [row for row in result.rows if row["backend"] == backend]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0.0, "0.00 µs"),
        (1.234e-6, "1.23 µs"),
        (0.000113, "113 µs"),
        (0.0222, "22.2 ms"),
        (0.9996, "1000 ms"),
        (1.0, "1.00 s"),
        (12.34, "12.3 s"),
        (7200.0, "7200 s"),
    ],
)
def test_durations_are_written_with_three_digits(value: float | None, text: str) -> None:
    assert seconds(value) == text
