"""Tables of the counts of the census in the forms of the OEIS."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tools.benchmarks.grading.series import main

A384764 = """1 1 1 1 2 1 1 4 4 1 1 8 14 8 1 1 16 52 52 16 1 1 32 210 384 210 32 1
1 64 816 3152 3152 816 64 1"""
"""Its antidiagonals 0 to 7, as published."""


def lines(path: Path) -> list[tuple[int, ...]]:
    return [tuple(map(int, line.split())) for line in path.read_text().splitlines()]


def test_b_files_have_the_published_antidiagonals_and_series(tmp_path: Path) -> None:
    main(cells=12, kept=tmp_path / "kept", only_kept=False, save=tmp_path, figure=None)
    published = list(enumerate(map(int, A384764.split())))
    assert lines(tmp_path / "census-unique.txt") == published
    assert lines(tmp_path / "census-unique-2xn.txt") == list(enumerate([1, 4, 14, 52, 210, 816, 3206]))
    assert lines(tmp_path / "census-simple-3xn.txt") == list(enumerate([1, 8, 52, 384, 3116]))
    with (tmp_path / "census-counts.csv").open() as file:
        last = list(csv.DictReader(file))[-1]
    assert (last["rows"], last["columns"], last["simple"], last["unique"]) == ("3", "4", "3116", "3152")
    assert sum(map(int, last["histogram"].split())) == 3116


def test_only_kept_censuses_that_are_complete_are_tabled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "kept"
    main(cells=6, kept=kept, only_kept=False, save=None, figure=None)
    ledger = kept / "2x3" / "shards.jsonl"
    rows = ledger.read_text().splitlines(keepends=True)
    ledger.write_text("".join(row for row in rows if '"solutions"' not in row))
    (kept / "2x2" / "shards.jsonl").unlink()
    capsys.readouterr()
    main(cells=6, kept=kept, only_kept=True, save=tmp_path, figure=None)
    printed = capsys.readouterr().out
    assert "2x2" not in printed
    assert "not counted" in printed
    assert lines(tmp_path / "census-simple-2xn.txt") == [(0, 1), (1, 4)]
    assert not (kept / "2x2" / "shards.jsonl").exists()
