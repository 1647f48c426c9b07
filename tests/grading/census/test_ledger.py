"""The file of a census: what must be in a row, and what is missing."""

import json
from pathlib import Path

import pytest

from nonocsp.grading.census.counts import Difficulties
from nonocsp.grading.census.ledger import Counted, gaps, read_counted, to_row
from nonocsp.grading.census.tallies import ShardRange, solutions, sweeps
from nonocsp.json_lines import Row
from nonocsp.model import FormatError

TALLY = sweeps(3, 4)
ROW = {"tally": "sweeps", "start": 3, "stop": 5, "seconds": 0.1, "images": 128, "histogram": [8, 100]}


def write(folder: Path, *rows: Row) -> Path:
    (folder / "shards.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return folder


def test_stored_counts_are_read_back_unchanged(tmp_path):
    counted = Counted(ShardRange(TALLY, 3, 5), Difficulties(128, (8, 100)), 0.1)
    assert to_row(counted) == ROW | {"histogram": (8, 100)}
    assert read_counted(write(tmp_path, to_row(counted)), TALLY) == [counted]
    assert read_counted(tmp_path, solutions(3, 4)) == read_counted(tmp_path / "nowhere", TALLY) == []


def test_the_gaps_are_the_shards_without_counts(tmp_path):
    later = ROW | {"start": 9, "stop": 10}
    counted = read_counted(write(tmp_path, later, ROW), TALLY)
    assert gaps(counted, 12) == [range(3), range(5, 9), range(10, 12)]
    assert gaps(counted, 10) == [range(3), range(5, 9)]
    assert gaps([], 4) == [range(4)]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"start": -1}, "start: expected a number of at least 0, not -1"),
        ({"start": 5}, "sweeps of shards 5 to 1"),
        ({"stop": len(TALLY.shards) + 1}, f"of {len(TALLY.shards)}; expected"),
        ({"stop": None}, "stop: expected a whole number, not nothing"),
        ({"histogram": [1, "many"]}, r"histogram\.1: expected a whole number, not 'many'"),
        ({"histogram": 5}, "histogram: expected a list, not 5"),
        ({"images": 1.5}, "images: expected a whole number, not 1.5"),
        ({"seconds": "long"}, "seconds: expected a number, not 'long'"),
    ],
)
def test_a_malformed_row_of_a_ledger_is_reported(tmp_path, wrong, message):
    folder = write(tmp_path, ROW, ROW | {"start": 0, "stop": 1} | wrong)
    with pytest.raises(FormatError, match=rf"shards\.jsonl:2: .*{message}"):
        read_counted(folder, TALLY)


@pytest.mark.parametrize(("start", "stop"), [(3, 5), (4, 6), (2, 4), (0, 9)])
def test_a_shard_counted_twice_is_reported(tmp_path, start, stop):
    other = {"start": 10, "stop": 11}
    folder = write(tmp_path, ROW, ROW | other, ROW | {"start": start, "stop": stop})
    with pytest.raises(FormatError, match=r"shards\.jsonl:3: sweeps of shard \d for the second time"):
        read_counted(folder, TALLY)
