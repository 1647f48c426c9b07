"""``nonocsp results``: merging shards, exporting rows, and what is wrong with either."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Cli = Callable[..., Result]
Files = Callable[[str], Path]


@pytest.fixture
def shards(cli: Cli, files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The two shards of a campaign of two backends on three puzzles; the test runs in their folder."""
    files("set")
    monkeypatch.chdir(tmp_path)
    config = tmp_path / "mini.yaml"
    config.write_text(
        "name: mini\npuzzles: [{file: set.json}]\nbackends: [settle, sat]\n"
        "limits: {wall: 20}\nexecutor: inline\n"
    )
    for shard in ("1/2", "2/2"):
        assert cli("bench", config, "--shard", shard).exit_code == 0
    return [Path("results/mini-1of2"), Path("results/mini-2of2")]


def test_shards_are_merged_and_the_merged_campaign_is_complete(cli: Cli, shards: list[Path]) -> None:
    result = cli("results", "merge", *shards, "--output", "results/mini")
    assert (result.exit_code, result.stdout) == (0, "mini: 6 runs in results/mini\n")
    assert "mini: 6 runs, 0 now, 6 before" in cli("bench", "mini.yaml").stdout


def test_merging_reports_as_json(cli: Cli, shards: list[Path]) -> None:
    result = cli("results", "merge", shards[0], shards[0], "--output", "twice", "--json")
    (record,) = map(json.loads, result.stdout.splitlines())
    assert record == {
        "campaign": "mini",
        "folder": "twice",
        "runs": 4,
        "doubled": 4,
        "disagreements": [],
        "warnings": [
            "4 of 4 runs did not have a core to themselves: their times are not reliable",
            "shard 2/2 is missing",
        ],
    }
    assert "warning: shard 2/2 is missing" in result.stderr


def test_folders_that_contradict_each_other_make_the_exit_code_1(cli: Cli, shards: list[Path]) -> None:
    rows = [json.loads(line) for line in (shards[0] / "runs.jsonl").read_text().splitlines()]
    liar = Path("liar")
    liar.mkdir()
    lies = [row | {"answer": "unsat", "solutions": []} for row in rows if row["solutions"]]
    (liar / "runs.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in lies))
    result = cli("results", "merge", shards[0], liar, "--output", "merged")
    assert result.exit_code == 1
    assert result.stdout.startswith("DISAGREEMENT set.json#1: ")
    assert f"; {len(lies)} were there twice, and the first was kept" in result.stdout


def test_rows_are_exported_to_the_given_file_in_its_format(cli: Cli, shards: list[Path]) -> None:
    printed = cli("results", "export", shards[0]).stdout
    table = list(csv.DictReader(io.StringIO(printed)))
    assert {row["backend"] for row in table} == {"settle", "sat"}
    assert {row["limits.wall"] for row in table} == {"20.0"}
    assert cli("results", "export", shards[0], "--output", "rows.csv").stdout == ""
    assert Path("rows.csv").read_text() == printed
    pytest.importorskip("pyarrow")
    assert cli("results", "export", shards[0], "--output", "rows.parquet").exit_code == 0
    assert Path("rows.parquet").read_bytes()[:4] == b"PAR1"


def test_merging_different_campaigns_needs_a_new_name(cli: Cli, shards: list[Path]) -> None:
    Path("other.yaml").write_text(Path("mini.yaml").read_text().replace("mini", "other"))
    cli("bench", "other.yaml")
    refused = cli("results", "merge", shards[0], "results/other", "--output", "both")
    assert refused.exit_code == 2
    assert "to merge them anyway, give --name NAME" in refused.stderr
    named = cli("results", "merge", shards[0], "results/other", "--output", "both", "--name", "both")
    assert named.stdout.startswith("both: 6 runs in both; 4 were there twice")
