"""FreeNono's XML: solutions, of which the clues are derived."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from nonocsp.formats import save
from nonocsp.model import FormatError, Grid, Puzzle, UsageError

Read = Callable[..., list[Puzzle]]
Write = Callable[..., bytes]

CROSS_TEXT = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<FreeNono>
<Nonograms>
<Nonogram desc="" difficulty="0" height="2" id="" name="Cross &amp; more" author="Ada" width="3">
<line> _ x _ </line>
<line> x x x </line>
</Nonogram>
</Nonograms>
</FreeNono>
"""
CROSS = Puzzle.from_grid(Grid.from_strings([".#.", "###"]), title="Cross & more", author="Ada")


def test_the_solution_gives_the_clues(read: Read, write: Write) -> None:
    assert read(CROSS_TEXT, name="a.nonogram") == [CROSS]
    assert read(write([CROSS, CROSS], "freenono")) == [CROSS, CROSS]


def test_a_puzzle_without_a_goal_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="FreeNono keeps solutions and this puzzle has none"):
        save(Puzzle.from_clues([[1]], [[1]]), tmp_path / "a.nonogram")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('height="2"', 'height="3"', ":4: 2 lines; expected 3, as height says"),
        ('width="3"', 'width="4"', ":5: 3 cells; expected 4 cells, as width says: x or _ between blanks"),
        ('width="3"', "", ":4: width ''; expected a width from 1 to 4096"),
        ("_ x _", "_ ? _", ":5: '?' is no cell; expected 3 cells"),
        ("</Nonograms>", "", ":9:3: mismatched tag; expected well-formed XML"),
        ("<FreeNono>", '<!DOCTYPE a [<!ENTITY b "c">]><FreeNono>', ":2: the file declares an entity"),
    ],
)
def test_a_faulty_file_names_the_line(read: Read, old: str, new: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(CROSS_TEXT.replace(old, new), name="a.nonogram")
    assert f"a.nonogram{message}" in str(error.value)


def test_too_many_elements_are_refused(read: Read) -> None:
    with pytest.raises(FormatError, match="too much for one puzzle"):
        read("<FreeNono>" + "<a>" * 200, format="freenono")
