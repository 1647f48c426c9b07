"""The searches of the core: each ``search_by_…`` takes options and returns a method.

The core documents the options. `Method.search` takes the compiled clues of a `LineSolver` and returns a
stream of the solutions. `run` runs a method on one puzzle, `Batch` on many in threads; every grid that they
return was verified as by `nonocsp.engine.verification`.
`nonocsp.engine.probing` has the search by probing. `SolutionCounter` counts without a search; `MddSearch`
counts and searches; `ambiguous_cells` compares solutions; `mend` searches changes of clues. `eliminate_lines`
makes the inferences of messages between pixels and segments.
"""

from __future__ import annotations

from nonocsp.engine._core import (
    Batch,
    End,
    MddSearch,
    Method,
    ProofLog,
    Search,
    SearchParameter,
    SolutionCounter,
    TooManyStates,
    ambiguous_cells,
    eliminate_lines,
    mend,
    run,
    search_by_blocks,
    search_by_gac,
    search_by_hybrid,
    search_by_segments,
    search_by_two_sat,
    search_parameters,
)

__all__ = [
    "Batch",
    "End",
    "MddSearch",
    "Method",
    "ProofLog",
    "Search",
    "SearchParameter",
    "SolutionCounter",
    "TooManyStates",
    "ambiguous_cells",
    "eliminate_lines",
    "mend",
    "run",
    "search_by_blocks",
    "search_by_gac",
    "search_by_hybrid",
    "search_by_segments",
    "search_by_two_sat",
    "search_parameters",
]
