"""One line by itself, against an enumeration of all its fillings."""

from itertools import product

import pytest

from nonocsp.grading.one_line import OneLine, ranges
from nonocsp.model import Clue, UsageError
from nonocsp.testing import placements


@pytest.mark.parametrize(
    ("clue", "blocks", "letters"),
    [
        ("3 1", Clue.of(3, 1), ".#"),
        ("1,1", Clue.of(1, 1), ".#"),
        ("2r 1b", Clue.of((2, 1), (1, 2)), ".rb"),
        ("1r 2r 1b", Clue.of((1, 1), (2, 1), (1, 2)), ".rb"),
        ("0", Clue.of(), ".#"),
    ],
)
def test_settled_cells_starts_and_possibilities_are_those_of_an_enumeration(clue, blocks, letters):
    fillings = ["".join(letters[colour] for colour in line) for line in placements(blocks, 6)]
    for cells in map("".join, product("?" + letters[:2], repeat=6)):
        fits = [
            filling
            for filling in fillings
            if all(cell in ("?", filled) for cell, filled in zip(cells, filling, strict=True))
        ]
        one = OneLine.read(clue, cells)
        assert sorted(one.possibilities()) == sorted(fits)
        assert one.count() == len(fits)
        common = "".join(column[0] if len(set(column)) == 1 else "?" for column in zip(*fits, strict=True))
        assert one.settled() == (common if fits else None)


def test_letters_tell_the_blocks_apart_as_in_the_article():
    assert [*OneLine.read("2 1", "?????").lettered()] == ["AA.B.", "AA..B", ".AA.B"]
    assert [*OneLine.read("2 1", "?#.??").lettered()] == ["Aa_B.", "Aa_.B"]
    one = OneLine.read("1r 1b", "???")
    assert [*zip(one.possibilities(), one.lettered(), strict=True)] == [
        ("rb.", "AB."),
        ("r.b", "A.B"),
        (".rb", ".AB"),
    ]


def test_starts_are_counted_from_one():
    assert OneLine.read("3 1", "??#????").blocks() == [
        {"length": 3, "colour": "#", "starts": [1, 2, 3]},
        {"length": 1, "colour": "#", "starts": [5, 6, 7]},
    ]
    assert ranges([1, 2, 3, 7, 9, 10]) == "1 to 3, 7, 9 to 10"
    assert OneLine.read(" ".join(["1"] * 32), "?" * 500).count() is None


@pytest.mark.parametrize(
    ("clue", "cells", "message"),
    [
        ("3 z!", "...", "'z!' is not a length"),
        ("3 0", "?????", "0 stands alone"),
        ("3", "", "1 to 4096 cells, not 0"),
        ("3", "??b", "cell 3 is 'b'; expected one of . #"),
        ("3x", "....", "'3x' is not a length"),
        ("3", "#.x-", "each can be white or open"),
    ],
)
def test_what_is_written_in_another_way_is_refused_with_its_place(clue, cells, message):
    with pytest.raises(UsageError, match=message.replace("(", r"\(")):
        OneLine.read(clue, cells)
