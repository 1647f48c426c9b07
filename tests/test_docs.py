"""What the documentation shows does what it says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from nonocsp.testing import check_backend


def code_blocks(path: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", path.read_text(), re.DOTALL)


def run_block(code: str) -> dict[str, Any]:
    namespace: dict[str, Any] = {"__name__": "documentation"}
    exec(compile(code, "documentation", "exec", dont_inherit=True), namespace)
    return namespace


def test_the_python_example_of_the_readme_prints_what_it_says(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = code_blocks(repository / "README.md", "python")
    run_block(code)
    printed = capsys.readouterr().out
    assert printed.startswith(re.findall(r"# (\w+ \w+)$", code, re.MULTILINE)[0])
    assert "# . #" in printed


def test_the_backend_that_the_manual_shows_passes_the_conformance_suite(repository: Path) -> None:
    (code,) = code_blocks(repository / "docs" / "explanation" / "backends.md", "python")
    names = run_block(code)
    check_backend(names["Guess"](names["GuessOptions"](tries=50)), sample=2000)


def test_the_certificate_that_the_manual_makes_verifies(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = code_blocks(repository / "docs" / "explanation" / "certificates.md", "python")
    monkeypatch.chdir(tmp_path)
    run_block(code)
    assert capsys.readouterr().out == "unique True\n"


def test_the_example_of_scoring_prints_what_the_manual_says(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = repository / "docs" / "reference" / "scoring.md"
    (code,), (printed,) = code_blocks(page, "python"), code_blocks(page, "text")
    run_block(code)
    assert capsys.readouterr().out == printed


def test_the_report_that_the_manual_makes_from_python_is_written(repository: Path, tmp_path: Path) -> None:
    from benchmarks import synthetic

    (code,) = code_blocks(repository / "docs" / "reference" / "report.md", "python")
    synthetic.write_campaign(tmp_path, synthetic.rows(backends=2, puzzles=4))
    run_block(code)["publish"](tmp_path)
    assert (tmp_path / "report.html").exists()
    assert (tmp_path / "tables" / "scores.csv").exists()


def test_the_difficulty_that_the_manual_shows_is_what_python_prints(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = code_blocks(repository / "docs" / "explanation" / "difficulty.md", "python")
    run_block(code)
    assert capsys.readouterr().out.rstrip() == code.rsplit("# ")[-1].rstrip()


def test_the_config_that_the_manual_shows_is_valid(repository: Path, tmp_path: Path) -> None:
    from nonocsp.bench import load_config

    (code,) = code_blocks(repository / "docs" / "reference" / "campaigns.md", "yaml")
    path = tmp_path / "shown.yaml"
    path.write_text(code.replace("../datasets", str(repository / "datasets")))
    assert load_config(path).name == "tcga"


def test_links_between_pages_lead_somewhere(repository: Path) -> None:
    for page in (repository / "README.md", *(repository / "docs").rglob("*.md")):
        for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text()):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_puzzles_that_the_manual_generates_are_as_it_says(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = code_blocks(repository / "docs" / "explanation" / "generate.md", "python")
    run_block(code)
    assert capsys.readouterr().out.splitlines() == re.findall(r"^# (.*)$", code, re.MULTILINE)
