"""All targets by name."""

from __future__ import annotations

from tools.fuzzing import documents, puzzle_files
from tools.fuzzing.base import Target


def targets() -> dict[str, Target]:
    """Return the targets."""
    return {target.name: target for target in (*puzzle_files.targets(), *documents.targets())}
