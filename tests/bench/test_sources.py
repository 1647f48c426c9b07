"""Sources of puzzles: folders, rules, and messages about missing files."""

from __future__ import annotations

import gzip
import os
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from nonocsp.bench import load_config, plan
from nonocsp.bench.sources import random_rule
from nonocsp.datasets.dominoes import n_dom
from nonocsp.datasets.random_images import random_set
from nonocsp.model import FormatError, UsageError

pytestmark = pytest.mark.usefixtures("unruly")

SINGLE = '{"rows": [[1]], "columns": [[1]]}'
Write = Callable[[str], Path]


@pytest.fixture
def write_sources(write_config: Write) -> Write:
    """Write a campaign with these sources beside `puzzles.jsonl` and return its path."""

    def write(sources: str) -> Path:
        return write_config(f"name: small\npuzzles:\n  - {sources}\nbackends: [brute]\n")

    return write


def names(path: Path) -> list[str]:
    return [run.source.name for run in plan(load_config(path))]


def test_a_sample_takes_the_same_puzzles_every_time_of_all_files_of_a_source(
    write_sources: Write, tmp_path: Path
) -> None:
    with zipfile.ZipFile(tmp_path / "set.zip", "w") as archive:
        for name in ("a", "b", "c"):
            archive.writestr(f"{name}.jsonl", f"{SINGLE}\n" * 20)
    everything = names(write_sources("file: set.zip"))
    assert everything[0] == "set.zip/a.jsonl#1"
    assert len(everything) == 60
    chosen = names(write_sources("{file: set.zip, sample: {count: 10, seed: 1}}"))
    assert chosen == names(write_sources("{file: '*.zip', sample: {count: 10, seed: 1}}"))
    assert len(chosen) == 10
    assert chosen == [name for name in everything if name in chosen]
    assert chosen != names(write_sources("{file: set.zip, sample: 10}"))
    rule = "random: {rows: 3, count: 8}, sample: 3"
    assert load_config(write_sources(f"{{{rule}}}")).puzzles[0].count == 3


def test_a_directory_means_all_files_below_it_with_the_suffix_of_a_format(
    write_sources: Write, tmp_path: Path
) -> None:
    folder = tmp_path / "set"
    (folder / "below").mkdir(parents=True)
    for name in ("b.json", "a.json", "below/c.JSON", "notes.md", "draw.py"):
        (folder / name).write_text(SINGLE)
    with gzip.open(folder / "d.jsonl.gz", "wt") as file:
        file.write(f"{SINGLE}\n{SINGLE}\n")
    everything = ["set/a.json", "set/b.json", "set/below/c.JSON", "set/d.jsonl.gz#1", "set/d.jsonl.gz#2"]
    assert names(write_sources("directory: set/")) == everything
    assert names(write_sources("{directory: set, format: jsonl}")) == everything[3:]


def test_file_names_do_not_depend_on_the_folder_of_the_config(write_sources: Write, tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(SINGLE)
    text = write_sources("file: one.json").read_text()
    for place, seen in (
        ("campaign.yaml", "one.json"),
        ("a/b.yaml", "../one.json"),
        ("c.yaml", tmp_path / "one.json"),
    ):
        path = tmp_path / place
        path.parent.mkdir(exist_ok=True)
        path.write_text(text.replace("one.json", str(seen)))
        assert names(path) == ["one.json"]


@pytest.mark.parametrize("source", ["directory: {}/set", "directory: {}/set/", "file: {}/set/*/cat.json"])
def test_files_of_an_absolute_path_that_share_their_names_keep_their_folders(
    write_sources: Write, tmp_path: Path, source: str
) -> None:
    for folder in ("one", "two"):
        (tmp_path / "set" / folder).mkdir(parents=True)
        (tmp_path / "set" / folder / "cat.json").write_text(SINGLE)
    assert names(write_sources(source.format(tmp_path))) == ["one/cat.json", "two/cat.json"]
    (tmp_path / "set" / "two" / "cat.json").rename(tmp_path / "set" / "two" / "dog.json")
    found = names(write_sources(source.format(tmp_path).replace("cat", "*")))
    assert found == ["cat.json", "dog.json"]  # as ever, so that a config keeps its runs


def test_files_of_several_sources_that_share_their_names_are_refused(
    write_sources: Write, tmp_path: Path
) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "cat.json").write_text(SINGLE)
    first, second = (tmp_path / folder / "cat.json" for folder in ("one", "two"))
    path = write_sources(f"file: {first}\n  - file: {second}")
    with pytest.raises(FormatError, match=f"{first} and {second} would both be called 'cat.json'"):
        load_config(path)
    assert names(write_sources(f"{{file: {first}, slice: ':1'}}\n  - file: {first}")) == ["cat.json"]


@pytest.mark.parametrize("source", ["directory: set", "file: set.tar"])
def test_a_file_whose_name_is_not_utf_8_is_refused(write_sources: Write, tmp_path: Path, source: str) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / os.fsdecode(b"caf\xe9.json")).write_text(SINGLE)
    with tarfile.open(tmp_path / "set.tar", "w") as archive:
        archive.add(folder, "set")
    config = load_config(write_sources(source))
    with pytest.raises(UsageError, match=r"set/caf\\xe9\.json is not UTF-8, .*: rename it"):
        plan(config)


def test_random_images_follow_the_rule_and_their_names_state_its_parameters(write_sources: Write) -> None:
    rule = "{rows: 4, columns: 5, density: 0.25, colours: 2, count: 3, seed: 7}"
    runs = list(plan(load_config(write_sources(f"random: {rule}"))))
    made = random_set(7, count=3, rows=4, columns=5, density=0.25, colours=2)
    assert [run.source.puzzle for run in runs] == list(made)
    assert [run.source.name for run in runs] == [f"random-4x5-0.25-2colours-seed7#{k}" for k in (1, 2, 3)]
    assert [run.source.index for run in runs] == [1, 2, 3]


def test_several_sizes_and_densities_make_a_set_for_each_combination(write_sources: Write) -> None:
    rule = "{rows: 2..4 by 2, density: [0.5, 0.1..0.2 by 0.05], count: 2}"
    combined = names(write_sources(f"random: {rule}"))
    assert combined == [
        f"random-{n}x{n}-{density}-seed0#{k}"
        for n in (2, 4)
        for density in (0.5, 0.1, 0.15, 0.2)
        for k in (1, 2)
    ]
    single = names(write_sources("random: {rows: 4, columns: 4, density: 0.15, count: 2}"))
    assert single == combined[-4:-2]
    sliced = write_sources(f"{{random: {rule}, slice: ':1'}}")
    assert names(sliced) == combined[::2]
    assert load_config(sliced).puzzles[0].count == 8


def test_random_images_with_columns_have_every_size(write_sources: Write) -> None:
    found = names(write_sources("random: {rows: [2, 3], columns: [3, 4], colours: [1, 2], count: 1}"))
    sizes = ("2x3", "2x4", "3x3", "3x4")
    assert found == [f"random-{size}-0.5{colours}-seed0#1" for size in sizes for colours in ("", "-2colours")]


def test_a_single_size_and_density_are_stored_as_before(write_sources: Write) -> None:
    config = load_config(write_sources("random: {rows: 4, columns: 5, count: 1}"))
    stored = config.model_dump(mode="json", exclude_none=True)["puzzles"][0]["random"]
    assert stored == {"rows": 4, "columns": 5, "count": 1, "density": 0.5, "colours": 1, "seed": 0}


def test_the_rule_of_a_random_image_can_be_read_off_its_name(write_sources: Write) -> None:
    rule = "{rows: 3, density: [0.25, 0.00001], colours: [1, 3], count: 1}"
    found = [random_rule(name) for name in names(write_sources(f"random: {rule}"))]
    assert found == [(0.25, 1), (0.25, 3), (0.00001, 1), (0.00001, 3)]
    for other in ("cat.non#1", "random-3x3-.-seed0#1", "a/random-3x3-0.5-seed0#1", "4-Dom"):
        assert random_rule(other) is None


def test_densities_that_differ_little_have_names_of_their_own(write_sources: Write) -> None:
    rule = "{rows: 5, density: [0.1234567, 0.1234568], count: 1}"
    found = names(write_sources(f"random: {rule}"))
    assert found == [f"random-5x5-{density}-seed0#1" for density in (0.1234567, 0.1234568)]
    assert [random_rule(name) for name in found] == [(0.1234567, 1), (0.1234568, 1)]


def test_dominoes_may_be_a_range(write_sources: Write) -> None:
    assert names(write_sources("dominoes: 1..5 by 2")) == ["1-Dom", "3-Dom", "5-Dom"]


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (
            "rows: 1..4096, columns: 1..4096",
            "16777216 combinations of sizes, densities and colours are too many",
        ),
        ("rows: [5, 2000]", "an image has at most 1048576 cells, not 4000000"),
        ("rows: 1..9999999999", "at most 10000 values; '1..9999999999' stands for 9999999999"),
        ("rows: [1..6000, 1..6000]", "expected at most 10000 values, not 12000"),
        (
            "rows: 5, density: 0.1..0.9",
            "expected a range with its step, such as 5..30 by 5 or 0.1..0.9 by 0.1",
        ),
        ("rows: 5, density: 0.1..0.9 by 0", "expected a range that ascends"),
        ("rows: 9..5", "expected a range that ascends"),
        ("rows: 5, density: [0.5, 1.5]", "random.density.1: expected a number of at most 1, not 1.5"),
        ("rows: five", "random.rows: expected a whole number, not 'five'"),
    ],
)
def test_random_images_that_cannot_be_made_are_refused_at_once(
    write_sources: Write, rule: str, said: str
) -> None:
    with pytest.raises(FormatError) as caught:
        load_config(write_sources(f"random: {{{rule}, count: 10}}"))
    assert said in str(caught.value)


def test_a_longer_set_of_random_images_keeps_the_existing_runs(write_sources: Write) -> None:
    def ids(count: int) -> list[str]:
        path = write_sources(f"random: {{rows: 4, columns: 4, count: {count}}}")
        return [run.id for run in plan(load_config(path))]

    assert ids(5)[:2] == ids(2)


def test_dominoes_are_those_of_the_family(write_sources: Write) -> None:
    runs = list(plan(load_config(write_sources("dominoes: [3, 5]"))))
    assert [(run.source.name, run.source.puzzle) for run in runs] == [
        ("3-Dom", n_dom(3)),
        ("5-Dom", n_dom(5)),
    ]


def test_a_missing_optional_source_is_left_out_and_reported(write_sources: Write) -> None:
    config = load_config(
        write_sources("{file: none/*.xml, optional: true}\n  - {file: puzzles.jsonl, optional: true}")
    )
    assert len(plan(config)) == 6
    assert config.absences == ["no file matches 'none/*.xml' (seen from the folder of the config): left out"]


def test_a_campaign_without_any_puzzle_is_an_error(write_sources: Write) -> None:
    path = write_sources("{directory: none, optional: true}")
    with pytest.raises(UsageError, match="small has no puzzles: no puzzle file in 'none'"):
        plan(load_config(path))


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            "{file: none.xml}",
            "no file matches 'none.xml' (seen from the folder of the config); 'optional: true'",
        ),
        (
            "{directory: none}",
            "no puzzle file in 'none' (seen from the folder of the config); 'optional: true'",
        ),
        ("{slice: '::2'}", "a source has one of file, directory, random, dominoes; this has none"),
        ("{file: puzzles.jsonl, dominoes: [3]}", "this has file and dominoes"),
        ("{dominoes: [3], format: nin}", "format, size and optional are for files; dominoes needs none"),
        ("{dominoes: []}", "dominoes: expected at least one entry"),
        ("{dominoes: [0]}", "puzzles.0.dominoes.0: expected a number above 0, not 0"),
        ("{random: {rows: 3, columns: 3}}", "the key 'puzzles.0.random.count' is missing"),
        ("{random: {rows: 3, columns: 3, count: 1, desnity: 1}}", "did you mean 'density'?"),
        (
            "{random: {rows: 3, columns: 3, count: 1, density: 2}}",
            "random.density: expected a number of at most 1, not 2",
        ),
        (
            "{random: {rows: 3, columns: 3, count: 1, colours: 64}}",
            "random.colours: expected a number of at most 63, not 64",
        ),
    ],
)
def test_an_invalid_source_is_reported_with_its_line(write_sources: Write, source: str, said: str) -> None:
    with pytest.raises(FormatError) as caught:
        load_config(write_sources(source))
    assert caught.value.line == 3
    assert said in str(caught.value)


def test_the_pictures_of_the_survey_are_read_from_a_folder(write_sources: Write, datasets: Path) -> None:
    sources = f"{{directory: {datasets / 'webpbn-redist'}, format: webpbn}}"
    assert len(names(write_sources(sources))) == 14
