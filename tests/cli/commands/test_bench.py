"""``nonocsp bench``: summary, report, plan, resuming, contradictions, Ctrl-C."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nonocsp.model import UsageError

ROWS = Path("results/mini/runs.jsonl")


@pytest.fixture
def config(files, here) -> Path:
    """A campaign of two backends on three puzzles; the test runs in the folder of its config."""
    files("set")
    path = here / "mini.yaml"
    path.write_text(
        "name: mini\npuzzles: [{file: set.json}]\nbackends: [settle, sat]\n"
        "limits: {wall: 20}\nexecutor: inline\n"
    )
    return path


def change_rows(change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Write the stored rows anew, each with a change."""
    rows = [json.loads(line) for line in ROWS.read_text().splitlines()]
    ROWS.write_text("".join(f"{json.dumps(row | change(row))}\n" for row in rows))


def test_a_campaign_ends_with_summary_and_report_and_runs_again_only_what_is_asked(cli, config):
    first = cli("bench", config)
    assert first.exit_code == 0
    assert "mini: 6 runs, 6 now, 0 before" in first.stdout
    assert "report: results/mini/report.html" in first.stdout
    assert max(map(len, first.stdout.splitlines())) <= 80
    assert "<html" in Path("results/mini/report.html").read_text()
    assert "mini: 6 runs, 0 now, 6 before" in cli("bench", config).stdout
    change_rows(lambda row: {"termination": "crashed", "message": "died"} if row["index"] == 1 else {})
    assert "6 runs, 0 now, 6 before" in cli("bench", config).stdout
    assert "6 runs, 2 now, 4 before" in cli("bench", config, "--retry", "crashed").stdout
    assert "6 runs, 0 now, 6 before" in cli("bench", config, "--retry", "crashed").stdout
    assert len(ROWS.read_text().splitlines()) == 8
    shard = cli("bench", config, "--shard", "1/3")
    assert "mini, shard 1/3: 0/2 runs" in shard.stderr
    assert "mini, shard 1/3: 2 runs, 2 now, 0 before" in shard.stdout


def test_json_prints_the_rows_and_nothing_else(cli, config):
    result = cli("bench", config, "--json", "--output", "elsewhere")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(rows) == 6
    answers = {(row["backend"], row["answer"]) for row in rows if row["index"] == 2}
    assert answers == {("settle", "partial"), ("sat", "multiple")}
    assert "report: elsewhere/report.html" in result.stderr


def test_a_dry_run_lists_the_runs_without_running_them(cli, records, config):
    text = cli("bench", config, "--dry-run", "--limit", "1min", "--jobs", "2").stdout
    assert "3 puzzles x 2 backends = 6 runs" in text
    assert "2 of 3x3 from set.json\n  1 of 2x2 from set.json" in text
    assert "6 runs to do, 2 at a time, executor" in text
    assert "at most 0:03:01 (h:mm:ss): 60 s per run" in text
    assert "probably less; no earlier runs in results/mini" in text
    assert max(map(len, text.splitlines())) <= 80
    assert len({run["run"] for run in records("bench", config, "--dry-run")}) == 6
    chosen = records("bench", config, "--dry-run", *("--filter", "backend=s?t", "--filter", "#1"))
    assert {(run["backend"], run["index"]) for run in chosen} == {("sat", 1)}
    assert not Path("results").exists()


def test_a_dry_run_estimates_from_the_rows_in_the_folder(cli, records, config):
    config.write_text(config.read_text().replace("limits: {wall: 20}\n", ""))
    assert "at most: unknown without a wall limit" in cli("bench", config, "--dry-run").stdout
    cli("bench", config)
    _, known, rest = cli("bench", config, "--dry-run").stdout.partition("0 runs to do")
    assert known
    assert "at most" not in rest
    config.write_text(config.read_text().replace("sat]", "sat, probing]"))
    text = cli("bench", config, "--dry-run").stdout
    assert "3 runs to do" in text
    assert "from the mean times of 6 runs in results/mini" in text
    planned = records("bench", config, "--dry-run")
    assert [run["done"] for run in planned] == [run["backend"] != "probing" for run in planned]


def test_a_contradiction_or_a_wrong_answer_comes_first_and_makes_the_exit_code_1(cli, config):
    cli("bench", config)
    lie = {"answer": "unsat", "solutions": []}
    change_rows(lambda row: lie if (row["backend"], row["index"]) == ("sat", 1) else {})
    result = cli("bench", config)
    assert result.exit_code == 1
    assert result.stdout.startswith("DISAGREEMENT")
    as_json = cli("bench", config, "--json")
    assert (as_json.exit_code, as_json.stderr[:12]) == (1, "DISAGREEMENT")
    assert all(json.loads(line) for line in as_json.stdout.splitlines())
    change_rows(lambda row: {"answer": "unknown", "solutions": [], "wrong": True, "message": "a\x1b[2Jb\x07"})
    assert cli("bench", config).stdout.startswith("WRONG ANSWER set.json#1: settle: a [2Jb \n")


def test_a_shipped_campaign_runs_from_anywhere_by_its_name(cli, records, here):
    assert "smoke" in cli("bench").stdout
    (smoke,) = (found for found in records("bench", "--list") if found["campaign"] == "smoke")
    assert smoke["about"].startswith("Does everything work?")
    for given in ("smoke", "configs/smoke.yaml"):
        result = cli("bench", given, "--dry-run", "--json")
        assert result.stderr.startswith(f"{given} is not a file here; using {smoke['config']}")
        assert len(result.stdout.splitlines()) == 16 * 9


def test_a_fresh_start_renames_the_earlier_results_unless_it_cannot_begin(cli, config):
    cli("bench", config)
    assert cli("bench", config, "--fresh", "--filter", "dog").exit_code == 2
    assert [path.name for path in Path("results").iterdir()] == ["mini"]
    for number in (1, 2):
        result = cli("bench", config, "--fresh")
        assert "mini: 6 runs, 6 now, 0 before" in result.stdout
        assert f"earlier results are now in results/mini.{number}" in result.stderr
        assert len(Path(f"results/mini.{number}/runs.jsonl").read_text().splitlines()) == 6


@pytest.mark.parametrize(
    ("works", "said"),
    [
        ("Plan", "results/mini is as it was; start again with\n  nonocsp bench {} --fresh\n"),
        ("_measure", "results so far are in results/mini; resume with\n  nonocsp bench {}\n"),
    ],
)
def test_ctrl_c_in_a_fresh_start_advises_another_one_until_runs_begin(cli, config, monkeypatch, works, said):
    cli("bench", config)

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(f"nonocsp.bench.campaign.{works}", interrupted)
    monkeypatch.setattr("sys.argv", ["nonocsp", "bench", str(config), "--fresh"])
    result = cli("bench", config, "--fresh")
    assert (result.exit_code, said.format(config) in result.stderr) == (130, True)
    assert Path("results/mini.1").exists() == (works != "Plan")


@pytest.mark.parametrize(
    ("executor", "option", "variable", "expected"),
    [
        ("dask", "", None, None),
        ("dask", "", "tcp://there:1", "tcp://there:1"),
        ("dask", "--scheduler tcp://here:1", "tcp://there:1", "tcp://here:1"),
        ("fork", "--scheduler tcp://here:1", None, "tcp://here:1"),
        ("fork", "", "tcp://there:1", None),
    ],
)
def test_the_scheduler_comes_from_the_command_line_or_the_environment(
    cli, *, config, monkeypatch, executor, option, variable, expected
):
    seen = []

    def run_campaign(campaign: Any, folder: Path, **options: Any) -> None:
        seen.append((campaign.executor, options["scheduler"]))
        raise UsageError("enough")

    monkeypatch.setattr("nonocsp.bench.run_campaign", run_campaign)
    config.write_text(config.read_text().replace("inline", executor))
    assert cli("bench", config, *option.split(), NONOCSP_SCHEDULER=variable).exit_code == 2
    assert seen == [("dask" if option else executor, expected)]
