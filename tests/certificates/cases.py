"""Small puzzles and their true claims; proofs in binary."""

from collections.abc import Iterable, Sequence

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


def binary(lemmas: Iterable[Sequence[int]]) -> bytes:
    return b"".join(b"a" + b"".join(map(_number, [*lemma, 0])) for lemma in lemmas)


def _number(literal: int) -> bytes:
    code, parts = 2 * abs(literal) + (literal < 0), []
    while code > 127:
        parts.append(code & 127 | 128)
        code >>= 7
    return bytes([*parts, code])


def steps(proof: bytes) -> list[bytes]:
    found, begin = [], 0
    while begin < len(proof):
        end = proof.index(0, begin) + 1
        found.append(proof[begin:end])
        begin = end
    return found
