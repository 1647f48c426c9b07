"""The types that a checker infers for a program with nonocsp: `mypy --strict` accepts this file as it is.

Nothing here is cast, and nothing is ignored. Run it with Python: it prints what it finds.
"""

from collections.abc import Generator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import assert_type

import numpy as np
from numpy.typing import NDArray

import nonocsp


def from_clues_to_cells() -> NDArray[np.uint8]:
    """Solve a puzzle from lists, one from arrays and one from a picture."""
    lists = nonocsp.Puzzle.from_clues([[1, 1], [3], []], [[2], [1], [2]])
    arrays = nonocsp.Puzzle.from_clues(
        np.array([[1, 1], [3, 0], [0, 0]]), [np.array([2]), np.array([1]), [2]]
    )
    colours = nonocsp.Puzzle.from_clues([[(1, 1), (1, 2)]], [[(1, 1)], [(1, 2)]])
    picture = nonocsp.Puzzle.from_grid(np.eye(3), title="eye")
    assert lists == arrays
    assert_type(picture, nonocsp.Puzzle)
    outcome = nonocsp.solve(colours, backend="hybrid", task=nonocsp.Task.DECIDE, wall=10)
    assert_type(outcome, nonocsp.Outcome)
    assert_type(outcome.answer, nonocsp.Answer)
    assert_type(outcome.grid, nonocsp.Grid)
    assert_type(outcome.partial, nonocsp.Grid | None)
    assert_type(outcome.grid.cells, NDArray[np.uint8])
    assert_type(nonocsp.verify(colours, np.array([[1, 2]])), bool)
    return outcome.grid.cells


def from_files_to_answers(path: Path) -> dict[str, int]:
    """Count the answers for the puzzles of a file."""
    puzzles = nonocsp.load_all(path)
    assert_type(puzzles, Generator[nonocsp.Puzzle, None, None])
    counts: dict[str, int] = {}
    for outcome in nonocsp.solve_many(puzzles, backend="settle"):
        assert_type(outcome, nonocsp.Outcome)
        counts[str(outcome.answer)] = counts.get(str(outcome.answer), 0) + 1
    return counts


def explained(puzzle: nonocsp.Puzzle) -> list[str]:
    """Return the steps of an explanation, and the first as a hint."""
    explanation = nonocsp.explain(puzzle)
    assert_type(explanation, nonocsp.Explanation)
    hint = nonocsp.hint(puzzle, nonocsp.Grid.unknown(*puzzle.shape))
    assert_type(hint, nonocsp.Hint)
    assert_type(nonocsp.difficulty(puzzle).sweeps, int)
    return [step.text for step in (*explanation.steps, *hint.steps)]


if __name__ == "__main__":
    print(from_clues_to_cells().tolist())
    with TemporaryDirectory() as folder:
        eye = nonocsp.Puzzle.from_grid(np.eye(4) + np.eye(4, k=1))
        nonocsp.save([eye, eye.transposed()], Path(folder) / "eyes.json")
        print(from_files_to_answers(Path(folder) / "eyes.json"))
    print(len(explained(eye)))
