"""What is made to do harm is refused, or read, in little time and memory; nothing else is reached by it."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.fuzzing.hostile import Nursery, react
from tools.fuzzing.hostile_campaigns import scenes
from tools.fuzzing.hostile_files import Case, cases
from tools.fuzzing.trial import attempt, targets

TARGETS = targets()
MOST_S = 20.0
"""On a machine that does other things, too; `python -m tools.fuzzing.hostile` is for measuring."""


def _has(case: Case, words: tuple[str, ...]) -> bool:
    return any(word in case.name for word in words)


LONG_IN_THE_MAKING = (
    "GiB",
    "4096x4096",
    "30000",
    "PNG of 2147",
    "gzip in gzip",
    "endless",
    "33 MB",
    "gzip of empty",
    "a name of 150 MB",
    "JSON, json: ",
)
LONG_IN_THE_READING = ("256 MiB", "70 000 headers", "many elements", "empty lists", "far too many cells")
CASES = [
    pytest.param(case, id=case.name, marks=[pytest.mark.slow] * _has(case, LONG_IN_THE_READING))
    for case in cases()
    if not _has(case, LONG_IN_THE_MAKING)
]


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    nursery = Nursery()
    yield nursery
    nursery.close()


@pytest.mark.parametrize("case", CASES)
def test_hostile_files_cause_no_crash(case):
    assert attempt(TARGETS[case.target], case.content(), MOST_S) is None


@pytest.mark.slow
def test_hostile_campaigns_are_refused_in_little_time_and_memory(nursery, tmp_path):
    for number, scene in enumerate(scenes()):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        scene.make(folder)
        has_precious = (precious := folder / "precious").exists()
        found = nursery.react(scene.command, folder)
        assert scene.said in found.said, scene.name
        assert found.code == scene.code, scene.name
        assert not has_precious or precious.read_text() == "mine", scene.name
        assert found.is_fine(factor=MOST_S), (scene.name, found)
        shutil.rmtree(folder)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("puzzle.json").write_text('{"rows": [[1]], "columns": [[1]]}')
    Path("folder").mkdir()
    Path("dangling").symlink_to("nowhere")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("solve folder", "folder has no file with a suffix of puzzles"),
        ("solve dangling", "dangling: there is no such file"),
        ("solve /dev/null", "/dev/null: the file is empty"),
        ("solve /dev/zero", "/dev/zero: the format is not recognised"),
        ("solve /dev/zero --from json", "/dev/zero: a line is too long"),
        (f"solve {'a' * 5000}", "cannot be opened: File name too long"),
        ("generate /dev/zero", "/dev/zero: the file is too large"),
        ("bench /dev/zero", "/dev/zero: the file is too large; expected a config of at most 32 KiB"),
        ("certificate verify /dev/zero", "/dev/zero: the file is too large"),
        ("explain puzzle.json --hint /dev/zero", "/dev/zero: a line is too long"),
        ("convert puzzle.json /dev/full --to json --force", "No space left on device"),
    ],
)
def test_folders_and_devices_are_refused(folder, nursery, tmp_path, command, said):
    found = nursery.react(command.split(), tmp_path)
    assert found.code == 2
    assert said in found.said
    assert found.cpu_s < MOST_S


@pytest.mark.parametrize(
    ("line", "format"), [("1", "json"), ("#", "picross"), ("$1", "tournament"), ("{}", "json")]
)
def test_endless_standard_input_is_refused(folder, line, format):
    with subprocess.Popen(["yes", line], stdout=subprocess.PIPE) as endless:
        assert endless.stdout
        found = react(["convert", "-", "-", "--to", "jsonl", "--from", format], endless.stdout.fileno())
        endless.stdout.close()
    assert found.code == 2
    assert found.said.startswith("error: <stdin>")
    assert found.cpu_s < MOST_S


def test_a_fifo_is_read_like_any_file(folder):
    os.mkfifo("fifo")
    with subprocess.Popen("cat puzzle.json > fifo", shell=True):
        assert react(["convert", "fifo", "-", "--to", "jsonl"]).code == 0
