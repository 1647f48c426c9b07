"""``.mk``: the header is height first, and ``#`` stands between rows and columns."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nonocsp.model import FormatError, Puzzle, bounds

Read = Callable[..., list[Puzzle]]

WIDE = Puzzle.from_clues([[1, 1], []], [[1], [], [1]])
SQUARE = Puzzle.from_clues([[2], [1]], [[1], [2]])


@pytest.mark.parametrize("name", ["cat.mk", "cat.nin", "cat"])
@pytest.mark.parametrize(
    "content",
    [
        "2 3\n1 1\n0\n#\n1\n0\n1\n",
        "2 3\n1 1\n\n#\n1\n\n1\n",
        "2 3\n1,1\n\n\n\n# columns\n1\n\n1\n\n\n",
        "\ufeff2 3 \r\n1 1 \r\n0\r\n#\r\n1\r\n0\r\n1",
        "# a comment\n\n2 3\n1  1\n[]\n  #\n1\n0\n1\n",
    ],
)
def test_one_puzzle_in_many_spellings_whatever_the_suffix(read: Read, content: str, name: str) -> None:
    assert read(content, name=name) == [WIDE]


def test_a_last_empty_clue_may_lack_its_newline(read: Read) -> None:
    assert read("1 2\n1\n#\n1\n") == [Puzzle.from_clues([[1]], [[1], []])]


def test_without_the_separator_the_same_lines_are_a_nin_file_with_the_width_first(read: Read) -> None:
    (puzzle,) = read("2 3\n1\n\n1\n1 1\n0\n", name="cat.mk")
    assert puzzle == WIDE.transposed()


def test_a_bare_number_sign_elsewhere_is_a_comment_of_a_nin_file(read: Read) -> None:
    assert read("3 2\n#\n1 1\n0\n1\n0\n1\n") == [WIDE]


def test_the_suffix_identifies_a_file_whose_separator_comes_late(read: Read) -> None:
    rows = ["1 " * 40 + "1"] * 120
    columns = ["120", "0"] * 40 + ["120"]
    (puzzle,) = read("\n".join(["120 81", *rows, "#", *columns, ""]), name="tall.mk")
    assert puzzle.shape == (120, 81)


def test_an_endless_file_is_refused_before_it_fills_the_memory(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "FILE_BYTES", 1000)  # so that the last line cannot be read
    endless = "2 2\n" + "1\n" * 40_000 + "1 " * 1000
    assert read(endless, format="nin") == [Puzzle.from_clues([[1], [1]], [[1], [1]])]
    with pytest.raises(FormatError, match="no line with # below the row clues"):
        read(endless, format="mk")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("2 3\n1 1\n#\n1\n0\n1\n", ":1: 1 row clues between the size and #; expected 2, as the size says"),
        ("2 3\n1 1\n0\n1\n#\n1\n0\n1\n", ":1: 3 row clues between the size and #; expected 2, as the size"),
        ("2 3\n1 1\n0\n#\n1\n1\n1\n1\n", ":4: 4 column clues below #; expected 3, as the size says"),
        ("2 3\n2 1\n0\n#\n1\n1\n", ":4: 2 column clues below #; expected 3, as the size says"),
        (
            "2 3\n1 1\n0\n1\n0\n1\n",
            "no line with # below the row clues; expected 2 row clues, #, column clues",
        ),
        ("2 3\n1 1\n0\n#\n1,b\n0\n1\n", ":5:3: 'b' is no block length; expected a clue such as 3 1 2"),
        ("0 2\n1 1\n", ":1: height '0'; expected a height from 1 to 4096"),
        ("2\n1\n", ":1: no size; expected HEIGHT WIDTH, two numbers, height first"),
        ("% nothing\n", "nothing but comments; expected a puzzle"),
    ],
)
def test_a_faulty_file_names_the_line_and_what_was_expected(read: Read, content: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(content, name="cat.mk", format="mk")
    assert f"cat.mk{message}" in str(error.value) or f"cat.mk: {message}" in str(error.value)


def test_an_empty_clue_is_written_as_zero(write: Callable[..., bytes]) -> None:
    assert write(WIDE, "mk") == b"2 3\n1 1\n0\n#\n1\n0\n1\n"
