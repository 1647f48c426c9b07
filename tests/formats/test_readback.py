"""What is written is read back first: another puzzle never appears, and losses are named."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pytest

from nonocsp.formats import formats, registry, save, write_for_program
from nonocsp.formats.base import Format
from nonocsp.model import Colour, Grid, Palette, Puzzle, UsageError

NIGHT = Palette((Colour("night", "#000020", "."), *Palette.of(2).colours[1:]))
DARK = Puzzle.from_grid(Grid.from_cells(np.arange(12).reshape(3, 4) % 3), palette=NIGHT)
WIDE = Puzzle.from_clues([[1, 1]], [[1], [], [1]])
CAT = Puzzle.from_grid(Grid.from_strings(["#.", "##"]), title="Cat", author="Ann", licence="CC0", source="b")


@pytest.mark.parametrize(
    ("format", "puzzle", "lost"),
    [
        ("nin", CAT, ["title", "author", "licence", "source", "goal"]),
        ("nin", replace(CAT, goal=None).clues_only(), []),
        ("picross", replace(CAT, author="", licence="", source=""), ["goal"]),
        ("text", CAT, ["title", "author", "licence", "source"]),
        ("non", CAT, []),
        ("webpbn", CAT, []),
        ("json", DARK, []),
        ("png", DARK, []),
        ("text", DARK, ["colours"]),
        ("pynogram", DARK, ["goal"]),
        ("gif", replace(CAT, palette=Palette((Colour("a", "#ffffff", "."), Colour("b", "#ff0000", "#")))), 4),
    ],
)
def test_what_a_format_has_no_place_for_is_named_and_refused_unless_allowed(
    tmp_path: Path, format: str, puzzle: Puzzle, lost: list[str] | int
) -> None:
    path = tmp_path / "cat"
    expected = (
        lost if isinstance(lost, list) else ["names of colours", "title", "author", "licence", "source"]
    )
    assert save(puzzle, path, format=format) == expected
    written = path.read_bytes()
    if expected:
        with pytest.raises(UsageError) as error:
            save(puzzle, path, format=format, lossy=False)
        assert f"{format} has no place for the {expected[0]}" in str(error.value)
        assert "--lossy writes it without" in str(error.value)
    else:
        assert save(puzzle, path, format=format, lossy=False) == []
    assert path.read_bytes() == written


def careless(change: str) -> Format:
    """Return nearly the format jsonl: its writer swaps, drops or doubles puzzles."""
    known = next(known for known in formats() if known.name == "jsonl")
    assert known.write
    write = known.write

    def changed(puzzles: Iterable[Puzzle], stream: BinaryIO) -> None:
        several = list(puzzles)
        order = {"swap": [1, 0, 2], "drop": [0, 1], "double": [0, 1, 2, 2]}[change]
        write((several[i] for i in order), stream)

    return replace(known, name="careless", write=changed)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("swap", "puzzle 1 would be another one when it is read"),
        ("drop", "only 2 puzzles would be read"),
        ("double", "puzzle 4 would be another one when it is read"),
    ],
)
def test_a_writer_with_a_fault_writes_nothing(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
    change: str,
    message: str,
) -> None:
    monkeypatch.setattr(registry, "_by_name", lambda _: careless(change))
    puzzles = [Puzzle.from_clues([[n]], [[1]] * n) for n in (1, 2, 3)]
    for target in (tmp_path / "set", "-"):
        with pytest.raises(UsageError, match=message):
            save(puzzles, target, format="careless")
    assert list(tmp_path.iterdir()) == []
    assert capsysbinary.readouterr().out == b""


def test_a_program_gets_what_its_format_holds_without_a_comparison(tmp_path: Path) -> None:
    write_for_program([WIDE], tmp_path / "set.txt", "tournament")
    assert (tmp_path / "set.txt").read_text() == "$1\n1\n\n1\n1\t1\n"


@pytest.mark.parametrize("suffix", [".png", ".grid"])
@pytest.mark.filterwarnings("error")
def test_reading_back_tells_nothing_about_the_draft(tmp_path, suffix):
    cells = np.random.default_rng(1).random((70, 70)) < 0.4
    assert save(Puzzle.from_grid(cells.astype(np.uint8)), tmp_path / f"large{suffix}") == []
