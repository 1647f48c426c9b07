"""How people solve: techniques, walks, hints and efforts; and the methods that name the class of a puzzle.

The core documents what it returns: dictionaries with numbers, which `nonocsp.grading` puts into words.
"""

from __future__ import annotations

from nonocsp.engine._core import catalogue, effort, hint, line_findings, methods, narrow_by, walk, walk_length

__all__ = ["catalogue", "effort", "hint", "line_findings", "methods", "narrow_by", "walk", "walk_length"]
