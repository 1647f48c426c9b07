"""Two campaigns compared: what got better or worse, and what only looks so."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from nonocsp.bench.rows import RunRow
from nonocsp.bench.scoring import Change, Changes, Runs, Verdict, compare
from nonocsp.model import UsageError
from tests.bench.scoring.tables import row, rows_of, runs_of

PUZZLES = 40
HARDNESS = np.random.default_rng(0).lognormal(-4.0, 1.0, PUZZLES)
ALTERNATING = ([0, 2, 4, 6, 8], [1, 3, 5, 7, 9])
Ending = Callable[[str, int, int], dict[str, Any]]
"""Returns what is special about the run of a backend, puzzle and session."""


def campaign(
    hours: Sequence[int],
    factors: Mapping[str, float],
    *,
    common: float = 0.0,
    noise: float = 0.01,
    ending: Ending = lambda *_: {},
) -> Runs:
    """Return the runs of sessions that start at some hours; the machine has a factor of its own each hour."""
    rows: list[RunRow] = []
    for repeat, hour in enumerate(hours):
        shared = np.exp(common * np.random.default_rng([hour, 7]).normal())
        for number, (backend, factor) in enumerate(factors.items()):
            times = HARDNESS * factor * shared * np.random.default_rng([hour, 2, number]).lognormal(0, noise)
            times *= np.random.default_rng([hour, 3, number]).lognormal(0, 0.05, PUZZLES)
            for p, wall_s in enumerate(times.tolist()):
                asked = {"backend": backend, "puzzle": f"p{p}", "puzzle_hash": f"p{p}", "repeat": repeat}
                asked |= {"session": f"2026-01-01T{hour:02}:00:00+00:00"}
                rows.append(row(**({"wall_s": wall_s} | asked | ending(backend, p, hour))))
    return Runs.of(rows)


def change(before: Runs, after: Runs) -> Change:
    (only,) = compare(before, after).changes
    return only


def verdicts(found: Changes) -> list[str]:
    return [str(change.verdict) for change in found.changes]


LATE = {"termination": "crashed", "answer": "unknown"}


def ended(puzzles: range, ending: str = "crashed", session: int | None = None) -> Ending:
    late = LATE | {"termination": ending}
    return lambda _, puzzle, hour: late if puzzle in puzzles and session in (None, hour) else {}


def shard(backend: str, puzzle: int, hour: int) -> dict[str, Any]:
    """Each pair of sessions asks puzzles of its own."""
    return {"puzzle": f"p{puzzle}, {hour // 2}", "puzzle_hash": f"p{puzzle}, {hour // 2}"}


FIVE = dict.fromkeys("abcde", 1.0)


@pytest.mark.parametrize(
    ("factor", "verdict"),
    [
        (1.0, Verdict.SAME),
        (1.5, Verdict.REGRESSION),
        (0.5, Verdict.IMPROVEMENT),
        (1.1, Verdict.REGRESSION),
        (1 / 1.1, Verdict.IMPROVEMENT),
        (1.03, Verdict.SAME),
        (1 / 1.03, Verdict.SAME),
    ],
)
def test_five_alternating_sessions_tell_a_change_that_matters(factor, verdict):
    before, after = ALTERNATING
    found = change(campaign(before, {"sat": 1.0}), campaign(after, {"sat": factor}))
    assert found.verdict is verdict
    assert found.ratio == pytest.approx(factor, rel=0.02)
    assert found.interval is not None
    assert found.interval[0] < factor < found.interval[1]
    assert found.after_s / found.before_s == pytest.approx(found.ratio, rel=0.01)
    assert (found.instances, found.own_ratio) == (PUZZLES, None)


@pytest.mark.parametrize(
    ("before", "after", "factor", "alternating", "advice"),
    [
        ([0], [1], 3.0, 1, "measure 4 more sessions of each campaign, alternately, to find a change of 10%"),
        ([0], [1], 1.0, 1, "measure 4 more sessions of each campaign, alternately, to find a change of 10%"),
        ([0, 2, 4, 6, 8], [1, 3, 5, 7], 2.0, 4, "measure 1 more session of each campaign"),
        (
            range(5),
            range(5, 10),
            2.0,
            1,
            "5 and 5 sessions count as 1 of each, because they do not alternate",
        ),
    ],
)
def test_too_few_sessions_are_no_verdict(before, after, factor, alternating, advice):
    found = compare(campaign(before, {"sat": 1.0}), campaign(after, {"sat": factor}))
    assert (verdicts(found), found.sessions) == (["undecided"], (len(before), len(after)))
    assert (found.alternating, found.changes[0].ratio) == (alternating, pytest.approx(factor, rel=0.05))
    assert found.advice.startswith("undecided: all backends; ")
    assert advice in found.advice


def test_a_factor_that_all_backends_of_a_session_share_is_taken_off():
    before, after = (list(range(start, 24, 2)) for start in (0, 1))
    found = compare(campaign(before, FIVE, common=0.06), campaign(after, FIVE | {"c": 1.1}, common=0.06))
    assert verdicts(found) == ["same", "same", "regression", "same", "same"]
    assert found.changes[2].own_ratio == pytest.approx(1.1, rel=0.02)
    assert found.advice == ""


def test_a_noisy_machine_asks_for_more_sessions_and_one_that_is_far_too_noisy_is_named():
    before, after = ALTERNATING
    few = dict.fromkeys("abc", 1.0)
    found = compare(campaign(before, few, common=0.1), campaign(after, few, common=0.1))
    assert {*verdicts(found)} == {"undecided"}
    assert all(change.sessions_needed > 10 for change in found.changes)
    found = compare(campaign(before, {"a": 1.0}, common=1.0), campaign(after, {"a": 1.0}, common=1.0))
    assert "the machine is too noisy for a verdict" in found.advice


def test_a_backend_that_now_crashes_is_a_regression_after_one_session():
    good, bad = campaign([0], {"sat": 1.0}), campaign([1], {"sat": 1.0}, ending=ended(range(8)))
    found, back = change(good, bad), change(bad, good)
    assert (found.verdict, back.verdict) == (Verdict.REGRESSION, Verdict.IMPROVEMENT)
    assert [instance.puzzle for instance in found.lost] == [f"p{i}" for i in range(8)]
    assert (back.newly_decided, back.lost) == (found.lost, ())


def _crashing_at_random(_: str, puzzle: int, hour: int) -> dict[str, Any]:
    return LATE if (7 * puzzle + 11 * hour) % 5 == 0 else {}


@pytest.mark.parametrize(
    ("ending", "one_session", "five_sessions", "lost"),
    [
        (ended(range(8), "wall"), "undecided", "regression", 8),
        (ended(range(8), "memory"), "undecided", "regression", 8),
        (ended(range(8), "killed"), "undecided", "regression", 8),
        (ended(range(3, 4), "wall"), "undecided", "regression", 1),
        (ended(range(3, 4), "wall", session=5), "undecided", "same", 0),
        (lambda _, puzzle, hour: {"wall_s": 9.0} if (puzzle, hour) == (3, 5) else {}, "undecided", "same", 0),
    ],
    ids=["wall", "memory", "killed", "one puzzle", "one puzzle once", "a run that waited for a core"],
)
def test_what_the_machine_may_cause_takes_sessions(ending, one_session, five_sessions, lost):
    for before, after, verdict in (([0], [1], one_session), (*ALTERNATING, five_sessions)):
        found = change(campaign(before, {"a": 1.0}), campaign(after, {"a": 1.0}, ending=ending))
        assert found.verdict == verdict
    assert len(found.lost) == lost


def test_a_backend_that_crashes_at_random_has_not_got_worse():
    pair = (campaign([hour], {"sat": 1.0}, ending=_crashing_at_random) for hour in (0, 1))
    assert change(*pair).verdict is Verdict.UNDECIDED


def test_a_session_that_was_aborted_does_not_count_and_one_that_was_resumed_counts_once():
    before, whole = campaign(ALTERNATING[0], {"sat": 1.0}), campaign(ALTERNATING[1], {"sat": 1.2})
    third = whole.session.max(axis=0) == 2
    for puzzles, alternating in ((5, 4), (30, 5)):
        after = whole.of_instances(~third | (third & (whole.puzzle_of < puzzles)))
        assert compare(before, after).alternating == alternating
    resumed = campaign([1, 3, 5, 7, 9, 10], {"sat": 1.2})
    assert compare(before, resumed).alternating == 5


def test_shards_of_a_much_slower_version_are_undecided_and_more_of_them_do_not_help():
    before, after = ALTERNATING
    found = compare(campaign(before, FIVE, ending=shard), campaign(after, FIVE | {"e": 10.0}, ending=shard))
    assert verdicts(found) == ["undecided"] * 5
    assert [(it.instances, it.sessions_needed, it.p_value) for it in found.changes] == [(200, None, None)] * 5
    assert found.advice == (
        "undecided: all backends; no puzzle was run in every session, so more sessions do not help: measure "
        "anew with the same backends and puzzles in each session, and compare shards one by one"
    )
    crashed = campaign(after, FIVE, ending=lambda *run: shard(*run) | ended(range(8))(*run))
    found = compare(campaign(before, FIVE, ending=shard), crashed)
    assert [(str(it.verdict), len(it.lost)) for it in found.changes] == [("regression", 40)] * 5


def test_only_puzzles_that_both_campaigns_have_count():
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
    assert (found.before_s, found.after_s) == pytest.approx((np.sqrt(10 * 4), np.sqrt(3 * 5)), rel=1e-4)
    assert found.ratio == pytest.approx(found.after_s / found.before_s, rel=1e-4)
    assert ([instance.puzzle for instance in found.newly_decided], found.lost) == (["c"], ())
    repeats = change(runs_of("a a a\nsat 1 1.1 1.2"), runs_of("a a a\nsat 3 3.1 3.2"))
    assert (str(repeats.verdict), repeats.instances) == ("undecided", 1)


ONE = [row()]


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (ONE, [row(backend="cpsat")], "no run in common: backend sat before, cpsat after"),
        (ONE, [row(task="solve")], "no run in common: task decide before, solve after"),
        (ONE, [row(limits={"wall": None})], "no run in common: wall limit 10.0 before, inf after"),
        (ONE, [row(puzzle="owl", seed=3)], "puzzle cat before, owl after; seed 0 before, 3 after"),
        (
            [row(seed=0), row(puzzle_hash="b", seed=1)],
            [row(seed=1), row(puzzle_hash="b", seed=0)],
            "no puzzle has the same request in both",
        ),
        (rows_of("a b\nx 1 .\ny . 1"), rows_of("a b\nx . 1\ny 1 ."), "each backend had other puzzles"),
        (rows_of("a b c\nx 1 . .\ny . 1 ."), rows_of("a b c\nx . . 1\nz . 1 ."), "each backend had other"),
    ],
)
def test_campaigns_without_a_common_run_differ_in(before, after, message):
    with pytest.raises(UsageError, match=message):
        compare(Runs.of(before), Runs.of(after))
