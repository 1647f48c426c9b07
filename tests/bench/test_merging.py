"""Merging: the shards of a campaign give the campaign, and contradictions are reported."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from nonocsp.bench import Shard, load_config, plan, read_campaign, run_campaign
from nonocsp.bench.merging import _sessions, merge
from nonocsp.bench.rows import RunRow
from nonocsp.bench.store import Store
from nonocsp.model import UsageError
from tests.bench.test_sessions import SESSION

pytestmark = pytest.mark.usefixtures("unruly")

CONFIG = """\
name: small
puzzles: [{file: puzzles.jsonl}]
backends: [brute, "brute:sleep=0.001"]
executor: inline
"""
INLINE = "{0} of {0} runs did not have a core to themselves: their times are not reliable"
"""What is said of the rows of executor inline."""
Write = Callable[[str], Path]


def run(path: Path, output: Path, shard: str = "") -> Path:
    run_campaign(load_config(path), output, shard=Shard.of(shard))
    return output


def change(folder: Path, edit: Callable[[RunRow], RunRow]) -> None:
    rows = [edit(row) for row in read_campaign(folder).rows]
    (folder / "runs.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))


def test_the_shards_together_are_the_whole_campaign(write_config: Write, tmp_path: Path) -> None:
    path = write_config(CONFIG)
    folders = [run(path, tmp_path / f"{shard}", f"{shard}/3") for shard in (1, 2, 3)]
    merged = merge(folders, tmp_path / "all")
    assert (merged.doubled, merged.disagreements, merged.warnings) == (0, [], [INLINE.format(12)])
    planned = plan(load_config(path))
    campaign = read_campaign(tmp_path / "all")
    assert {row["run"] for row in campaign.rows} == {run.id for run in planned}
    assert len(campaign.rows) == len(planned)
    assert [session["shard"] for session in campaign.info["sessions"]] == ["1/3", "2/3", "3/3"]
    assert run_campaign(load_config(path), tmp_path / "all").ran == 0


def test_a_missing_shard_is_reported(write_config: Write, tmp_path: Path) -> None:
    path = write_config(CONFIG)
    folders = [run(path, tmp_path / f"{shard}", f"{shard}/3") for shard in (1, 3)]
    assert merge(folders, tmp_path / "all").warnings == [INLINE.format(8), "shard 2/3 is missing"]


def test_a_run_in_several_folders_is_taken_from_the_first(write_config: Write, tmp_path: Path) -> None:
    path = write_config(CONFIG)
    first, second = run(path, tmp_path / "1"), run(path, tmp_path / "2")
    merged = merge([first, second], tmp_path / "all")
    assert (merged.doubled, merged.disagreements) == (12, [])
    assert list(read_campaign(tmp_path / "all").rows) == list(read_campaign(first).rows)


def test_a_copy_adds_neither_rows_nor_sessions(write_config: Write, tmp_path: Path) -> None:
    folder = run(write_config(CONFIG), tmp_path / "1")
    merge([folder, folder], tmp_path / "all")
    original, copy = read_campaign(folder), read_campaign(tmp_path / "all")
    assert copy.info == {**original.info, "codes": {}}  # what is merged is scored together
    assert list(copy.rows) == list(original.rows)


def test_folders_that_contradict_each_other_about_a_run_are_reported(
    write_config: Write, tmp_path: Path
) -> None:
    path = write_config(CONFIG)
    first, second = run(path, tmp_path / "1"), run(path, tmp_path / "2")
    change(second, lambda row: row | ({"answer": "unsat", "solutions": []} if row["index"] == 3 else {}))
    found = {str(disagreement) for disagreement in merge([first, second], tmp_path / "all").disagreements}
    assert found == {
        f"puzzles.jsonl#3: {run} answered unsat, {run} has a solution"
        for run in ("brute (seed 0, repeat 0)", "brute:sleep=0.001 (seed 0, repeat 0)")
    }


def test_different_campaigns_are_merged_only_under_a_new_name(write_config: Write, tmp_path: Path) -> None:
    first = run(write_config(CONFIG), tmp_path / "1")
    second = run(write_config(CONFIG.replace("small", "other")), tmp_path / "2")
    with pytest.raises(
        UsageError,
        match=r"different campaigns: small in .*1, other in .*2; to merge them anyway, give --name NAME",
    ):
        merge([first, second], tmp_path / "all")
    assert not (tmp_path / "all").exists()
    assert merge([first, second], tmp_path / "all", name="both").campaign.name == "both"
    assert read_campaign(tmp_path / "all").name == "both"


def test_configs_that_measure_differently_are_reported(write_config: Write, tmp_path: Path) -> None:
    first = run(write_config(CONFIG), tmp_path / "1")
    second = run(write_config(f"{CONFIG}limits: {{wall: 5}}\nrepeats: 2\n"), tmp_path / "2")
    warnings = merge([first, second], tmp_path / "all").warnings
    assert "the configs differ in limits, repeats" in warnings
    assert "the runs had different limits: none; wall 5 s" in warnings


def test_a_folder_that_holds_a_campaign_is_no_target_for_merging(write_config: Write, tmp_path: Path) -> None:
    folder = run(write_config(CONFIG), tmp_path / "1")
    with pytest.raises(UsageError, match="holds a campaign already: choose another --output"):
        merge([folder], folder)


def test_old_folders_without_sessions_can_be_merged(write_config: Write, tmp_path: Path) -> None:
    folder = run(write_config(CONFIG), tmp_path / "1")
    (folder / "campaign.json").unlink()
    merge([folder], tmp_path / "all")
    campaign = read_campaign(tmp_path / "all")
    assert (campaign.name, campaign.info["sessions"], len(campaign.rows)) == ("small", [], 12)


def test_merging_copies_the_puzzles_of_failures(write_config: Write, tmp_path: Path) -> None:
    folder = run(write_config(CONFIG.replace("[brute,", "['unruly:how=raise',")), tmp_path / "1")
    merge([folder], tmp_path / "all")
    names = {path.name for path in (tmp_path / "all" / "failures").iterdir()}
    assert names == {path.name for path in (folder / "failures").iterdir()} != set()


def test_merging_copies_nothing_from_folders_that_are_links(write_config: Write, tmp_path: Path) -> None:
    folder = run(write_config(CONFIG), tmp_path / "1")
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "secret.json").write_text("secret")
    for name in ("failures", "solutions"):
        (folder / name).symlink_to(tmp_path / "private")
    (first, *_) = read_campaign(folder).rows
    named = {"solution_count": 2, "solutions_file": f"solutions/{first['run']}.json.gz"}
    change(folder, lambda row: {**row, **named} if row["run"] == first["run"] else row)  # type: ignore[typeddict-item]
    (tmp_path / "private" / f"{first['run']}.json.gz").write_text("secret")
    merge([folder], tmp_path / "all")
    assert not [
        path for path in (tmp_path / "all").rglob("*") if path.is_file() and "secret" in path.read_text()
    ]


def test_a_merge_writes_to_no_folder_that_holds_something(write_config: Write, tmp_path: Path) -> None:
    folder = run(write_config(CONFIG), tmp_path / "1")
    (folder / "failures").mkdir()
    (folder / "failures" / "x.json").write_text("theirs")
    (tmp_path / "precious").write_text("mine")
    (tmp_path / "all" / "failures").mkdir(parents=True)
    (tmp_path / "all" / "failures" / "x.json").symlink_to(tmp_path / "precious")
    with pytest.raises(UsageError, match="all is not an empty folder: choose another --output"):
        merge([folder], tmp_path / "all")
    assert (tmp_path / "precious").read_text() == "mine"
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match=r"link is a link to .*elsewhere, which is not followed"):
        merge([folder], tmp_path / "link")
    merge([folder], tmp_path / "elsewhere")  # it is empty
    assert len(read_campaign(tmp_path / "elsewhere").rows) == 12


def test_a_merge_is_not_started_for_a_folder_that_it_could_not_replace(
    write_config: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, here = run(write_config(CONFIG), tmp_path / "1"), tmp_path / "here"
    here.mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(Path, "is_mount", lambda _: True)
        with pytest.raises(UsageError, match=r"here is where a disk is mounted, .*: name a folder in it"):
            merge([folder], here)
    monkeypatch.chdir(here)
    for output in (Path(), here):
        with pytest.raises(UsageError, match=r"is the current folder, .*: name a folder in it"):
            merge([folder], output)
    assert not [*here.iterdir()]


def test_sessions_of_a_folder_keep_their_order(tmp_path: Path) -> None:
    """The clock of the first was set back once."""
    starts = [["3", "1", "4"], ["2", "5"]]
    folders = [
        SimpleNamespace(info={"sessions": [SESSION | {"start": start} for start in each]}) for each in starts
    ]
    assert [session["start"] for session in _sessions(folders)] == ["2", "3", "1", "4", "5"]  # type: ignore[arg-type]


def test_a_merge_that_fails_leaves_nothing(
    write_config: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = run(write_config(CONFIG), tmp_path / "1")
    there = {*tmp_path.iterdir()}

    def fail(*_: object) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(Store, "append", fail)
        with pytest.raises(OSError, match="no space left"):
            merge([folder], tmp_path / "all")
    assert {*tmp_path.iterdir()} == there
    assert len(merge([folder], tmp_path / "all").campaign.rows) == 12


def test_merging_takes_no_row_that_names_the_file_of_another_run(write_config: Write, tmp_path: Path) -> None:
    folder = run(write_config(CONFIG), tmp_path / "1")
    (first, second, *_) = read_campaign(folder).rows
    named = {"solution_count": 2, "solutions_file": f"solutions/{first['run']}.json.gz"}
    change(folder, lambda row: {**row, **named} if row["run"] == second["run"] else row)  # type: ignore[typeddict-item]
    merged = merge([folder], tmp_path / "all")
    assert len(merged.campaign.rows) == 11
    assert f"solutions_file: expected 'solutions/{second['run']}.json.gz'" in merged.warnings[0]
