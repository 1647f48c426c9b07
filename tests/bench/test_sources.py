"""Sources of puzzles: folders, rules, and messages about missing files."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from nonocsp.bench import load_config, plan
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


def test_random_images_follow_the_rule_and_their_names_state_its_parameters(write_sources: Write) -> None:
    rule = "{rows: 4, columns: 5, density: 0.25, colours: 2, count: 3, seed: 7}"
    runs = list(plan(load_config(write_sources(f"random: {rule}"))))
    made = random_set(7, count=3, rows=4, columns=5, density=0.25, colours=2)
    assert [run.source.puzzle for run in runs] == list(made)
    assert [run.source.name for run in runs] == [f"random-4x5-0.25-2colours-seed7#{k}" for k in (1, 2, 3)]
    assert [run.source.index for run in runs] == [1, 2, 3]


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
