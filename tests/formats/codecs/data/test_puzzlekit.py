"""The JSON of puzzlekit's dataset."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from nonocsp.model import FormatError, Grid, Puzzle

Read = Callable[..., list[Puzzle]]
FORMAT = "puzzlekit"

PROBLEM = "2 3\n1\n0\n1\n1 1\n\n"
SOLUTION = "2 3\nx - x\n- - -"


def document(problem: Any = PROBLEM, solution: Any = SOLUTION, kind: str = "Nonogram") -> str:
    entry = {"problem": problem, "solution": solution, "source": "S", "info": ""}
    return json.dumps({"name": kind, "count": 1, "data": {"7_2x3": entry}})


def test_columns_come_before_rows_and_the_size_has_the_rows_first(read: Read) -> None:
    (puzzle,) = read(document(), format=FORMAT)
    goal = Grid.from_strings(["#.#", "..."])
    assert puzzle == Puzzle.from_clues([[1, 1], []], [[1], [], [1]], title="7_2x3", source="S", goal=goal)


def test_a_puzzle_may_have_no_solution(read: Read) -> None:
    assert read(document(solution=""), format=FORMAT)[0].goal is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (document(kind="Akari"), ": puzzles of the kind 'Akari'; expected Nonogram"),
        (document(problem="3 3\n1\n"), ": '7_2x3': 2 clues; expected 3 of columns and 3 of rows"),
        (document(problem="1\n1\n"), ": '7_2x3': the problem starts with '1'; expected the numbers of rows"),
        (document(problem=None), ": '7_2x3': no text \"problem\"; expected the size and the clues"),
        (
            document(solution="2 3\nx - x\n- -"),
            ": '7_2x3': the solution is no grid of the puzzle; expected 2",
        ),
        (document(problem=PROBLEM.replace("1 1", "1 a")), ": '7_2x3': 'a' is no block length"),
        ("{}", ': no object "data"; expected'),
        ("{", ":1:2: Expecting property name enclosed in double quotes; expected valid JSON"),
    ],
)
def test_what_is_no_puzzle_is_refused_with_its_name(read: Read, text: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(text, name="a.json", format=FORMAT)
    assert f"a.json{message}" in str(error.value)
