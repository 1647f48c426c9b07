"""``nonocsp bench``: summary, report, resuming, contradictions, Ctrl-C."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Cli = Callable[..., Result]
Files = Callable[[str], Path]
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def config(files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A campaign of two backends on three puzzles; the test runs in the folder of its config."""
    files("set")
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "mini.yaml"
    path.write_text("name: mini\npuzzles: [{file: set.json}]\nbackends: [settle, sat]\nlimits: {wall: 20}\n")
    return path


def test_a_campaign_ends_with_summary_and_report_and_is_not_run_twice(cli: Cli, config: Path) -> None:
    first = cli("bench", config)
    assert first.exit_code == 0
    assert "mini: 6 runs, 6 now, 0 before" in first.stdout
    assert "report: results/mini/report.html" in first.stdout
    assert "<html" in Path("results/mini/report.html").read_text()
    assert "mini: 6 runs, 0 now, 6 before" in cli("bench", config).stdout


def test_json_prints_the_rows_and_nothing_else(cli: Cli, config: Path) -> None:
    result = cli("bench", config, "--json", "--output", "elsewhere")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(rows) == 6
    assert {(row["backend"], row["answer"]) for row in rows if row["index"] == 2} == {
        ("settle", "partial"),
        ("sat", "multiple"),
    }
    assert "report: elsewhere/report.html" in result.stderr


def test_a_dry_run_says_what_would_be_run_and_runs_nothing(cli: Cli, config: Path) -> None:
    text = cli("bench", config, "--dry-run", "--limit", "1min", "--jobs", "2").stdout
    assert "3 puzzles x 2 backends = 6 runs" in text
    assert "at most 0:03:00 (h:mm:ss), 2 at a time, 60 s each" in text
    planned = [json.loads(line) for line in cli("bench", config, "--dry-run", "--json").stdout.splitlines()]
    assert len({run["run"] for run in planned}) == 6
    assert not Path("results").exists()


def test_a_contradiction_comes_first_and_makes_the_exit_code_1(cli: Cli, config: Path) -> None:
    cli("bench", config)
    stored = Path("results/mini/runs.jsonl")
    rows = [json.loads(line) for line in stored.read_text().splitlines()]
    lie = {"answer": "unsat", "solutions": []}
    lying = [row | lie if (row["backend"], row["index"]) == ("sat", 1) else row for row in rows]
    stored.write_text("".join(f"{json.dumps(row)}\n" for row in lying))
    result = cli("bench", config)
    assert result.exit_code == 1
    assert result.stdout.startswith("DISAGREEMENT")
    assert "sat" in result.stdout.splitlines()[0]
    as_json = cli("bench", config, "--json")
    assert as_json.exit_code == 1
    assert as_json.stderr.startswith("DISAGREEMENT")
    assert all(json.loads(line) for line in as_json.stdout.splitlines())


def test_a_config_that_is_wrong_is_an_error_with_file_and_line(cli: Cli, config: Path) -> None:
    config.write_text(config.read_text().replace("backends", "backend"))
    result = cli("bench", config)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"error: {config}:3:1: ")
    assert "did you mean 'backends'" in result.stderr


def test_ctrl_c_exits_with_130_says_how_to_resume_and_keeps_the_rows(
    start: Start, config: Path, hard: Path, tmp_path: Path
) -> None:
    config.write_text(
        "name: long\npuzzles: [{file: set.json}, {file: hard.json}]\nbackends: [sat]\nlimits: {wall: 60}\n"
    )
    stored = tmp_path / "results" / "long" / "runs.jsonl"
    with start("bench", config, cwd=tmp_path) as process:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and not (stored.exists() and stored.read_bytes().count(b"\n") == 3):
            time.sleep(0.05)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        output, messages = process.communicate(timeout=20)
    assert process.returncode == 130
    assert output == ""
    assert "resume with the same command" in messages
    assert stored.read_bytes().count(b"\n") == 3
