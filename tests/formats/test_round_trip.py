"""Every written puzzle is read back; the reader recognises the format."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nonocsp.formats import formats, load_all, save
from nonocsp.model import Colour, Grid, Palette, Puzzle

EXACT = ("json", "jsonl")
WITH_METADATA = (*EXACT, "webpbn", "non", "png")
WITH_GOAL = (
    *WITH_METADATA,
    "text",
    "gnonograms",
    "csv",
    "pzprv3",
    "freenono",
    "gif",
    "pbm",
    "pgm",
    "ppm",
    "bmp",
    "tiff",
    "webp",
)
IN_COLOUR = tuple(f.name for f in formats() if f.can_write and f.holds_colours)
ALL = tuple(f.name for f in formats() if f.can_write)
PICTURES = ("gif", "ppm", "bmp", "tiff", "webp")

texts = st.text(
    st.characters(categories=("L", "N", "P", "S", "Zs"), include_characters="\n"), max_size=12
).map(str.strip)

colour_names = st.sampled_from(["white", "black", "red", "r", "#ff0000", "0", "[red]", "a b"]) | st.text(
    st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=8
)


@st.composite
def palettes(draw: st.DrawFn, most: int) -> Palette:
    """Any palette whose background is lighter than its colours."""
    count = draw(st.integers(1, most))
    chars = draw(
        st.lists(
            st.sampled_from("#abcXY@%|\\[]. -'\"&<0é■"), min_size=count + 1, max_size=count + 1, unique=True
        )
    )
    rgbs = draw(st.lists(st.integers(0, 0xEFEFEF), min_size=count, max_size=count, unique=True))
    names = draw(st.lists(colour_names, min_size=count + 1, max_size=count + 1, unique=True))
    colours = zip(names, ["#ffffff", *(f"#{rgb:06x}" for rgb in rgbs)], chars, strict=True)
    return Palette(tuple(Colour(*colour) for colour in colours))


@st.composite
def puzzles(draw: st.DrawFn, most_colours: int) -> Puzzle:
    """Any small puzzle with its goal and metadata."""
    palette = draw(palettes(most_colours))
    rows, columns = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    cells = draw(st.lists(st.integers(0, len(palette) - 1), min_size=rows * columns, max_size=rows * columns))
    grid = Grid.from_cells(np.array(cells).reshape(rows, columns))
    title, author, licence, source = (draw(texts) for _ in range(4))
    return Puzzle.from_grid(grid, palette=palette, title=title, author=author, licence=licence, source=source)


def through_file(puzzle: Puzzle, format: str) -> Puzzle:
    """Write the puzzle and read it back, if possible without naming the format."""
    options: dict[str, Any] = {"text": {"format": "text"}, "tournament": {"size": puzzle.shape}}.get(
        format, {}
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "puzzle"
        save(puzzle, path, format=format)
        (read,) = load_all(path, **options)
    return read


@pytest.mark.parametrize("format", ALL)
@given(puzzle=puzzles(1))
@settings(max_examples=12)
def test_every_format_keeps_the_clues_of_a_one_colour_puzzle(format: str, puzzle: Puzzle) -> None:
    read = through_file(puzzle, format)
    assert (read.rows, read.columns) == (puzzle.rows, puzzle.columns)
    is_blank = puzzle.goal is None or not puzzle.goal.cells.any()
    is_told = format in WITH_GOAL and not (format in ("csv", "pzprv3") and is_blank)
    assert read.goal == (puzzle.goal if is_told else None)  # in a table, blank cells are unknown


BLOCK = Colour("green", "#00ff00", "■")  # its last byte is a no-break space in Latin-1


@pytest.mark.parametrize("format", IN_COLOUR)
@given(puzzle=puzzles(6))
@example(
    puzzle=Puzzle.from_grid(
        Grid.from_cells(np.array([[1, 2]], np.uint8)), palette=Palette((*Palette.of(1).colours, BLOCK))
    )
)
@settings(max_examples=12)
def test_colour_formats_keep_the_clues_of_a_coloured_puzzle(format: str, puzzle: Puzzle) -> None:
    assert puzzle.goal is not None
    if format in PICTURES:  # these cannot say which colour is the background unless it is there to be seen
        cells = np.pad(puzzle.goal.cells, 1)
        puzzle = Puzzle.from_grid(Grid.from_cells(cells), palette=puzzle.palette)
    read = through_file(puzzle, format)
    assert read.canonical_hash == puzzle.canonical_hash


@pytest.mark.parametrize("format", WITH_METADATA)
@given(puzzle=puzzles(4))
@settings(max_examples=12)
def test_metadata_survive_a_round_trip(format: str, puzzle: Puzzle) -> None:
    read = through_file(puzzle, format)
    for key in ("title", "author", "licence", "source"):
        assert getattr(read, key) == getattr(puzzle, key)


@pytest.mark.parametrize("format", WITH_METADATA)
@pytest.mark.parametrize("inks", [1, 3])
def test_the_background_colour_survives_a_round_trip(format: str, inks: int) -> None:
    night = Colour("night", "#000020", ".")
    palette = Palette((night, *Palette.of(inks).colours[1:]))
    puzzle = Puzzle.from_grid(Grid.from_cells(np.arange(4).reshape(2, 2) % (inks + 1)), palette=palette)
    read = through_file(puzzle, format)
    assert [colour.rgb for colour in read.palette.colours] == [colour.rgb for colour in palette.colours]


@pytest.mark.parametrize("format", [*EXACT, "webpbn"])
@given(puzzle=puzzles(6))
@settings(max_examples=12)
def test_json_and_xml_keep_palette_and_goal_exactly(format: str, puzzle: Puzzle) -> None:
    assert through_file(puzzle, format) == puzzle


@pytest.mark.parametrize("format", [f.name for f in formats() if f.can_write and f.holds_many])
@given(several=st.lists(puzzles(1), min_size=2, max_size=4))
@settings(max_examples=8)
def test_sets_keep_their_order(format: str, several: list[Puzzle]) -> None:
    if format == "tournament":
        several = [replace(several[0], title=str(k)) for k in range(3)]
    options = {"size": several[0].shape if format == "tournament" else None, "format": format}
    with tempfile.TemporaryDirectory() as folder:
        save(several, Path(folder) / "set", format=format)
        read = list(load_all(Path(folder) / "set", **options))
    assert [(p.rows, p.columns) for p in read] == [(p.rows, p.columns) for p in several]


@pytest.mark.parametrize("format", IN_COLOUR)
def test_the_largest_palette_survives_a_round_trip(format: str) -> None:
    palette = Palette.of(63)
    puzzle = Puzzle.from_grid(Grid.from_cells(np.arange(64).reshape(8, 8)), palette=palette)
    assert through_file(puzzle, format).canonical_hash == puzzle.canonical_hash
