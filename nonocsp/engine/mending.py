"""The search for the clue that is wrong; `nonocsp.making.mend` puts what it finds into words."""

from __future__ import annotations

from nonocsp.engine._core import mend

__all__ = ["mend"]
