"""Verify grids and proofs with code of the core that shares nothing with the searches.

`wrong_lines` reads the runs of a grid off its cells, and `check_drat` checks a proof lemma by lemma. Both
are in the shelf `nonocsp/cpp/verification`, which includes no other shelf.
"""

from __future__ import annotations

from nonocsp.engine._core import check_drat, wrong_lines

__all__ = ["check_drat", "wrong_lines"]
