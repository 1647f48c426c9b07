"""How people solve: the techniques, the walk through a puzzle, hints, and what a puzzle asks of a person.

The core documents what it returns: dictionaries with numbers, which `nonocsp.grading` puts into words.
"""

from __future__ import annotations

from nonocsp.engine._core import catalogue, effort, hint, line_findings, walk

__all__ = ["catalogue", "effort", "hint", "line_findings", "walk"]
