"""Tuning from end to end: the split, the verdict of the test puzzles, and resuming."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from nonocsp.bench import CampaignConfig, load_config
from nonocsp.bench.scoring import Pair, Runs, pairwise
from nonocsp.bench.store import read_campaign
from nonocsp.bench.tuning import tuner
from nonocsp.bench.tuning.tuner import Finding, Task, tune
from nonocsp.model import UsageError

pytestmark = pytest.mark.usefixtures("unruly")

CONFIG = """\
name: small
puzzles: [{random: {rows: 3, count: 40}}]
backends: [deny]
limits: {wall: 1s}
seeds: 2
executor: warm
"""


@pytest.fixture
def config(write_config: Callable[[str], Path]) -> CampaignConfig:
    return load_config(write_config(CONFIG))


def pair_of(first_s: np.ndarray, second_s: np.ndarray) -> Pair:
    """Return the comparison of two backends on as many puzzles."""
    rows = [
        {
            **{"puzzle": f"p{k}", "puzzle_hash": f"{k:016x}{0:048x}", "index": k, "rows": 5, "columns": 5},
            **{"task": "decide", "bound": 2, "limits": {"wall": 10.0}, "seed": 0, "repeat": 0},
            **{"backend": name, "answer": "unique", "termination": "ok", "wall_s": times[k], "cpu_s": 0.0},
        }
        for name, times in (("first", first_s), ("second", second_s))
        for k in range(len(times))
    ]
    [pair] = pairwise(Runs.of(rows))
    return pair


def test_the_halves_are_disjoint_cover_all_puzzles_and_depend_on_the_seed_alone(
    config: CampaignConfig,
) -> None:
    first, again, other = (Task.of(config, ["brute", "deny"], seed) for seed in (1, 1, 2))
    assert not set(first.train) & set(first.test)
    assert 0 <= len(first.test) - len(first.train) <= 1
    assert (first.train, first.test) == (again.train, again.test)
    assert first.train != other.train
    assert {*first.train, *first.test} == {*other.train, *other.test}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("limits: {wall: 1s}", "limits: {cpu: 1s}", "tuning needs a wall limit"),
        ("count: 40", "count: 9", "small has 9 different puzzles; tuning needs at least 12"),
    ],
)
def test_a_campaign_that_cannot_decide_anything_is_refused(
    write_config: Callable[[str], Path], old: str, new: str, said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        Task.of(load_config(write_config(CONFIG.replace(old, new))), ["brute", "deny"], 0)
    with pytest.raises(UsageError, match="there is nothing to compare brute with"):
        Task.of(load_config(write_config(CONFIG)), ["brute"], 0)


def test_the_verdict_needs_a_difference_that_is_more_than_chance() -> None:
    chance = np.random.default_rng(5)
    slow = chance.lognormal(0.0, 0.5, 60)
    for factor, finding in ((0.5, Finding.BETTER), (1.0, Finding.NOISE), (2.0, Finding.WORSE)):
        fast = slow * factor * chance.lognormal(0.0, 0.2, 60)
        assert tuner._finding(pair_of(fast, slow)) is finding
    assert tuner._finding(pair_of(slow[:4] * 0.5, slow[:4])) is Finding.NOISE  # too few to tell


def test_of_two_equal_backends_few_are_called_different() -> None:
    chance = np.random.default_rng(7)
    called = [
        tuner._finding(pair_of(*chance.lognormal(0.0, 0.5, (2, 20)))) is not Finding.NOISE for _ in range(100)
    ]
    assert sum(called) <= 8


@pytest.mark.slow
def test_a_slow_default_loses_and_resuming_runs_nothing_twice(config: CampaignConfig, tmp_path: Path) -> None:
    task = Task.of(config, ["brute:sleep=0.05", "brute", "brute:sleep=0.04"], 0)
    results = []
    events: list[list[object]] = [[], []]
    for heard in events:
        results.append(tune(task, tmp_path / "out", on_event=heard.append))
        assert results[-1].finding is Finding.BETTER
        assert (results[-1].choice, results[-1].best) == ("brute", "brute")
        assert results[-1].is_sound
    assert events[0]
    assert not events[1]
    assert results[0].standings == results[1].standings
    ratio = results[0].pair.ratio if results[0].pair else None
    assert ratio is not None
    assert ratio < 0.9
    test = read_campaign(tmp_path / "out" / "test")
    assert {row["backend"] for row in test.rows} == {"brute", "brute:sleep=0.05"}
    assert {row["puzzle_hash"] for row in test.rows} == set(task.test)
    assert len(test.rows) == 2 * 2 * len(task.test)
    train = read_campaign(tmp_path / "out" / "train")
    assert {row["puzzle_hash"] for row in train.rows} == set(task.train)


def test_a_candidate_that_gives_wrong_answers_never_wins(config: CampaignConfig, tmp_path: Path) -> None:
    task = Task.of(config, ["brute:sleep=0.01", "unruly:how=lie"], 0)
    result = tune(task, tmp_path / "out", on_event=lambda _: None)
    assert (result.finding, result.choice, result.is_sound) == (Finding.DEFAULT, "brute:sleep=0.01", False)
    assert result.pair is None
    assert not (tmp_path / "out" / "test").exists()
