"""The tournament rule, against the organisers' formula and an independent reading of the committed set."""

import gzip
import hashlib
import math
from fractions import Fraction
from pathlib import Path

import pytest

from nonocsp import Answer, solve
from nonocsp.datasets import tournament_set
from nonocsp.formats import load_all, save
from nonocsp.model import verify


@pytest.fixture(scope="module")
def committed(repository) -> Path:
    return repository / "datasets" / "tcga" / "tcga-2026.txt.gz"


def black_counts(text: str, rows: int, columns: int) -> list[tuple[int, int]]:
    """Return the black cells of each puzzle by column clues and by row clues, with plain string tools."""
    counts = []
    for section in text.split("$")[1:]:
        lines = section.split("\n")[1 : 1 + columns + rows]
        sums = [sum(map(int, line.split())) for line in lines]
        counts.append((sum(sums[:columns]), sum(sums[columns:])))
    return counts


def test_the_committed_set_has_the_organisers_density_ramp(committed):
    counts = black_counts(gzip.decompress(committed.read_bytes()).decode(), 25, 25)
    exact = [math.floor((Fraction(1, 2) - Fraction(15, 100) * Fraction(i, 999)) * 625) for i in range(1000)]
    assert len(counts) == 1000
    assert [counts[0], counts[999]] == [(312, 312), (218, 218)]
    assert all(rows == columns for columns, rows in counts)
    # the organisers compute in floating point, which may fall below a whole number by one
    assert all(abs(count - wanted) <= 1 for (count, _), wanted in zip(counts, exact, strict=True))


def test_the_recipe_reproduces_the_committed_set(committed, tmp_path):
    save(tournament_set(2026), tmp_path / "again.txt", format="tournament")
    assert (tmp_path / "again.txt").read_bytes() == gzip.decompress(committed.read_bytes())


def test_the_checksums_are_those_of_the_files(committed):
    digest, name = (committed.parent / "SHA256SUMS").read_text().split()
    assert (name, digest) == (committed.name, hashlib.sha256(committed.read_bytes()).hexdigest())
    content = hashlib.sha256(gzip.decompress(committed.read_bytes())).hexdigest()
    assert content in (committed.parent / "README.md").read_text()
    assert committed.read_bytes()[4:8] == b"\0\0\0\0", "a time stamp"


def test_the_committed_set_reads_back_as_1000_numbered_puzzles(committed):
    puzzles = list(load_all(committed))
    assert [puzzle.title for puzzle in puzzles] == [str(k) for k in range(1, 1001)]
    assert {puzzle.shape for puzzle in puzzles} == {(25, 25)}
    assert len({puzzle.canonical_hash for puzzle in puzzles}) == 1000


@pytest.mark.parametrize(("count", "rows", "columns"), [(1, 1, 1), (2, 3, 7), (30, 5, 4)])
def test_every_puzzle_has_its_size_and_its_grid_as_goal(count, rows, columns):
    puzzles = list(tournament_set(5, count=count, rows=rows, columns=columns))
    assert puzzles == list(tournament_set(5, count=count, rows=rows, columns=columns))
    assert len(puzzles) == count
    for i, puzzle in enumerate(puzzles):
        assert puzzle.shape == (rows, columns)
        assert puzzle.goal is not None
        assert verify(puzzle, puzzle.goal)
        assert puzzle.goal.cells.sum() == int((0.5 - 0.15 * i / max(1, count - 1)) * rows * columns)


def test_the_puzzles_of_each_verdict_have_it_and_come_from_the_set(committed):
    every = list(load_all(committed))
    columns = {puzzle.columns for puzzle in every}
    for file, verdict in (("unique", Answer.UNIQUE), ("unsatisfiable", Answer.UNSAT)):
        puzzles = list(load_all(committed.parent / f"{file}.txt"))
        assert len(puzzles) == 11
        for puzzle in puzzles:
            assert puzzle.columns in columns
            assert {solve(puzzle, backend).answer for backend in ("hybrid", "sat:root=no")} == {verdict}
            assert solve(puzzle, "settle").answer is not Answer.UNSAT
