"""Formats are recognised by evidence: no text is taken for a puzzle that it is not."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from nonocsp.formats.base import Evidence, Format, Sureness
from nonocsp.formats.recognition import recognise
from nonocsp.formats.source import Source, open_source
from nonocsp.model import FormatError, FormatWarning, Puzzle, PuzzleError

Read = Callable[..., list[Puzzle]]

NO_PUZZLES = {
    "a file name": "README.md\n",
    "several file names": "a1.txt\nb2.txt\nc3.txt\n",
    "prose": "It was a dark night.\nThe rain fell.\n",
    "an ellipsis": "...\n",
    "a comment": "#\n#\n#\n",
    "a heading": "# A title\n\nSome text with 5 words.\n",
    "a rule": "-----\n-----\n",
    "a separator of YAML": "---\n",
    "versions": "1.0.1\n1.1.1\n1.1.0\n",
    "binary numbers": "10\n11\n10\n",
    "a drawing that letters could be": "b\n.\nb\n#\nb\nb\n",
    "a sudoku": "53..7....\n6..195...\n.98....6.\n",
    "words of one length": "tree\nfrog\nsnow\n",
    "a poem": "床前明月光\n疑是地上霜\n举头望明月\n低头思故乡\n",
    "a matrix": "1 0 0\n0 1 0\n0 0 1\n",
    "edges of a graph": "4 3\n1 2\n2 3\n3 4\n",
    "prices": "$5\n$10\n$20\n",
    "a shell session": "$ ls\nfile\n$ cat file\n1 2 3\n",
    "Python": "rows = [1, 2]\ncols = 4\nprint(rows)\n",
    "C": "#include <stdio.h>\nint main(void) { return 0; }\n",
    "CSS": "width 100\nheight 50\n",
    "an INI file": "[colors]\nred = 1\n[user]\nname = me\n",
    "CSV": "name,age\nAnn,30\nBen,40\n",
    "JSON of other things": '{"name": "x", "rows": 3, "columns": ["a", "b"]}\n',
    "a table in JSON": '{"columns": ["a", "b"], "rows": [["x", 1], ["y", 2]]}\n',
    "a list in JSON": "[1, 2, 3]\n",
    "XML": "<html><body><p>A puzzle</p></body></html>\n",
    "XML with other puzzles": '<puzzles><puzzle kind="crossword"><across>1</across></puzzle></puzzles>\n',
    "a text that starts as a bitmap": "BMW is a car\n",
    "a text that starts as a Netpbm picture": "P1 is a parameter\n",
    "MiniZinc data of other things": "n = 3;\nrows = 4;\ncost = [1, 2, 3];\n",
    "an archive": b"PK\x03\x04\x14\0\0\0\x08\0" + bytes(range(256)),
    "a program": b"\x7fELF\x02\x01\x01\0" + bytes(500),
}


@pytest.mark.parametrize("content", NO_PUZZLES.values(), ids=NO_PUZZLES)
@pytest.mark.parametrize("name", ["file", "file.txt", "file.non"])
def test_what_is_no_puzzle_is_refused(read: Read, content: str | bytes, name: str) -> None:
    with pytest.raises((FormatError, PuzzleError)):
        read(content, name=name)


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        ("README.md\n", "q.txt", "the format is not recognised"),
        (b"\xff\xd8\xff\xe0", "q.jpg", "this is a photograph (JPEG); expected a puzzle; `nonocsp generate "),
        ("%PDF-1.4\n", "q.pdf", "this is a PDF document; expected its clues, copied into a text file"),
        (
            "3 1\n1 1\nx\n",
            "q.txt",
            "the nearest is nin, but line 3: 'x' is no block length; the next is keen, but line 3",
        ),
        ("3 1\n1 1\nx\n", "q", "use --from nin (in Python, format='nin') to read it as nin"),
        ("GRID cat\nROW\n[ 1 ]\n", "q", "the nearest is picross, but line 2: 'ROW' is out of place"),
        (
            "2 1\n1\n\n2\n1 2\n1\n",
            "q.txt",
            "the nearest is keen, but the two sections of clues do not fit each",
        ),
        ('{"row": [[1]]}', "q", "no clues of columns; expected the keys"),
        ("width 3\nheight 2\n1 1\n", "q", "the nearest is non, but there is no line with rows"),
        ("1 1\n1\n1\n1\n", "q", "the nearest is nin, but line 4: ignored from here on: line 1 says 2 clues"),
    ],
)
def test_a_near_miss_names_the_nearest_format_and_the_line_that_speaks_against_it(
    read: Read, content: str | bytes, name: str, message: str
) -> None:
    with pytest.raises(FormatError) as error:
        read(content, name=name)
    assert message in str(error.value)


def made_up(name: str, sureness: Sureness, *puzzles: Puzzle) -> Format:
    """Return a format that claims every file and finds these puzzles in it, or an error if there are none."""

    def read(source: Source) -> Iterator[Puzzle]:
        assert source.content() == CONTENT
        yield from puzzles
        raise source.error("no more")

    evidence = Evidence(sureness, f"{name} says so")
    return Format(name, (".cat",), "for tests", lambda _: evidence, read)


CONTENT = b"meow\n" * 5000
CAT = Puzzle.from_clues([[1, 1], [1]], [[1], [1], [1]])
NAMED_CAT = replace(CAT, title="Tom")


@pytest.mark.parametrize(
    ("known", "chosen"),
    [
        ([("a", Sureness.WEAK, False, [CAT]), ("b", Sureness.STRONG, False, [CAT])], "b"),
        ([("a", Sureness.WEAK, True, [CAT]), ("b", Sureness.STRONG, False, [CAT])], "b"),
        ([("b", Sureness.STRONG, True, [CAT]), ("a", Sureness.STRONG, False, [CAT])], "b"),
        ([("a", Sureness.STRONG, False, [CAT]), ("b", Sureness.CERTAIN, False, [CAT])], "b"),
        ([("a", Sureness.STRONG, True, [CAT]), ("b", Sureness.WEAK, True, [CAT])], "a"),
        ([("a", Sureness.STRONG, True, [CAT]), ("b", Sureness.CERTAIN, True, [CAT])], "b"),
        ([("a", Sureness.STRONG, False, [CAT]), ("b", Sureness.STRONG, False, [NAMED_CAT])], "a"),
        ([("a", Sureness.STRONG, False, []), ("b", Sureness.STRONG, False, [CAT])], "b"),
        ([("a", Sureness.WEAK, True, [CAT]), ("b", Sureness.NO, False, [CAT])], "a"),
        ([("a", Sureness.STRONG, False, [CAT]), ("b", Sureness.STRONG, False, [CAT.transposed()])], "a or b"),
        ([("a", Sureness.STRONG, False, [CAT]), ("b", Sureness.STRONG, False, [CAT, CAT])], "a or b"),
        ([("a", Sureness.WEAK, False, [CAT]), ("b", Sureness.NO, False, [CAT])], ""),
        ([("a", Sureness.NO, True, [CAT]), ("b", Sureness.WEAK, False, [CAT])], ""),
    ],
)
def test_the_best_evidence_wins_and_equal_evidence_must_agree(
    tmp_path: Path, known: list[tuple[str, Sureness, bool, list[Puzzle]]], chosen: str
) -> None:
    path = tmp_path / "cat"
    path.write_bytes(CONTENT)
    candidates = [(made_up(name, sureness, *puzzles), suffix) for name, sureness, suffix, puzzles in known]
    with open_source(path) as source:
        if len(chosen) == 1:
            found, again = recognise(source, candidates)
            assert (found.name, again.content()) == (chosen, CONTENT)
            return
        with pytest.raises(FormatError) as error:
            recognise(source, candidates)
    ambiguous = "this could be a or b, which read different puzzles; expected --from a or --from b"
    assert (ambiguous if chosen else "is not recognised") in str(error.value)


@pytest.mark.parametrize("coding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_text_in_utf_16_is_read_with_a_note(read: Read, coding: str) -> None:
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(coding, b"")
    content = 'title "Ünï"\nwidth 1\nheight 2\nrows\n1\n0\ncolumns\n1\n'
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        (puzzle,) = read(mark + content.encode(coding), name="cat.non")
    assert (puzzle.title, puzzle.shape) == ("Ünï", (2, 1))
    assert [str(note.message).partition("cat.non")[2] for note in notes] == (
        [": read as UTF-16"] if "16" in coding else []
    )


def test_text_in_latin_1_is_read_with_one_note(read: Read) -> None:
    content = 'title "Café"\nby "Zoé"\nwidth 1\nheight 1\nrows\n1\ncolumns\n1\n'
    with pytest.warns(FormatWarning, match=r"cat:1: not UTF-8; read as Latin-1") as notes:
        (puzzle,) = read(content.encode("latin-1"), name="cat")
    assert (puzzle.title, puzzle.author, len(notes)) == ("Café", "Zoé", 1)
