"""The puzzles and the rounds of differential testing: something of everything, fixed by the seed."""

from collections import Counter
from itertools import islice

import numpy as np
import pytest

from nonocsp.backends.base import Request, Task
from nonocsp.backends.registry import OptionHelp, create, names_without_extra
from tools.differential.comparing import compare
from tools.differential.puzzles import random_puzzles
from tools.differential.rounds import random_value, rounds


def test_the_puzzles_cover_all_sizes_colours_densities_and_answers():
    puzzles = list(islice(random_puzzles(1), 600))
    assert {side for puzzle in puzzles for side in puzzle.shape} >= set(range(1, 9))
    assert {len(puzzle.palette) - 1 for puzzle in puzzles} >= {1, 2, 3, 4}
    filled = [sum(b.length for clue in p.rows for b in clue) / np.prod(p.shape) for p in puzzles]
    assert np.histogram(filled, 5, (0, 1))[0].min() > 20
    answers = Counter(compare(puzzle, ["hybrid"], Request()).outcomes["hybrid"].answer for puzzle in puzzles)
    assert min(answers[answer] for answer in ("unsat", "unique", "multiple")) > 50
    assert all(puzzle.goal is None for puzzle in puzzles)


def test_rounds_cycle_through_the_tasks_and_use_any_options_after_the_first_three():
    plan = list(islice(rounds(4, names_without_extra(), 1.0), 18))
    assert [each.request.task for each in plan] == [*Task] * 6
    assert all(list(each.specs) == names_without_extra() for each in plan[:3])
    of_sat = {each.specs[names_without_extra().index("sat")] for each in plan}
    assert len(of_sat) > 8
    assert all(create(spec) for each in plan for spec in each.specs)
    assert plan[15:] == list(islice(rounds(4, names_without_extra(), 1.0, first=15), 3))


@pytest.mark.parametrize(
    ("type", "values"),
    [("yes|no", {"yes", "no"}), ("int >= 2", {"8", "2"}), ("int", {"8"}), ("str", {"8"})],
)
def test_every_value_that_the_type_of_an_option_implies_is_drawn(type, values):
    option = OptionHelp("key", type, "8", "")
    assert {random_value(option, np.random.default_rng(seed)) for seed in range(50)} == values
