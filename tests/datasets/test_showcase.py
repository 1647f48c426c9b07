"""The showcase pack: its command reproduces it, other backends confirm uniqueness, and it is graded."""

import json
from pathlib import Path

import pytest

from nonocsp import Answer, solve
from nonocsp.formats import format_to_write, load
from nonocsp.grading.levels import Level
from nonocsp.grading.meter import difficulty
from nonocsp.making.pack import make_pack, motif_subjects, write_pack
from nonocsp.model import Puzzle


@pytest.fixture(scope="module")
def folder(repository) -> Path:
    return repository / "datasets" / "showcase"


@pytest.fixture(scope="module")
def records(folder) -> list[dict]:
    return json.loads((folder / "index.json").read_text())["puzzles"]


@pytest.fixture(scope="module")
def puzzles(folder, records) -> list[Puzzle]:
    return [load(folder / record["file"]) for record in records]


@pytest.mark.slow
def test_the_command_reproduces_the_committed_puzzles(folder, tmp_path):
    write_pack(make_pack(motif_subjects()), tmp_path, format_to_write("x.json"))
    for path in (folder / "index.json", *(folder / "puzzles").iterdir(), *(folder / "print").iterdir()):
        assert (tmp_path / path.relative_to(folder)).read_bytes() == path.read_bytes(), path.name


@pytest.mark.parametrize("backend", ["gac", "twosat"])
def test_each_showcase_puzzle_has_one_solution(puzzles, backend):
    for puzzle in puzzles:
        outcome = solve(puzzle, backend)
        assert (outcome.answer, outcome.solutions) == (Answer.UNIQUE, (puzzle.goal,)), puzzle.title


def test_they_are_graded_from_easy_to_hard(puzzles, records):
    grades = [difficulty(puzzle) for puzzle in puzzles]
    for key in ("level", "class", "sweeps"):
        assert [grade.record()[key] for grade in grades] == [record[key] for record in records]
    levels = [*Level]
    order = [(levels.index(grade.level), grade.sweeps) for grade in grades if grade.level]
    assert order == sorted(order)
    assert len(order) == len(puzzles)
    assert {level for level, _ in order} >= {0, 1, 2}
