"""Configs: every key is read, and every mistake gets a clear message."""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Callable, Iterator
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
"""
SHORT = """\
name: short
puzzles: [{file: puzzles.jsonl}]
backends: [brute]
"""


def test_every_key_of_a_config_is_read(write_config: Callable[[str], Path]) -> None:
    config = load_config(write_config(FULL))
    assert config.request(5) == Request(Task.COUNT, Limits(2.5, 2.0, 2 * 2**30), seed=5, bound=7)
    assert [entry.spec for entry in config.backends] == ["brute", "brute:sleep=0.5"]
    assert config.seeds == (1, 2)
    assert (config.repeats, config.jobs, config.puzzles[0].size) == (3, 2, (3, 4))
    assert (config.executor, config.pin, config.cluster) == ("benchexec", True, None)
    assert config.access == Access(network=True, writable=("/srv/solver", str(Path.home() / "solver")))
    assert config.puzzles[0].slice.model_dump() == {"start": 1, "stop": None, "step": 2}


@pytest.mark.parametrize("given", ["writable: [/srv]"])
def test_only_containers_take_network_and_folders(write_config: Callable[[str], Path], given: str) -> None:
    with pytest.raises(FormatError, match="only executor benchexec isolates runs"):
        load_config(write_config(f"{SHORT}{given}\n"))
    with pytest.raises(FormatError, match="executor cgroup is now called benchexec"):
        load_config(write_config(f"{SHORT}executor: cgroup\n"))


@pytest.mark.parametrize("bound", ["all", "null"])
def test_all_solutions_are_counted_without_a_bound(write_config: Callable[[str], Path], bound: str) -> None:
    config = load_config(write_config(f"{SHORT}task: count\nbound: {bound}\n"))
    assert config.request(0) == Request(Task.COUNT, bound=None)
    assert config.request(0).counts_all


def test_a_config_needs_only_name_puzzles_and_backends(write_config: Callable[[str], Path]) -> None:
    config = load_config(write_config(SHORT))
    assert config.request(0) == Request(Task.DECIDE, Limits(), seed=0)


def test_seeds_may_be_a_number_a_range_or_a_list_of_both(write_config: Callable[[str], Path]) -> None:
    for written, seeds in (
        ("3", (0, 1, 2)),
        ("0..3", (0, 1, 2, 3)),
        ("1..9 by 4", (1, 5, 9)),
        ("[7, 1..2]", (7, 1, 2)),
        ("[-5]", (-5,)),
    ):
        assert load_config(write_config(f"{SHORT}seeds: {written}\n")).seeds == seeds


def test_limits_may_be_written_with_units(write_config: Callable[[str], Path]) -> None:
    limits = load_config(write_config(f"{SHORT}limits: {{wall: 100ms, cpu: 2m, memory: 1 GiB}}\n")).limits
    assert (limits.wall, limits.cpu, limits.memory) == (0.1, 120.0, 2**30)


def test_only_decimal_numbers_are_numbers(write_config: Callable[[str], Path]) -> None:
    text = SHORT.replace("jsonl}", "jsonl, slice: 1:30:5}").replace("name: short", "name: 2024-01-01")
    config = load_config(
        write_config(f"{text}repeats: 010\nlimits: {{wall: .5, cpu: 1.5e+2, memory: 1073741824}}\n")
    )
    assert (config.name, config.repeats) == ("2024-01-01", 10)
    assert config.puzzles[0].slice.model_dump() == {"start": 1, "stop": 30, "step": 5}
    assert config.request(0).limits == Limits(0.5, 150.0, 2**30)


SWEPT = SHORT.replace("[brute]", "[deny, {spec: brute, sweep: {sleep: [0, 1..2]}}]")


def test_a_sweep_stands_for_the_specs_of_all_its_combinations(write_config: Callable[[str], Path]) -> None:
    config = load_config(write_config(SWEPT))
    assert [entry.label for entry in config.backends] == [
        "deny",
        "brute",
        "brute:sleep=1.0",
        "brute:sleep=2.0",
    ]
    sweep = "{spec: hybrid, sweep: {backtracking: [yes, no], budget: [0, 100]}}"
    config = load_config(write_config(SHORT.replace("[brute]", f"[{sweep}]")))
    assert [entry.spec for entry in config.backends] == [
        *("hybrid:budget=0", "hybrid", "hybrid:backtracking=no,budget=0", "hybrid:backtracking=no"),
    ]


def test_a_swept_backend_with_a_name_passes_it_on_as_a_prefix(write_config: Callable[[str], Path]) -> None:
    sweep = "{spec: hybrid, name: h, sweep: {budget: [0, 100], search: [decay=.8+restart=luby]}}"
    config = load_config(write_config(SHORT.replace("[brute]", f"[{sweep}]")))
    assert [(entry.label, entry.spec) for entry in config.backends] == [
        ("h-budget-0-search-decay-.8-restart-luby", "hybrid:budget=0,search=decay=0.8+restart=luby"),
        ("h-budget-100-search-decay-.8-restart-luby", "hybrid:search=decay=0.8+restart=luby"),
    ]


def test_a_sweep_is_stored_as_its_specs_and_a_changed_one_keeps_the_existing_runs(
    write_config: Callable[[str], Path],
) -> None:
    config = load_config(write_config(SWEPT))
    stored = config.model_dump(mode="json", exclude_none=True)["backends"]
    assert stored == ["deny", "brute", "brute:sleep=1.0", "brute:sleep=2.0"]
    assert "sweep" in config.text
    runs = {run.spec: run.id for run in plan(config)}
    written_out = SHORT.replace("[brute]", '[brute, "brute:sleep=1", deny]')
    longer = SWEPT.replace("1..2", "1..3")
    for text, more in ((written_out, set()), (longer, {"brute:sleep=3.0"})):
        other = {run.spec: run.id for run in plan(load_config(write_config(text)))}
        assert other.keys() - runs.keys() == more
        assert all(other[spec] == runs[spec] for spec in other.keys() & runs.keys())


def test_paths_are_relative_to_the_folder_of_the_config(
    write_config: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_config(SHORT)
    monkeypatch.chdir("/")
    assert load_config(path).puzzles[0].paths() == {"puzzles.jsonl": path.parent / "puzzles.jsonl"}


def test_the_command_line_overrides_the_config(
    write_config: Callable[[str], Path],
) -> None:
    config = load_config(write_config(FULL))
    assert config.override() == config
    changed = config.override(wall=9.0, jobs=7, executor="inline")
    limits = changed.request(0).limits
    assert limits == Limits(9.0, 2.0, 2 * 2**30)
    assert type(limits.memory) is int  # a run that gets anything else has to import it first
    assert (changed.jobs, changed.executor, changed.text) == (7, "inline", FULL)
    assert changed.puzzles[0].paths()


def test_choosing_an_executor_other_than_dask_drops_the_cluster(
    write_config: Callable[[str], Path],
) -> None:
    config = load_config(write_config(f"{SHORT}executor: dask\ncluster: {{executor: warm}}\n"))
    assert config.cluster is not None
    assert config.cluster.executor == "warm"
    assert config.override(jobs=3, executor="dask").cluster == config.cluster
    assert config.override(executor="fork").cluster is None


def test_an_unknown_executor_on_the_command_line_is_an_error(write_config: Callable[[str], Path]) -> None:
    with pytest.raises(UsageError, match="unknown executor 'magic'; there are inline, "):
        load_config(write_config(FULL)).override(executor="magic")


NINES, SHOWN = "9" * 5000, f"'{'9' * 40}'…"


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("backends:", "bakends:", 7, "unknown key 'bakends' (did you mean 'backends'?)"),
        ("    slice:", "    slices:", 4, "unknown key 'slices' (did you mean 'slice'?)"),
        ("cpu:", "cpus:", 10, "unknown key 'cpus' (did you mean 'cpu'?)"),
        ("step: 2", "stepp: 2", 4, "unknown key 'stepp' (did you mean 'step'?)"),
        ("jobs: 2", "colour: red", 13, "expected one of name, description, puzzles, backends"),
        ("name: full\n", "", 1, "the key 'name' is missing"),
        ("name: full", "name: a/b", 1, "name: expected letters, digits, '.', '_' and '-', with"),
        ("jobs: 2", "1: 2", 13, "unknown key '1'; expected one of name, description, puzzles, backends"),
        ("jobs: 2", "yes: 2", 13, "unknown key 'yes'; expected one of name"),
        ("jobs: 2", "~: 2", 13, "unknown key '~'; expected one of name"),
        ("cpu: 2,", "1.5: 2,", 10, "unknown key '1.5'; expected one of wall, cpu, memory"),
        ("jobs: 2", "jobs: none", 13, "jobs: expected a whole number, not 'none'"),
        ("jobs: 2", "jobs: 0", 13, "jobs: expected a number above 0, not 0"),
        ("wall: 2.5", "wall: -1", 10, "limits.wall: expected a number above 0, not -1"),
        ("2 GiB", "much", 10, "limits.memory: expected a size such as 512 MiB or 2 GiB, not 'much'"),
        (
            "seeds: [1, 2]",
            "seeds: {a: 1}",
            11,
            "seeds: expected a number of seeds, such as 20, a range, such",
        ),
        ("2 GiB", "1:00", 10, "limits.memory: expected a size such as 512 MiB or 2 GiB, not '1:00'"),
        ("2 GiB", "8 bit", 10, "limits.memory: expected a size such as 512 MiB or 2 GiB, not '8 bit'"),
        ("wall: 2.5", "wall: 1:30", 10, "expected a duration: '1:30' is not a duration such as 10, 10s,"),
        ("repeats: 3", "repeats: 0x10", 12, "repeats: expected a whole number, not '0x10'"),
        ("seeds: [1, 2]", "seeds: 010", 11, "seeds: expected a number of seeds, such as 20, a range, such"),
        ("seeds: [1, 2]", "seeds: 0", 11, "seeds: expected from 1 to 10000 seeds, not 0"),
        ("seeds: [1, 2]", "seeds: 1..", 11, "seeds: expected a range such as 5..30 by 5"),
        ("seeds: [1, 2]", "seeds: 0..99999", 11, "at most 10000 values; '0..99999' stands for 100000"),
        ("seeds: [1, 2]", "seeds: 0..1 by 0.5", 11, "seeds: expected a whole number, not 0.5"),
        ("2 GiB", '"1,5 GB"', 10, "limits.memory: expected a size such as 512 MiB or 2 GiB, not '1,5 GB'"),
        ("2 GiB", f"{NINES} GB", 10, f"limits.memory: expected a size such as 512 MiB or 2 GiB, not {SHOWN}"),
        ("wall: 2.5", f"wall: {NINES}s", 10, f"expected a duration such as 10s, 2m or 100ms, not {SHOWN}"),
        ("wall: 2.5", "wall: true", 10, "limits.wall: expected a number, not true"),
        ("2 GiB", "yes", 10, "limits.memory: expected a number, not true"),
        ("jobs: 2", "jobs: yes", 13, "jobs: expected a number, not true"),
        ("repeats: 3", "repeats: true", 12, "repeats: expected a number, not true"),
        ("{start: 1, step: 2}", "{step: true}", 4, "slice.step: expected a number, not true"),
        ("pin: true", "pin: !!bool abc", 15, "not YAML: 'abc' does not fit the type 'bool'"),
        ("jobs: 2", 'jobs: !!int ""', 13, "not YAML: '' does not fit the type 'int'"),
        ("name: full", "name: !!timestamp abc", 1, "not YAML: 'abc' does not fit the type 'timestamp'"),
        (
            "[brute,",
            '[{spec: brute, sweep: {sleep: ["\\ud800"]}},',
            7,
            "sweep: 'sleep': expected text without half characters",
        ),
        ("wall: 2.5", "wall: 3 years", 10, "limits.wall: expected a duration: '3 years' is not a duration"),
        ("seeds: [1, 2]", "seeds: []", 11, "seeds: expected at least one entry, not an empty list"),
        ("seeds: [1, 2]", "seeds: [1, x]", 11, "seeds.1: expected a whole number, not 'x'"),
        ("pin: true", "pin: perhaps", 15, "pin: expected true or false, not 'perhaps'"),
        ("size: 3x4", "size: 3", 6, "puzzles.0.size: expected rows and columns, such as '25x30', not 3"),
        ("2 GiB}", "[1]}", 10, "limits.memory: expected a size such as 512 MiB or 2 GiB, not a list"),
        ("task: count", "task: guess", 8, "'solve', 'decide' or 'count'"),
        ('"*.jsonl"', "nothing.txt", 3, "no file matches 'nothing.txt'"),
        ("3x4", "3 by 4", 6, "expected rows and columns such as '25x30'"),
        ("{start: 1, step: 2}", '"every tenth"', 4, "expected start:stop:step"),
        ("[brute,", "[brut,", 7, "unknown backend 'brut' (did you mean 'brute'?); there are "),
        ("sleep=0.5", "slep=0.5", 7, "has no option 'slep' (did you mean 'sleep'?); its options: sleep"),
        ("[brute,", "[{spec: brut},", 7, "backends.0.spec: unknown backend 'brut'"),
        ("[brute,", "[{name: quick},", 7, "the key 'backends.0.spec' is missing"),
        ("[brute,", "[{spec: brute, nam: quick},", 7, "unknown key 'nam' (did you mean 'name'?)"),
        ("[brute,", "[{spec: brute, name: 'a,b'},", 7, "backends.0.name: expected letters, digits"),
        ("[brute,", "[{spec: brute, name: settle},", 7, "'settle' is an installed backend"),
        (
            "[brute,",
            "[{spec: brute, sweep: 3},",
            7,
            "sweep: expected options with their values, such as {budg",
        ),
        ("[brute,", "[{spec: brute, sweep: {sleep: []}},", 7, "sweep: sleep: expected values of this option"),
        ("[brute,", "[{spec: brute, sweep: {slep: [1]}},", 7, "no option 'slep' (did you mean 'sleep'?)"),
        (
            "[brute,",
            "[{spec: brute, sweep: {sleep: [x]}},",
            7,
            "sweep: backend 'brute': sleep=x does not fit",
        ),
        ("[brute,", '[{spec: "brute:sleep=1", sweep: {sleep: [2]}},', 7, "sleep stands in the spec too"),
        (
            "[brute,",
            "[{spec: brute, sweep: {sleep: 1..257}},",
            7,
            "257 combinations are too many; expected at",
        ),
        (
            "[brute,",
            "[{spec: brute, sweep: {sleep: 1..255}}, deny,",
            7,
            "at most 256 backends, not 257 with all",
        ),
        (
            "[brute,",
            f"[{{spec: brute, name: {'n' * 60}, sweep: {{sleep: 1}}}},",
            7,
            "is too long; expected at most",
        ),
        ("[brute,", "[3,", 7, "backends.0: expected a spec, such as sat, or a mapping"),
        (
            "[brute,",
            "[{spec: brute, name: a}, {spec: deny, name: a},",
            7,
            "backends: the name 'a' is used twice; expected a different name for each",
        ),
        (
            "executor: benchexec",
            "executor: magic",
            14,
            "executor: unknown executor 'magic'; there are ",
        ),
        (
            "pin: true",
            "cluster: {executor: warm}",
            15,
            "cluster: only executor dask takes a cluster; remove this key, or set",
        ),
        ("pin: true", "cluster: {exekutor: warm}", 15, "did you mean 'executor'?"),
        ("~/solver", "solver", 17, "writable.1: expected an absolute path, or one that begins with ~/, not"),
        ("network: true", "network: 3", 16, "network: "),
        ("pin: true", "cluster: {address: here}", 15, "give nonocsp bench --scheduler ADDRESS"),
        ("repeats: 3", "jobs: 3", 13, "the key 'jobs' stands here a second time"),
        ("repeats: 3", "repeats: [3", 13, "not YAML"),
        ("jobs: 2", 'description: "\\UFFFFFFFF"', 13, "not YAML: a number is too large"),
        ("jobs: 2", "description: a\x07", 13, "not YAML: the character U+0007 is not allowed"),
    ],
)
def test_a_mistake_is_reported_with_its_line_and_the_expected_value(
    write_config: Callable[[str], Path], old: str, new: str, line: int, said: str
) -> None:
    assert old in FULL
    path = write_config(FULL.replace(old, new, 1))
    with pytest.raises(FormatError) as caught:
        load_config(path)
    assert (caught.value.file, caught.value.line) == (str(path), line)
    assert said in str(caught.value)


@pytest.mark.parametrize("text", ["", "- a\n- b\n", "just words"])
def test_a_config_that_is_not_a_mapping_is_an_error(write_config: Callable[[str], Path], text: str) -> None:
    with pytest.raises(FormatError, match=r"campaign\.yaml"):
        load_config(write_config(text))


def test_a_config_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot read the config .*missing.yaml"):
        load_config(tmp_path / "missing.yaml")
    (tmp_path / "latin.yaml").write_bytes(b"name: caf\xe9")
    with pytest.raises(UsageError, match="utf-8"):
        load_config(tmp_path / "latin.yaml")


CAMPAIGNS = {
    "tcga": 40,
    "tcga-full": 50,
    "tcga-1000": 1000,
    "survey": 93,
    "sizes": 100,
    "colour": 53,
    "smoke": 16,
    "growth": 2125,
    "paradigms": 100,
    "peers": 100,
}
"""The campaigns that come with the project, and how many puzzles each has without anybody else's."""


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_the_campaigns_of_the_project_can_be_planned_from_its_own_puzzles(
    name: str, repository: Path
) -> None:
    config = load_config(repository / "configs" / f"{name}.yaml")
    runs = list(plan(config))
    own = {(run.source.name, run.source.index) for run in runs if "webpbn" not in run.source.name}
    assert (config.name, len(own)) == (name, CAMPAIGNS[name])
    assert "hybrid" in {run.spec for run in runs}


def test_this_test_covers_every_campaign_of_the_project(repository: Path) -> None:
    assert {path.stem for path in (repository / "configs").glob("*.yaml")} == set(CAMPAIGNS)


WRONG = (None, True, -1, 0, 10**30, 1.5, math.nan, "text", "", "1e999", [], ["a"], [[1]], {}, {"a": 1})
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


def places(value: Any, *keys: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the keys that lead to a value and to all within it."""
    yield keys
    entries = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, inner in entries:
        yield from places(inner, *keys, key)


@pytest.mark.parametrize("place", [*places(WHOLE)], ids=lambda place: ".".join(map(str, place)) or "config")
def test_no_message_uses_the_words_of_the_validator(
    write_config: Callable[[str], Path], place: tuple[Any, ...]
) -> None:
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
        assert not re.search("Input|should|valid|another value|NoneType|tuple|dict|Value error", message), (
            message
        )
        assert re.search(
            "expected|unknown|missing|no file|has one of|has no option|are for files|a cluster|isolates",
            message,
        )
