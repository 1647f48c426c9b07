"""A census: published counts, shards counted in another way, and what survives a kill."""

import random
from itertools import chain
from pathlib import Path

import pytest

from nonocsp.grading.census.counts import Census, Difficulties
from nonocsp.grading.census.ledger import read_counted
from nonocsp.grading.census.pools import threads
from nonocsp.grading.census.taking import TallyProgress, take_census
from nonocsp.grading.census.tallies import ShardRange, solutions, sweeps
from nonocsp.model import FormatError, UsageError
from tests.grading.census.known import HISTOGRAMS, SHARDS_OF_6X6, SOLUTIONS


def taken(folder: Path, rows: int, columns: int, **options: bool) -> Census:
    with threads(2) as pool:
        return take_census(rows, columns, folder, pool, **options)


@pytest.mark.parametrize("size", HISTOGRAMS)
def test_square_images_have_the_published_histograms(size, tmp_path):
    census = taken(tmp_path, size, size, unique=True)
    assert census.record() == {
        "rows": size,
        "columns": size,
        "images": 2 ** (size * size),
        "simple": sum(HISTOGRAMS[size]),
        "unique": SOLUTIONS[size][1],
        "descriptions": SOLUTIONS[size][0],
        "most_solutions": SOLUTIONS[size][2],
        "histogram": HISTOGRAMS[size],
    }


@pytest.mark.parametrize("position", SHARDS_OF_6X6)
def test_difficulties_of_6x6_shards_agree_with_an_independent_count(position):
    weight = sweeps(6, 6).shards[position][2]
    not_simple, *histogram = (weight * images for images in SHARDS_OF_6X6[position])
    found = ShardRange(sweeps(6, 6), position, position + 1).count()
    assert found == Difficulties(not_simple + sum(histogram), tuple(histogram))
    assert found.images == weight * 2**24


@pytest.mark.parametrize("seed", range(4))
def test_a_census_resumes_after_its_file_was_cut_anywhere_and_counts_every_shard_once(seed, tmp_path):
    taken(tmp_path, 4, 4, unique=True)
    path = tmp_path / "shards.jsonl"
    whole = path.read_bytes()
    taken(tmp_path, 4, 4, unique=True)
    assert path.read_bytes() == whole, "finished shards are not counted again"
    path.write_bytes(path.read_bytes()[: random.Random(seed).randrange(path.stat().st_size)])
    assert taken(tmp_path, 4, 4, unique=True).record()["histogram"] == HISTOGRAMS[4]
    for tally in (sweeps(4, 4), solutions(4, 4)):
        ranges = (one.shards for one in read_counted(tmp_path, tally))
        counted = chain.from_iterable(range(shards.start, shards.stop) for shards in ranges)
        assert sorted(counted) == list(range(len(tally.shards)))


def test_inconsistent_counts_are_an_error(tmp_path):
    taken(tmp_path, 3, 3)
    path = tmp_path / "shards.jsonl"
    path.write_text(path.read_text().replace('"images":', '"images":1', 1))
    with pytest.raises(
        FormatError, match=r"shards\.jsonl: the sweeps add up to \d+ images; expected 512 of 3x3"
    ):
        taken(tmp_path, 3, 3)


@pytest.mark.parametrize(("rows", "columns"), [(19, 2), (2, 19), (9, 8)])
def test_a_size_too_large_to_count_is_an_error_and_leaves_no_file(rows, columns, tmp_path):
    for unique in (False, True):
        with pytest.raises(UsageError, match=f"{rows}x{columns} is out of reach: .*--sample"):
            taken(tmp_path / "new", rows, columns, unique=unique)
    assert not (tmp_path / "new").exists()


def test_two_censuses_cannot_use_one_folder(tmp_path):
    def count_here_too(_: TallyProgress) -> None:
        with pytest.raises(UsageError, match="another process is writing"):
            taken(tmp_path, 2, 2)

    with threads(1) as pool:
        take_census(2, 2, tmp_path, pool, on_progress=count_here_too)
