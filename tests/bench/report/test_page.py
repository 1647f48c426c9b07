"""The page in a browser: what it shows is what the rows say, and it does what it promises."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from nonocsp.bench.report import Digest, html
from nonocsp.bench.report.figures import seconds
from nonocsp.bench.report.html import write_page
from nonocsp.bench.report.page_data import page_data, shown_runs
from nonocsp.bench.rows import RunRow
from nonocsp.bench.scoring import is_decided
from nonocsp.bench.store import Campaign
from tests.bench.held import Held

from .conftest import SCRIPT, Visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

pytestmark = pytest.mark.usefixtures("unruly")

RUNS = "#runs-body tr"
"""Rows of the table of runs."""
PLOTS = ("cactus", "scatter", "heat", "effort", "growth")
SCHEMES = ("light", "dark")


@pytest.fixture(scope="module")
def unsound_page(unsound: Campaign) -> Path:
    path = unsound.folder / "report.html"
    write_page(Digest.of([unsound]), path)
    return path


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Visit]]:
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
    heads = visit.texts("#runs-head th")
    index = heads.index(name)
    return visit.texts(f"{RUNS} > :nth-child({index + 1})")


def chosen(visit: Visit, label: str) -> Locator:
    """Return what chooses runs by this label."""
    return visit.page.locator("#runs-filters").get_by_label(label, exact=True)


def in_seconds(text: str) -> float:
    number, unit = text.split()
    return float(number) * {"s": 1.0, "ms": 1e-3, "µs": 1e-6}[unit]


def drawn(visit: Visit, plot: str) -> Locator:
    """Return a plot that is in view and drawn."""
    place = visit.page.locator(f"#{plot}-plot")
    place.scroll_into_view_if_needed()
    place.locator("svg").wait_for()
    return place


def test_the_page_makes_no_further_requests(visit: Visit, sound_page: Path) -> None:
    for plot in PLOTS[:3]:
        drawn(visit, plot)
    assert visit.requests == [sound_page.as_uri()]


def test_scripts_and_resources_added_to_the_page_do_not_run_or_load(visit: Visit) -> None:
    visit.page.evaluate("""() => {
        const script = document.createElement("script");
        script.textContent = "document.title = 'run'";
        document.body.append(script);
    }""")
    assert visit.page.title() == "synthetic – nonocsp"
    assert any("Content Security Policy" in error for error in visit.errors)
    visit.errors.clear()


def test_file_names_are_shown_as_plain_text(unsound_page: Path, open_page: Callable[..., Visit]) -> None:
    visit = open_page(unsound_page)
    assert visit.page.title() == "report – nonocsp"
    assert f"{SCRIPT}#1" in column(visit, "puzzle")
    assert f"{SCRIPT}#1: unruly:how=lie" in visit.texts("#wrong h3")


def test_failures_come_first_with_the_pictures_of_both_sides(
    unsound: Campaign, unsound_page: Path, open_page: Callable[..., Visit]
) -> None:
    visit = open_page(unsound_page)
    assert visit.texts("h2")[:3] == ["Wrong answers", "Disagreements", "Scores"]
    claims = visit.page.locator("#disagreements article")
    assert claims.count() >= 3
    cross = next(row for row in unsound.rows if row["backend"] == "brute" and row["index"] == 1)
    first = claims.filter(has_text=f"{SCRIPT}#1").filter(has_text="brute has").first
    assert painted(first.locator("svg.picture").first, 3, 3) == cross["solutions"][0]


def painted(picture: Locator, rows: int, columns: int) -> list[str]:
    """Return the cells of a drawing, read off the outlines of its black runs."""
    path = picture.locator("path[fill='#000000']").get_attribute("d") or ""
    cells = [["."] * columns for _ in range(rows)]
    for x, y, length in re.findall(r"M(\d+) (\d+)h(\d+)", path):
        cells[int(y)][int(x) : int(x) + int(length)] = "#" * int(length)
    return ["".join(row) for row in cells]


def test_every_link_has_a_target(unsound_page: Path, open_page: Callable[..., Visit]) -> None:
    visit = open_page(unsound_page)
    links = [link.get_attribute("href") or "" for link in visit.page.locator("a").all()]
    assert {"#wrong", "#disagreements", "#scores"} <= set(links)
    assert any(link.startswith("failures/") for link in links)
    for link in links:
        if link.startswith("#"):
            assert visit.page.locator(link).count() == 1
        else:
            assert (unsound_page.parent / link).is_file()


def test_the_page_shows_the_scores_without_javascript(
    browser: Browser, sound: Campaign, sound_page: Path
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(sound_page.as_uri())
    words = page.locator("#scores").inner_text()
    for score in Digest.of([sound]).scores:
        for text in (score.backend, str(score.decided), seconds(score.par2_s), seconds(score.median_s)):
            assert text in words
    context.close()


def test_a_browser_that_cannot_unpack_the_runs_says_so_and_shows_the_rest(
    browser: Browser, sound_page: Path
) -> None:
    page = browser.new_page()
    page.add_init_script("delete window.DecompressionStream")
    page.goto(sound_page.as_uri())
    page.locator("#failure").wait_for()
    assert "DecompressionStream is not defined" in page.locator("#failure").inner_text()
    assert page.locator("#scores tbody tr").count() > 0
    page.close()


def test_a_click_on_a_column_head_sorts_the_runs_and_a_second_click_reverses_them(visit: Visit) -> None:
    head = visit.page.locator("#runs-head th", has_text="wall")
    for direction, sign in (("ascending", 1), ("descending", -1)):
        head.locator("button").click()
        assert head.get_attribute("aria-sort") == direction
        times = [sign * in_seconds(text) for text in column(visit, "wall")]
        assert times == sorted(times)


def test_sorting_covers_all_runs_not_only_the_visible_ones(visit: Visit, sound: Campaign) -> None:
    visit.page.locator("#runs-head th", has_text="wall").locator("button").click()
    assert column(visit, "wall")[0] == seconds(min(row["wall_s"] for row in sound.rows))


def test_every_other_table_sorts_by_value_not_by_text(visit: Visit, sound: Campaign) -> None:
    table = visit.page.locator("#scores table").first
    head = table.locator("thead th", has_text="PAR-2")
    head.locator("button").focus()
    visit.page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    digest = Digest.of([sound])
    by_par2 = sorted([*digest.scores, digest.ideal], key=lambda score: score.par2_s or 0.0)
    assert table.locator("tbody th").all_inner_texts() == [score.backend for score in by_par2]


def test_filters_show_only_the_matching_runs(visit: Visit, sound: Campaign) -> None:
    def count(keep: Callable[[RunRow], bool]) -> str:
        return f"of {sum(map(keep, sound.rows))} runs"

    page = visit.page
    shown = page.locator("#runs-count")
    assert count(lambda row: True) in shown.inner_text()
    chosen(visit, "backend").select_option(label="settle")
    assert count(lambda row: row["backend"] == "settle") in shown.inner_text()
    assert set(column(visit, "backend")) == {"settle"}
    chosen(visit, "answer").select_option("partial")
    assert count(lambda row: row["backend"] == "settle" and row["answer"] == "partial") in shown.inner_text()
    chosen(visit, "answer").select_option(label="any")
    chosen(visit, "backend").select_option(label="any")
    chosen(visit, "ended by").select_option("wall")
    assert count(lambda row: row["termination"] == "wall") in shown.inner_text()
    chosen(visit, "ended by").select_option(label="any")
    chosen(visit, "text").fill("#17")
    assert count(lambda row: row["puzzle"].endswith("#17")) in shown.inner_text()
    chosen(visit, "text").fill("wall limit")  # of a message
    assert count(lambda row: "wall limit" in row.get("message", "")) in shown.inner_text()
    chosen(visit, "text").fill("no such puzzle")
    assert shown.inner_text() == "no run matches"


def test_runs_are_shown_a_page_at_a_time(visit: Visit, sound: Campaign) -> None:
    shown = visit.page.locator("#runs-count")
    assert shown.inner_text() == f"1 to 50 of {len(sound.rows)} runs"
    first = column(visit, "puzzle")
    visit.page.get_by_role("button", name="next").click()
    assert shown.inner_text() == f"51 to 100 of {len(sound.rows)} runs"
    assert column(visit, "puzzle") != first
    visit.page.get_by_role("button", name="last").click()
    assert visit.page.locator(RUNS).count() == (len(sound.rows) - 1) % 50 + 1
    visit.page.get_by_role("button", name="first").click()
    assert column(visit, "puzzle") == first


def test_a_click_on_a_run_shows_all_its_details(visit: Visit, sound: Campaign) -> None:
    row = next(row for row in sound.rows if row["answer"] == "multiple")
    page = visit.page
    chosen(visit, "text").fill(row["puzzle"])
    chosen(visit, "backend").select_option(label=row["backend"])
    opener = page.locator(RUNS).get_by_role("button", name=row["puzzle"], exact=True)
    opener.click()
    dialog = page.locator("#run")
    words = dialog.inner_text()
    assert dialog.get_attribute("open") is not None
    assert row["puzzle"] in page.locator("#run-title").inner_text()
    for text in ("nodes", str(row["stats"]["nodes"]), row["run"][:10], row["machine"], "fork", "10.0 s"):
        assert text in words
    pictures = dialog.locator("svg.picture")
    shape = row["rows"], row["columns"]
    assert [painted(pictures.nth(i), *shape) for i in range(2)] == row["solutions"]
    page.keyboard.press("Escape")
    assert dialog.get_attribute("open") is None
    assert opener.evaluate("button => button === document.activeElement")


def test_the_dialog_of_a_run_leads_to_the_other_runs_of_its_puzzle(visit: Visit) -> None:
    visit.page.locator(f"{RUNS} button").first.click()
    dialog = visit.page.locator("#run")
    before = visit.page.locator("#run-title").inner_text()
    dialog.locator("li button").first.click()
    after = visit.page.locator("#run-title").inner_text()
    assert before.split(":")[0] == after.split(":")[0]
    assert before != after


def test_a_partial_grid_and_a_message_are_shown(visit: Visit, sound: Campaign) -> None:
    stuck = next(row for row in sound.rows if "partial" in row)
    late = next(row for row in sound.rows if row["termination"] == "wall")
    for row, text in ((stuck, "where it got stuck"), (late, late["message"])):
        chosen(visit, "backend").select_option(label=row["backend"])
        chosen(visit, "text").fill(row["puzzle"])
        visit.page.locator(RUNS).get_by_role("button", name=row["puzzle"], exact=True).click()
        assert text in visit.page.locator("#run").inner_text()
        visit.page.keyboard.press("Escape")


def test_a_cactus_curve_ends_with_the_last_decided_run_of_its_backend(visit: Visit, sound: Campaign) -> None:
    plot = drawn(visit, "cactus")
    backends = [score.backend for score in Digest.of([sound]).scores]
    curves = plot.locator(".curve path")
    assert curves.count() == len(backends)
    for i, backend in enumerate(backends):
        decided = sum(is_decided(row) for row in sound.rows if row["backend"] == backend)
        assert len(corners(curves.nth(i))) == decided
    assert visit.texts("#cactus-legend button")[0].endswith(
        f"({sum(is_decided(row) for row in sound.rows if row['backend'] == backends[0])})"
    )


def corners(path: Locator) -> list[tuple[float, float]]:
    """Return the points that a line joins, in the units of its drawing."""
    found = re.findall(r"[ML]([\d.]+),([\d.]+)", path.get_attribute("d") or "")
    return [(float(x), float(y)) for x, y in found]


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


def test_pointing_at_the_end_of_a_curve_names_its_backend(visit: Visit, sound: Campaign) -> None:
    plot = drawn(visit, "cactus")
    x, y = corners(plot.locator(".curve path").last)[-1]
    decided = sum(is_decided(row) for row in sound.rows if row["backend"] == "settle")
    assert f"settle decides {decided} within this time" in hover(visit, plot, x, y)


def test_a_dot_in_the_scatter_plot_shows_puzzle_times_and_picture(visit: Visit, sound: Campaign) -> None:
    plot = drawn(visit, "scatter")
    path = plot.locator(".dots path").first.get_attribute("d") or ""
    x, y = map(float, re.findall(r"M([\d.]+) ([\d.]+)", path)[0])
    lines = hover(visit, plot, x, y).splitlines()
    puzzle = lines[0].split(",")[0]
    assert puzzle in {row["puzzle"] for row in sound.rows}
    times = {
        f"{row['backend']}: {row['answer']}, {seconds(row['wall_s'])}"
        for row in sound.rows
        if row["puzzle"] == puzzle
    }
    assert set(filter(None, lines[1:])) <= times
    picture = visit.page.locator("#tip svg.picture")
    found = next((row for row in sound.rows if row["puzzle"] == puzzle and row["solutions"]), None)
    if found:
        assert painted(picture, found["rows"], found["columns"]) == found["solutions"][0]


def test_any_two_backends_can_be_compared(visit: Visit, sound: Campaign) -> None:
    drawn(visit, "scatter")
    first, second = "hybrid:budget=2", "settle"
    visit.page.locator("#scatter-choices select").nth(0).select_option(label=first)
    visit.page.locator("#scatter-choices select").nth(1).select_option(label=second)
    (pair,) = (pair for pair in Digest.of([sound]).pairs if (pair.first, pair.second) == (first, second))
    said = visit.page.locator("#scatter-tally").inner_text()
    below, above, one, other, neither = tally(said)
    assert (above + one, below + other, neither) == (pair.wins, pair.losses, pair.ties)
    titles = visit.texts("#scatter-plot [aria-label$='axis label'] text")
    assert titles == [f"wall time of {first}", f"wall time of {second}"]


def tally(said: str) -> list[int]:
    """Return the five counts of the sentence below the scatter plot."""
    pattern = (
        r"faster \((\d+)\), above it \S+ \((\d+)\)\. Only \S+ decides (\d+), only \S+ (\d+), neither (\d+)"
    )
    match = re.search(pattern, said)
    assert match is not None
    return [int(number) for number in match.groups()]


def test_the_heat_map_has_a_cell_for_every_run(visit: Visit, sound: Campaign) -> None:
    plot = drawn(visit, "heat")
    paths = plot.locator("path.heat").all()
    cells = sum((path.get_attribute("d") or "").count("M") for path in paths)
    assert cells == len(sound.rows)
    cut_off = sum(row["termination"] in {"wall", "cpu", "memory"} for row in sound.rows)
    assert (plot.locator("path.heat.limit").get_attribute("d") or "").count("M") == cut_off
    x, y = map(
        float, re.findall(r"M([\d.]+) ([\d.]+)", plot.locator("path.heat.limit").get_attribute("d") or "")[0]
    )
    assert (
        ", wall" in hover(visit, plot, x + 3, y + 8) or ", memory" in visit.page.locator("#tip").inner_text()
    )
    visit.page.mouse.down()
    visit.page.mouse.up()
    assert visit.page.locator("#run").get_attribute("open") is not None


def test_a_plot_shows_time_against_size(visit: Visit, sound: Campaign) -> None:
    plot = drawn(visit, "effort")
    assert visit.texts("#effort-choices option") == ["cells of the puzzle", "time of the virtual best"]
    dots = sum((path.get_attribute("d") or "").count("M") for path in plot.locator(".dots path").all())
    assert dots == len(sound.rows)


def test_hiding_a_backend_removes_it_from_all_plots(visit: Visit) -> None:
    for plot in ("cactus", "heat", "effort"):
        drawn(visit, plot)
    button = visit.page.locator("#cactus-legend button", has_text="settle")
    button.click()
    assert button.get_attribute("aria-pressed") == "false"
    assert visit.page.locator("#effort-legend button[aria-pressed=false]").count() == 1
    assert "settle" not in visit.texts("#heat-plot text")
    assert visit.page.locator("#cactus-plot .curve path").count() == 5
    button.click()
    assert "settle" in visit.texts("#heat-plot text")


def test_arrow_keys_go_through_the_points_and_enter_opens_a_run(visit: Visit) -> None:
    plot = drawn(visit, "cactus")
    plot.focus()
    said = []
    for key in ("Home", "ArrowRight", "End"):
        visit.page.keyboard.press(key)
        said.append(visit.page.locator("#status").inner_text())
    assert all("decides" in text for text in said)
    assert len(set(said)) == 3
    visit.page.keyboard.press("Enter")
    assert visit.page.locator("#run").get_attribute("open") is not None


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_page_passes_the_accessibility_check(
    unsound_page: Path, sound_page: Path, open_page: Callable[..., Visit], scheme: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    for path in (sound_page, unsound_page):
        visit = open_page(path, color_scheme=scheme)
        for plot in PLOTS[:3]:
            drawn(visit, plot)
        assert_accessible(axe.run(visit.page).response)
    visit.page.locator(f"{RUNS} button").first.click()
    assert_accessible(axe.run(visit.page).response)


def assert_accessible(found: dict[str, Any]) -> None:
    assert not [
        f"{violation['id']}: {node['html']}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_text_colour_is_readable_on_every_background(scheme: str) -> None:
    colours = variables(scheme)
    for ground in ("paper", "card", "control"):
        for ink in ("ink", "soft", "good", "bad", "warn", "link"):
            assert contrast(colours[ink], colours[ground]) >= 4.5, f"{ink} on {ground}"
    for ink in ("ink", "soft", "link"):
        assert contrast(colours[ink], colours["bad-paper"]) >= 4.5, ink
    for number in range(8):  # lines of plots: graphics need 3
        assert contrast(colours[f"c{number}"], colours["card"]) >= 3


def variables(scheme: str) -> dict[str, str]:
    """Return the colours of the style sheet, dark ones in place of light ones where there are any."""
    source = (Path(__file__).parents[3] / "web" / "src" / "report" / "style.css").read_text()
    light, dark, *_ = re.findall(r":root \{\s+(--.*?)\}", source, re.DOTALL)
    return dict(re.findall(r"--([\w-]+): (#\w{6})", light + (dark if scheme == "dark" else "")))


def contrast(first: str, second: str) -> float:
    """Return the contrast of two colours by WCAG 2."""
    low, high = sorted(map(luminance, (first, second)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_dark_and_light_mode_change_the_colours(sound_page: Path, open_page: Callable[..., Visit]) -> None:
    brightness = {}
    for scheme in SCHEMES:
        page = open_page(sound_page, color_scheme=scheme).page
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        brightness[scheme] = sum(map(int, re.findall(r"\d+", colour)[:3])) / 3
    assert brightness["dark"] < 64
    assert brightness["light"] > 192


def test_a_printed_page_is_light_with_all_sections_open_and_all_plots_drawn(
    sound_page: Path, open_page: Callable[..., Visit]
) -> None:
    page = open_page(sound_page, color_scheme="dark").page
    pdf = page.pdf()
    assert pdf.startswith(b"%PDF")
    assert all(page.locator(f"#{plot}-plot svg").count() == 1 for plot in PLOTS)
    assert page.locator("details:not([open])").count() == 0
    page.emulate_media(media="print")
    assert not page.locator("nav").is_visible()
    assert not page.locator("#runs-filters").is_visible()
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(29, 31, 35)"


def test_only_tables_are_wider_than_a_narrow_window(
    unsound_page: Path, open_page: Callable[..., Visit]
) -> None:
    visit = open_page(unsound_page, viewport={"width": 360, "height": 800})
    for plot in PLOTS[:3]:
        drawn(visit, plot)
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= 360


def test_empty_plots_are_left_out(sound: Campaign, tmp_path: Path, open_page: Callable[..., Visit]) -> None:
    alone = replace(sound, rows=Held(list(sound.rows)[:1]))
    write_page(Digest.of([alone]), tmp_path / "alone.html")
    visit = open_page(tmp_path / "alone.html")
    drawn(visit, "cactus")
    assert not visit.page.locator("#scatter").is_visible()
    assert not visit.page.locator("#effort").is_visible()
    assert not {"#pairs", "#scatter", "#effort"} & {
        link.get_attribute("href") for link in visit.page.locator("nav a").all()
    }


def test_the_page_says_how_many_pictures_were_left_out(
    sound: Campaign, tmp_path: Path, open_page: Callable[..., Visit], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(html, "page_data", partial(page_data, max_bytes=0))
    html.write_page(Digest.of([sound]), tmp_path / "small.html")
    visit = open_page(tmp_path / "small.html")
    assert "pictures left out to keep the page small" in visit.page.locator("#runs-note").inner_text()
    visit.page.locator(f"{RUNS} button").first.click()
    assert visit.page.locator("#run svg.picture").count() == 0


def test_the_charts_of_growth_show_what_is_chosen_and_its_table_says_the_same(visit: Visit) -> None:
    plot = drawn(visit, "growth")
    choices, tables = visit.page.locator("#growth-choices"), visit.page.locator("#growth details")
    kinds = choices.locator("select").first.locator("option").all_text_contents()
    assert kinds == [
        *("time against size", "decided against size", "puzzles against size"),
        *("PAR-2 against an option", "time against an option"),
    ]
    legend, key = visit.page.locator("#growth-legend .legend"), visit.page.locator("#growth-legend .key")
    assert (legend.is_visible(), key.is_visible()) == (True, False)
    lines = plot.locator(".curve path")
    shown = lines.count()
    legend.get_by_role("button").first.click()
    assert lines.count() == shown - 1
    legend.get_by_role("button").first.click()
    choices.get_by_label("show").select_option("puzzles against size")
    assert (legend.is_visible(), key.is_visible()) == (False, True)
    assert visit.texts("#growth-legend .key > span") == ["unique", "simple", "decided by any"]
    assert "95 % interval" in visit.texts("#growth-note")[0]
    choices.get_by_label("show").select_option("PAR-2 against an option")
    assert choices.get_by_label("of", exact=True).input_value() == "budget of hybrid"
    tables.locator("summary").click()
    assert tables.locator("caption").all_text_contents()[0] == "time against size: puzzles of other kinds"
    plot.focus()
    visit.page.keyboard.press("ArrowRight")
    first = tables.get_by_role("table").nth(3).locator("tbody tr").first.locator("td").first.inner_text()
    assert f"budget 1: {first}" in visit.page.locator("#tip").inner_text()


def test_a_campaign_of_one_size_has_no_section_of_growth(
    sound: Campaign, tmp_path: Path, open_page: Callable[..., Visit]
) -> None:
    rows = Held([row for row in sound.rows if row["rows"] == 10 and row["backend"] == "settle"])
    write_page(Digest.of([replace(sound, rows=rows)]), tmp_path / "report.html")
    visit = open_page(tmp_path / "report.html")
    assert "Growth" not in visit.texts("h2")
    assert "#growth" not in [link.get_attribute("href") for link in visit.page.locator("nav a").all()]


def test_a_page_of_very_many_runs_shows_a_sample_with_exact_scores(
    sound: Campaign, tmp_path: Path, open_page: Callable[..., Visit], monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = Digest.of([sound])
    html.write_page(digest, tmp_path / "whole.html")
    monkeypatch.setattr(html, "shown_runs", partial(shown_runs, most=60))
    html.write_page(digest, tmp_path / "sample.html")
    whole, sample = open_page(tmp_path / "whole.html"), open_page(tmp_path / "sample.html")
    for tables in ("#scores", "#pairs"):
        assert sample.page.locator(tables).inner_text() == whole.page.locator(tables).inner_text()
    said = f"60 of {len(digest.table)} runs"
    assert f"Plots and the table of runs show {said}" in sample.page.locator("header").inner_text()
    assert f"Plots and the table of runs show {said}" not in whole.page.locator("header").inner_text()
    assert said in sample.page.locator("#runs-note").inner_text()
    assert "of 60 runs" in sample.page.locator("#runs-count").inner_text()
    for plot in PLOTS[:4]:  # growth is computed from all runs
        drawn(sample, plot)
        assert f"Drawn from {said}." in sample.page.locator(f"#{plot} figcaption").inner_text()


def test_the_dialog_shows_what_a_run_claimed_and_left_behind(
    sound: Campaign, tmp_path: Path, open_page: Callable[..., Visit]
) -> None:
    odd = {"wall_s": 0.5, "claimed_wall_s": 39e-6, "left": ["process 17", "/dev/shm/x"], "code": "ab" * 8}
    first, second, *_ = sound.rows
    rows = Held([first | odd, second | {"wall_s": 0.25, "claimed_wall_s": 0.25}])
    write_page(Digest.of([replace(sound, rows=rows)]), tmp_path / "report.html")
    visit = open_page(tmp_path / "report.html")
    shown = []
    for place in range(2):
        visit.page.locator(f"{RUNS} button").nth(place).click()
        shown.append(visit.page.locator("#run").inner_text())
        visit.page.keyboard.press("Escape")
    assert "500 ms (39.0 µs by its own account), limit" in shown[0]
    assert "process 17; /dev/shm/x" in shown[0]
    assert "ab" * 8 in shown[0]
    assert "by its own account" not in shown[1]
    assert "left behind" not in shown[1]


def test_two_campaigns_stand_side_by_side_with_the_regression_first(
    alternated: list[Campaign], tmp_path: Path, open_page: Callable[..., Visit]
) -> None:
    digest = Digest.of(alternated, baseline=0)
    write_page(digest, tmp_path / "comparison.html")
    visit = open_page(tmp_path / "comparison.html")
    slow = digest.regressions[0].backend
    assert visit.texts("h2")[0] == "What changed"
    assert visit.texts("#changes tr.regression th") == [slow]
    assert f"1 regression: {slow}." in visit.page.locator("header").inner_text()
    drawn(visit, "scatter")
    before, after = (part.label for part in digest.parts)
    assert visit.texts("#scatter-plot [aria-label$='axis label'] text") == [
        f"wall time of {slow} @ {before}",
        f"wall time of {slow} @ {after}",
    ]
    assert visit.page.locator("#cactus-legend button").count() == len(digest.scores)


def test_markup_in_the_texts_of_a_campaign_is_shown_but_does_not_run(
    browser: Browser, sound: Campaign, tmp_path: Path
) -> None:
    strange = '<script>alert(1)</script></script><img src=x onerror=alert(2)>"]]>{{7*7}}\u2028'
    texts = dict.fromkeys(("puzzle", "machine", "message", "executor"), strange)
    rows = [row | texts | {"backend": f"{row['backend']}{strange}"} for row in list(sound.rows)[:60]]
    write_page(Digest.of([replace(sound, name=strange, rows=Held(rows))]), tmp_path / "report.html")
    visit = Visit(browser, tmp_path / "report.html")
    dialogs: list[str] = []
    visit.page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    shown = visit.page.locator("body").inner_text()
    assert "<script>alert(1)</script>" in shown
    assert visit.page.locator("img[src=x]").count() == 0
    visit.page.close()
    assert (dialogs, visit.errors) == ([], [])
