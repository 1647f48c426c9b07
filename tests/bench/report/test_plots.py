"""Plots as files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from nonocsp.bench.report import Digest, plots, write_files
from nonocsp.bench.store import Campaign
from nonocsp.model import UsageError
from tests.bench.held import Held

pytest.importorskip("matplotlib")
PAIR = ("settle", "hybrid:budget=3")
GROWTH = {
    *(f"growth-{what}-against-size" for what in ("time", "decided", "puzzles")),
    *(f"growth-{what}-against-an-option-budget-of-hybrid" for what in ("PAR-2", "time")),
}
ALL = {"cactus", "scatter", "heat", "size", *GROWTH}


@pytest.fixture(scope="module")
def digest(sound: Campaign) -> Digest:
    return Digest.of([sound], pairs=[PAIR])


def has_png_head(path: Path) -> bool:
    return path.read_bytes().startswith(b"\x89PNG\r\n")


def is_svg(path: Path) -> bool:
    return ElementTree.parse(path).getroot().tag.endswith("svg")


@pytest.fixture(scope="module")
def drawn(digest: Digest, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """All plots, as SVG."""
    return write_files(digest, "svg", tmp_path_factory.mktemp("plots"))


@pytest.mark.slow
def test_every_plot_is_written_in_the_requested_format(
    digest: Digest, drawn: list[Path], tmp_path: Path
) -> None:
    images = write_files(digest, "png", tmp_path / "plots")
    assert {path.name for path in images} == {f"{name}.png" for name in ALL}
    assert {path.name for path in drawn} == {f"{name}.svg" for name in ALL}
    assert all(has_png_head(path) for path in images)
    assert all(is_svg(path) for path in drawn)


@pytest.mark.slow
def test_the_same_runs_give_the_same_file(digest: Digest, drawn: list[Path], tmp_path: Path) -> None:
    again = plots.write_plots(digest, tmp_path, "svg")
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in drawn]


@pytest.mark.slow
def test_the_scatter_plot_shows_the_requested_backends(drawn: list[Path]) -> None:
    (scatter,) = (path for path in drawn if path.stem == "scatter")
    for backend in PAIR:
        assert f"wall time of {backend} (s)" in scatter.read_text()


@pytest.mark.slow
def test_each_requested_pair_has_a_scatter_plot(sound: Campaign, tmp_path: Path) -> None:
    digest = Digest.of([sound], pairs=[PAIR, ("settle", "hybrid:budget=1"), PAIR])
    names = {path.stem for path in write_files(digest, "svg", tmp_path)}
    assert names == ALL | {"scatter-2"}
    assert "wall time of hybrid:budget=1 (s)" in (tmp_path / "scatter-2.svg").read_text()


def test_without_matplotlib_the_error_says_what_to_install(
    digest: Digest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nonocsp.extras.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'nonocsp\[plots\]'"):
        write_files(digest, "png", tmp_path)


@pytest.mark.slow
def test_a_campaign_that_decides_nothing_still_has_its_plots(sound: Campaign, tmp_path: Path) -> None:
    rows = [row | {"answer": "unknown", "termination": "wall"} for row in sound.rows]
    paths = plots.write_plots(Digest.of([replace(sound, rows=Held(rows))]), tmp_path, "png")
    assert {path.stem for path in paths} == ALL


def test_plots_of_two_campaigns_keep_their_runs_apart(sound: Campaign, slowed: Campaign) -> None:
    fewer = replace(slowed, rows=Held(list(slowed.rows)[6:]))
    digest = Digest.of([sound, fewer])
    runs = digest.runs
    first, second = (part.runs for part in digest.parts)
    backends = len(first.backends)
    assert runs.wall_s.shape == (2 * backends, len(first.instances))
    np.testing.assert_array_equal(runs.wall_s[:backends], first.wall_s)
    np.testing.assert_array_equal(runs.wall_s[backends:, 1:], second.wall_s)
    assert np.isnan(runs.wall_s[backends:, 0]).all()
    assert not runs.is_decided[backends:, 0].any()


@pytest.mark.slow
def test_plots_of_very_many_runs_show_a_sample_and_say_so(
    digest: Digest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plots, "MAX_POINTS", 20)
    monkeypatch.setattr(plots, "MAX_COLUMNS", 50)
    drawn = {path.stem: path.read_text() for path in plots.write_plots(digest, tmp_path, "svg")}
    runs = digest.runs
    pair = [runs.backends.index(name) for name in PAIR]
    decided = runs.is_decided[pair].any(axis=0).sum()
    assert f"a sample of 20 of {decided} instances" in drawn["scatter"]
    assert f"a sample of 20 of {len(runs.instances)} runs of each backend" in drawn["size"]
    assert "a column is the median of about 2 of 100 instances" in drawn["heat"]
    counts = runs.is_decided.sum(axis=1)
    assert all(f"({count})" in drawn["cactus"] for count in counts)


@pytest.mark.parametrize("count", [0, 1, 5, 19, 20, 21, 1000])
def test_a_thinned_curve_keeps_its_ends(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plots, "MAX_POINTS", 20)
    times = np.arange(count) + 0.5
    counts, kept = plots._thinned(times)
    assert len(counts) == min(count, 20)
    assert (kept == counts - 0.5).all()
    assert not count or (counts[0], counts[-1]) == (1, count)


@pytest.mark.slow
def test_plots_of_growth_say_what_they_show_and_where_runs_were_not_decided(drawn: list[Path]) -> None:
    texts = {path.stem: path.read_text() for path in drawn}
    assert "puzzles of other kinds" in texts["growth-time-against-size"]
    assert "not decided" in texts["growth-time-against-size"]
    assert "25x25" in texts["growth-time-against-size"]
    assert "PAR-2 (s)" in texts["growth-PAR-2-against-an-option-budget-of-hybrid"]
    assert "not decided" not in texts["growth-decided-against-size"]
