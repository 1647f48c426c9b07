"""What the shards of a census add up to."""

from __future__ import annotations

from nonocsp.grading.census.counts import Difficulties, Solutions


def test_counts_of_two_shards_are_added_and_the_larger_maximum_is_kept() -> None:
    both = Solutions(images=40, descriptions=20, unique=10, most=7)
    assert Solutions(30, 15, 8, 3) + Solutions(10, 5, 2, 7) == both
    assert Solutions(10, 5, 2, 7) + Solutions(30, 15, 8, 3) == both


def test_histograms_of_different_lengths_add_up() -> None:
    assert Difficulties(9, (4, 3)) + Difficulties(5, (2, 1, 1)) == Difficulties(14, (6, 4, 1))
