"""A driver that is killed at random moments loses nothing; the measurement ``kills`` does it 50 times."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.benchmarks.harness.kills import survive


@pytest.mark.slow
def test_killing_the_driver_at_random_moments_leaves_each_planned_run_once(
    tmp_path: Path,
) -> None:
    found = survive(tmp_path, 5, puzzles=120, seed=1)
    assert found.is_flawless, found
    assert found.planned == 360
    assert 0 < found.kept < found.planned
