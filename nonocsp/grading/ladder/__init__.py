"""The ladder of methods: what each way to reason derives from one small puzzle, and what it cannot."""

from nonocsp.grading.ladder.rungs import BACKENDS, Ladder, Rung, fixpoints, ladder

__all__ = ["BACKENDS", "Ladder", "Rung", "fixpoints", "ladder"]
