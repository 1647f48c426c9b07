"""The proof of the patterns: its lemma holds for lines of all kinds, and it refuses what is no family."""

from __future__ import annotations

import numpy as np
import pytest

from nonocsp.engine import LineSolver
from nonocsp.grading.hardest_patterns import SNAKES, ZIGZAGS, Pattern
from nonocsp.model import Puzzle
from tools.benchmarks.grading import families
from tools.benchmarks.grading.families import OPEN, Line, settled, shortened, states_before, states_behind

CUT_SNAKE = Pattern(
    ("###. .. .#", "##.. #. #.", ".##. #. #.", "#..# .# .#", "..## .# .#", ".##. .. .#"),
    (),
    (),
    (0, 6, 0, -17),
)
"""The snake of 6 rows with a cell more, which line solving does not finish."""


def lengths_of(cells: tuple[int, ...]) -> list[int]:
    return [length for _, length in Line(cells, cells, 0, 1, 0).blocks()]


def settle(cells: tuple[int, ...], before: tuple[int, ...]) -> tuple[int, ...]:
    lengths = lengths_of(cells)
    return settled(lengths, before, states_before(lengths, before), states_behind(lengths, before))


def random_step(random: np.random.Generator, copies: int) -> tuple[Line, tuple[int, ...]]:
    """A line of edges and equal copies, and what is known of it: the same in all copies."""
    period = int(random.integers(1, 4))
    parts = [(random.random(size) < 0.5).astype(int) for size in (*random.integers(0, 5, 2), period)]
    known = [random.random(len(part)) < random.uniform(0, 0.6) for part in parts]
    left, right, middle = (
        tuple(np.where(seen, part, OPEN).tolist()) for part, seen in zip(parts, known, strict=True)
    )
    cells = (*parts[0].tolist(), *copies * parts[2].tolist(), *parts[1].tolist())
    return Line(cells, cells, len(left), period, copies), (*left, *copies * middle, *right)


def test_lines_settle_as_in_the_engine() -> None:
    random = np.random.default_rng(1)
    for _ in range(300):
        line, before = random_step(random, int(random.integers(1, 6)))
        solver = LineSolver(
            Puzzle.from_clues([lengths_of(line.cells)], [[cell] * cell for cell in line.cells])
        )
        candidates = np.array([[(1, 2, 3)[cell] for cell in before]], np.uint64)
        expected = solver.h_sweep(candidates).candidates[0].tolist()
        assert settle(line.cells, before) == tuple({1: 0, 2: 1, 3: OPEN}[int(word)] for word in expected)


def test_a_run_with_a_neutral_copy_settles_alike_at_every_length() -> None:
    random = np.random.default_rng(2)
    neutral = 0
    while neutral < 60:
        line, before = random_step(random, 9)
        after = settle(line.cells, before)
        runs = shortened(line, before, after)[1:-1]  # type: ignore[index]
        if len(runs) != 1 or runs[0][1] is not None:
            continue
        neutral += 1
        start, period = line.start, line.period
        for more in (1, 2, 7):
            longer = [
                (*word[:start], *more * word[start + 4 * period : start + 5 * period], *word[start:])
                for word in (line.cells, before, after)
            ]
            assert settle(longer[0], longer[1]) == (
                *after[: start + 4 * period],
                *more * after[start + 4 * period : start + 5 * period],
                *after[start + 4 * period :],
            )


@pytest.mark.parametrize("pattern", SNAKES)
def test_the_snakes_are_proved(pattern: Pattern) -> None:
    assert families.prove(pattern) > 100


def test_the_sweep_map_of_the_zigzags_follows_a_formula() -> None:
    families.check_formula(ZIGZAGS[0])


def test_a_pattern_that_gets_stuck_or_promises_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(families, "LARGEST", (12, 20))
    assert families.solve_all(SNAKES[0]) == 8
    with pytest.raises(AssertionError):
        families.solve_all(CUT_SNAKE)
    with pytest.raises(AssertionError):
        families.solve_all(Pattern(SNAKES[0].first, (), (), (0, 6, 0, -16)))


def test_a_pattern_with_steps_that_only_some_sizes_have_is_refused() -> None:
    rows = ("#.. .# ...", "... ## #..", ".## #. #..", "..# .. #.#", "..# .# ..#")
    with pytest.raises(AssertionError, match="that only some sizes have"):
        families.prove(Pattern(rows, (), (), (0, 0, 0, 50)))
