"""Backend ``twosat``: what it solves without search, and the published figures of its paper."""

from collections import Counter

import numpy as np

from nonocsp.backends.base import Answer, Capabilities
from nonocsp.backends.registry import create
from nonocsp.engine.images import ImageSweeps
from nonocsp.formats import load_all
from nonocsp.model import FlatClues, Puzzle
from nonocsp.testing import permutations
from tests.backends.asking import outcome_of


def test_every_unique_4x4_description_that_is_not_simple_is_solved_without_search():
    images = (np.arange(2**16)[:, np.newaxis] >> np.arange(16) & 1).astype(np.uint8).reshape(-1, 4, 4)
    lines = images[:16].reshape(16, -1)[:, :4]
    clues, weights = FlatClues.of_cells(lines).clues(), np.array([1, 2, 4, 8])
    described = [
        tuple(clues[line] for line in numbers)
        for numbers in np.hstack([images @ weights, images.transpose(0, 2, 1) @ weights]).tolist()
    ]
    times = Counter(described)
    _, left = ImageSweeps(4, 4).grade(images)
    others = [found for found, cells in zip(described, left, strict=True) if cells and times[found] == 1]
    only = sum(count == 1 for count in times.values())
    assert (len(times), only, len(others)) == (58_196, 52_362, 1_128)  # OEIS A242876, A391619
    for found in others:
        assert outcome_of(Puzzle(found[:4], found[4:]), "twosat:search=no").answer is Answer.UNIQUE


def test_without_search_the_backend_says_that_it_is_incomplete():
    assert create("twosat").capabilities == Capabilities(complete=True)
    assert create("twosat:search=no").capabilities == Capabilities(complete=False)
    assert outcome_of(permutations(4), "twosat:search=no").answer is Answer.PARTIAL
    assert outcome_of(permutations(4), "twosat").answer is Answer.MULTIPLE


def test_the_mean_of_painted_cells_on_a_tournament_set_is_the_published_one(datasets):
    painted = [
        outcome_of(puzzle, "twosat:search=no").stats["painted"]
        for puzzle in load_all(datasets / "tournament" / "taai2011.txt")
    ]
    assert len(painted) == 1000
    assert round(sum(map(int, painted)) / 1000, 1) == 94.9
