"""The figures of docs/results/paper.md: their data are complete, and what the page derives is right."""

import csv
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit

from nonocsp import Grid, Puzzle
from nonocsp.grading.hardest_patterns import SNAKES
from tools.benchmarks.paper import families, features, series
from tools.benchmarks.paper.phase import phase
from tools.benchmarks.paper.phase.fits import fit_shares, halves
from tools.benchmarks.paper.phase.tables import Shares

A384764 = """1 1 1 1 2 1 1 4 4 1 1 8 14 8 1 1 16 52 52 16 1 1 32 210 384 210 32 1
1 64 816 3152 3152 816 64 1"""
"""Its antidiagonals 0 to 7, as published."""


def clues(image: np.ndarray) -> tuple[object, ...]:
    puzzle = Puzzle.from_grid(Grid.from_cells(image))
    return puzzle.rows, puzzle.columns


@pytest.mark.slow
@pytest.mark.parametrize(("draw", "count"), [(phase.main, 6), (features.main, 3)])
def test_the_committed_data_give_all_figures(draw, count, tmp_path):
    draw(figures=tmp_path)  # type: ignore[operator]
    drawn = list(tmp_path.glob("*.svg"))
    assert len(drawn) == count
    shown = Path(__file__).parents[3] / "docs" / "results" / "figures"
    assert all((shown / path.name).exists() for path in drawn)


def switches(image: np.ndarray) -> int:
    """Count the rectangles whose corners swap without changing a clue."""
    found = 0
    for rows in combinations(range(len(image)), 2):
        for columns in combinations(range(len(image)), 2):
            other, corners = image.copy(), np.ix_(rows, columns)
            other[corners] ^= 1
            swaps = image[corners].ravel().tolist() in ([0, 1, 1, 0], [1, 0, 0, 1])
            found += swaps and clues(other) == clues(image)
    return found


def test_a_fit_finds_the_curve_that_shares_were_drawn_from():
    random = np.random.default_rng(1)
    shares = []
    for density in np.arange(0.2, 0.9, 0.025):
        ones = int(random.binomial(5000, expit((density - 0.5) / 0.06)))
        shares.append(Shares(20, float(density), 5000, ones, 0, 5000 - ones, 0, 0.0))
    straight, bent = halves(shares)[20]
    assert abs(straight.values - (0.5, 0.06)).max() < 4 * straight.errors.max()
    assert abs(bent.values[2]) < 4 * bent.errors[2]
    cell = Shares(10, 0.5, 400, 100, 0, 300, 0, 0.0)
    fit = fit_shares(lambda values, places: values[0] + 0 * places, [0.0], [cell], [0.4])
    assert fit.values[0] == pytest.approx(0.25, abs=1e-6)
    assert fit.errors[0] == pytest.approx((0.25 * 0.75 / 400) ** 0.5, rel=1e-3)


@pytest.mark.parametrize("pattern", SNAKES)
def test_the_snakes_are_proved(pattern):
    assert families.prove(pattern) > 100


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
