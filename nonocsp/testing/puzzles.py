"""Puzzles that solvers get wrong, each with a title that says why it is here, and families of known size."""

from __future__ import annotations

from nonocsp.model import Puzzle


def permutations(size: int) -> Puzzle:
    """Return the puzzle whose solutions are the size! permutation matrices."""
    return Puzzle.from_clues([[1]] * size, [[1]] * size, title=f"permutations of {size}")


def coloured_permutations(size: int) -> Puzzle:
    """Return two permutations side by side, each in a colour of its own: (size!)^2 solutions."""
    lines = [[(1, colour)] for colour in (1, 2) for _ in range(size)]
    return Puzzle.from_clues(lines, lines, title=f"permutations of {size} in each of two colours")


SMALL = (
    Puzzle.from_clues([[]], [[]], title="one empty cell"),
    Puzzle.from_clues([[1]], [[1]], title="one full cell"),
    Puzzle.from_clues([[2, 1]], [[1], [1], [], [1], []], title="one row"),
    Puzzle.from_clues([[1], [], [1], [1], []], [[1, 2]], title="one column"),
    Puzzle.from_clues([[]] * 3, [[]] * 4, title="empty grid"),
    Puzzle.from_clues([[4]] * 3, [[3]] * 4, title="full grid"),
    Puzzle.from_clues([[1]] * 2, [[1]] * 2, title="two solutions"),
    permutations(4),
    Puzzle.from_clues([[1], [2], [1, 1], [2]], [[1, 1], [1, 1], [1, 1], [1]], title="unique, not simple"),
    Puzzle.from_clues([[1, 1], [1, 1], []], [[2], [2], []], title="unsatisfiable, by line solving"),
    Puzzle.from_clues([[2], [1, 1], [2], [2]], [[1, 1], [2], [2], [1, 1]], title="unsatisfiable, by search"),
)

SMALL_IN_COLOUR = (
    Puzzle.from_clues([[(1, 2)]], [[(1, 2)]], title="one cell in the second of two colours"),
    Puzzle.from_clues([[1, (1, 2)]], [[1], [(1, 2)]], title="colours that touch"),
    Puzzle.from_clues([[1], [(1, 2)], [(1, 3)]], [[1, (1, 2), (1, 3)]], title="three colours that touch"),
    Puzzle.from_clues([[(3, 2)]] * 2, [[(2, 2)]] * 3, title="full grid in one colour of two"),
    Puzzle.from_clues([[1, (1, 2), 1]], [[1], [(1, 2)], [], [1]], title="colours that touch or not"),
    Puzzle.from_clues([[1], [1], [(1, 2)], [(1, 2)]], [[1, (1, 2)]] * 2, title="four solutions in colour"),
    Puzzle.from_clues(
        [[1, (1, 2)], [1, 1], [2]], [[2], [1], [(1, 2), 1], [1]], title="unique, not simple, in colour"
    ),
    Puzzle.from_clues([[1, (1, 2)]] * 2, [[1, (1, 2)], [(1, 2), 1]], title="unsatisfiable in colour"),
    Puzzle.from_clues(
        [[(2, 2)], [(1, 2)], [(1, 2), (1, 2)], [(1, 2), 1]],
        [[(1, 2)], [(2, 2)], [(2, 2)], [(1, 2), 1]],
        title="unsatisfiable in colour, by search",
    ),
)
