"""The clue that is wrong: all single changes of small puzzles by brute force, messages, and limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nonocsp import Block, Clue, Grid, Puzzle, PuzzleError, mend, verify
from nonocsp.backends.base import Answer
from nonocsp.datasets import random_set
from nonocsp.model import ClueDraft, Line, Palette
from tests.oracle import clue_of

Key = tuple[tuple[Clue, ...], tuple[Clue, ...]]


@cache
def solutions(rows: int, columns: int, colours: int) -> Counter[Key]:
    """How many images of a size have the same clues, by trying all of them."""
    return Counter(
        (
            tuple(clue_of(image[i : i + columns]) for i in range(0, rows * columns, columns)),
            tuple(clue_of(image[i::columns]) for i in range(columns)),
        )
        for image in product(range(colours + 1), repeat=rows * columns)
    )


def changed_clues(clue: Clue, length: int, colours: int) -> Iterator[Clue]:
    blocks = [Block(*block) for block in product(range(1, length + 1), range(1, colours + 1))]
    for i in range(len(clue)):
        yield Clue([*clue[:i], *clue[i + 1 :]])
        for block in blocks:
            if (block.length == clue[i].length) != (block.colour == clue[i].colour):
                yield Clue([*clue[:i], block, *clue[i + 1 :]])
    for i, block in product(range(len(clue) + 1), blocks):
        yield Clue([*clue[:i], block, *clue[i:]])
    for i in range(len(clue) - 1):
        yield Clue([*clue[:i], clue[i + 1], clue[i], *clue[i + 2 :]])


def changed(key: Key, colours: int) -> Iterator[Key]:
    """Yield all puzzles that are a single change away."""
    for axis in (0, 1):
        lines = key[axis]
        made = [
            [*lines[:i], clue, *lines[i + 1 :]]
            for i, before in enumerate(lines)
            for clue in changed_clues(before, len(key[1 - axis]), colours)
        ]
        for i, j in combinations(range(len(lines)), 2):
            made.append([*lines])
            made[-1][i], made[-1][j] = lines[j], lines[i]
        yield from ((tuple(one), key[1]) if axis == 0 else (key[0], tuple(one)) for one in made)
    every = [*key[0], *key[1]]
    yield tuple(every[: len(key[1])]), tuple(every[len(key[1]) :])


@pytest.mark.parametrize(
    ("rows", "columns", "colours"), [(3, 3, 1), (3, 4, 1), (2, 5, 1), (2, 3, 2), (3, 3, 2)]
)
def test_mends_are_exactly_the_single_changes_with_one_solution(
    rows: int, columns: int, colours: int
) -> None:
    counts, turned = solutions(rows, columns, colours), solutions(columns, rows, colours)
    random = np.random.default_rng(1)
    keys = [*counts]
    for _ in range(40):
        key = keys[random.integers(len(keys))]
        for _ in range(random.integers(3)):  # up to two errors
            others = [*changed(key, colours)][:-1]
            key = others[random.integers(len(others))]
        found = mend(ClueDraft(*key, Palette.of(colours)), limit=None)
        assert found.is_complete
        assert found.answer is (Answer.UNSAT, Answer.UNIQUE, Answer.MULTIPLE)[min(counts[key], 2)]
        got = [(one.puzzle.rows, one.puzzle.columns) for one in found.found]
        wanted = {
            one for one in changed(key, colours) if (counts if len(one[0]) == rows else turned)[one] == 1
        }
        assert len({*got}) == len(got)
        assert {*got} == (set() if counts[key] == 1 else wanted - {key})
        assert all(one.puzzle.goal and verify(one.puzzle, one.puzzle.goal) for one in found.found)
        assert_minimal(found.contradiction, key, counts)


def assert_minimal(lines: tuple[Line, ...], key: Key, counts: Counter[Key]) -> None:
    """No image has the clues of all these lines, and without any of them some image has the others'."""

    def is_possible(kept: list[Line]) -> bool:
        return any(
            all(
                one[line.axis == "column"][line.position] == key[line.axis == "column"][line.position]
                for line in kept
            )
            for one in counts
        )

    assert not lines or not is_possible([*lines])
    assert all(is_possible([one for one in lines if one != line]) for line in lines)


BASE = ([[2, 1], [1], [3]], [[2], [1, 1], [1], [1, 1]])


@pytest.mark.parametrize(
    ("rows", "columns", "sentence"),
    [
        (*BASE, "the puzzle has exactly one solution: nothing to mend"),
        (
            [[2, 1], [2], [3]],
            BASE[1],
            "row 2: 2 should be 1; no other single change of a number gives exactly one solution",
        ),
        (
            [[2, 1], [1], [1, 3]],
            BASE[1],
            "row 3: 1 3 should be 3; no other single change of a number gives exactly one solution",
        ),
        (
            [[2, 1], [1], [3], [2]],
            [[1, 1], [1], [1, 1]],
            "the first 3 clues should be rows and the other 4 columns; "
            "no other single change gives exactly one solution",
        ),
        (
            BASE[0],
            [[2], [1], [1, 1], [1, 1]],
            "2 changes give exactly one solution each: row 1: 2 1 should be 1 2; "
            "columns 2 and 3 should change places",
        ),
        (
            [[1], [1]],
            [[1], [1]],
            "no single change that was tried gives exactly one solution; "
            "several clues may be wrong: compare them all with where they come from",
        ),
        (
            [[(2, 1), (1, 1)]],
            [[(1, 1)], [(1, 1)], [(1, 2)]],
            "row 1: 1 black should be 1 red; no other single change of a colour gives exactly one solution",
        ),
        (
            [[1, 2, 1]],
            [[1], [], [1], [], [1]],
            "row 1: 2 should be 1; no other single change of a number gives exactly one solution",
        ),
        (
            [[2, 2]],
            [[1], [1], [], [1]],
            "row 1: the second 2 should be 1; no other single change of a number gives exactly one solution",
        ),
    ],
)
def test_the_sentence_names_the_change_and_what_else_there_is(
    rows: list[list[int]], columns: list[list[int]], sentence: str
) -> None:
    assert str(mend((rows, columns))) == sentence


def test_paths_puzzles_and_clues_are_taken(tmp_path: Path) -> None:
    file = tmp_path / "typed.non"
    file.write_text("width 4\nheight 3\nrows\n2,1\n2\n3\ncolumns\n2\n1,1\n1\n1,1\n")
    found = mend(file)
    assert found.record()["contradiction"] == ["row 2", "column 2", "column 4"]
    (one,) = found.record()["mends"]
    assert one == {
        "kind": "number",
        "lines": ["row 2"],
        "from": [[2]],
        "to": [[1]],
        "solutions": [["##.#", "#...", ".###"]],
    }
    assert mend(Puzzle.from_clues(*BASE)).answer is Answer.UNIQUE
    with pytest.raises(PuzzleError, match="row 1: a block has at least one cell"):
        mend(([[-2]], [[1], [1]]))


@given(st.integers(0, 2**32 - 1), st.floats(0, 0.1))
@settings(max_examples=15)
def test_a_limit_stops_early_and_what_was_found_is_true(seed: int, limit: float) -> None:
    (puzzle,) = random_set(seed, count=1, rows=30, columns=30, density=0.4)
    rows = [*puzzle.rows]
    rows[3], rows[4] = rows[4], rows[3]
    found = mend(ClueDraft(tuple(rows), puzzle.columns, puzzle.palette), limit=limit)
    assert all(
        isinstance(one.puzzle.goal, Grid) and verify(one.puzzle, one.puzzle.goal) for one in found.found
    )
    assert found.is_complete or "stopped early" in str(found)
