"""The figures of docs/results/paper.md: their data are complete, and what the page derives is right."""

import csv
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from nonocsp.grading.hardest_patterns import SNAKES
from nonocsp.model import Puzzle
from tools.benchmarks.paper import families, features, series
from tools.benchmarks.paper.phase import phase
from tools.benchmarks.paper.phase.switches import expected_switches

A384764 = """1 1 1 1 2 1 1 4 4 1 1 8 14 8 1 1 16 52 52 16 1 1 32 210 384 210 32 1
1 64 816 3152 3152 816 64 1"""
"""Its antidiagonals 0 to 7, as published."""


@pytest.mark.slow
@pytest.mark.parametrize(("draw", "count"), [(phase.main, 6), (features.main, 3)])
def test_the_committed_data_give_all_figures(draw, count, tmp_path):
    draw(figures=tmp_path)  # type: ignore[operator]
    drawn = list(tmp_path.glob("*.svg"))
    assert len(drawn) == count
    shown = Path(__file__).parents[3] / "docs" / "results" / "figures"
    assert all((shown / path.name).exists() for path in drawn)


@pytest.mark.parametrize("pattern", SNAKES)
def test_the_snakes_are_proved(pattern):
    assert families.prove(pattern) > 100


@pytest.mark.parametrize(("size", "density"), [(2, 0.5), (2, 0.3), (3, 0.5), (3, 0.7)])
def test_the_expected_number_of_switches_is_the_mean_over_all_images(size, density):
    pairs, total = list(combinations(range(size), 2)), 0.0
    for bits in product((0, 1), repeat=size * size):
        image = np.array(bits, np.uint8).reshape(size, size)
        chance = density ** sum(bits) * (1 - density) ** (len(bits) - sum(bits))
        for rows, columns in product(pairs, pairs):
            corners = np.ix_(rows, columns)
            turned = image.copy()
            turned[corners] = 1 - image[corners]
            if image[corners].tolist() in ([[0, 1], [1, 0]], [[1, 0], [0, 1]]):
                one, other = (Puzzle.from_grid(cells) for cells in (image, turned))
                total += chance * ((one.rows, one.columns) == (other.rows, other.columns))
    assert expected_switches(size, density) == pytest.approx(total)


def lines(path: Path) -> list[tuple[int, ...]]:
    return [tuple(map(int, line.split())) for line in path.read_text().splitlines()]


def test_b_files_have_the_published_antidiagonals_and_series(tmp_path):
    series.main(cells=12, kept=tmp_path / "kept", only_kept=False, save=tmp_path, figure=None)
    assert lines(tmp_path / "census-unique.txt") == list(enumerate(map(int, A384764.split())))
    assert lines(tmp_path / "census-unique-2xn.txt") == list(enumerate([1, 4, 14, 52, 210, 816, 3206]))
    assert lines(tmp_path / "census-simple-3xn.txt") == list(enumerate([1, 8, 52, 384, 3116]))
    with (tmp_path / "census-counts.csv").open() as file:
        last = list(csv.DictReader(file))[-1]
    assert (last["rows"], last["columns"], last["simple"], last["unique"]) == ("3", "4", "3116", "3152")
    assert sum(map(int, last["histogram"].split())) == 3116
