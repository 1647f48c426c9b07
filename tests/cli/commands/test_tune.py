"""``nonocsp tune``: the plan, the result as table and as JSON, exit codes, resuming."""

import json
from pathlib import Path

import pytest

from nonocsp.cli.shared.endings import ExitCode

pytestmark = pytest.mark.usefixtures("unruly")


@pytest.fixture
def config(tmp_path, monkeypatch) -> Path:
    """A campaign of 30 small puzzles, in the current folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "small.yaml"
    path.write_text(
        "name: small\npuzzles: [{random: {rows: 5, count: 30}}]\nbackends: [deny]\n"
        "limits: {wall: 1s}\nexecutor: warm\n"
    )
    return path


def test_a_dry_run_lists_the_options_and_the_rounds_and_runs_nothing(cli, config):
    result = cli("tune", "sat", config, "--option", "solver=glucose4|minisat22", "--dry-run")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "12 candidates of 12 combinations:"
    assert "  solver: glucose4, minisat22" in lines
    assert [line.split() for line in lines if line[:1].isdigit()][1:4] == [
        ["1", "12", "6", "72"],
        ["2", "5", "6", "0"],
        ["3", "3", "15", "27"],
    ]
    assert max(map(len, lines)) <= 80
    assert [path.name for path in Path.cwd().iterdir()] == ["small.yaml"]
    records = cli("tune", "sat", config, "--dry-run", "--json", "--candidates", "3").stdout.splitlines()
    assert (len(records), json.loads(records[0])) == (3, {"candidate": "sat"})


@pytest.mark.slow
def test_a_default_that_wins_is_kept_and_needs_no_test(cli, config):
    result = cli("tune", "brute", config, "--option", "sleep=0.02|0.03", "--output", "kept")
    assert result.exit_code == ExitCode.NEGATIVE
    assert "No candidate beats brute in training: keep it." in result.stdout
    assert [path.name for path in Path("kept").iterdir()] == ["train"]


@pytest.mark.slow
def test_a_default_that_loses_is_named_and_the_winner_can_be_pasted(cli, config, monkeypatch):
    from nonocsp.bench.option_space import Space

    slow = Space("brute:sleep=0.05", {"sleep": ("0", "0.04")})
    monkeypatch.setattr(Space, "of", lambda spec, given: slow)
    monkeypatch.setattr(
        Space, "candidates", lambda self, most, seed: [self.spec, "brute", "brute:sleep=0.04"]
    )
    result = cli("tune", "brute:sleep=0.05", config)
    assert result.exit_code == ExitCode.FINE, result.stderr
    lines = result.stdout.splitlines()
    assert "Better than brute:sleep=0.05 by more than chance. To use it:" in lines
    assert "--backend 'brute'" in lines
    assert max(map(len, lines)) <= 80
    assert lines[-1] == "report: results/tune-brute-small/report.html"
    assert "brute:sleep=0.05" in Path("results/tune-brute-small/report.html").read_text()
    again = cli("tune", "brute:sleep=0.05", config, "--json")
    assert "0/" not in again.stderr
    *candidates, found = map(json.loads, again.stdout.splitlines())
    assert candidates[0]["candidate"] == "brute"
    assert (found["finding"], found["spec"], found["default"]) == ("better", "brute", "brute:sleep=0.05")
    assert found["test"]["ratio"] < 1
    assert found["test"]["corrected_p_value"] < 0.05
