"""End the process after Ctrl-C while a library holds the interpreter's lock."""

from __future__ import annotations

from nonocsp.engine._core import Leaver

__all__ = ["Leaver"]
