"""Outcomes of many puzzles as tables of pandas, polars and Arrow."""

from collections.abc import Generator

import pandas
import pytest

import nonocsp
from nonocsp import Answer, Outcome, Outcomes, Puzzle, Task, Termination
from nonocsp.run.many import Supply

ONE = Puzzle.from_grid([[1, 0], [1, 1]], title="corner")
SEVERAL = Puzzle.from_clues([[1]] * 3, [[1]] * 3)
NONE = Puzzle.from_clues([[1, 1], [], [1, 1]], [[2], [], [2]], title="none")
RED = Puzzle.from_grid([[2, 1]])
SET = [ONE, SEVERAL, NONE, RED]


def checked(table: pandas.DataFrame) -> None:
    assert table["title"].tolist() == ["corner", "", "none", ""]
    assert table["answer"].tolist() == ["unique", "multiple", "unsat", "unique"]
    assert table["rows"].tolist() == [2, 3, 3, 1]
    assert table["colours"].tolist() == [1, 1, 1, 2]
    assert table["solutions"].tolist() == [1, 2, 0, 1]
    assert [*table["grid"][0]] == ["#.", "##"]
    assert [*table["grid"][3]] == ["a#"]
    assert table["grid"].isna().tolist() == [False, False, True, False]
    assert {"wall_s", "cpu_s", "termination", "message", "stats.settles"} < {*table.columns}


def test_one_call_solves_a_set_into_a_table_of_pandas():
    checked(nonocsp.solve_many(SET, jobs=2).to_pandas())
    stuck = nonocsp.solve_many([SEVERAL], backend="settle").to_pandas()
    assert (stuck["answer"][0], stuck["grid"][0]) == ("partial", ["???"] * 3)
    nothing = nonocsp.solve_many([]).to_pandas()
    assert (len(nothing), [*nothing.columns][:2]) == (0, ["title", "rows"])


def test_libraries_that_take_arrow_data_take_the_outcomes():
    pyarrow = pytest.importorskip("pyarrow")
    checked(pyarrow.table(nonocsp.solve_many(SET)).to_pandas())
    polars = pytest.importorskip("polars")
    checked(polars.DataFrame(nonocsp.solve_many(SET)).to_pandas())
    checked(pandas.DataFrame.from_arrow(nonocsp.solve_many(SET)))


def test_a_table_of_counts_has_no_number_that_it_cannot_hold():
    def counted(supply: Supply) -> Generator[Outcome, None, None]:
        for number, _ in zip((6, 10**30), supply, strict=True):
            yield Outcome(Answer.MULTIPLE, Termination.OK, count=number, count_at_least=number)

    supply = Supply([SEVERAL, ONE])
    table = Outcomes(counted(supply), supply, Task.COUNT).to_pandas()
    assert table["count"].tolist()[0] == 6
    assert table["count"].isna().tolist() == [False, True]
    assert table["count_at_least"].tolist() == [6, 2**63 - 1]
    assert nonocsp.solve_many([SEVERAL], task="count").to_pandas()["count"].tolist() == [6]
