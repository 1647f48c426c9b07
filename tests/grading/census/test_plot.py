"""The plot of a histogram: its kinds, its scales, and what it needs."""

from __future__ import annotations

from typing import Any

import pytest

from nonocsp.grading.census.counts import plot_histogram
from nonocsp.model import UsageError

STARTS = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


@pytest.mark.parametrize("suffix", STARTS)
def test_the_suffix_selects_the_format_and_the_file_is_reproducible(suffix, tmp_path):
    pytest.importorskip("matplotlib")
    paths = [tmp_path / f"{name}{suffix}" for name in ("one", "two")]
    for path in paths:
        plot_histogram(path, [4, 10], "2x2")
    first, second = (path.read_bytes() for path in paths)
    assert first.startswith(STARTS[suffix])
    assert first == second
    plot_histogram(paths[0], [], "nothing is simple")
    with pytest.raises(UsageError, match=r"x\.gif: .*\.pdf, \.png, \.svg"):
        plot_histogram(tmp_path / "x.gif", [1], "")


def test_the_bars_show_the_histogram_on_a_linear_and_a_logarithmic_scale(tmp_path, monkeypatch):
    figure = pytest.importorskip("matplotlib.figure").Figure
    figures: list[Any] = []
    monkeypatch.setattr(figure, "savefig", lambda figure, *_, **__: figures.append(figure))
    plot_histogram(tmp_path / "x.svg", [27, 295, 62], "3x3")
    axes = figures[0].axes
    assert figures[0].get_suptitle() == "3x3"
    assert figures[0].get_size_inches().tolist() == [8.0, 3.4]
    assert [own.get_yscale() for own in axes] == ["linear", "log"]
    assert [own.get_ylim()[0] for own in axes] == [0, 0.5]  # a bar of one image can be seen
    for own in axes:
        assert [bar.get_height() for bar in own.patches] == [27, 295, 62]
        assert [bar.get_x() + bar.get_width() / 2 for bar in own.patches] == pytest.approx([1, 2, 3])
