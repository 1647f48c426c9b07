"""Configs: every key is read, and every mistake is reported with its line and what was expected."""

import copy
import math
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import yaml

from nonocsp.backends.base import Limits, Request, Task
from nonocsp.bench import load_config, plan
from nonocsp.model import FormatError, UsageError
from nonocsp.run.jobs import Access

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
executor: benchexec
pin: true
network: true
writable: [/srv/solver, ~/solver]
certify: true
"""
SHORT = """\
name: short
puzzles: [{file: puzzles.jsonl}]
backends: [brute]
"""


def test_every_key_of_a_config_is_read(write_config):
    config = load_config(write_config(FULL))
    assert config.request(5) == Request(
        Task.COUNT, Limits(2.5, 2.0, 2 * 2**30), seed=5, bound=7, certify=True
    )
    assert [entry.spec for entry in config.backends] == ["brute", "brute:sleep=0.5"]
    assert config.seeds == (1, 2)
    assert (config.repeats, config.jobs, config.puzzles[0].size) == (3, 2, (3, 4))
    assert (config.executor, config.pin, config.cluster) == ("benchexec", True, None)
    assert config.access == Access(network=True, writable=("/srv/solver", str(Path.home() / "solver")))
    assert config.puzzles[0].slice.model_dump() == {"start": 1, "stop": None, "step": 2}
    assert load_config(write_config(SHORT)).request(0) == Request(Task.DECIDE, Limits(), seed=0)


@pytest.mark.parametrize(
    ("lines", "read", "expected"),
    [
        ("task: count\nbound: all", lambda it: it.request(0), Request(Task.COUNT, bound=None)),
        ("task: count\nbound: null", lambda it: it.request(0).counts_all, True),
        ("seeds: 3", lambda it: it.seeds, (0, 1, 2)),
        ("seeds: 0..3", lambda it: it.seeds, (0, 1, 2, 3)),
        ("seeds: 1..9 by 4", lambda it: it.seeds, (1, 5, 9)),
        ("seeds: [7, 1..2]", lambda it: it.seeds, (7, 1, 2)),
        ("seeds: [-5]", lambda it: it.seeds, (-5,)),
        ("limits: {wall: 100ms, cpu: 2m}", lambda it: it.request(0).limits, Limits(0.1, 120.0, None)),
        ("limits: {wall: .5, cpu: 1.5e+2}", lambda it: it.request(0).limits, Limits(0.5, 150.0, None)),
        ("limits: {memory: 1 GiB}", lambda it: it.request(0).limits, Limits(memory=2**30)),
        ("repeats: 010", lambda it: it.repeats, 10),
    ],
)
def test_values_are_written_in_several_ways(write_config, lines, read, expected):
    assert read(load_config(write_config(f"{SHORT}{lines}\n"))) == expected


def test_only_decimal_numbers_are_numbers(write_config):
    text = SHORT.replace("jsonl}", "jsonl, slice: 1:30:5}").replace("name: short", "name: 2024-01-01")
    config = load_config(write_config(text))
    assert config.name == "2024-01-01"
    assert config.puzzles[0].slice.model_dump() == {"start": 1, "stop": 30, "step": 5}


@pytest.mark.parametrize(
    ("sweep", "specs"),
    [
        ("spec: brute, sweep: {sleep: [0, 1..2]}", ["brute", "brute:sleep=1.0", "brute:sleep=2.0"]),
        (
            "spec: hybrid, sweep: {backtracking: [yes, no], budget: [0, 100]}",
            ["hybrid:budget=0", "hybrid", "hybrid:backtracking=no,budget=0", "hybrid:backtracking=no"],
        ),
        (
            "spec: hybrid, name: h, sweep: {budget: [0, 100], search: [decay=.8+restart=luby]}",
            [
                "h-budget-0-search-decay-.8-restart-luby: hybrid:budget=0,search=decay=0.8+restart=luby",
                "h-budget-100-search-decay-.8-restart-luby: hybrid:search=decay=0.8+restart=luby",
            ],
        ),
    ],
)
def test_a_sweep_stands_for_all_its_combinations(write_config, sweep, specs):
    backends = load_config(write_config(SHORT.replace("[brute]", f"[{{{sweep}}}]"))).backends
    assert [it.spec if it.label == it.spec else f"{it.label}: {it.spec}" for it in backends] == specs


def test_paths_start_at_the_folder_of_the_config(write_config, monkeypatch):
    path = write_config(SHORT)
    monkeypatch.chdir("/")
    assert load_config(path).puzzles[0].paths() == {"puzzles.jsonl": path.parent / "puzzles.jsonl"}


def test_the_command_line_overrides_the_config(write_config):
    config = load_config(write_config(FULL))
    assert config.override() == config
    changed = config.override(wall=9.0, jobs=7, executor="inline")
    limits = changed.request(0).limits
    assert (limits, type(limits.memory)) == (Limits(9.0, 2.0, 2 * 2**30), int)
    assert (changed.jobs, changed.executor, changed.text) == (7, "inline", FULL)
    assert changed.puzzles[0].paths()
    with pytest.raises(UsageError, match="unknown executor 'magic'; there are inline, "):
        config.override(executor="magic")
    remote = load_config(write_config(f"{SHORT}executor: dask\ncluster: {{executor: warm}}\n"))
    assert remote.cluster is not None
    assert remote.cluster.executor == "warm"
    assert remote.override(jobs=3, executor="dask").cluster == remote.cluster
    assert remote.override(executor="fork").cluster is None


SOURCE = FULL[FULL.index("  - file") : FULL.index("backends")].rstrip("\n")
STANDS_FOR = {
    **{"SOURCE": SOURCE, "NINES": "9" * 5000, "SHOWN": f"'{'9' * 40}'…", "N60": "n" * 60},
    **{"\\n": "\n", "\\x07": "\x07"},
}
MISTAKES = [
    line.split(" | ")
    for line in (Path(__file__).parent / "mistakes.txt").read_text().splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(("old", "new", "line", "said"), MISTAKES)
def test_a_mistake_is_reported_with_its_line(write_config, old, new, line, said):
    for short, text in STANDS_FOR.items():
        old, new, said = (it.replace(short, text) for it in (old, new, said))
    assert old in FULL
    path = write_config(FULL.replace(old, new, 1))
    with pytest.raises(FormatError) as caught:
        load_config(path)
    assert (caught.value.file, caught.value.line) == (str(path), int(line))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", r"campaign\.yaml"),
        (b"- a\n- b\n", r"campaign\.yaml"),
        (b"just words", r"campaign\.yaml"),
        (b"name: caf\xe9", "utf-8"),
        (f"{SHORT}executor: cgroup\n".encode(), "executor cgroup is now called benchexec"),
        (f"{SHORT}writable: [/srv]\n".encode(), "only executor benchexec isolates runs"),
        (None, r"cannot read the config .*campaign\.yaml"),
    ],
)
def test_what_is_no_config_is_an_error(tmp_path, text, said):
    if text is not None:
        (tmp_path / "campaign.yaml").write_bytes(text)
        (tmp_path / "puzzles.jsonl").write_text("")
    with pytest.raises((FormatError, UsageError), match=said):
        load_config(tmp_path / "campaign.yaml")


CAMPAIGNS = {
    **{"tcga": 40, "tcga-full": 50, "tcga-1000": 1000, "survey": 93, "sizes": 100, "colour": 53},
    **{"smoke": 16, "growth": 2125, "paradigms": 100, "peers": 100},
}
"""The campaigns that come with the project, and how many puzzles each has without anybody else's."""


def test_the_campaigns_of_the_project_can_be_planned_from_its_own_puzzles(repository):
    found = {}
    for path in (repository / "configs").glob("*.yaml"):
        config = load_config(path)
        runs = list(plan(config))
        found[path.stem] = len(
            {(it.source.name, it.source.index) for it in runs if "webpbn" not in it.source.name}
        )
        assert config.name == path.stem
        assert "hybrid" in {run.spec for run in runs}
    assert found == CAMPAIGNS


WRONG = (None, True, -1, 10**30, math.nan, "text", "1e999", ["a"], {"a": 1})
WHOLE = yaml.safe_load(FULL) | {
    "puzzles": [
        {"random": dict.fromkeys(("rows", "columns", "count", "colours"), 1) | {"density": 0.5, "seed": 0}},
        {"dominoes": [3], "slice": {"start": 0, "stop": 3, "step": 1}},
        {"file": "puzzles.jsonl", "format": "jsonl", "size": "3x4", "optional": True},
    ],
    "backends": ["settle", {"spec": "hybrid", "name": "swept", "sweep": {"budget": [1, "2..3"]}}],
    "executor": "dask",
    "cluster": {"executor": "warm"},
}
OURS = "expected|unknown|missing|no file|has one of|has no option|are for files|a cluster|isolates"
THEIRS = "Input|should|valid|another value|NoneType|tuple|dict|Value error"


def places(value: Any, *keys: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the keys that lead to a value and to all within it."""
    yield keys
    entries = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, inner in entries:
        yield from places(inner, *keys, key)


@pytest.mark.parametrize("place", [*places(WHOLE)], ids=lambda place: ".".join(map(str, place)) or "config")
def test_no_message_uses_the_words_of_the_validator(write_config, place):
    said = []
    for value in WRONG:
        holder = root = [copy.deepcopy(WHOLE)]
        *outer, last = (0, *place)
        for key in outer:
            holder = holder[key]
        holder[last] = value
        with suppress(UsageError):
            try:
                load_config(write_config(yaml.safe_dump(root[0])))
            except FormatError as error:
                said.append(str(error))
    assert said
    for message in said:
        assert not re.search(THEIRS, message), message
        assert re.search(OURS, message), message
