from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tools.benchmarks.hardness import models
from tools.benchmarks.hardness.extraction import FEATURES
from tools.benchmarks.hardness.features import main

CONFIG = """
name: few
puzzles:
  - {random: {rows: [5, 10], density: 0.4, count: 6}}
  - {dominoes: 2..3}
  - {file: shared/none.non, optional: true}
backends: [blocks, hybrid]
limits: {cpu: 10s}
jobs: 2
"""


@pytest.mark.slow
def test_the_command_runs_fits_and_writes_and_redraws_the_same_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(models, "TREES", 5)
    config, output = tmp_path / "few.yaml", tmp_path / "out"
    config.write_text(CONFIG)
    main(config, tmp_path / "results", output)
    with (output / "data" / "features.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["puzzle"] for row in rows][-2:] == ["2-Dom", "3-Dom"]
    assert len(rows) == 14
    assert list(rows[0]) == ["puzzle", "set", *FEATURES, "blocks, ms", "hybrid, ms"]
    assert float(rows[0]["cells"]) == 25
    summary = json.loads((output / "data" / "features.json").read_text())
    assert summary["sets"]["random"]["decided"] == {"blocks": 12, "hybrid": 12}
    assert summary["fits"].keys() == {"blocks", "hybrid"}
    names = [portfolio["name"] for portfolio in summary["portfolios"]]
    assert names[:2] == ["hybrid alone", "virtual best"]
    printed = capsys.readouterr().out
    assert "shared/none.non" in printed
    assert "left out" in printed
    assert "hybrid alone" in printed
    drawn = {path: path.read_bytes() for path in (output / "figures").iterdir()}
    assert len(drawn) == 3
    for path in drawn:
        path.unlink()
    main(config, output=output, redraw=True)
    assert {path: path.read_bytes() for path in drawn} == drawn
