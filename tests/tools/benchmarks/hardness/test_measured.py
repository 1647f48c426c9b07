from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from nonocsp.bench import Shard, load_config, run_campaign
from tools.benchmarks.hardness.measured import Measured

CONFIG = """
name: few
puzzles:
  - {random: {rows: 5, density: 0.4, count: 4}}
  - {dominoes: [2, 2, 3]}
backends: [blocks, "mdd:memory=8"]
limits: {cpu: 3s}
"""


def test_the_table_has_each_puzzle_once_that_every_backend_has_run(tmp_path: Path) -> None:
    (tmp_path / "few.yaml").write_text(CONFIG)
    config = load_config(tmp_path / "few.yaml")
    run_campaign(config, tmp_path / "results", shard=Shard.of("1/2"))
    half = Measured.of(tmp_path / "results", config)
    assert len(half.table) == 3
    run_campaign(config, tmp_path / "results")
    measured = Measured.of(tmp_path / "results", config)
    assert [*measured.table["set"]] == ["random"] * 4 + ["n-Dom, MiniZinc"] * 2
    assert [*measured.times] == ["blocks", "mdd"]
    assert measured.features.shape == (6, 19)
    assert np.isfinite(measured.times.to_numpy()).all()


def test_a_cost_counts_the_limit_twice_where_a_backend_did_not_decide() -> None:
    table = pd.DataFrame({"set": ["random", "drawn"]}, index=["a", "b"])
    times = pd.DataFrame({"sat": [0.1, np.inf]}, index=["a", "b"])
    measured = Measured(table, times, limit_s=0.5)
    assert measured.costs["sat"].tolist() == pytest.approx([0.1, 1.0])
    assert measured.select(np.array([False, True])).costs["sat"].tolist() == [1.0]
