"""The n-Dom puzzles, against the published description of the family and by solving the small ones."""

import pytest

from nonocsp import Answer, solve
from nonocsp.datasets import n_dom
from nonocsp.model import Puzzle, UsageError


@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_the_clues_are_those_of_the_published_family(n):
    last = 2 * n
    rows = [[3] if r == 0 else [3, 1] if r % 2 == 0 and r < last else [1] for r in range(last + 1)]
    columns = [[3] if c == last else [1, 3] if c % 2 == 0 and c > 0 else [1] for c in range(last + 1)]
    assert n_dom(n) == Puzzle.from_clues(rows, columns, title=f"{n}-Dom")


def test_each_has_exactly_one_solution_and_the_smallest_has_one_domino():
    for n in (1, 2, 3, 4, 6):
        assert solve(n_dom(n), "sat").answer is Answer.UNIQUE
    with pytest.raises(UsageError, match="there is no 0-Dom: the smallest is 1-Dom"):
        n_dom(0)
