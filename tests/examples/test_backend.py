"""The backend in examples/, installed as its README says, works like any other backend."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from nonocsp import Puzzle, save

NONOCSP = (sys.executable, "-c", "from nonocsp.cli import main; main()")
Command = Callable[..., str]


@pytest.fixture(scope="module")
def example(repository) -> Path:
    return repository / "examples" / "backend"


@pytest.fixture(scope="module")
def installed(example, tmp_path_factory) -> Command:
    """Install the example into a folder of its own; return what runs a command that finds it there."""
    pytest.importorskip("hatchling")  # what builds the example
    folder = tmp_path_factory.mktemp("site-packages")
    offline = ("--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check")
    pip = [sys.executable, "-m", "pip", "install", *offline, "--target", str(folder), str(example)]
    subprocess.run(pip, check=True)
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])

    def run(*command: str, cwd: Path) -> str:
        done = subprocess.run(
            command,
            cwd=cwd,
            env={**os.environ, "PYTHONPATH": path, "COLUMNS": "80"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


@pytest.fixture
def cat(tmp_path) -> Path:
    path = tmp_path / "cat.json"
    save([Puzzle.from_clues([[1, 1], [3], [1]], [[2], [2], [2]], title="Cat")], path)
    return path


@pytest.mark.slow
def test_the_examples_own_tests_pass(installed, example):
    installed(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", cwd=example)


def test_the_example_is_listed_and_has_a_command(installed, cat, tmp_path):
    listed = json.loads(installed(*NONOCSP, "backends", "prefix", "--json", cwd=tmp_path))
    assert (listed["name"], listed["version"], listed["available"]) == ("prefix", "1.0.0", True)
    outcome = json.loads(installed(*NONOCSP, "prefix", str(cat), "--first", "empty", "--json", cwd=tmp_path))
    assert (outcome["answer"], outcome["termination"]) == ("unique", "ok")
    assert outcome["stats"]["nodes"] >= 9


@pytest.mark.slow
def test_a_campaign_measures_the_example_beside_other_backends(installed, cat, tmp_path):
    (tmp_path / "cats.yaml").write_text(
        f"name: cats\npuzzles: [{{file: {cat.name}}}]\nbackends: [settle, prefix, 'prefix:first=empty']\n"
    )
    rows = installed(*NONOCSP, "bench", "cats.yaml", "--json", cwd=tmp_path).splitlines()
    found = {(row["backend"], row["answer"]) for row in map(json.loads, rows)}
    assert found == {("settle", "unique"), ("prefix", "unique"), ("prefix:first=empty", "unique")}
