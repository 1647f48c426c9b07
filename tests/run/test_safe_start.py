"""No process that nonocsp starts imports what lies in the current folder."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from nonocsp.run.benchexec import benchexec_problem

TRAP = """
import os
os.close(os.open({mark!r}, os.O_CREAT))
raise SystemExit("imported from the current folder")
"""
TRAPPED = ("json", "random", "numpy", "socket", "pickle", "dask", "benchexec", "resource")
CAMPAIGN = """
name: here
backends: [settle, brute]
puzzles: [{random: {rows: 3, columns: 3, density: 0.5, count: 2, seed: 1}}]
"""
BENCH = [sys.executable, "-P", "-c", "from nonocsp.cli import main; main()", "bench"]
SOLVE_MANY = """
import nonocsp
puzzle = nonocsp.Puzzle.from_clues([[1]] * 3, [[1]] * 3)
for backend, wall in (("brute", None), ("hybrid", 9.0)):
    print(*(outcome.answer for outcome in nonocsp.solve_many([puzzle] * 4, backend, jobs=2, wall=wall)))
"""


@pytest.fixture
def traps(tmp_path) -> Path:
    """A folder of modules that leave a mark and break whoever imports them."""
    folder = tmp_path / "traps"
    (folder / "nonocsp").mkdir(parents=True)
    trap = TRAP.format(mark=str(tmp_path / "imported"))
    for name in TRAPPED:
        (folder / f"{name}.py").write_text(trap)
    (folder / "nonocsp" / "__init__.py").write_text(trap)
    return folder


@pytest.fixture
def checkout(tmp_path, repository) -> Path:
    """A checkout of nonocsp whose core was never built."""
    folder = tmp_path / "checkout"
    shutil.copytree(
        repository / "nonocsp",
        folder / "nonocsp",
        ignore=shutil.ignore_patterns("*.so", "cpp", "__pycache__"),
    )
    return folder


def in_folder(folder: Path, command: list[str], python_path: str) -> str:
    environment = {**os.environ, "PYTHONPATH": python_path}
    environment.pop("PYTHONSAFEPATH", None)
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def bench(folder: Path, executor: str, python_path: str) -> list[dict[str, Any]]:
    """Run a campaign in a folder and return its rows."""
    (folder / "here.yaml").write_text(CAMPAIGN)
    in_folder(
        folder, [*BENCH, "here.yaml", "--executor", executor, "--jobs", "1", "--output", "out"], python_path
    )
    return [json.loads(line) for line in (folder / "out" / "runs.jsonl").read_text().splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("executor", ["fork", "warm", "benchexec", "dask"])
def test_a_campaign_imports_nothing_from_the_folder_it_starts_in(traps, executor, unruly_path):
    if executor == "benchexec" and (problem := benchexec_problem()):
        pytest.skip(problem)
    if executor == "dask":
        pytest.importorskip("distributed")
    rows = bench(traps, executor, unruly_path)
    assert {(row["backend"], row["termination"]) for row in rows} == {("settle", "ok"), ("brute", "ok")}
    assert not (traps.parent / "imported").exists()


def test_solve_many_imports_nothing_from_the_folder_it_starts_in(traps, unruly_path):
    said = in_folder(traps, [sys.executable, "-P", "-c", SOLVE_MANY], unruly_path)
    assert said.split() == ["multiple"] * 8
    assert not (traps.parent / "imported").exists()


@pytest.mark.slow
def test_a_campaign_runs_inside_a_checkout_that_was_never_built(checkout, unruly_path):
    assert {row["termination"] for row in bench(checkout, "fork", unruly_path)} == {"ok"}
    said = in_folder(checkout, [sys.executable, "-P", "-c", SOLVE_MANY], unruly_path)
    assert said.split() == ["multiple"] * 8
