"""Score backends from a campaign's rows: alone, in pairs, and against an earlier campaign.

`Runs` is the matrix that every figure comes from, so all figures mean the same runs. Formulas
and sources are in docs/reference/scoring.md. SciPy is imported only when a test is computed.
"""

from nonocsp.bench.scoring.breakdown import ClassScore, class_scores, classes
from nonocsp.bench.scoring.changes import Change, Changes, compare
from nonocsp.bench.scoring.pairs import Pair, pairwise
from nonocsp.bench.scoring.runs import Instance, Runs, is_decided
from nonocsp.bench.scoring.scores import (
    Contribution,
    Score,
    borda,
    contributions,
    incomplete,
    ranking,
    scores,
    single_best,
    virtual_best,
)
from nonocsp.bench.scoring.sets import SetScore, set_scores
from nonocsp.bench.scoring.significance import PairedTest
from nonocsp.bench.scoring.verdicts import Verdict

__all__ = [
    "Change", "Changes", "ClassScore", "Contribution", "Instance", "Pair", "PairedTest", "Runs", "Score",
    "SetScore", "Verdict", "borda", "class_scores", "classes", "compare", "contributions", "incomplete",
    "is_decided", "pairwise", "ranking", "scores", "set_scores", "single_best", "virtual_best",
]  # fmt: skip
