"""Two campaigns compared: what got better or worse, and what only looks so."""

from __future__ import annotations

import numpy as np
import pytest

from nonocsp.bench.scoring import Change, Runs, Verdict, compare
from nonocsp.bench.scoring.changes import _verdict
from nonocsp.bench.scoring.evidence import Evidence
from nonocsp.model import UsageError
from tests.bench.scoring.tables import row, rows_of, runs_of

PUZZLES = 40


def campaign(factor: float = 1.0, *, noise: float = 0.02, seed: int = 1, undecided: int = 0) -> Runs:
    """One backend on many puzzles, the last few of them undecided."""
    hardness = np.random.default_rng(0).lognormal(-1.0, 1.0, PUZZLES)
    times = factor * hardness * np.random.default_rng(seed).lognormal(0.0, noise, PUZZLES)
    cells = [*map(str, times[: PUZZLES - undecided]), *["T"] * undecided]
    return runs_of(f"{' '.join(f'p{i}' for i in range(PUZZLES))}\nsat {' '.join(cells)}")


def change(before: Runs, after: Runs, **options: float) -> Change:
    (only,) = compare(before, after, **options)
    return only


@pytest.mark.parametrize(
    ("factor", "verdict"),
    [
        (1.0, Verdict.SAME),
        (1.5, Verdict.REGRESSION),
        (0.5, Verdict.IMPROVEMENT),
        (1.02, Verdict.SAME),
        (1 / 1.02, Verdict.SAME),
    ],
)
def test_a_change_below_the_threshold_gets_no_verdict(factor: float, verdict: Verdict) -> None:
    found = change(campaign(), campaign(factor, seed=2))
    assert found.verdict is verdict
    assert found.ratio == pytest.approx(factor, rel=0.02)
    assert found.interval is not None
    assert found.interval[0] < found.ratio < found.interval[1]


def test_a_small_significant_change_counts_as_the_same_unless_the_threshold_is_lowered() -> None:
    before, after = campaign(noise=1e-4), campaign(1.02, noise=1e-4, seed=2)
    assert change(before, after).corrected_p_value < 1e-6
    assert change(before, after).verdict is Verdict.SAME
    assert change(before, after, threshold=0.01).verdict is Verdict.REGRESSION
    assert change(after, before, threshold=0.01).verdict is Verdict.IMPROVEMENT


def test_an_insignificant_change_counts_as_the_same_however_large() -> None:
    found = change(runs_of("a b c d\nsat 1 1 1 1"), runs_of("a b c d\nsat 4 4 4 4"))
    assert (found.ratio, found.p_value) == (pytest.approx(4.0), 0.125)
    assert found.verdict is Verdict.SAME


def test_puzzles_no_longer_decided_are_named_and_count_as_their_limit() -> None:
    found = change(campaign(), campaign(seed=2, undecided=12))
    assert [instance.puzzle for instance in found.lost] == [f"p{i}" for i in range(28, 40)]
    assert found.newly_decided == ()
    assert found.verdict is Verdict.REGRESSION
    back = change(campaign(seed=2, undecided=12), campaign())
    assert back.newly_decided == found.lost
    assert back.verdict is Verdict.IMPROVEMENT


def test_only_runs_in_both_campaigns_count() -> None:
    before = runs_of("""
              a  b  c  d
        old   1  1  1  1
        both  2  .  T  4
    """)
    after = runs_of("""
              d  e  c  b  a
        both  5  1  3  1  .
        new   1  1  1  1  1
    """)
    found = change(before, after)
    assert (found.backend, found.instances) == ("both", 2)
    assert (found.before_s, found.after_s) == pytest.approx(
        (np.sqrt(10.01 * 4.01) - 0.01, np.sqrt(3.01 * 5.01) - 0.01)
    )
    assert found.ratio == pytest.approx(found.after_s / found.before_s)
    assert [instance.puzzle for instance in found.newly_decided] == ["c"]
    assert found.lost == ()


def test_p_values_are_corrected_for_the_number_of_backends() -> None:
    before = rows_of("a b c d e f\nx 1 1 1 1 1 1\ny 1 1 1 1 1 1")
    after = [entry | {"wall_s": 2.0} for entry in before]
    x, y = compare(Runs.of(before), Runs.of(after))
    assert x.p_value == y.p_value == 2 / 64
    assert x.corrected_p_value == y.corrected_p_value == 4 / 64
    assert x.verdict is Verdict.SAME
    assert change(Runs.of(before[:6]), Runs.of(after[:6])).verdict is Verdict.REGRESSION


def test_without_limits_lost_puzzles_determine_the_verdict() -> None:
    decided, undecided = "a b c d e f\nsat 1 1 1 1 1 1", "a b c d e f\nsat P P P P P P"
    before, after = (runs_of(table, limit_s=None) for table in (decided, undecided))
    found = change(before, after)
    assert (found.ratio, found.before_s, found.after_s) == (None, pytest.approx(1.0), None)
    assert found.verdict is Verdict.REGRESSION
    assert change(after, before).verdict is Verdict.IMPROVEMENT
    assert change(after, after).verdict is Verdict.SAME


def test_a_backend_without_common_instances_has_no_change() -> None:
    before, after = runs_of("a b\nx 1 .\ny 1 1"), runs_of("a b\nx . 1\ny 1 1")
    assert [found.backend for found in compare(before, after)] == ["y"]


@pytest.mark.parametrize(
    ("after", "message"),
    [
        (row(backend="cpsat"), "no run in common: backend sat before, cpsat after"),
        (row(task="solve"), "no run in common: task decide before, solve after"),
        (row(limits={"wall": None}), "no run in common: wall limit 10.0 before, inf after"),
        (row(puzzle="owl", seed=3), "puzzle cat before, owl after; seed 0 before, 3 after"),
    ],
)
def test_campaigns_without_a_common_run_are_an_error_that_says_what_differs(
    after: dict[str, object], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        compare(Runs.of([row()]), Runs.of([after]))


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("a b\nx 1 .\ny . 1", "a b\nx . 1\ny 1 .", "each backend had other puzzles"),
        ("a a b\nx . 1 1", "a b b\nx 1 . 1", "each puzzle was asked otherwise"),
    ],
)
def test_campaigns_with_common_backends_and_puzzles_but_no_common_run_are_an_error(
    before: str, after: str, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        compare(runs_of(before), runs_of(after))


@pytest.mark.parametrize(
    ("p_value", "ratio", "lost", "verdict"),
    [
        (None, None, 1, Verdict.SAME),
        (0.05, 4.0, 1, Verdict.SAME),
        (0.049, 4.0, 0, Verdict.REGRESSION),
        (0.049, 2.0, 0, Verdict.SAME),
        (0.049, 0.5, 0, Verdict.SAME),
        (0.049, 0.25, 0, Verdict.IMPROVEMENT),
        (0.049, None, 1, Verdict.REGRESSION),
        (0.049, None, -1, Verdict.IMPROVEMENT),
        (0.049, None, 0, Verdict.SAME),
    ],
)
def test_values_exactly_at_a_threshold_count_as_the_same(
    p_value: float | None, ratio: float | None, lost: int, verdict: Verdict
) -> None:
    assert _verdict(Evidence(ratio, None, p_value, p_value), lost, threshold=1.0) is verdict
