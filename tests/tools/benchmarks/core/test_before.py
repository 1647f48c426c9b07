"""The comparison with an earlier product adds up its figures, and finds what differs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import typer
from rich.console import Console

from nonocsp import Puzzle
from nonocsp.testing import n_dom
from tools.benchmarks.core.before import Decision, by_product, by_set, disagreements
from tools.benchmarks.core.products import Product, Sketch, interpreter
from tools.benchmarks.pictures import KINDS, picture
from tools.benchmarks.sketch import PROTOTYPE

FOUND = [
    Decision("pictures", part, f"{part} {seed}", seed, product, "unique", 2 * core, core, 7)
    for part, seed, product, core in (
        *(("blobs", 1, "before", 4.0), ("blobs", 1, "now", 1.0)),
        *(("blobs", 2, "before", 4.0), ("blobs", 2, "now", 3.0)),
        *(("photo", 1, "before", 1.0), ("photo", 1, "now", 2.0)),
        *(("photo", 2, "before", 1.0), ("photo", 2, "now", 2.0)),
    )
]


def test_sums_are_means_over_the_seeds_and_ratios_have_a_range(capsys: pytest.CaptureFixture[str]) -> None:
    Console(width=80).print(by_set(FOUND, "core_s"))
    rows = {words[0]: words[1:] for line in capsys.readouterr().out.splitlines() if (words := line.split())}
    assert rows["blobs"] == ["1", "4", "2", "0.50", "0.25–0.75", "4", "→", "3", "2", "→", "0"]
    assert rows["photo"][:5] == ["1", "1", "2", "2.00", "2.00–2.00"]
    assert rows["pictures"][:5] == ["2", "5", "4", "0.80", "0.60–1.00"]


def test_sums_of_each_product_say_how_many_runs_were_cut_off(capsys: pytest.CaptureFixture[str]) -> None:
    others = [
        Decision("pictures", "blobs", "blobs 1", 1, "sat", "cut off", 9.0, 9.0, None),
        Decision("pictures", "blobs", "blobs 1", 1, "sketch", "unread", 0.0, 0.0, None),
    ]
    Console(width=80).print(by_product([*FOUND, *others]))
    *_, heads, _, cells = (words for line in capsys.readouterr().out.splitlines() if (words := line.split()))
    assert heads == ["set", "n", "before", "now", "sat", "sketch"]
    assert cells == ["pictures", "4", "10", "8", "4.5", "(+1)", "0"]


def test_two_answers_to_a_puzzle_and_broken_runs_are_reported() -> None:
    first, second, *_ = FOUND
    others = [
        Decision("pictures", "blobs", first.puzzle, 1, "now", "multiple", 1, 1, 1),
        Decision("pictures", "blobs", second.puzzle, 2, "now", "cut off", 1, 1, None),
        Decision("pictures", "blobs", second.puzzle, 2, "sketch", "unread", 0, 0, None),
        Decision("pictures", "blobs", "broken", 2, "now", "crashed", 1, 1, None),
    ]
    assert not disagreements(FOUND)
    assert disagreements([*FOUND, *others]) == [
        "blobs 1: unique (before 1; now 1), multiple (now 1)",
        "broken: crashed (now 2)",
    ]


def test_a_product_answers_and_is_cut_off_at_its_cpu_limit() -> None:
    tiny = Puzzle.from_clues([[1], [1]], [[1], [1]])
    with Product("now", Path(sys.executable)) as now:
        assert [found[0] for found in now.decide([n_dom(4), tiny], 0, 30)] == ["unique", "multiple"]
        assert now.decide([n_dom(24)], 0, 0.2) == [["cut off", 0.2, 0.2, None]]
        (answer, whole, core, _) = now.decide([tiny], 0, 30)[0]
        assert answer == "multiple"
        assert 0 < core <= whole < 1


def test_another_backend_decides_beside_the_default_one() -> None:
    with Product("settle", Path(sys.executable), "settle") as settle:
        assert [found[0] for found in settle.decide([n_dom(2), n_dom(4)], 0, 30)] == ["unique", "partial"]


@pytest.mark.slow
@pytest.mark.skipif(not PROTOTYPE.is_dir(), reason="the sketch of the reference data is not there")
def test_the_sketch_decides_what_it_can_read() -> None:
    coloured = Puzzle.from_clues([[(1, 1), (1, 2)]], [[(1, 1)], [(1, 2)]])
    with Sketch() as sketch:
        assert [found[0] for found in sketch.decide([n_dom(4), coloured], 0, 30)] == ["unique", "unread"]


def test_a_commit_that_the_clone_lacks_is_an_error_that_says_what_to_do() -> None:
    with pytest.raises(typer.BadParameter, match="no commit f00f00f; fetch the whole history"):
        interpreter("f00f00f")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("colours", [1, 3])
def test_a_picture_has_its_size_and_all_colours_and_is_the_same_every_time(kind: str, colours: int) -> None:
    puzzle = picture(kind, 30, colours, 0)
    assert puzzle.goal is not None
    assert puzzle.goal.cells.shape == (30, 30)
    assert set(puzzle.goal.cells.ravel()) == set(range(colours + 1))
    assert puzzle == picture(kind, 30, colours, 0)
    assert puzzle != picture(kind, 30, colours, 1)
