"""Sources of puzzles: what files, folders, rules and samples mean, and how their puzzles are called."""

import glob
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

from nonocsp.bench import load_config, plan
from nonocsp.bench.puzzle_files import Scan
from nonocsp.bench.sources import random_rule
from nonocsp.datasets import n_dom, random_set
from nonocsp.model import FormatError, UsageError, bounds
from tests.bench.conftest import Write

pytestmark = pytest.mark.usefixtures("unruly")

SINGLE = '{"rows": [[1]], "columns": [[1]]}'


@pytest.fixture
def write_sources(write_config) -> Write:
    """Write a campaign with these sources beside `puzzles.jsonl` and return its path."""
    return lambda sources: write_config(f"name: small\npuzzles:\n  - {sources}\nbackends: [brute]\n")


def write_files(folder: Path, *names: str, text: str = SINGLE) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def names(path: Path) -> list[str]:
    return [run.source.name for run in plan(load_config(path))]


TREE = ("a.non", "b.non", ".hidden.non", "set/c.non", "set/more/d.non", "set/more/a[1].non", ".dark/e.non")
PATTERNS = """a.non *.non *.* ?.non [ab].non [!a].non */*.non */*/*.non ** **/* **/*.non **/**/*.non set/**
    set/**/*.non set/../*.non */../*.non .*.non
    .*/* ./*.non set/ none none/* **/more/* */**/d.non **/../*.non"""


@pytest.fixture
def tree(tmp_path) -> Path:
    write_files(tmp_path, *TREE)
    (tmp_path / "link.non").symlink_to("set/c.non")
    (tmp_path / "empty").mkdir()
    os.mkfifo(tmp_path / "pipe.non")
    return tmp_path


@pytest.mark.parametrize("pattern", PATTERNS.split())
def test_a_pattern_matches_what_glob_matches(tree, pattern):
    for given in (pattern, f"{tree}/{pattern}", f"../{tree.name}/{pattern}"):
        matches = glob.glob(given, root_dir=tree, recursive=True)  # noqa: PTH207
        files = {os.path.normpath(name) for name in matches if (tree / name).is_file()}
        assert {os.path.normpath(name) for name in Scan().matching(tree, given)} == files


def test_a_folder_means_all_files_below_it_but_no_pipes(tree, monkeypatch):
    (tree / "loop").symlink_to(".")
    assert {*Scan().below(tree, ".")} == {f"./{name}" for name in (*TREE, "link.non")}
    assert [*Scan().matching(tree, "set/more/a[1].non")] == ["set/more/a[1].non"]  # no pattern here
    monkeypatch.setattr(bounds, "ENTRIES", 100)
    scan = Scan()
    for _ in range(6):
        assert len([*scan.matching(tree, "set/*")]) == 1
    with pytest.raises(ValueError, match="more than 100 files and folders to look through"):
        list(scan.matching(tree, "**"))


def test_a_sample_takes_the_same_puzzles_every_time(write_sources, tmp_path):
    with zipfile.ZipFile(tmp_path / "set.zip", "w") as archive:
        for name in ("a", "b", "c"):
            archive.writestr(f"{name}.jsonl", f"{SINGLE}\n" * 20)
    everything = names(write_sources("file: set.zip"))
    assert (everything[0], len(everything)) == ("set.zip/a.jsonl#1", 60)
    chosen = names(write_sources("{file: set.zip, sample: {count: 10, seed: 1}}"))
    assert chosen == names(write_sources("{file: '*.zip', sample: {count: 10, seed: 1}}"))
    assert chosen == [name for name in everything if name in chosen]
    assert len(chosen) == 10
    assert chosen != names(write_sources("{file: set.zip, sample: 10}"))
    assert load_config(write_sources("{random: {rows: 3, count: 8}, sample: 3}")).puzzles[0].count == 3


@pytest.mark.parametrize("place", ["campaign.yaml", "a/b.yaml", "c.yaml"])
def test_names_do_not_depend_on_the_place_of_the_config(write_sources, tmp_path, place):
    write_files(tmp_path, "one.json")
    seen = {"a/b.yaml": "../one.json", "c.yaml": f"{tmp_path}/one.json"}.get(place, "one.json")
    write_files(tmp_path, place, text=write_sources(f"file: {seen}").read_text())
    assert names(tmp_path / place) == ["one.json"]


@pytest.mark.parametrize("source", ["directory: {}/set", "directory: {}/set/", "file: {}/set/*/*.json"])
def test_files_of_one_name_keep_their_folders(write_sources, tmp_path, source):
    write_files(tmp_path / "set", "one/cat.json", "two/cat.json")
    assert names(write_sources(source.format(tmp_path))) == ["one/cat.json", "two/cat.json"]
    (tmp_path / "set" / "two" / "cat.json").rename(tmp_path / "set" / "two" / "dog.json")
    assert names(write_sources(source.format(tmp_path))) == ["cat.json", "dog.json"]


def test_files_with_one_name_or_none_in_utf_8_are_refused(write_sources, tmp_path):
    write_files(tmp_path, "one/cat.json", "two/cat.json")
    first, second = (tmp_path / folder / "cat.json" for folder in ("one", "two"))
    with pytest.raises(FormatError, match=f"{first} and {second} would both be called 'cat.json'"):
        load_config(write_sources(f"file: {first}\n  - file: {second}"))
    assert names(write_sources(f"{{file: {first}, slice: ':1'}}\n  - file: {first}")) == ["cat.json"]
    write_files(tmp_path / "set", os.fsdecode(b"caf\xe9.json"))
    with tarfile.open(tmp_path / "set.tar", "w") as archive:
        archive.add(tmp_path / "set", "set")
    for source in ("directory: set", "file: set.tar"):
        with pytest.raises(UsageError, match=r"set/caf\\xe9\.json is not UTF-8, .*: rename it"):
            plan(load_config(write_sources(source)))


def test_random_images_and_dominoes_follow_their_rules(write_sources):
    rule = "{rows: 4, columns: 5, density: 0.25, colours: 2, count: 3, seed: 7}"
    runs = list(plan(load_config(write_sources(f"random: {rule}"))))
    made = random_set(7, count=3, rows=4, columns=5, density=0.25, colours=2)
    found = [(run.source.name, run.source.index, run.source.puzzle) for run in runs]
    assert found == [(f"random-4x5-0.25-2colours-seed7#{k}", k, it) for k, it in enumerate(made, start=1)]
    longer = list(plan(load_config(write_sources(f"random: {rule.replace('3', '5')}"))))
    assert [run.id for run in longer[:3]] == [run.id for run in runs]
    runs = list(plan(load_config(write_sources("dominoes: 1..5 by 2"))))
    assert [(run.source.name, run.source.puzzle) for run in runs] == [
        (f"{n}-Dom", n_dom(n)) for n in (1, 3, 5)
    ]
    config = load_config(write_sources("random: {rows: 4, columns: 5, count: 1}"))
    stored = config.model_dump(mode="json", exclude_none=True)["puzzles"][0]["random"]
    assert stored == {"rows": 4, "columns": 5, "count": 1, "density": 0.5, "colours": 1, "seed": 0}


def test_the_rule_of_a_random_image_is_read_off_its_name_and_other_names_have_none():
    assert random_rule("random-3x3-0.25-3colours-seed0#1") == (0.25, 3)
    for other in ("cat.non#1", "random-3x3-.-seed0#1", "a/random-3x3-0.5-seed0#1", "4-Dom"):
        assert random_rule(other) is None


def test_a_missing_optional_source_is_left_out_and_reported(write_sources):
    config = load_config(
        write_sources("{file: none/*.xml, optional: true}\n  - {file: puzzles.jsonl, optional: true}")
    )
    assert len(plan(config)) == 6
    assert config.absences == ["no file matches 'none/*.xml' (seen from the folder of the config): left out"]
    with pytest.raises(UsageError, match="small has no puzzles: no puzzle file in 'none'"):
        plan(load_config(write_sources("{directory: none, optional: true}")))
