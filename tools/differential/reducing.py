"""Reduce a fault to what a developer needs: the backends, the smallest puzzle, and a failing test."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from nonocsp.backends.base import Termination
from nonocsp.bench.agreement import Checked, save_finding
from nonocsp.model import Grid, Puzzle
from tools.differential.comparing import LOST, compare, compare_apart
from tools.differential.shrinking import as_test, shrink
from tools.differential.table import faults

PATIENCE_S = 60.0
"""Seconds for shrinking a puzzle."""


def reduced(puzzle: Puzzle, checked: Checked, folder: Path) -> str:
    """Shrink a puzzle as long as it shows a fault, save it, and return the fault with a test.

    Parameters
    ----------
    checked
        The answers on the puzzle; if it crashed the process, the backend is found out here.
    folder
        Folder for the puzzle and the backends' claims.
    """
    check = compare_apart if checked.source == LOST else compare
    first = check(puzzle, list(checked.outcomes), checked.request)
    if first.is_sound:
        return f"did not happen again: {'; '.join(faults(checked))}\n"
    specs, deadline = involved(first), time.monotonic() + PATIENCE_S

    def fails(candidate: Puzzle) -> bool:
        return time.monotonic() < deadline and not check(candidate, specs, checked.request).is_sound

    smallest = shrink(_with_known_solution(puzzle, first), fails)
    last = check(smallest, specs, checked.request)
    remark = "; ".join(faults(last))
    path = save_finding(last, folder)
    return f"{remark}\nsaved as {path}\n\n{as_test(smallest, specs, checked.request, remark)}"


def involved(checked: Checked) -> Sequence[str]:
    """Return the specs of the backends that disagree or, if none do, of those that broke."""
    who = {spec for disagreement in checked.disagreements[:1] for spec in disagreement.backends}
    broken = {spec for spec, found in checked.outcomes.items() if found.termination is Termination.CRASHED}
    return [spec for spec in checked.outcomes if spec in (who or broken)]


def _with_known_solution(puzzle: Puzzle, checked: Checked) -> Puzzle:
    """Make the disputed solution the goal of the puzzle."""
    for disagreement in checked.disagreements:
        return replace(puzzle, goal=Grid.from_strings(disagreement.solution, puzzle.palette))
    return puzzle
