"""Journeys through the page in a browser: it shows what the rows say, and does what it promises."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from nonocsp.bench.report import Digest
from nonocsp.bench.report.figures import seconds
from nonocsp.bench.report.html import write_page
from nonocsp.bench.rows import RunRow
from nonocsp.bench.scoring import is_decided
from tests.bench.conftest import Held

from .conftest import SCRIPT, Visit

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.usefixtures("unruly")

RUNS = "#runs-body tr"
"""Rows of the table of runs."""
PLOTS = ("cactus", "scatter", "heat", "effort", "growth")
SCHEMES = ("light", "dark")
Open = Callable[..., Visit]


@pytest.fixture(scope="module")
def unsound_page(unsound) -> Path:
    path = unsound.folder / "report.html"
    write_page(Digest.of([unsound]), path)
    return path


@pytest.fixture
def open_page(browser) -> Iterator[Open]:
    """Open pages; none of them may have errors at the end."""
    visits: list[Visit] = []

    def open(path: Path, **settings: Any) -> Visit:
        visits.append(Visit(browser, path, **settings))
        return visits[-1]

    yield open
    for visit in visits:
        visit.page.close()
        assert not visit.errors


def column(visit: Visit, name: str) -> list[str]:
    """Return the cells of a column of the table of runs."""
    index = visit.texts("#runs-head th").index(name)
    return visit.texts(f"{RUNS} > :nth-child({index + 1})")


def choose(visit: Visit, label: str, option: str = "any") -> None:
    place = visit.page.locator("#runs-filters").get_by_label(label, exact=True)
    place.fill(option) if label == "text" else place.select_option(label=option)


def drawn(visit: Visit, plot: str) -> Locator:
    place = visit.page.locator(f"#{plot}-plot")
    place.scroll_into_view_if_needed()
    place.locator("svg").wait_for()
    return place


def paths_of(places: Locator) -> str:
    return " ".join(path.get_attribute("d") or "" for path in places.all())


def painted(picture: Locator, rows: int, columns: int) -> list[str]:
    """Return the cells of a drawing, read off its ground and the outlines of its runs."""
    fills = [
        ("#" if it.get_attribute("fill") == "#000000" else ".", it) for it in picture.locator("[fill]").all()
    ]
    cells = [[fills[0][0]] * columns for _ in range(rows)]
    for mark, path in fills[1:]:
        for x, y, length in re.findall(r"M(\d+) (\d+)h(\d+)", paths_of(path)):
            cells[int(y)][int(x) : int(x) + int(length)] = mark * int(length)
    return ["".join(row) for row in cells]


def corners(path: Locator) -> list[tuple[float, float]]:
    """Return the points that a line joins, in the units of its drawing."""
    return [(float(x), float(y)) for x, y in re.findall(r"[ML]([\d.]+)[, ]([\d.]+)", paths_of(path))]


def hover(visit: Visit, plot: Locator, x: float, y: float) -> str:
    """Point at a place of a drawing, in its own units; return what the page says."""
    svg = plot.locator("svg").first
    svg.scroll_into_view_if_needed()
    box = svg.bounding_box()
    assert box is not None
    scale = box["width"] / float((svg.get_attribute("viewBox") or "").split()[2])
    visit.page.mouse.move(box["x"] + x * scale, box["y"] + y * scale)
    visit.page.locator("#tip").wait_for()
    return visit.page.locator("#tip").inner_text()


def is_dialog_open(visit: Visit) -> bool:
    return visit.page.locator("#run").get_attribute("open") is not None


def test_failures_come_first(unsound, unsound_page, open_page):
    visit = open_page(unsound_page)
    assert visit.page.title() == "report – nonocsp"
    assert f"{SCRIPT}#1" in column(visit, "puzzle")
    assert f"{SCRIPT}#1: unruly:how=lie" in visit.texts("#wrong h3")
    assert visit.texts("h2")[:3] == ["Wrong answers", "Disagreements", "Scores"]
    claims = visit.page.locator("#disagreements article")
    assert claims.count() >= 3
    cross = next(row for row in unsound.rows if row["backend"] == "brute" and row["index"] == 1)
    first = claims.filter(has_text=f"{SCRIPT}#1").filter(has_text="brute has").first
    assert painted(first.locator("svg.picture").first, 3, 3) == cross["solutions"][0]
    links = [link.get_attribute("href") or "" for link in visit.page.locator("a").all()]
    assert {"#wrong", "#disagreements", "#scores"} <= set(links)
    assert any(link.startswith("failures/") for link in links)
    for link in links:
        is_here = link.startswith("#")
        assert visit.page.locator(link).count() == 1 if is_here else (unsound_page.parent / link).is_file()


def test_scores_need_no_javascript(browser, sound, sound_page):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(sound_page.as_uri())
    words = page.locator("#scores").inner_text()
    for score in Digest.of([sound]).scores:
        for text in (score.backend, str(score.decided), seconds(score.par2_s), seconds(score.median_s)):
            assert text in words
    context.close()
    page = browser.new_page()
    page.add_init_script("delete window.DecompressionStream")
    page.goto(sound_page.as_uri())
    page.locator("#failure").wait_for()
    assert "DecompressionStream is not defined" in page.locator("#failure").inner_text()
    assert page.locator("#scores tbody tr").count() > 0
    page.close()


def test_tables_are_sorted_by_value_and_the_runs_all_of_them(visit, sound):
    units = {"s": 1.0, "ms": 1e-3, "µs": 1e-6}
    head = visit.page.locator("#runs-head th", has_text="wall")
    for direction, sign, most in (("ascending", 1, min), ("descending", -1, max)):
        head.locator("button").click()
        assert head.get_attribute("aria-sort") == direction
        texts = column(visit, "wall")
        times = [sign * float(text.split()[0]) * units[text.split()[1]] for text in texts]
        assert times == sorted(times)
        assert texts[0] == seconds(most(row["wall_s"] for row in sound.rows))
    table = visit.page.locator("#scores table").first
    table.locator("thead th", has_text="PAR-2").locator("button").focus()
    visit.page.keyboard.press("Enter")
    digest = Digest.of([sound])
    by_par2 = sorted([*digest.scores, digest.ideal], key=lambda score: score.par2_s or 0.0)
    assert table.locator("tbody th").all_inner_texts() == [score.backend for score in by_par2]
    table.locator("thead th", has_text="Borda").locator("button").click()
    most = max(digest.scores, key=lambda score: score.borda)
    assert table.locator("tbody th").first.inner_text() == most.backend


def test_runs_are_filtered_and_shown_a_page_at_a_time(visit, sound):
    shown, rows = visit.page.locator("#runs-count"), list(sound.rows)

    def assert_counted(keep: Callable[[RunRow], bool]) -> None:
        assert f"of {sum(map(keep, rows))} runs" in shown.inner_text()

    choose(visit, "backend", "settle")
    assert_counted(lambda row: row["backend"] == "settle")
    assert set(column(visit, "backend")) == {"settle"}
    choose(visit, "answer", "partial")
    assert_counted(lambda row: row["backend"] == "settle" and row["answer"] == "partial")
    choose(visit, "answer")
    choose(visit, "backend")
    choose(visit, "ended by", "wall")
    assert_counted(lambda row: row["termination"] == "wall")
    choose(visit, "ended by")
    for text in ("#17", "wall limit", ""):  # of a puzzle, of a message
        choose(visit, "text", text)
        assert_counted(lambda row, text=text: text in row["puzzle"] or text in row.get("message", ""))  # type: ignore[misc]
    assert shown.inner_text() == f"1 to 50 of {len(rows)} runs"
    first = column(visit, "puzzle")
    visit.page.get_by_role("button", name="next").click()
    assert shown.inner_text() == f"51 to 100 of {len(rows)} runs"
    assert column(visit, "puzzle") != first
    visit.page.get_by_role("button", name="last").click()
    assert visit.page.locator(RUNS).count() == (len(rows) - 1) % 50 + 1
    visit.page.get_by_role("button", name="first").click()
    assert column(visit, "puzzle") == first
    choose(visit, "text", "no such puzzle")
    assert shown.inner_text() == "no run matches"


def test_the_dialog_of_a_run_shows_all_its_details_and_leads_to_others(visit, sound):
    page, dialog = visit.page, visit.page.locator("#run")

    def open_run(row: RunRow) -> Locator:
        choose(visit, "text", row["puzzle"])
        choose(visit, "backend", row["backend"])
        opener = page.locator(RUNS).get_by_role("button", name=row["puzzle"], exact=True)
        opener.click()
        return opener

    stuck = next(row for row in sound.rows if "partial" in row)
    late = next(row for row in sound.rows if row["termination"] == "wall")
    for row, text in ((stuck, "where it got stuck"), (late, late["message"])):
        open_run(row)
        assert text in dialog.inner_text()
        page.keyboard.press("Escape")
    row = next(row for row in sound.rows if row["answer"] == "multiple")
    opener, words = open_run(row), dialog.inner_text()
    assert row["puzzle"] in page.locator("#run-title").inner_text()
    for text in ("nodes", str(row["stats"]["nodes"]), row["run"][:10], row["machine"], "fork", "10.0 s"):
        assert text in words
    pictures = dialog.locator("svg.picture")
    assert [painted(pictures.nth(i), row["rows"], row["columns"]) for i in range(2)] == row["solutions"]
    page.keyboard.press("Escape")
    assert not is_dialog_open(visit)
    assert opener.evaluate("button => button === document.activeElement")
    opener.click()
    before = page.locator("#run-title").inner_text()
    dialog.locator("li button").first.click()
    after = page.locator("#run-title").inner_text()
    assert before.split(":")[0] == after.split(":")[0]
    assert before != after


def test_cactus_and_scatter_plots_say_what_the_rows_say(visit, sound, sound_page):
    digest, rows = Digest.of([sound]), list(sound.rows)
    decided = [sum(is_decided(row) for row in rows if row["backend"] == it.backend) for it in digest.scores]
    plot = drawn(visit, "cactus")
    curves = plot.locator(".curve path")
    assert [len(corners(curves.nth(i))) for i in range(curves.count())] == decided
    assert visit.texts("#cactus-legend button")[0].endswith(f"({decided[0]})")
    x, y = corners(curves.last)[-1]
    last = f"{digest.scores[-1].backend} decides {decided[-1]} within this time"
    assert last in hover(visit, plot, x, y)
    plot.focus()
    said = []
    for key in ("Home", "ArrowRight", "End"):
        visit.page.keyboard.press(key)
        said.append(visit.page.locator("#status").inner_text())
    assert ["decides" in text for text in said] == [True] * 3
    assert len(set(said)) == 3
    visit.page.keyboard.press("Enter")
    assert is_dialog_open(visit)
    visit.page.keyboard.press("Escape")

    plot, (first, second) = drawn(visit, "scatter"), ("hybrid:budget=2", "settle")
    for place, backend in enumerate((first, second)):
        visit.page.locator("#scatter-choices select").nth(place).select_option(label=backend)
    titles = visit.texts("#scatter-plot [aria-label$='axis label'] text")
    assert titles == [f"wall time of {first}", f"wall time of {second}"]
    (pair,) = (pair for pair in digest.pairs if (pair.first, pair.second) == (first, second))
    tally = (
        r"faster \((\d+)\), above it \S+ \((\d+)\)\. Only \S+ decides (\d+), only \S+ (\d+), neither (\d+)"
    )
    (found,) = re.findall(tally, visit.page.locator("#scatter-tally").inner_text())
    below, above, one, other, neither = map(int, found)
    assert (above + one, below + other, neither) == (pair.wins, pair.losses, pair.ties)
    puzzle, *lines = hover(visit, plot, *corners(plot.locator(".dots path").first)[0]).splitlines()
    own = [row for row in rows if row["puzzle"] == puzzle.split(",")[0]]
    times = {f"{row['backend']}: {row['answer']}, {seconds(row['wall_s'])}" for row in own}
    assert set(filter(None, lines)) <= times
    for row in [row for row in own if row["solutions"]][:1]:
        picture = visit.page.locator("#tip svg.picture")
        assert painted(picture, row["rows"], row["columns"]) == row["solutions"][0]
    assert visit.requests == [sound_page.as_uri()]


def test_heat_map_and_effort_have_every_run_until_it_is_hidden(visit, sound):
    plot, effort = drawn(visit, "heat"), drawn(visit, "effort")
    drawn(visit, "cactus")
    assert visit.texts("#effort-choices option") == ["cells of the puzzle", "time of the virtual best"]
    for cells in (plot.locator("path.heat"), effort.locator(".dots path")):
        assert paths_of(cells).count("M") == len(sound.rows)
    limits = plot.locator("path.heat.limit")
    cut_off = sum(row["termination"] in {"wall", "cpu", "memory"} for row in sound.rows)
    assert paths_of(limits).count("M") == cut_off
    button = visit.page.locator("#cactus-legend button", has_text="settle")
    button.click()
    assert button.get_attribute("aria-pressed") == "false"
    assert visit.page.locator("#effort-legend button[aria-pressed=false]").count() == 1
    assert "settle" not in visit.texts("#heat-plot text")
    assert visit.page.locator("#cactus-plot .curve path").count() == 5
    button.click()
    assert "settle" in visit.texts("#heat-plot text")
    x, y = corners(limits)[0]
    assert re.search(", (wall|memory)", hover(visit, plot, x + 3, y + 8))
    visit.page.mouse.down()
    visit.page.mouse.up()
    assert is_dialog_open(visit)


def brightness(page: Page, what: str) -> float:
    """Return how bright a computed colour is, from 0 to 255."""
    return sum(map(int, re.findall(r"\d+", page.evaluate(f"getComputedStyle(document.{what}"))[:3])) / 3


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_page_is_accessible(unsound_page, sound_page, open_page, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()

    def assert_accessible(visit: Visit) -> None:
        found = axe.run(visit.page).response["violations"]
        assert not [f"{it['id']}: {node['html']}" for it in found for node in it["nodes"]]

    for path in (sound_page, unsound_page):
        visit = open_page(path, color_scheme=scheme)
        for plot in PLOTS[:3]:
            drawn(visit, plot)
        assert_accessible(visit)
    visit.page.locator(f"{RUNS} button").first.click()
    assert_accessible(visit)
    bright = brightness(visit.page, "documentElement).backgroundColor")
    assert bright < 64 if scheme == "dark" else bright > 192
    visit.page.set_viewport_size({"width": 360, "height": 800})
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_printed_page_is_light_and_shows_everything(sound_page, open_page):
    page = open_page(sound_page, color_scheme="dark").page
    assert page.pdf().startswith(b"%PDF")
    assert all(page.locator(f"#{plot}-plot svg").count() == 1 for plot in PLOTS)
    assert page.locator("details:not([open])").count() == 0
    page.emulate_media(media="print")
    assert not page.locator("nav").is_visible()
    assert not page.locator("#runs-filters").is_visible()
    assert brightness(page, "body).color") < 64


def test_markup_in_texts_does_not_run(browser, sound, tmp_path):
    strange = '<script>alert(1)</script></script><img src=x onerror=alert(2)>"]]>{{7*7}}\u2028'
    texts = dict.fromkeys(("puzzle", "machine", "message", "executor"), strange)
    odd = {"wall_s": 0.5, "claimed_wall_s": 39e-6, "left": ["process 17", "/dev/shm/x"], "code": "ab" * 8}
    plain = {"wall_s": 0.25, "claimed_wall_s": 0.25}
    rows = [row | texts | change for row, change in zip(sound.rows, (odd, plain), strict=False)]
    write_page(Digest.of([replace(sound, name=strange, rows=Held(rows))]), tmp_path / "report.html")
    visit = Visit(browser, tmp_path / "report.html")
    dialogs: list[str] = []
    visit.page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    shown = []
    for place in range(2):
        visit.page.locator(f"{RUNS} button").nth(place).click()
        shown.append(visit.page.locator("#run").inner_text())
        visit.page.keyboard.press("Escape")
    shown.sort(key=lambda text: "process 17" in text)
    for text in ("500 ms (39.0 µs by its own account), limit", "process 17; /dev/shm/x", "ab" * 8):
        assert text in shown[1]
        assert text not in shown[0]
    assert "left behind" not in shown[0]
    assert "<script>alert(1)</script>" in visit.page.locator("body").inner_text()
    assert visit.page.locator("img[src=x]").count() == 0
    assert (dialogs, visit.errors) == ([], [])
    visit.page.evaluate("""() => {
        const script = document.createElement("script");
        script.textContent = "document.title = 'run'";
        document.body.append(script);
    }""")
    assert visit.page.title() != "run"
    assert any("Content Security Policy" in error for error in visit.errors)
    visit.page.close()
