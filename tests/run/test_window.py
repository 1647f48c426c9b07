"""The window takes outcomes in any order and returns them in the order of the puzzles."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from random import Random

import pytest

from nonocsp.backends.base import Answer, Outcome, Termination
from nonocsp.model import Puzzle
from nonocsp.run.window import Window

DOT = Puzzle.from_clues([[1]], [[1]])


def outcome(number: int) -> Outcome:
    return Outcome(Answer.UNIQUE, Termination.OK, stats={"number": number})


def numbers(window: Window) -> list[int]:
    return [int(ready.stats["number"]) for ready in window.ready()]


def test_outcomes_in_any_order_are_returned_in_the_order_of_the_puzzles() -> None:
    rng, window = Random(5), Window([DOT] * 200, size=20)
    taken: list[int] = []
    ready: list[int] = []
    while not window.is_done:
        while (numbered := window.take()) is not None:
            taken.append(numbered[0])
        assert len(taken) <= 20
        if taken:
            number = taken.pop(rng.randrange(len(taken)))
            if rng.random() < 0.3:
                window.give_back([number])
            else:
                window.put(number, outcome(number))
        ready += numbers(window)
    assert ready == list(range(200))


def test_the_window_limits_how_far_puzzles_are_taken_ahead() -> None:
    window = Window((DOT for _ in count()), size=3)
    assert [numbered[0] for _ in range(9) if (numbered := window.take())] == [0, 1, 2]
    window.put(1, outcome(1))
    assert (window.take(), numbers(window)) == (None, [])
    window.put(0, outcome(0))
    assert numbers(window) == [0, 1]
    assert [numbered[0] for _ in range(9) if (numbered := window.take())] == [3, 4]
    assert not window.is_done


def test_puzzles_given_back_come_first_unless_their_outcome_has_arrived() -> None:
    window = Window([DOT] * 5, size=5)
    for _ in range(4):
        window.take()
    window.give_back([1, 2, 3])
    window.put(2, outcome(2))
    window.put(2, outcome(99))
    assert [numbered[0] for _ in range(9) if (numbered := window.take())] == [1, 3, 4]
    for number in (0, 1, 3, 4):
        window.put(number, outcome(number))
    assert numbers(window) == [0, 1, 2, 3, 4]
    assert window.take() is None
    assert window.is_done


def test_an_error_of_the_input_is_raised_after_the_outcomes_before_it() -> None:
    def supply() -> Iterator[Puzzle]:
        yield DOT
        raise OSError("the disk is gone")

    window = Window(supply(), size=5)
    assert window.take() == (0, DOT)
    assert window.take() is None
    window.check()
    window.put(0, outcome(0))
    assert numbers(window) == [0]
    with pytest.raises(OSError, match="the disk is gone"):
        window.check()
