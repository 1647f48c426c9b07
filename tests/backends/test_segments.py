"""Backend ``segments``: the article's rules and examples, agreement with settle, categories, statistics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from nonocsp.backends.base import Answer, Limits, Outcome, Request, Task, Termination
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import LineSolver, StopFlag, searches, settle_lines
from nonocsp.model import Clue, FlatClues, Grid, Puzzle
from nonocsp.testing import descriptions, n_dom, permutations, solutions
from tests import oracle

SPECS = ("segments", "segments:pixel=first")
BLUE, RED = 1, 2
PIXELS = {".": 0b001, "b": 0b010, "r": 0b100, "?": 0b111, "B": 0b011, "R": 0b101}
"""A capital is a pixel that may be white as well."""


def outcome_of(puzzle: Puzzle, spec: str = "segments", task: Task = Task.DECIDE, **request: Any) -> Outcome:
    return run_backend(create(spec), puzzle, Request(task, **request), StopFlag())


def eliminate(clue: Clue, lines: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the candidates that the messages leave in lines of shape (count, length)."""
    colours = 1 + max((block.colour for block in clue), default=0)
    return searches.eliminate_lines(FlatClues.of([clue]), np.ascontiguousarray(lines, np.uint64), colours)


def random_puzzle(
    random: np.random.Generator, shape: tuple[int, int], colours: int, density: float
) -> Puzzle:
    cells = random.integers(1, colours + 1, shape) * (random.random(shape) < density)
    return Puzzle.from_grid(Grid.from_cells(cells))


# The rules of the article, word for word: every segment has a set of possible lengths for each start.

Lengths = dict[int, set[int]]


def chain_of(clue: Clue, length: int) -> Iterator[tuple[int, Lengths]]:
    """Yield the segments of a line, each with its colour."""
    starts = range(length + 1)
    yield 0, {0: set(starts)}
    for i, block in enumerate(clue):
        shortest = int(any(after.colour == block.colour for after in clue[i + 1 : i + 2]))
        yield block.colour, {start: {block.length} for start in starts}
        yield 0, {start: set(range(shortest, length + 1)) for start in starts}


def eliminated(segment: Lengths, starts: set[int], ends: set[int], compatible: Sequence[bool]) -> Lengths:
    """Return the lengths by start of a segment that fit the starts and ends of its neighbours."""
    return {
        start: {n for n in lengths if start + n in ends and all(compatible[start : start + n])}
        for start, lengths in segment.items()
        if start in starts
    }


def by_the_article(clue: Clue, line: Sequence[int]) -> list[int]:
    """Return the colours of every pixel when nothing changes any more; zeros if nothing is possible."""
    colours, segments = map(list, zip(*chain_of(clue, len(line)), strict=True))
    before = None
    while before != segments:
        before = list(segments)
        for i, colour in enumerate(colours):
            left_ends = {s + n for s, lengths in segments[i - 1].items() for n in lengths} if i else {0}
            is_last = i + 1 == len(segments)
            right_starts = (
                {len(line)} if is_last else {s for s, lengths in segments[i + 1].items() if lengths}
            )
            compatible = [pixel >> colour & 1 == 1 for pixel in line]
            segments[i] = eliminated(segments[i], left_ends, right_starts, compatible)
    covering = [0] * len(line)
    for colour, segment in zip(colours, segments, strict=True):
        for pixel in {p for s, lengths in segment.items() for n in lengths for p in range(s, s + n)}:
            covering[pixel] |= 1 << colour
    return covering


@pytest.mark.parametrize(("length", "colours"), [(1, 2), (2, 2), (3, 2), (3, 1), (4, 1), (5, 1), (6, 1)])
def test_elimination_on_a_line_agrees_with_the_article(length: int, colours: int) -> None:
    lines = oracle.all_states(length, range(1, 2 ** (colours + 1)))
    for clue in oracle.clues(length, colours):
        expected = [by_the_article(clue, line) for line in lines.tolist()]
        assert np.array_equal(eliminate(clue, lines), np.array(expected, np.uint64)), clue


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
def test_elimination_solves_the_articles_chain_of_5_blue_3_red_and_2_red_on_15_pixels(
    given: str, left: str
) -> None:
    clue = Clue.of((5, BLUE), (3, RED), (2, RED))
    result = eliminate(clue, np.array([[PIXELS[pixel] for pixel in given]], np.uint64))
    assert result.tolist() == [[PIXELS.get(pixel, 0) for pixel in left]]


def test_a_pixel_that_is_red_or_white_and_blue_or_white_is_white() -> None:
    puzzle = Puzzle.from_clues([[(1, RED)], [(1, BLUE)]], [[(1, BLUE)], [(1, RED)]])
    outcome = outcome_of(puzzle)
    assert outcome.solutions == (Grid.from_cells([[0, RED], [BLUE, 0]]),)
    assert (outcome.stats["category"], outcome.stats["nodes"]) == ("simple", 1)


# Settle as the yardstick: as strong on every line, so neither unsound nor weaker on a grid.


@pytest.mark.parametrize(
    ("length", "colours"), [*((n, 1) for n in range(1, 9)), *((n, 2) for n in range(1, 6))]
)
def test_elimination_settles_every_state_of_a_short_line(length: int, colours: int) -> None:
    states = range(1, 2 ** (colours + 1))
    lines = oracle.all_states(length, states)
    for clue in oracle.clues(length, colours):
        assert np.array_equal(eliminate(clue, lines), oracle.settle_all_states(clue, length, states)), clue


def test_blocks_too_long_for_their_line_leave_nothing() -> None:
    assert eliminate(Clue.of(2), np.full((3, 1), 3, np.uint64)).tolist() == [[0]] * 3


@pytest.mark.parametrize("length", [1, 2, 3])
def test_a_pixel_without_a_colour_leaves_nothing(length: int) -> None:
    lines = oracle.all_states(length, range(8))
    for clue in oracle.clues(length, 2):
        expected = oracle.settle_all_states(clue, length, range(8))
        assert np.array_equal(eliminate(clue, lines), expected), clue


@pytest.mark.parametrize("length", [62, 63, 64, 65, 127, 128, 200, 256, 600, 1100, 4096])
def test_elimination_settles_long_lines(length: int) -> None:
    """There is one more border than pixels; the borders take one word, two, or many."""
    random = np.random.default_rng(length)
    for share, colours in ((0.1, 1), (0.5, 1), (0.5, 2)):
        cells = np.repeat(random.integers(0, colours + 1, length), random.integers(1, 9, length))[:length]
        clue = oracle.clue_of(cells.tolist())
        known = random.random((5, length)) < share
        lines = np.where(known, np.uint64(1) << cells.astype(np.uint64), np.uint64(2 ** (colours + 1) - 1))
        lines[-1, random.integers(length)] ^= np.uint64(3)
        assert np.array_equal(eliminate(clue, lines), settle_lines(clue, lines)[0])


@pytest.mark.parametrize(
    ("shape", "density"), [((12, 9), 0.5), ((15, 15), 0.6), ((3, 70), 0.5), ((70, 3), 0.5), ((66, 130), 0.85)]
)
def test_elimination_paints_the_cells_of_line_solving(shape: tuple[int, int], density: float) -> None:
    random = np.random.default_rng(shape)
    for colours in (1, 1, 2, 3):
        puzzle = random_puzzle(random, shape, colours, density)
        settled = np.bitwise_count(LineSolver(puzzle).propagate().candidates)
        stats = outcome_of(puzzle, task=Task.SOLVE).stats
        assert stats["painted"] == np.count_nonzero(settled == 1)


# Categories


def known_category(puzzle: Puzzle, grids: Sequence[Grid]) -> str:
    if len(grids) != 1:
        return "ambiguous" if grids else "contradictory"
    everything = 2 ** len(puzzle.palette) - 1
    settled, _ = oracle.fixpoint(puzzle, [[everything] * len(puzzle.columns) for _ in puzzle.rows])
    return "simple" if settled == grids[0].candidates.tolist() else "needs search"


@pytest.mark.parametrize(("rows", "columns", "sample"), [(3, 3, 1), (2, 5, 1), (4, 4, 50)])
def test_every_description_has_its_category(rows: int, columns: int, sample: int) -> None:
    found = set()
    for puzzle, grids in descriptions(rows, columns, sample=sample):
        category = outcome_of(puzzle).stats["category"]
        assert category == known_category(puzzle, grids), puzzle
        found.add(category)
    assert found >= {"simple", "ambiguous"}


def test_the_smallest_puzzles_that_need_search_have_two_rows_and_four_columns() -> None:
    """The article's dull nonogram. Descriptions of 1xn are simple: the columns determine all cells."""
    for shape in ((2, 2), (2, 3), (3, 2), (1, 6), (6, 1), (1, 7), (7, 1)):
        assert all(
            outcome_of(puzzle).stats["category"] != "needs search" for puzzle, _ in descriptions(*shape)
        )
    dull = [
        grids[0]
        for puzzle, grids in descriptions(2, 4)
        if outcome_of(puzzle).stats["category"] == "needs search"
    ]
    assert {"/".join(grid.strings()) for grid in dull} == {".##./#..#", "#..#/.##."}


@pytest.mark.parametrize(
    ("puzzle", "task", "category", "answer"),
    [
        (Puzzle.from_clues([[1]], [[1]]), Task.SOLVE, "simple", Answer.SOLVED),
        (Puzzle.from_clues([[1]], [[1]]), Task.DECIDE, "simple", Answer.UNIQUE),
        (Puzzle.from_clues([[1], [1]], [[1], [1]]), Task.DECIDE, "ambiguous", Answer.MULTIPLE),
        (Puzzle.from_clues([[1], [1]], [[1], [1]]), Task.SOLVE, "unknown", Answer.SOLVED),
        (n_dom(3), Task.DECIDE, "needs search", Answer.UNIQUE),
        (n_dom(3), Task.SOLVE, "unknown", Answer.SOLVED),
        (permutations(4), Task.COUNT, "ambiguous", Answer.MULTIPLE),
        (Puzzle.from_clues([[1, 1], [1, 1], []], [[2], [2], []]), Task.DECIDE, "contradictory", Answer.UNSAT),
        (
            Puzzle.from_clues([[2], [1, 1], [2], [2]], [[1, 1], [2], [2], [1, 1]]),
            Task.DECIDE,
            "contradictory",
            Answer.UNSAT,
        ),
    ],
)
def test_the_category_claims_only_what_the_run_proved(
    puzzle: Puzzle, task: Task, category: str, answer: Answer
) -> None:
    outcome = outcome_of(puzzle, task=task)
    assert (outcome.stats["category"], outcome.answer) == (category, answer)


def test_a_run_that_is_cut_off_leaves_the_category_unknown() -> None:
    outcome = outcome_of(n_dom(14), limits=Limits(wall=0.05))
    assert (outcome.termination, outcome.stats["category"]) == (Termination.WALL, "unknown")


# Search


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("colours", [1, 2, 3])
def test_every_choice_of_pixel_finds_all_solutions(spec: str, colours: int) -> None:
    random = np.random.default_rng(colours)
    for _ in range(30):
        rows, columns = random.integers(2, 6, 2)
        puzzle = random_puzzle(random, (rows, columns), colours, 0.4)
        found = outcome_of(puzzle, spec, Task.COUNT, bound=100_000).solutions
        assert set(found) == set(solutions(puzzle))


def test_the_choice_of_pixel_changes_the_search() -> None:
    puzzle = random_puzzle(np.random.default_rng(2), (15, 15), 1, 0.45)
    assert len({outcome_of(puzzle, spec, Task.SOLVE).stats["nodes"] for spec in SPECS}) == 2


def test_statistics_count_messages_and_triggers() -> None:
    stats = outcome_of(Puzzle.from_clues([[1]], [[1]])).stats
    assert list(stats) == ["nodes", "painted", "messages", "segment_triggers", "pixel_triggers", "category"]
    assert (stats["nodes"], stats["painted"]) == (1, 1)
    more = outcome_of(n_dom(4)).stats
    assert more["messages"] > more["segment_triggers"] > more["pixel_triggers"] > more["nodes"] > 1


def test_a_puzzle_whose_segments_take_too_much_memory_is_unsupported() -> None:
    outcome = outcome_of(Puzzle.from_grid(Grid.from_cells(np.tile([1, 0], (4096, 20)))))
    assert outcome.termination is Termination.UNSUPPORTED
    assert "MiB, more than 256" in outcome.message
