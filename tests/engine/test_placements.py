"""The stream of a line's placements: published examples, the plain enumeration, counts, long lines."""

from itertools import combinations, islice, product
from math import comb

import numpy as np
import pytest

from nonocsp.engine import placement_count, placements, settle
from nonocsp.model import Clue
from tests.oracle import clues
from tests.oracle import placements as enumerated

EXAMPLES = [  # blocks, line (# filled, . background, ? unknown), possibilities, what all of them share
    ([2, 1], "?????", ["AA.B.", "AA..B", ".AA.B"], "?#???"),
    ([2, 1], "?#.??", ["AA.B.", "AA..B"], "##.??"),
    ([8], "??????????", ["AAAAAAAA..", ".AAAAAAAA.", "..AAAAAAAA"], "??######??"),
    (
        [4, 3],
        "??????????",
        ["AAAA.BBB..", "AAAA..BBB.", "AAAA...BBB", ".AAAA.BBB.", ".AAAA..BBB", "..AAAA.BBB"],
        "??##???#??",
    ),
    ([3, 1], "???#????#?", [".AAA....B.", "..AAA...B.", "...AAA..B."], ".??#??..#."),
    (
        [3, 2],
        "????.?.???",
        ["AAA....BB.", "AAA.....BB", ".AAA...BB.", ".AAA....BB"],
        "?##?...?#?",
    ),
    ([5], "??#???????", ["AAAAA.....", ".AAAAA....", "..AAAAA..."], "??###??..."),
    ([1, 3], "#?.?#?????", ["A..BBB....", "A...BBB..."], "#..?##?..."),
    ([5, 2, 2], "??##?##???#?#??", ["..AAAAA..BB.CC."], "..#####..##.##."),
]
"""The examples of Wikipedia's article on nonograms, as a published solver prints them."""

SETS = {"?": 3, ".": 1, "#": 2}


def candidates(text: str) -> np.ndarray:
    return np.array([SETS[char] for char in text], np.uint64)


def drawn(clue: Clue, starts: np.ndarray, length: int) -> str:
    cells = ["."] * length
    for name, start, block in zip("ABC", starts, clue, strict=False):
        cells[start : start + block.length] = name * block.length
    return "".join(cells)


def coloured(clue: Clue, starts: np.ndarray, length: int) -> tuple[int, ...]:
    cells = [0] * length
    for start, block in zip(starts, clue, strict=True):
        cells[start : start + block.length] = [block.colour] * block.length
    return tuple(cells)


@pytest.mark.parametrize(("blocks", "line", "possibilities", "fixed"), EXAMPLES)
def test_the_published_examples_have_the_published_placements_and_fixed_cells(
    blocks, line, possibilities, fixed
):
    clue = Clue.of(*blocks)
    found = [drawn(clue, starts, len(line)) for starts in placements(clue, candidates(line))]
    assert found == possibilities
    shared = ["?" if len({*column}) > 1 else column[0] for column in zip(*found, strict=True)]
    assert "".join("#" if char.isalpha() else char for char in shared) == fixed
    settled = settle(clue, candidates(line))
    assert settled is not None
    assert settled.tolist() == candidates(fixed).tolist()


@pytest.mark.parametrize(("length", "colours", "states"), [(6, 1, (1, 2, 3)), (4, 2, (1, 3, 4, 6, 7))])
def test_every_short_line_has_the_placements_of_the_plain_enumeration(length, colours, states):
    for clue in clues(length, colours):
        every = list(enumerated(clue, length))
        for line in product(states, repeat=length):
            fitting = [cells for cells in every if all(s >> c & 1 for s, c in zip(line, cells, strict=True))]
            cells = np.array(line, np.uint64)
            assert [coloured(clue, starts, length) for starts in placements(clue, cells)] == fitting
            assert placement_count(clue, cells) == len(fitting)


@pytest.mark.parametrize("length", [64, 65, 130])
def test_lines_longer_than_a_machine_word_are_streamed_in_order(length):
    clue = Clue.of(length // 2 - 2, 1, length // 2 - 5)
    line = np.full(length, 3, np.uint64)
    found = [tuple(starts) for starts in placements(clue, line)]
    slack = length - clue.min_length
    first = (0, length // 2 - 1, length // 2 + 1)
    offsets = combinations(range(slack + 3), 3)
    assert found == [
        tuple(start + o - i for i, (start, o) in enumerate(zip(first, os, strict=True))) for os in offsets
    ]


@pytest.mark.parametrize(
    ("clue", "length", "count"),
    [
        (Clue.of(*[1] * 16), 63, comb(48, 16)),
        (Clue.of(*[1] * 1024), 4096, 2**64 - 1),
        (Clue.of(*[(1, 1 + i % 2) for i in range(20)]), 60, comb(60, 20)),
        (Clue.of(), 4096, 1),
        (Clue.of(4), 3, 0),
    ],
)
def test_counts_are_binomials_and_stop_at_64_bits(clue, length, count):
    line = np.full(length, 7, np.uint64)
    assert placement_count(clue, line) == count
    assert len(list(islice(placements(clue, line), 5))) == min(count, 5)
