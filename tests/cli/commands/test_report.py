"""``nonocsp report``: its formats, where they go, its exit codes, and what it says of damaged rows."""

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nonocsp.bench.report import paper
from tools.benchmarks.harness import synthetic

BACKENDS, PUZZLES = 3, 12
TABLES = ("scores", "times", "portfolio", "classes", "sets", "options", "pairs")


@pytest.fixture
def folder(tmp_path) -> Path:
    return results(tmp_path / "results")


def results(folder: Path, **changes: Any) -> Path:
    synthetic.write_campaign(folder, synthetic.rows(backends=BACKENDS, puzzles=PUZZLES, **changes))
    return folder


def change_rows(folder: Path, change: Callable[[list[str]], list[str]]) -> None:
    path = folder / "runs.jsonl"
    path.write_text("".join(change(path.read_text().splitlines(keepends=True))))


def test_without_options_report_prints_tables_and_writes_the_page(cli, folder):
    result = cli("report", folder)
    assert result.exit_code == 0
    for title in ("Scores", "Wall times", "Pairs", "hybrid:budget=1", "virtual best"):
        assert title in result.stdout
    assert max(map(len, result.stdout.splitlines()[:-1])) <= 80
    assert f"report: {folder / 'report.html'}" in result.stdout
    assert (folder / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("format", "files"),
    [
        ("html", ["report.html"]),
        ("csv", [f"tables/{name}.csv" for name in TABLES]),
    ],
)
def test_each_format_is_written_into_the_folder_of_the_campaign(cli, folder, format, files):
    result = cli("report", "--format", format, folder)
    assert result.exit_code == 0
    assert result.stdout.split() == [word for file in files for word in ("report:", str(folder / file))]
    assert all((folder / file).stat().st_size > 40 for file in files)


def test_texts_are_printed_alone_or_written_to_the_given_file(cli, folder, here):
    before = set(folder.iterdir())
    starts = {"csv": "backend,decided,", "latex": "\\begin{table}", "markdown": "### Scores"}
    for format, start in {**starts, "terminal": "Scores"}.items():
        printed = cli("report", "--format", format, "--table", "scores", folder).stdout
        assert printed.startswith(start)
        assert "Pairs" not in printed
    printed = cli("report", "--format", "markdown", folder).stdout
    assert "Every answer was verified" in printed
    assert "| backend | decided |" in printed
    result = cli("report", "--format", "markdown", "--output", "new/table.md", folder)
    assert "report: new/table.md" in result.stdout
    assert Path("new/table.md").read_text() == printed
    assert set(folder.iterdir()) == before


def test_the_command_in_the_readme_of_a_paper_makes_the_same_folder_again(cli, folder, here, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(paper, "write_plots", lambda *_: [])  # their tests compare them
    options = ("--by", "cpu", "--pair", "settle,hybrid:budget=2", "--paper", "my paper")
    result = cli("report", folder.name, *options)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("report: my paper/README.md, which describes ")
    files = {path: path.read_bytes() for path in Path("my paper").rglob("*") if path.is_file()}
    (command,) = re.findall(r"```sh\n(.*)\n```", Path("my paper/README.md").read_text())
    assert cli(*shlex.split(command)[1:]).exit_code == 0
    assert {path: path.read_bytes() for path in Path("my paper").rglob("*") if path.is_file()} == files
    assert "by CPU time" in Path("my paper/tables/scores.tex").read_text()


def test_json_has_scores_and_pairs_by_wall_or_cpu_time(cli, records, folder):
    def halve(lines: list[str]) -> list[str]:
        rows = [json.loads(line) for line in lines]
        return [json.dumps(row | {"cpu_s": row["wall_s"] / 2}) + "\n" for row in rows]

    change_rows(folder, halve)
    wall, cpu = (records("report", "--by", by, folder) for by in ("wall", "cpu"))
    kinds = [record["kind"] for record in wall]
    assert (kinds.count("score"), kinds.count("pair")) == (BACKENDS + 1, BACKENDS * (BACKENDS - 1) // 2)
    assert not (folder / "report.html").exists()
    for first, second in zip(wall, cpu, strict=True):
        if first["kind"] == "score":
            assert second["total_s"] == pytest.approx(first["total_s"] / 2)
    printed = cli("report", "--by", "cpu", "--format", "terminal", folder).stdout
    assert "Scores by CPU time" in printed
    assert "CPU times" in printed


def test_a_regression_makes_the_exit_code_1_and_comes_first(cli, folder, tmp_path):
    slower = {synthetic.specs_of(BACKENDS)[0]: 4.0}
    once = results(tmp_path / "once", slower=slower)
    assert cli("report", folder, "--baseline", folder, once).exit_code == 0
    before = results(tmp_path / "before", repeats=5)
    after = results(tmp_path / "after", repeats=5, hours=12, slower=slower)
    result = cli("report", before, after)
    assert result.exit_code == 0
    assert "--baseline FOLDER shows what changed" in result.stderr
    assert "hybrid:budget=1 @ before" in " ".join(result.stdout.split())
    result = cli("report", after, "--baseline", before)
    assert result.exit_code == 1
    assert result.stdout == cli("report", "--baseline", before, before, after).stdout
    assert result.stdout.startswith("From before to after")
    assert "regression" in result.stdout
    assert (after / "comparison.html").exists()
    assert not (after / "report.html").exists()


def test_a_contradiction_makes_the_exit_code_1_and_comes_first(cli, folder):
    def deny(lines: list[str]) -> list[str]:
        row = json.loads(lines[0]) | {"answer": "unsat", "solutions": [], "termination": "ok"}
        return [json.dumps(row) + "\n", *lines[1:]]

    change_rows(folder, deny)
    result = cli("report", folder)
    assert (result.exit_code, result.stdout[:13]) == (1, "Disagreements")


@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        (lambda lines: [*lines[:-3], lines[-3][:40]], 0, "3 of 36 runs are still to be done"),
        (lambda lines: [lines[0], "nonsense\n", *lines[1:]], 0, "runs.jsonl:2: JSON is malformed"),
        (lambda lines: [lines[0], "{}\n", *lines[1:]], 0, "runs.jsonl:2: object missing required field"),
        (lambda lines: ["nonsense\n"], 2, "runs.jsonl:1: JSON is malformed"),
        (lambda lines: [], 2, "holds no run yet"),
    ],
    ids=["being written", "no JSON", "no row", "nothing else", "empty"],
)
def test_what_is_wrong_with_rows_is_told_with_its_place(cli, folder, change, code, said):
    change_rows(folder, change)
    result = cli("report", folder)
    assert (result.exit_code, said in result.stderr) == (code, True)
