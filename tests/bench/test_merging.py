"""Merging: the shards of a campaign give the campaign; contradictions are reported; nothing else changes."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nonocsp.bench import load_config, plan, read_campaign, run_campaign
from nonocsp.bench.merging import merge
from nonocsp.bench.planning import Shard
from nonocsp.bench.rows import RunRow
from nonocsp.model import UsageError

pytestmark = pytest.mark.usefixtures("unruly")

CONFIG = """\
name: small
puzzles: [{file: puzzles.jsonl}]
backends: [brute, "brute:sleep=0.001"]
executor: inline
"""
INLINE = "the times are unreliable: {0} of {0} runs shared a core; close other programs or use fewer jobs"
"""What is said of the rows of executor inline."""


@pytest.fixture
def run(write_config, tmp_path) -> Callable[..., Path]:
    """Run a campaign into a folder of this name, and return the folder."""

    def run(name: str, shard: str = "", old: str = "", new: str = "") -> Path:
        config = load_config(write_config(CONFIG.replace(old, new)))
        run_campaign(config, tmp_path / name, shard=Shard.of(shard))
        return tmp_path / name

    return run


def change(folder: Path, edit: Callable[[RunRow], Any]) -> None:
    rows = [{**row, **edit(row)} for row in read_campaign(folder).rows]
    (folder / "runs.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))


def test_the_shards_are_the_campaign(run, write_config, tmp_path):
    folders = [run(f"{shard}", f"{shard}/3") for shard in (1, 2, 3)]
    merged = merge(folders, tmp_path / "all")
    assert (merged.doubled, merged.disagreements, merged.warnings) == (0, [], [INLINE.format(12)])
    planned = {it.id for it in plan(load_config(write_config(CONFIG)))}
    campaign = read_campaign(tmp_path / "all")
    assert {row["run"] for row in campaign.rows} == planned
    assert len(campaign.rows) == len(planned)
    assert [session["shard"] for session in campaign.info["sessions"]] == ["1/3", "2/3", "3/3"]
    assert run_campaign(load_config(write_config(CONFIG)), tmp_path / "all").ran == 0
    fewer = merge(folders[::2], tmp_path / "fewer")
    assert fewer.warnings == [INLINE.format(8), "shard 2/3 is missing"]


def test_doubled_runs_are_taken_from_the_first_folder(run, tmp_path):
    first, second = run("1"), run("2")
    merged = merge([first, second], tmp_path / "all")
    assert (merged.doubled, merged.disagreements) == (12, [])
    assert list(merged.campaign.rows) == list(read_campaign(first).rows)
    copy, original = merge([first, first], tmp_path / "copy").campaign, read_campaign(first)
    assert copy.info == {**original.info, "codes": {}}  # what is merged is scored together
    assert list(copy.rows) == list(original.rows)
    change(second, lambda row: {"answer": "unsat", "solutions": []} if row["index"] == 3 else {})
    found = {str(it) for it in merge([first, second], tmp_path / "contradicting").disagreements}
    runs = ("brute (seed 0, repeat 0)", "brute:sleep=0.001 (seed 0, repeat 0)")
    assert found == {f"puzzles.jsonl#3: {it} answered unsat, {it} has a solution" for it in runs}


def test_different_campaigns_are_merged_under_a_new_name(run, tmp_path):
    first, second = run("1"), run("2", old="small", new="other")
    with pytest.raises(UsageError, match=r"small in .*1, other in .*2; to merge them anyway, give --name"):
        merge([first, second], tmp_path / "all")
    assert not (tmp_path / "all").exists()
    assert merge([first, second], tmp_path / "all", name="both").campaign.name == "both"
    third = run("3", old="executor", new="repeats: 2\nlimits: {wall: 5}\nexecutor")
    warnings = merge([first, third], tmp_path / "differing").warnings
    assert "the configs differ in repeats: 1, then 2" in warnings
    assert 'the configs differ in limits: {}, then {"wall": 5.0}' in warnings
    assert "the runs had different limits: none; wall 5 s" in warnings
    (first / "campaign.json").unlink()
    old = merge([first], tmp_path / "old").campaign  # of a version without sessions
    assert (old.name, old.info["sessions"], len(old.rows)) == ("small", [], 12)


def test_a_merge_spares_what_is_there(run, tmp_path, monkeypatch):
    folder, used, here = run("1"), tmp_path / "used", tmp_path / "here"
    for path in (folder / "failures", used / "failures", here):
        path.mkdir(parents=True)
    (folder / "failures" / "x.json").write_text("theirs")
    (tmp_path / "precious").write_text("mine")
    (used / "failures" / "x.json").symlink_to(tmp_path / "precious")
    (tmp_path / "link").symlink_to(here)
    for output, said in (
        (folder, "holds a campaign already: choose another --output"),
        (used, "used is not an empty folder: choose another --output"),
        (tmp_path / "link", r"link is a link to .*here, which is not followed"),
    ):
        with pytest.raises(UsageError, match=said):
            merge([folder], output)
    assert (tmp_path / "precious").read_text() == "mine"
    monkeypatch.chdir(here)
    for output in (Path(), here):
        with pytest.raises(UsageError, match=r"is the current folder, .*: name a folder in it"):
            merge([folder], output)
    monkeypatch.chdir(tmp_path)
    assert not [*here.iterdir()]
    assert len(merge([folder], here).campaign.rows) == 12  # it is empty
