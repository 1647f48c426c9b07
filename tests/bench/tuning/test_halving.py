"""Successive halving: few runs, and the best candidate wins where runs tell."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import pytest

from nonocsp.bench.tuning.tuner import Round, race, rounds


@pytest.mark.parametrize(
    ("candidates", "puzzles", "expected"),
    [
        (28, 60, [Round(28, 6), Round(10, 20), Round(4, 60)]),
        (28, 200, [Round(28, 22), Round(10, 66), Round(4, 200)]),
        (4, 60, [Round(4, 60)]),
        (2, 6, [Round(2, 6)]),
        (28, 6, [Round(28, 6), Round(10, 6), Round(4, 6)]),
        (5, 30, [Round(5, 10), Round(3, 30)]),
    ],
)
def test_each_round_has_a_third_of_the_candidates_on_three_times_as_many_puzzles(
    candidates: int, puzzles: int, expected: list[Round]
) -> None:
    assert rounds(candidates, puzzles) == expected


def test_the_best_candidate_wins_and_the_first_one_stays_to_the_end() -> None:
    candidates = ["default", *(f"c{k}" for k in range(27))]
    asked: list[tuple[int, int]] = []

    def costs(specs: Sequence[str], puzzles: int) -> list[float]:
        asked.append((len(specs), puzzles))
        return [100.0 if spec == "default" else float(spec[1:]) for spec in specs]

    standings = race(candidates, 60, costs)
    assert asked == [(28, 6), (10, 20), (4, 60)]
    assert [one.spec for one in standings[:4]] == ["c0", "c1", "c2", "default"]
    assert len(standings) == len(candidates)
    assert {one.round for one in standings[4:10]} == {2}
    assert {(one.round, one.puzzles) for one in standings[10:]} == {(1, 6)}


def test_a_candidate_with_a_wrong_answer_is_out_at_once() -> None:
    seen: list[str] = []

    def costs(specs: Sequence[str], puzzles: int) -> list[float]:
        seen.extend(specs)
        return [inf if spec == "wrong" else 1.0 for spec in specs]

    race(["default", "wrong", *(f"c{k}" for k in range(10))], 60, costs)
    assert seen.count("wrong") == 1
