"""The typed Python face of the C++ core, NumPy in, NumPy out: no other package imports the core.

A line or grid is a uint64 array of candidate sets (bit c = colour c is possible). What most callers need is
here; `encodings`, `searches` and `images` have the rest.
"""

from nonocsp.engine import _core
from nonocsp.engine._core import Leaver
from nonocsp.engine.images import sweep_image
from nonocsp.engine.line_solver import (
    Interrupted,
    LineSolver,
    Order,
    Propagation,
    Stage,
    StopFlag,
    Sweep,
    Unsupported,
)
from nonocsp.engine.lines import (
    COUNTLESS,
    Candidates,
    feasible,
    feasible_lines,
    placement_count,
    placements,
    settle,
    settle_lines,
)
from nonocsp.engine.probing import Probing, ProbingLevel
from nonocsp.engine.searches import MddSearch, Search, SolutionCounter, TooManyStates

__all__ = [
    "CORE",
    "COUNTLESS",
    "Candidates",
    "Interrupted",
    "Leaver",
    "LineSolver",
    "MddSearch",
    "Order",
    "Probing",
    "ProbingLevel",
    "Propagation",
    "Search",
    "SolutionCounter",
    "Stage",
    "StopFlag",
    "Sweep",
    "TooManyStates",
    "Unsupported",
    "feasible",
    "feasible_lines",
    "placement_count",
    "placements",
    "settle",
    "settle_lines",
    "sweep_image",
]

CORE = _core.__file__
"""The file of the compiled core."""
