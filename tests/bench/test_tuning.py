"""Tuning: the space of options, few runs, the verdict of the test puzzles, and resuming."""

from collections.abc import Sequence
from math import inf

import numpy as np
import pytest

from nonocsp.backends.registry import canonical_spec
from nonocsp.bench import load_config
from nonocsp.bench import tuning as tuner
from nonocsp.bench.config import CampaignConfig
from nonocsp.bench.option_space import Space, option_values
from nonocsp.bench.scoring import Pair, Runs, pairwise
from nonocsp.bench.store import read_campaign
from nonocsp.bench.tuning import Finding, Task, race, tune
from nonocsp.model import UsageError
from tests.bench.scoring.tables import row

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
def config(write_config) -> CampaignConfig:
    return load_config(write_config(CONFIG))


def test_a_space_has_what_options_allow_except_those_that_the_spec_fixes():
    values = Space.of("probing", {}).values
    assert (values["level"], values["gp"]) == (("fp1", "fp2", "fp3"), ("yes", "no"))
    assert values["min_group"] == ("2", "8", "24", "80", "800")
    space = Space.of("sat:encoding=direct", {"solver": ["glucose4", "minisat22"]})
    assert (space.spec, space.size) == ("sat:encoding=direct", 4)
    assert dict(space.values) == {"phase": ("none", "likely"), "solver": ["glucose4", "minisat22"]}


def test_the_spec_is_the_first_candidate_and_a_small_space_is_tried_whole():
    space = Space.of("gac", {})
    for most in (2, 10, 50):
        candidates = space.candidates(most, seed=3)
        assert candidates == space.candidates(most, seed=3)
        assert (candidates[0], len(candidates), len(set(candidates))) == ("gac", most, most)
    assert space.candidates(10, seed=3) != space.candidates(10, seed=4)
    space = Space.of("sat", {"solver": ["glucose4", "cadical103"], "encoding": ["order"]})
    found = set(space.candidates(100, seed=0))
    assert found == {"sat", "sat:phase=likely", "sat:solver=cadical103"}  # cadical103 takes no hints
    assert all(canonical_spec(spec) == spec for spec in found)


@pytest.mark.parametrize(
    ("spec", "given", "said"),
    [
        ("sat", {"solvr": ["glucose4"]}, "unknown option of sat 'solvr' (did you mean 'solver'?)"),
        ("sat", {"solver": ["glucos4"]}, "solver=glucos4 does not fit"),
        ("sat:solver=glucose4", {"solver": ["glucose4"]}, "solver stands in the spec, which fixes it"),
        ("satt", {}, "unknown backend 'satt'"),
        ("segments:pixel=first", {}, "segments:pixel=first has no options to tune; name values"),
    ],
)
def test_what_cannot_be_tuned_is_refused(spec, given, said):
    with pytest.raises(UsageError) as caught:
        Space.of(spec, given)
    assert said in str(caught.value)


def test_values_of_an_option_may_be_a_list_or_a_range():
    assert option_values("solver=glucose4|minisat22") == ("solver", ["glucose4", "minisat22"])
    assert option_values("budget = 0..20 by 10 | 100") == ("budget", ["0", "10", "20", "100"])
    for text in ("budget", "=1", "budget=", "budget=1..2..3", "budget=1..9999", "budget=9..1"):
        with pytest.raises(UsageError, match="--option"):
            option_values(text)


def test_the_best_wins_the_first_one_stays_to_the_end_and_a_wrong_one_is_out_at_once():
    candidates, asked, seen = ["default", "wrong", *(f"c{k}" for k in range(26))], [], []

    def costs(specs: Sequence[str], puzzles: int) -> list[float]:
        asked.append((len(specs), puzzles))
        seen.extend(specs)
        known = {"default": 100.0, "wrong": inf}
        return [known.get(spec) or float(spec[1:]) for spec in specs]

    standings = race(candidates, 60, costs)
    assert asked == [(28, 6), (10, 20), (4, 60)]
    assert seen.count("wrong") == 1
    assert [one.spec for one in standings[:4]] == ["c0", "c1", "c2", "default"]
    assert len(standings) == len(candidates)
    assert {one.round for one in standings[4:10]} == {2}
    assert {(one.round, one.puzzles) for one in standings[10:]} == {(1, 6)}


@pytest.mark.parametrize(
    ("old", "new", "specs", "said"),
    [
        ("{wall: 1s}", "{cpu: 1s}", ["brute", "deny"], "tuning needs a wall limit"),
        ("40", "9", ["brute", "deny"], "small has 9 different puzzles; tuning needs at least 12"),
        ("40", "40", ["brute"], "there is nothing to compare brute with"),
    ],
)
def test_tuning_that_decides_nothing_is_refused(write_config, old, new, specs, said):
    with pytest.raises(UsageError, match=said):
        Task.of(load_config(write_config(CONFIG.replace(old, new))), specs, 0)


def pair_of(first_s: np.ndarray, second_s: np.ndarray) -> Pair:
    """Return the comparison of two backends on as many puzzles."""
    times = {"first": first_s, "second": second_s}
    [pair] = pairwise(
        Runs.of(
            row(wall_s=wall_s, backend=name, puzzle=f"p{k}", puzzle_hash=f"p{k}")
            for name, own in times.items()
            for k, wall_s in enumerate(own.tolist())
        )
    )
    return pair


def test_the_verdict_needs_a_difference_that_is_more_than_chance():
    chance = np.random.default_rng(5)
    slow = chance.lognormal(0.0, 0.5, 60)
    for factor, finding in ((0.5, Finding.BETTER), (1.0, Finding.NOISE), (2.0, Finding.WORSE)):
        fast = slow * factor * chance.lognormal(0.0, 0.2, 60)
        assert tuner._finding(pair_of(fast, slow)) is finding
    assert tuner._finding(pair_of(slow[:4] * 0.5, slow[:4])) is Finding.NOISE  # too few to tell
    equal = (pair_of(*chance.lognormal(0.0, 0.5, (2, 20))) for _ in range(100))
    assert sum(tuner._finding(pair) is not Finding.NOISE for pair in equal) <= 8


@pytest.mark.slow
def test_a_slow_default_loses_and_resuming_runs_nothing_twice(config, tmp_path):
    task, out = Task.of(config, ["brute:sleep=0.05", "brute", "brute:sleep=0.04"], 0), tmp_path / "out"
    results, events = [], list[list[object]]([[], []])
    for heard in events:
        results.append(tune(task, out, on_event=heard.append))
        found = results[-1]
        assert (found.finding, found.choice, found.best) == (Finding.BETTER, "brute", "brute")
        assert found.is_sound
        assert found.pair is not None
        assert found.pair.ratio is not None
        assert found.pair.ratio < 0.9
    assert ([*map(bool, events)], results[0].standings) == ([True, False], results[1].standings)
    test, train = (read_campaign(out / half) for half in ("test", "train"))
    assert {row["backend"] for row in test.rows} == {"brute", "brute:sleep=0.05"}
    assert {row["puzzle_hash"] for row in test.rows} == set(task.test)
    assert len(test.rows) == 2 * 2 * len(task.test)
    assert {row["puzzle_hash"] for row in train.rows} == set(task.train)


def test_a_candidate_that_gives_wrong_answers_never_wins(config, tmp_path):
    task = Task.of(config, ["brute:sleep=0.01", "unruly:how=lie"], 0)
    result = tune(task, tmp_path / "out", on_event=lambda _: None)
    assert (result.finding, result.choice, result.is_sound) == (Finding.DEFAULT, "brute:sleep=0.01", False)
    assert result.pair is None
    assert not (tmp_path / "out" / "test").exists()
