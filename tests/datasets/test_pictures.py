"""The project's own pictures: the recipe reproduces them, and each is a unique solution."""

import runpy
from pathlib import Path

import pytest

from nonocsp import Answer, solve
from nonocsp.formats import load_all, save
from nonocsp.model import Puzzle


@pytest.fixture(scope="module")
def folder(repository) -> Path:
    return repository / "datasets" / "pictures"


@pytest.fixture(scope="module")
def pictures(folder) -> list[Puzzle]:
    return list(load_all(folder / "pictures.jsonl"))


def test_the_recipe_reproduces_the_committed_file(folder, tmp_path):
    save(runpy.run_path(str(folder / "draw.py"))["pictures"](), tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == (folder / "pictures.jsonl").read_bytes()


@pytest.mark.parametrize("backend", ["gac", "sat"])
def test_each_picture_is_the_only_solution(pictures, backend):
    for puzzle in pictures:
        outcome = solve(puzzle, backend)
        assert (outcome.answer, outcome.solutions) == (Answer.UNIQUE, (puzzle.goal,)), puzzle.title


def test_only_the_named_pictures_need_search(pictures):
    searched = {puzzle.title for puzzle in pictures if solve(puzzle, "settle").answer is Answer.PARTIAL}
    assert searched == {"cat 15x15", "key 15x15", "key 20x20", "key 25x25"}
