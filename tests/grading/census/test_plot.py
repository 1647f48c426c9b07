"""The plot of a histogram: its kinds, its scales, and what it needs."""

import pytest

from nonocsp.grading.census.counts import plot_histogram
from nonocsp.model import UsageError

STARTS = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


@pytest.mark.parametrize("suffix", [".png", ".svg"])
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
