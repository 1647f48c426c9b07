"""A table of a line that would be too long is refused with its size; conformance tests the others."""

import pytest

from nonocsp.backends.base import Request, Run, Unsupported
from nonocsp.backends.open_lines import open_lines, table
from nonocsp.engine import LineSolver, StopFlag
from nonocsp.model import Puzzle


@pytest.mark.parametrize(
    ("blocks", "columns", "number"), [(10, 40, "44,352,165"), (100, 300, "more than 1.8e19")]
)
def test_a_table_that_would_be_too_long_names_size_and_line(blocks, columns, number):
    solver = LineSolver(Puzzle.from_clues([[1] * blocks] * columns, [[blocks]] * columns))
    first = next(open_lines(solver, solver.propagate().candidates, Run(Request(), StopFlag())))
    with pytest.raises(Unsupported, match=f"row 1 has {number} placements; model=table lists 100,000 at"):
        table(first)
