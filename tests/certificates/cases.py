"""Small puzzles and their true claims."""

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from nonocsp.certificates.document import Claim
from nonocsp.model import Grid, Puzzle


def truth(solutions: Sequence[Grid]) -> Claim:
    """Return the true claim about a puzzle with these solutions."""
    return (Claim.UNSAT, Claim.UNIQUE, Claim.MULTIPLE)[min(2, len(solutions))]


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
    """Small puzzles with a solution or, after swapping two clues, perhaps without."""
    rows, columns, colours = draw(st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 3)))
    cells = draw(st.lists(st.integers(0, colours), min_size=rows * columns, max_size=rows * columns))
    made = Puzzle.from_grid(Grid.from_cells(np.reshape(cells, (rows, columns))))
    clues = draw(st.permutations(made.rows))
    return Puzzle(tuple(clues), made.columns, made.palette)
