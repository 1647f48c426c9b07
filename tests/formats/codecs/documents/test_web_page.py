"""Saved pages: the cipher of nonograms.org, and tables with clues around a grid."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

import pytest

from nonocsp.formats import formats
from nonocsp.formats.base import Sureness
from nonocsp.model import FormatError, Grid, Palette, Puzzle

Read = Callable[..., list[Puzzle]]

STAIR = Puzzle.from_clues([[1, 1], [2], []], [[1], [1], [2]])
PAGE = """<!DOCTYPE html>
<html><head><title>Stair &amp; more</title></head><body>
<table><tr><td>menu</td></tr></table>
<table>
<tr><th></th><td>1</td><td>1</td><td>2
<tr><td>1<br>1<td></td><td></td><td></td></tr>
<tr><td>2<td><td><td></tr>
<tr><td>0<td><td><td></tr>
</table></body></html>
"""


def page(grid: list[str], colours: dict[str, str]) -> str:
    """Return a page as nonograms.org writes it, with numbers of its kind."""

    def hidden(number: int) -> list[int]:
        return [number + 5 * 97, 40 + 97, 40 + 3 * 97, 97]

    base, added = [11, 23, 37, 41], [101, 7, 13, 29]
    lines = [[1, 2, 3, 4], hidden(len(grid[0])), hidden(len(grid)), hidden(len(colours)), base]
    for rgb in colours.values():
        red, green, blue = bytes.fromhex(rgb)
        lines.append([red + base[1], green + base[0], blue + base[3], 255])
    runs = []
    for row, text in enumerate(grid, start=1):
        column = 1
        for ink, cells in groupby(text):
            length = len(list(cells))
            if ink in colours:
                runs.append([column, length, [*colours].index(ink) + 1, row])
            column += length
    lines += [[1 + 89, 0, len(runs) - 1, 89], added]
    lines += [[a + b for a, b in zip(run, added, strict=True)] for run in runs]
    array = ",".join(f"[{','.join(map(str, line))}]" for line in lines)
    return f"<html><head><title>Cat — nonogram</title></head>\n<script>\nvar d=[{array}];\n</script></html>"


def test_a_page_of_nonograms_org_hides_the_solution(read: Read) -> None:
    (puzzle,) = read(page(["#.##", "###.", "...."], {"#": "000000"}), name="page.html")
    assert puzzle.goal == Grid.from_strings(["#.##", "###.", "...."])
    assert puzzle.title == "Cat — nonogram"


def test_its_colours_are_hidden_too(read: Read) -> None:
    (puzzle,) = read(page(["aab", ".bb"], {"a": "ff8000", "b": "0000ff"}))
    assert [colour.rgb for colour in puzzle.palette.colours] == ["#ffffff", "#ff8000", "#0000ff"]
    expected = Puzzle.from_grid(Grid.from_strings(["##a", ".aa"], Palette.of(2)), palette=Palette.of(2))
    assert puzzle.canonical_hash == expected.canonical_hash


@pytest.mark.parametrize(
    "array",
    [
        "[[1,2,3,4]]",
        "[[1,2,3,4],[1,2,3,0]]",
        "[[1,2],[3]]",
        "[[[1]]]",
        page(["#"], {"#": "000000"}).partition("var d=")[2].partition(";")[0].replace("[102,8", "[103,8"),
        page(["#"], {"#": "000000"}).partition("var d=")[2].partition(";")[0].replace("[23,11,", "[22,11,"),
        page(["#.#"], {"#": "000000"}).partition("var d=")[2].partition(";")[0].replace(",[104,8,14,30]", ""),
    ],
)
def test_numbers_that_hide_no_puzzle_are_refused(read: Read, array: str) -> None:
    with pytest.raises(FormatError) as error:
        read(f"<html>\n<script>var d={array};", name="page.html", format="web-page")
    assert "page.html:2: var d hides no puzzle" in str(error.value)


def test_a_table_with_clues_around_a_grid_is_a_puzzle(read: Read) -> None:
    assert read(PAGE) == [STAIR]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<html><a href='https://webpbn.com/'>play</a>", "from https://webpbn.com/export.cgi"),
        ("<html><table><tr><td>1</table>", "a table with clues around a grid, or a saved page"),
        ("<html>" + " " * (1 << 19), "the page is too large to look at its tables"),
        ("<html>" + " " * (3 << 20), "the page is too large; expected at most"),
    ],
)
def test_other_pages_are_refused_with_a_way_out(read: Read, text: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(text)
    assert message in str(error.value)


def test_only_pages_are_taken() -> None:
    (known,) = (known for known in formats() if known.name == "web-page")
    for text in ("<puzzle>", "text", '<?xml version="1.0"?>\n<FreeNono>'):
        assert known.sniff(text.encode()).sureness is Sureness.NO
