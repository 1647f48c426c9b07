"""The project's own records: simple puzzles with the sweeps that titles and manual state, by two solvers."""

import re

from nonocsp import difficulty, load_all
from tests import oracle
from tests.grading.plain import unknown


def test_each_record_is_simple_and_has_the_sweeps_of_its_title(repository):
    puzzles = list(load_all(repository / "datasets" / "hardest" / "records.jsonl"))
    for puzzle in puzzles:
        found = difficulty(puzzle)
        rows, columns = puzzle.shape
        assert found.is_simple
        assert puzzle.goal is not None
        assert puzzle.title == f"{rows}x{columns}, {found.sweeps} sweeps"
        cells, sweeps = oracle.fixpoint(puzzle, unknown(puzzle))
        assert cells == [[1 << colour for colour in row] for row in puzzle.goal.cells.tolist()]
        assert sweeps == found.sweeps
    assert len({puzzle.shape for puzzle in puzzles}) == len(puzzles)


def test_the_manual_lists_the_records(repository):
    text = (repository / "docs" / "results" / "difficulty.md").read_text().split("## Records")[1]
    sizes, sweeps = (re.search(rf"\| {what} \|(.*)\|", text) for what in ("size", "sweeps"))
    assert sizes is not None
    assert sweeps is not None
    listed = [
        f"{a.strip()}, {b.strip()} sweeps"
        for a, b in zip(sizes[1].split("|"), sweeps[1].split("|"), strict=True)
    ]
    assert listed == [
        puzzle.title for puzzle in load_all(repository / "datasets" / "hardest" / "records.jsonl")
    ]
