"""Run methods of the core on one puzzle, or on many in threads, and verify grids.

Every grid that `run` and `Batch` return was verified by `wrong_lines`, whose code in the core shares nothing
with the searches.
"""

from __future__ import annotations

from nonocsp.engine._core import Batch, End, Method, run, wrong_lines

__all__ = ["Batch", "End", "Method", "run", "wrong_lines"]
