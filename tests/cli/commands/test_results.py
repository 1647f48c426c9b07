"""``nonocsp results``: merging shards and exporting rows."""

import csv
import io
import json
from pathlib import Path

import pytest

ONE, TWO = Path("results/mini-1of2"), Path("results/mini-2of2")


@pytest.fixture(autouse=True)
def _shards(cli, files, here):
    """The two shards of a campaign of two backends on three puzzles; the test runs in their folder."""
    files("set")
    Path("mini.yaml").write_text(
        "name: mini\npuzzles: [{file: set.json}]\nbackends: [settle, sat]\n"
        "limits: {wall: 20}\nexecutor: inline\n"
    )
    for shard in ("1/2", "2/2"):
        assert cli("bench", "mini.yaml", "--shard", shard).exit_code == 0


def test_shards_are_merged_and_the_merged_campaign_is_complete(cli):
    result = cli("results", "merge", ONE, TWO, "--output", "results/mini")
    assert (result.exit_code, result.stdout.splitlines()) == (
        0,
        [
            "mini: 6 runs in results/mini",
            "report: results/mini/report.html",
            "next: nonocsp report --paper FOLDER results/mini",
        ],
    )
    assert "sat" in Path("results/mini/report.html").read_text()
    lone = cli("results", "merge", ONE, "--output", "lone").stdout
    assert "next: nonocsp bench --shard 2/2 --output FOLDER CONFIG, then merge all folders anew" in lone
    assert "mini: 6 runs, 0 now, 6 before" in cli("bench", "mini.yaml").stdout


def test_merging_reports_doubled_runs_and_missing_shards_as_json(cli):
    result = cli("results", "merge", ONE, ONE, "--output", "twice", "--json")
    (record,) = map(json.loads, result.stdout.splitlines())
    warnings = record.pop("warnings")
    counts = {
        "campaign": "mini",
        "folder": "twice",
        "runs": 4,
        "doubled": 4,
        "disagreements": [],
        "missing_shards": ["2/2"],
    }
    assert record == counts
    assert "shard 2/2 is missing" in warnings
    assert "warning: shard 2/2 is missing" in result.stderr


def test_folders_that_contradict_each_other_make_the_exit_code_1(cli):
    rows = [json.loads(line) for line in (ONE / "runs.jsonl").read_text().splitlines()]
    Path("liar").mkdir()
    lies = [row | {"answer": "unsat", "solutions": []} for row in rows if row["solutions"]]
    Path("liar/runs.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in lies))
    result = cli("results", "merge", ONE, "liar", "--output", "merged")
    assert result.exit_code == 1
    assert result.stdout.startswith("DISAGREEMENT set.json#1: ")
    assert f"; {len(lies)} were there twice, and the first was kept" in result.stdout


def test_rows_are_exported_to_the_given_file_in_its_format(cli):
    printed = cli("results", "export", ONE).stdout
    table = list(csv.DictReader(io.StringIO(printed)))
    assert {row["backend"] for row in table} == {"settle", "sat"}
    assert {row["limits.wall"] for row in table} == {"20.0"}
    assert cli("results", "export", ONE, "--output", "rows.csv").stdout == ""
    assert Path("rows.csv").read_text() == printed
    assert cli("results", "export", ONE, "--output", ONE / "rows.csv").exit_code == 0
    pytest.importorskip("pyarrow")
    assert cli("results", "export", ONE, "--output", "rows.parquet").exit_code == 0
    assert Path("rows.parquet").read_bytes()[:4] == b"PAR1"


def test_a_history_is_printed_plotted_and_given_as_json_and_a_slower_version_is_exit_code_1(cli):
    pytest.importorskip("matplotlib")
    for folder, version in ((ONE, "1.0"), (TWO, "2.0")):
        rows = [json.loads(line) for line in (ONE / "runs.jsonl").read_text().splitlines()]
        measured = [
            {**row, "session": f"2026-01-01T{2 * n + (folder == TWO):02}:00:00+00:00", "repeat": n}
            | {"run": f"{row['run']}-{n}", "versions": row["versions"] | {"nonocsp": version}}
            | {"wall_s": float(version) * (1 + n / 100)}
            for n in range(5)
            for row in rows
        ]
        (folder / "runs.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in measured))
    result = cli("results", "history", ONE, TWO, "--output", "plot.svg")
    assert result.exit_code == 1
    assert "sat: mini-2of2 is worse than mini-1of2, ratio of times 2.00" in " ".join(result.stdout.split())
    assert "nonocsp 1.0 to 2.0" in " ".join(result.stdout.split())
    assert Path("plot.svg").read_text().count("<svg") == 1
    assert (
        cli("results", "history", TWO).exit_code
        == cli("results", "history", "--sessions", ONE).exit_code
        == 0
    )
    records = [json.loads(line) for line in cli("results", "history", "--json", ONE, TWO).stdout.splitlines()]
    assert [it["label"] for it in records if it.get("backend") == "sat" and it["kind"] == "version"] == [
        *("mini-1of2", "mini-2of2")
    ]
    assert "no runs of 'nosuch'; there are" in cli("results", "history", ONE, "--backend", "nosuch").stderr
