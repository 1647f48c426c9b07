"""Configs: what they say, and how they tell people what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from nonocsp.backends.base import Limits, Request, Task
from nonocsp.bench import load_config
from nonocsp.model import FormatError, UsageError

pytestmark = pytest.mark.usefixtures("unruly")

FULL = """\
name: full
puzzles:
  - file: "*.jsonl"
    slice: {start: 1, step: 2}
    format: jsonl
    size: 3x4
backends: [brute, "brute:sleep=0.5"]
task: count
bound: 7
limits: {wall: 2.5, cpu: 2, memory: 2 GiB}
seeds: [1, 2]
repeats: 3
jobs: 2
"""
SHORT = """\
name: short
puzzles: [{file: puzzles.jsonl}]
backends: [brute]
"""


def test_everything_that_a_config_can_say_arrives(write_config: Callable[[str], Path]) -> None:
    config = load_config(write_config(FULL))
    assert config.request(5) == Request(Task.COUNT, Limits(2.5, 2.0, 2 * 2**30), seed=5, bound=7)
    assert (config.backends, config.seeds) == (("brute", "brute:sleep=0.5"), (1, 2))
    assert (config.repeats, config.jobs, config.puzzles[0].size) == (3, 2, (3, 4))
    assert config.puzzles[0].slice.model_dump() == {"start": 1, "stop": None, "step": 2}


def test_only_name_puzzles_and_backends_are_needed(write_config: Callable[[str], Path]) -> None:
    config = load_config(write_config(SHORT))
    assert config.request(0) == Request(Task.DECIDE, Limits(), seed=0)


def test_paths_start_at_the_folder_of_the_config(
    write_config: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_config(SHORT)
    monkeypatch.chdir("/")
    assert load_config(path).puzzles[0].paths() == {"puzzles.jsonl": path.parent / "puzzles.jsonl"}


def test_the_wall_limit_can_be_replaced(write_config: Callable[[str], Path]) -> None:
    config = load_config(write_config(FULL)).override(wall=9.0)
    assert config.request(0).limits == Limits(9.0, 2.0, 2 * 2**30)
    assert config.puzzles[0].paths()


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("backends:", "bakends:", 7, "unknown key 'bakends' (did you mean 'backends'?)"),
        ("    slice:", "    slices:", 4, "unknown key 'slices' (did you mean 'slice'?)"),
        ("cpu:", "cpus:", 10, "unknown key 'cpus' (did you mean 'cpu'?)"),
        ("step: 2", "stepp: 2", 4, "unknown key 'stepp' (did you mean 'step'?)"),
        ("jobs: 2", "colour: red", 13, "expected one of name, puzzles, backends"),
        ("name: full\n", "", 1, "the key 'name' is missing"),
        ("name: full", "name: a/b", 1, "name: "),
        ("jobs: 2", "jobs: none", 13, "jobs: Input should be a valid integer"),
        ("jobs: 2", "jobs: 0", 13, "greater than 0"),
        ("wall: 2.5", "wall: -1", 10, "limits.wall: "),
        ("2 GiB", "much", 10, "limits.memory: "),
        ("task: count", "task: guess", 8, "'solve', 'decide' or 'count'"),
        ('"*.jsonl"', "nothing.txt", 3, "no file matches 'nothing.txt'"),
        ("3x4", "3 by 4", 6, "expected rows and columns such as '25x30'"),
        ("{start: 1, step: 2}", '"every tenth"', 4, "expected start:stop:step"),
        ("[brute,", "[brut,", 7, "unknown backend 'brut'; there are blocks, brute, "),
        ("sleep=0.5", "slep=0.5", 7, "has no option 'slep'; its options: sleep"),
        ("repeats: 3", "jobs: 3", 13, "the key 'jobs' stands here a second time"),
        ("repeats: 3", "repeats: [3", 13, "not YAML"),
    ],
)
def test_a_mistake_is_told_with_its_line_and_what_would_be_right(
    write_config: Callable[[str], Path], old: str, new: str, line: int, said: str
) -> None:
    assert old in FULL
    path = write_config(FULL.replace(old, new, 1))
    with pytest.raises(FormatError) as caught:
        load_config(path)
    assert (caught.value.file, caught.value.line) == (str(path), line)
    assert said in str(caught.value)


@pytest.mark.parametrize("text", ["", "- a\n- b\n", "just words"])
def test_a_config_that_is_no_mapping_is_an_error(write_config: Callable[[str], Path], text: str) -> None:
    with pytest.raises(FormatError, match=r"campaign\.yaml"):
        load_config(write_config(text))


def test_a_config_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot read the config .*missing.yaml"):
        load_config(tmp_path / "missing.yaml")
    (tmp_path / "latin.yaml").write_bytes(b"name: caf\xe9")
    with pytest.raises(UsageError, match="utf-8"):
        load_config(tmp_path / "latin.yaml")
