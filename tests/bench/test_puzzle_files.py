"""Searching puzzle files finds what the standard library's glob finds, and stops where that would not."""

from __future__ import annotations

import glob
import os
from pathlib import Path

import pytest

from nonocsp.bench.puzzle_files import Scan
from nonocsp.model import bounds


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in (
        "a.non",
        "b.non",
        ".hidden.non",
        "set/c.non",
        "set/more/d.non",
        "set/more/a[1].non",
        ".dark/e.non",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "link.non").symlink_to("set/c.non")
    (tmp_path / "empty").mkdir()
    os.mkfifo(tmp_path / "pipe.non")
    return tmp_path


@pytest.mark.parametrize(
    "pattern",
    [
        "a.non",
        "*.non",
        "*.*",
        "?.non",
        "[ab].non",
        "[!a].non",
        "*/*.non",
        "*/*/*.non",
        "**",
        "**/*",
        "**/*.non",
        "**/**/*.non",
        "set/**",
        "set/**/*.non",
        "set/../*.non",
        "*/../*.non",
        ".*.non",
        ".*/*",
        "./*.non",
        "set/",
        "none",
        "none/*",
        "**/more/*",
        "*/**/d.non",
        "**/../*.non",
    ],
)
def test_a_pattern_matches_what_glob_matches(tree: Path, pattern: str) -> None:
    for given in (pattern, f"{tree}/{pattern}", f"../{tree.name}/{pattern}"):
        matches = glob.glob(given, root_dir=tree, recursive=True)  # noqa: PTH207
        files = {name for name in matches if (tree / name).is_file()}
        assert {os.path.normpath(name) for name in Scan().matching(tree, given)} == {
            os.path.normpath(name) for name in files
        }


def test_a_file_whose_name_has_brackets_is_found_by_its_name(tree: Path) -> None:
    assert [*Scan().matching(tree, "set/more/a[1].non")] == ["set/more/a[1].non"]


def test_a_folder_means_all_files_below_it_but_no_pipes_and_no_linked_folders(tree: Path) -> None:
    (tree / "loop").symlink_to(".")
    found = {*Scan().below(tree, ".")}
    assert found == {
        "./a.non",
        "./b.non",
        "./.hidden.non",
        "./link.non",
        "./set/c.non",
        "./set/more/d.non",
        "./set/more/a[1].non",
        "./.dark/e.non",
    }


def test_all_searches_of_a_config_share_one_bound(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "ENTRIES", 100)
    scan = Scan()
    for _ in range(6):
        assert len([*scan.matching(tree, "set/*")]) == 1
    with pytest.raises(ValueError, match="more than 100 files and folders to look through"):
        list(scan.matching(tree, "**"))
