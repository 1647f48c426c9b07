"""Messages between segments settle a line completely: the article's examples, every short line, long ones."""

import numpy as np
import pytest
from numpy.typing import NDArray

from nonocsp.engine import searches, settle_lines
from nonocsp.model import Clue, FlatClues
from tests import oracle

BLUE, RED = 1, 2
PIXELS = {".": 0b001, "b": 0b010, "r": 0b100, "?": 0b111, "B": 0b011, "R": 0b101}
"""A capital is a pixel that may be white as well."""


def eliminate(clue: Clue, lines: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the candidates that the messages leave in lines of shape (count, length)."""
    colours = 1 + max((block.colour for block in clue), default=0)
    return searches.eliminate_lines(FlatClues.of([clue]), np.ascontiguousarray(lines, np.uint64), colours)


@pytest.mark.parametrize(
    ("given", "left"),
    [
        ("???????????????", "BBBBb????RRRRRR"),
        ("bbbbbrrr.rr....", "bbbbbrrr.rr...."),  # no pixel between different colours, nor before the first
        ("????bbbbb??????", "....bbbbbrrr.rr"),
        ("?????????????rr", "BBBBb????RRR.rr"),  # nor after the last
        ("??????r????????", "Bbbbb?rrRRRRRRR"),
        ("bbbbbrrrrr?????", "               "),  # but one between the reds
        (".....bbbbb?????", "               "),
    ],
)
def test_elimination_solves_the_articles_chain_of_5_blue_3_red_and_2_red_on_15_pixels(given, left):
    clue = Clue.of((5, BLUE), (3, RED), (2, RED))
    result = eliminate(clue, np.array([[PIXELS[pixel] for pixel in given]], np.uint64))
    assert result.tolist() == [[PIXELS.get(pixel, 0) for pixel in left]]


@pytest.mark.parametrize(
    ("length", "colours"), [*((n, 1) for n in range(1, 9)), *((n, 2) for n in range(1, 6))]
)
def test_elimination_settles_every_state_of_a_short_line(length, colours):
    states = range(length > 3, 2 ** (colours + 1))  # of short ones also pixels without a colour
    lines = oracle.all_states(length, states)
    for clue in oracle.clues(length, colours):
        assert np.array_equal(eliminate(clue, lines), oracle.settle_all_states(clue, length, states)), clue


def test_blocks_too_long_for_their_line_leave_nothing():
    assert eliminate(Clue.of(2), np.full((3, 1), 3, np.uint64)).tolist() == [[0]] * 3


@pytest.mark.parametrize("length", [62, 63, 64, 65, 127, 128, 600])
def test_elimination_settles_long_lines(length):
    """There is one more border than pixels; the borders take one word, two, or many."""
    random = np.random.default_rng(length)
    for share, colours in ((0.1, 1), (0.5, 1), (0.5, 2)):
        cells = np.repeat(random.integers(0, colours + 1, length), random.integers(1, 9, length))[:length]
        clue = oracle.clue_of(cells.tolist())
        known = random.random((5, length)) < share
        lines = np.where(known, np.uint64(1) << cells.astype(np.uint64), np.uint64(2 ** (colours + 1) - 1))
        lines[-1, random.integers(length)] ^= np.uint64(3)
        assert np.array_equal(eliminate(clue, lines), settle_lines(clue, lines)[0])
