"""Score backends from a campaign's rows: alone, in pairs, and against an earlier campaign.

`Runs` is the matrix that every figure comes from, so all figures mean the same runs. Formulas
and sources are in docs/reference/scoring.md. Comparisons are imported at first use, and SciPy only when a
test of significance is computed.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from nonocsp.bench.scoring.runs import Instance as Instance
from nonocsp.bench.scoring.runs import Runs as Runs
from nonocsp.bench.scoring.runs import is_decided as is_decided
from nonocsp.bench.scoring.scores import Contribution as Contribution
from nonocsp.bench.scoring.scores import Score as Score
from nonocsp.bench.scoring.scores import borda as borda
from nonocsp.bench.scoring.scores import contributions as contributions
from nonocsp.bench.scoring.scores import incomplete as incomplete
from nonocsp.bench.scoring.scores import ranking as ranking
from nonocsp.bench.scoring.scores import score_all as score_all
from nonocsp.bench.scoring.scores import scores as scores
from nonocsp.bench.scoring.scores import single_best as single_best
from nonocsp.bench.scoring.scores import virtual_best as virtual_best

if TYPE_CHECKING:
    from nonocsp.bench.scoring.breakdown import ClassScore as ClassScore
    from nonocsp.bench.scoring.breakdown import class_scores as class_scores
    from nonocsp.bench.scoring.breakdown import classes as classes
    from nonocsp.bench.scoring.changes import Change as Change
    from nonocsp.bench.scoring.changes import Changes as Changes
    from nonocsp.bench.scoring.changes import compare as compare
    from nonocsp.bench.scoring.pairs import Pair as Pair
    from nonocsp.bench.scoring.pairs import pairwise as pairwise
    from nonocsp.bench.scoring.sets import SetScore as SetScore
    from nonocsp.bench.scoring.sets import set_scores as set_scores
    from nonocsp.bench.scoring.significance import Evidence as Evidence
    from nonocsp.bench.scoring.verdicts import Verdict as Verdict

_MODULE_OF = {
    **dict.fromkeys(("Change", "Changes", "compare"), "changes"),
    **dict.fromkeys(("ClassScore", "class_scores", "classes"), "breakdown"),
    **dict.fromkeys(("Pair", "pairwise"), "pairs"),
    **dict.fromkeys(("SetScore", "set_scores"), "sets"),
    **{"Evidence": "significance", "Verdict": "verdicts"},
}


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
