"""Synthetic campaigns look like real ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from nonocsp.backends.base import Answer, Termination
from nonocsp.bench import load_config, run_campaign
from nonocsp.bench.contradictions import disagreements
from nonocsp.bench.store import read_campaign
from tools.benchmarks.harness import synthetic

REAL = """\
name: real
puzzles: [{file: "*.jsonl"}]
backends: [settle, hybrid]
limits: {wall: 10}
"""


def test_a_synthetic_row_has_the_keys_of_a_real_one(
    write_config: Callable[[str], Path], tmp_path: Path
) -> None:
    real = run_campaign(load_config(write_config(REAL)), tmp_path / "out").rows
    unreal = synthetic.rows(backends=3, puzzles=50)
    ended_well = ("unique", "ok")
    (keys,) = {tuple(row) for row in real if (row["answer"], row["termination"]) == ended_well}
    assert {tuple(row) for row in unreal if (row["answer"], row["termination"]) == ended_well} == {keys}


def test_a_synthetic_campaign_is_read_back_unchanged(tmp_path: Path) -> None:
    made = list(synthetic.rows(backends=3, puzzles=20, repeats=2))
    synthetic.write_campaign(tmp_path, made)
    campaign = read_campaign(tmp_path)
    assert list(campaign.rows) == made
    assert campaign.name == synthetic.NAME
    assert len({row["run"] for row in made}) == len(made) == 120


def test_a_synthetic_campaign_has_every_ending_and_no_contradiction() -> None:
    made = list(synthetic.rows(backends=4, puzzles=2000))
    answers = Counter(row["answer"] for row in made)
    endings = Counter(row["termination"] for row in made)
    assert set(answers) == set(Answer) - {Answer.SOLVED}
    assert {Termination.OK, Termination.WALL, Termination.MEMORY, Termination.CRASHED} == set(endings)
    assert not disagreements(made)
