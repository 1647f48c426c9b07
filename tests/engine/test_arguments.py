"""Arguments that do not go together are refused by the core itself: it never reads what is not there."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from nonocsp import _core
from nonocsp.engine import LineSolver
from nonocsp.model import Clue, FlatClues, Puzzle

SOLVER = LineSolver(Puzzle.from_clues([[1], [1]], [[1], [1]]))
CLUES = SOLVER.compiled
OTHER_SHAPE = np.full((9, 9), 3, np.uint64)
LINE = OTHER_SHAPE[:1]
ONE, TWO = FlatClues.of([Clue.of(1)]), FlatClues.of([Clue.of(1), Clue.of(1)])
NO_SHARD = (99, 99, 1)

CASES: dict[str, Callable[[], object]] = {
    "propagate": lambda: CLUES.propagate(OTHER_SHAPE, _core.Schedule.QUEUE, None, None),
    "probe": lambda: _core.probe_fixpoint(CLUES, OTHER_SHAPE, _core.ProbingLevel.FP1, False, None, None),
    "encode": lambda: _core.encode_order(CLUES, OTHER_SHAPE),
    "beliefs": lambda: _core.Beliefs(CLUES).run(OTHER_SHAPE, 1, 0.1, None, None),
    "time beliefs": lambda: _core.time_beliefs(CLUES, OTHER_SHAPE, 1),
    "starts in a line beyond": lambda: _core.Beliefs(CLUES).starts(True, 2),
    "65 colours of a puzzle": lambda: _core.PuzzleClues(ONE, ONE, 65),
    "65 colours to settle": lambda: _core.settle_lines(ONE, LINE, 65),
    "65 colours of messages": lambda: _core.eliminate_lines(ONE, LINE, 65),
    "65 colours of placements": lambda: _core.Placements(ONE, LINE, 65),
    "no colour but the background": lambda: _core.Placements(ONE, LINE, 1),
    "two clues for a stream": lambda: _core.Placements(TWO, LINE, 2),
    "no clue for a stream": lambda: _core.Placements(FlatClues.of([]), LINE, 2),
    "no clue for starts": lambda: _core.starts(FlatClues.of([]), LINE, 2),
    "no clue for marginals": lambda: _core.line_marginals(FlatClues.of([]), LINE, np.ones((9, 2))),
    "weights of the background only": lambda: _core.line_marginals(
        FlatClues.of([Clue()]), LINE, np.ones((9, 1))
    ),
    "a shard of sweeps": lambda: _core.SweepCensus(3, 3).count(NO_SHARD, None, None),
    "a shard of solutions": lambda: _core.SolutionCensus(3, 3).count(NO_SHARD, None, None),
}


@pytest.mark.parametrize("call", CASES.values(), ids=CASES)
def test_what_does_not_go_together_is_refused(call: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"there (is|are|must be)|the candidates|a block's colour"):
        call()
