"""Score backends from a campaign's rows: alone, in pairs, and against an earlier campaign.

`Runs` is the matrix that every figure comes from, so all figures mean the same runs. Formulas
and sources are in docs/reference/scoring.md. SciPy is imported only when a test of significance is computed.
"""

from nonocsp.bench.scoring.borda import borda
from nonocsp.bench.scoring.changes import Change, Changes, compare
from nonocsp.bench.scoring.evidence import Evidence
from nonocsp.bench.scoring.pairs import Pair, pairwise
from nonocsp.bench.scoring.portfolio import Contribution, contributions, single_best, virtual_best
from nonocsp.bench.scoring.runs import Instance, Runs, is_decided
from nonocsp.bench.scoring.scores import Score, score_all, scores
from nonocsp.bench.scoring.sets import SetScore, set_scores
from nonocsp.bench.scoring.verdicts import Verdict

__all__ = [
    "Change",
    "Changes",
    "Contribution",
    "Evidence",
    "Instance",
    "Pair",
    "Runs",
    "Score",
    "SetScore",
    "Verdict",
    "borda",
    "compare",
    "contributions",
    "is_decided",
    "pairwise",
    "score_all",
    "scores",
    "set_scores",
    "single_best",
    "virtual_best",
]
