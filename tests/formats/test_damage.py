"""Damaged files give puzzles or one readable error, never a traceback."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nonocsp.formats import formats, load_all, save
from nonocsp.model import BLACK_AND_WHITE, Grid, NonocspError, Palette, Puzzle

ONE_COLOUR = Grid.from_strings(["##.#", "....", ".###", "#..#"], BLACK_AND_WHITE)
COLOURED = Grid.from_strings(["##.a", "....", "baab", "#..#"], Palette.of(3))
JUNK = (
    b"",
    b"\0",
    b"\n",
    b"\n\n",
    b" ",
    b"0",
    b"-1",
    b"9999999999",
    b"?",
    b"#",
    b"$",
    b"=",
    b"<",
    b"]",
    b'"',
    b"\xff",
    b"a",
)


def whole(format: str) -> bytes:
    colours = next(f.holds_colours for f in formats() if f.name == format)
    grid, palette = (COLOURED, Palette.of(3)) if colours else (ONE_COLOUR, BLACK_AND_WHITE)
    puzzle = Puzzle.from_grid(grid, palette=palette, title="T", author="A", licence="L", source="S")
    with tempfile.TemporaryDirectory() as folder:
        save(puzzle, Path(folder) / "whole", format=format)
        return (Path(folder) / "whole").read_bytes()


def answer(path: Path, format: str | None) -> list[Puzzle] | str:
    """Return the puzzles, or the message that a user would see."""
    try:
        return list(load_all(path, format=format))
    except NonocspError as error:
        return str(error)


WHOLE = {f.name: whole(f.name) for f in formats() if f.can_write}


@pytest.mark.filterwarnings("ignore::nonocsp.FormatWarning")
@pytest.mark.parametrize("format", WHOLE)
@given(
    edits=st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 8), st.sampled_from(JUNK)), min_size=1, max_size=3
    ),
    told=st.booleans(),
)
@settings(max_examples=25)
def test_a_damaged_file_gives_puzzles_or_a_readable_error(
    format: str, edits: list[tuple[float, int, bytes]], told: bool
) -> None:
    content = WHOLE[format]
    for where, length, junk in edits:
        start = int(where * len(content))
        content = content[:start] + junk + content[start + length :]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "damaged"
        path.write_bytes(content)
        found = answer(path, format if told else None)
        assert "damaged" in found if isinstance(found, str) else found


@pytest.mark.filterwarnings("ignore::nonocsp.FormatWarning")
@pytest.mark.parametrize("format", WHOLE)
def test_a_file_cut_anywhere_gives_puzzles_or_a_readable_error(tmp_path: Path, format: str) -> None:
    path = tmp_path / "damaged"
    content = WHOLE[format]
    for end in range(0, len(content), max(1, len(content) // 50)):
        path.write_bytes(content[:end])
        found = answer(path, format)
        assert "damaged" in found if isinstance(found, str) else found
