"""The phase diagram rests on right verdicts, on a prediction that enumeration confirms, and on sound fits."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit

from nonocsp import Grid, Puzzle
from nonocsp.datasets.random_images import random_set
from tools.benchmarks.phase import deciding
from tools.benchmarks.phase.deciding import FILE, decide, decide_chunk, rows
from tools.benchmarks.phase.fits import fit_shares, halves, predicted_half
from tools.benchmarks.phase.phase import main
from tools.benchmarks.phase.plan import BACKENDS, FULL, QUICK, Chunk
from tools.benchmarks.phase.switches import expected_switches, switches
from tools.benchmarks.phase.tables import Shares, read_tables, tables


def clues(image: np.ndarray) -> tuple[object, ...]:
    puzzle = Puzzle.from_grid(Grid.from_cells(image))
    return puzzle.rows, puzzle.columns


def all_images(size: int) -> list[np.ndarray]:
    return [np.array(cells, np.uint8).reshape(size, size) for cells in product((0, 1), repeat=size * size)]


@pytest.mark.parametrize("density", [0.2, 0.5, 0.9])
@pytest.mark.parametrize("size", [2, 3])
def test_the_expected_number_of_switches_is_the_mean_over_all_images(size: int, density: float) -> None:
    mean = 0.0
    for image in all_images(size):
        filled = int(image.sum())
        mean += switches(image) * density**filled * (1 - density) ** (image.size - filled)
    assert expected_switches(size, density) == pytest.approx(mean)


def test_on_larger_images_switches_are_as_many_as_expected() -> None:
    random = np.random.default_rng(3)
    found = [switches((random.random((9, 9)) < 0.5).astype(np.uint8)) for _ in range(300)]
    error = np.std(found) / len(found) ** 0.5
    assert abs(np.mean(found) - expected_switches(9, 0.5)) < 4 * error


def test_an_image_with_a_switch_has_a_twin() -> None:
    images = all_images(3)
    described = Counter(map(clues, images))
    switched = [image for image in images if switches(image)]
    assert switched
    assert all(described[clues(image)] > 1 for image in switched)


@pytest.mark.parametrize("backend", BACKENDS)
def test_verdicts_are_those_of_enumeration(backend: str) -> None:
    chunk = Chunk(backend, 3, 0.4, 0, 60)
    described = Counter(map(clues, all_images(3)))
    row = decide_chunk(chunk)
    several = [described[clues(image)] > 1 for image in chunk.images()]
    assert [verdict == "m" for verdict in row["verdicts"]] == several
    assert 0 < sum(several) < len(several)
    assert None not in row["work"]


def test_images_are_those_of_the_data_set_of_their_seed() -> None:
    chunk = Chunk("hybrid", 7, 0.35, 4, 9)
    made = random_set(chunk.seed, count=9, rows=7, columns=7, density=0.35)
    assert (np.stack([puzzle.goal.cells for puzzle in made if puzzle.goal]) == chunk.images()).all()


def test_the_full_plan_has_a_million_images_and_no_seed_twice() -> None:
    chunks = [chunk for chunk in FULL.chunks() if chunk.backend == BACKENDS[0]]
    assert sum(chunk.count for chunk in chunks) > 1_000_000
    assert len({chunk.seed for chunk in chunks}) == len(chunks)


@pytest.mark.slow
def test_a_run_keeps_what_was_decided_and_draws_its_tables(tmp_path: Path) -> None:
    places = {"folder": tmp_path, "data": tmp_path / "data", "figures": tmp_path / "figures"}
    main(quick=True, jobs=1, **places)
    first = (tmp_path / FILE).read_text()
    assert first.count("\n") == len(QUICK.chunks())
    decide(QUICK, tmp_path, jobs=1, minutes=1)
    assert (tmp_path / FILE).read_text() == first
    assert read_tables(places["data"]) == tables(rows(tmp_path))[0]
    figures = list(places["figures"].glob("phase-*.svg"))
    assert len(figures) == 6


def test_backends_that_disagree_end_the_run(tmp_path: Path) -> None:
    row = decide_chunk(Chunk("hybrid", 5, 0.5, 0, 20))
    other = row | {"backend": "sat", "verdicts": row["verdicts"].translate({ord("s"): "m", ord("m"): "s"})}
    with pytest.raises(RuntimeError, match="disagree"):
        tables([row, other])


def test_a_fit_finds_the_curve_that_shares_were_drawn_from() -> None:
    random = np.random.default_rng(1)
    densities = np.arange(0.2, 0.9, 0.025)
    shares = []
    for density in densities:
        ones = int(random.binomial(5000, expit((density - 0.5) / 0.06)))
        shares.append(Shares(20, float(density), 5000, ones, 0, 5000 - ones, 0, 0.0))
    straight, bent = halves(shares)[20]
    assert abs(straight.values - (0.5, 0.06)).max() < 4 * straight.errors.max()
    assert abs(bent.values[2]) < 4 * bent.errors[2]
    assert straight.deviance < 3 * straight.freedom


def test_the_error_of_a_fitted_share_is_that_of_the_binomial_distribution() -> None:
    cell = Shares(10, 0.5, 400, 100, 0, 300, 0, 0.0)
    fit = fit_shares(lambda values, places: values[0] + 0 * places, [0.0], [cell], [0.4])
    assert fit.values[0] == pytest.approx(0.25, abs=1e-6)
    assert fit.errors[0] == pytest.approx((0.25 * 0.75 / 400) ** 0.5, rel=1e-3)


def test_half_of_the_images_have_no_switch_at_the_predicted_density() -> None:
    assert np.exp(-expected_switches(25, predicted_half(25))) == pytest.approx(0.5)


@pytest.mark.slow
def test_a_run_that_is_cut_off_has_a_verdict_if_its_image_has_a_switch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(deciding, "CPU_S", 0.05)
    row = decide_chunk(Chunk("hybrid", 100, 0.45, 0, 1))
    assert row["work"] == row["cpu_us"] == [None]
    assert row["verdicts"] == "m"
