"""The backend keeps the contract of all backends, and its parts are correct.

Its name and its module come from ``pyproject.toml``, so the first test stays as it is in a copy.
"""

import tomllib
from importlib import import_module
from itertools import product
from pathlib import Path

import pytest

import nonocsp
from nonocsp.backends.registry import create
from nonocsp.model import Clue
from nonocsp.testing import CHECKS, Check, placements

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
((NAME, PLACE),) = PROJECT["entry-points"]["nonocsp.backends"].items()
METHOD = import_module(PLACE.partition(":")[0])
HOUSE = nonocsp.Puzzle.from_clues(rows=[[1], [3], [2]], columns=[[1], [3], [2]])
CROSS = nonocsp.Puzzle.from_clues(rows=[[1], [1]], columns=[[1], [1]])


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_it_keeps_the_contract(check: Check) -> None:
    check(create(NAME), 20)  # one in twenty of the small puzzles: seconds instead of half a minute


def test_it_is_installed_under_its_name() -> None:
    outcome = nonocsp.solve(HOUSE, backend=f"{NAME}:first=empty")
    assert outcome.answer == "unique"
    assert outcome.solutions[0].strings(HOUSE.palette) == [".#.", "###", ".##"]


def test_the_option_chooses_which_solution_comes_first() -> None:
    filled, empty = (
        nonocsp.solve(CROSS, backend=f"{NAME}:first={first}").solutions for first in ("filled", "empty")
    )
    assert filled == empty[::-1]
    assert filled[0].cells[0, 0] == 1


@pytest.mark.parametrize(
    ("clue", "form"),
    [
        (Clue.of(), []),
        (Clue.of(3), [1, 1, 1]),
        (Clue.of(2, 1), [1, 1, 0, 1]),
        (Clue.of(2, (1, 2), (1, 2)), [1, 1, 2, 0, 2]),
    ],
)
def test_the_shortest_form_keeps_blocks_of_one_colour_apart(clue: Clue, form: list[int]) -> None:
    assert METHOD.shortest_form(clue) == form


@pytest.mark.parametrize("clue", [Clue.of(), Clue.of(2), Clue.of(1, 1), Clue.of(1, (2, 2), (1, 2))])
def test_a_line_is_accepted_exactly_if_it_is_a_placement(clue: Clue) -> None:
    for line in product(range(3), repeat=6):
        assert accepts(METHOD.shortest_form(clue), line) == (line in placements(clue, 6)), line


def accepts(form: list[int], line: tuple[int, ...]) -> bool:
    """Return whether the cells can be placed one after the other."""
    done: int | None = 0
    for room, value in zip(reversed(range(len(line))), line, strict=True):
        if done is not None:
            done = METHOD.advanced(form, done, value, room=room)
    return done is not None
