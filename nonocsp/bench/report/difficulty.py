"""Read from the rows of a campaign how hard its puzzles are for line solving.

The measure is the share of cells that are open at the fixpoint of line propagation (Batenburg & Kosters,
Solving nonograms by combining relaxations, 2009): 0 for a simple puzzle, 1 where not one cell follows from a
single line. Backend ``settle`` is that propagation and counts the cells that it ``painted``; other backends
that start from the fixpoint and say so (``painted_by_settle``) tell it too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from nonocsp.backends.base import Answer, Termination
from nonocsp.bench.rows import spec_of

if TYPE_CHECKING:
    from nonocsp.bench.rows import RunRow

PuzzleKey = tuple[str, str, int]


def puzzle_key(row: RunRow) -> PuzzleKey:
    """Return what tells the puzzle of a row from others: its name, hash and place in its file."""
    return row["puzzle"], row["puzzle_hash"], row["index"]


def open_shares(rows: Iterable[RunRow]) -> dict[PuzzleKey, float]:
    """Return the share of open cells for every puzzle of which a row tells it."""
    shares: dict[PuzzleKey, float] = {}
    for row in rows:
        is_settle = spec_of(row).partition(":")[0] == "settle" and row["termination"] == Termination.OK
        painted = row["stats"].get("painted" if is_settle else "painted_by_settle")
        if isinstance(painted, int | float) and row["answer"] != Answer.UNSAT:
            shares[puzzle_key(row)] = 1.0 - painted / (row["rows"] * row["columns"])
    return shares
