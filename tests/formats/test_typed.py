"""What people type and paste is read as the puzzle that they mean, or refused: never as another one."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from nonocsp.engine.reading import read_typed
from nonocsp.model import FormatError, Grid, Puzzle, PuzzleError
from nonocsp.render.plain import legend, plain

Read = Callable[..., list[Puzzle]]
Clues = list[list[int]]

BASE = Puzzle.from_clues([[2, 1], [1], [3]], [[2], [1, 1], [1], [1, 1]])
WILD = Path(__file__).parents[3] / "shared" / "wild"

TITLES = [("Rows:", "Columns:"), ("ROWS", "COLS"), ("# Row clues", "# Column clues"), ("Across", "Down")]
TITLES += [("Zeilen:", "Spalten:"), ("=== rows ===", "=== columns ==="), ("Waagerecht:", "Senkrecht:")]
TITLES += [("**Horizontal**", "**Vertical**"), ("row_hints =", "col_hints ="), ("Reihen", "Spalten")]
LINE_LABELS = [
    ("R", "C", ": "),
    ("Row ", "Column ", " = "),
    ("Zeile ", "Spalte ", ": "),
    ("row", "col", ") "),
]
DIVIDERS = ["", "---", "===", "***", "SEPARATOR", "&", "#", "\n---\n"]
ARABIC, WIDE = (
    str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩"),
    str.maketrans("0123456789 ", "０１２３４５６７８９　"),
)
LITERALS = {
    "Python": ("rows = {}  # a comment\n\ncolumns = {}\n", "[]", ", "),
    "a dictionary": ("puzzle = {{'rows': {}, 'columns': {}}}", "[]", ", "),
    "no names": ("[{},\n {}]", "[]", ", "),
    "JavaScript": ("const rowHints = {};\nconst colHints = {}; // columns", "[]", ","),
    "C": ("int rows[9][9] = {};\n/* next */ int cols[9][9] = {};", "{}", ", "),
    "C++": ("std::vector<std::vector<int>> rows = {};\nauto columns = {};", "{}", ", "),
    "Java": ("int[][] rows = new int[][] {};\nint[][] cols = new int[][] {};", "{}", ","),
    "Lua": ("local rows = {}\nlocal cols = {} -- columns", "{}", ","),
    "Prolog": ("% facts\nrows({}).\ncolumns({}).", "[]", ","),
    "Haskell": ("rows :: [[Int]]\nrows = {}\ncolumns :: [[Int]]\ncolumns = {}", "[]", ","),
    "Lisp": ("(define rows '{})\n(define columns '{})", "()", " "),
    "PHP": ("$rows = {};\n$columns = {};", "[]", ", "),
}


def joined(clue: list[int], separator: str = " ", empty: str = "0") -> str:
    return separator.join(map(str, clue)) or empty


def nested(clues: Clues, brackets: str, comma: str) -> str:
    return (
        brackets[0]
        + comma.join(brackets[0] + joined(c, comma, "") + brackets[1] for c in clues)
        + brackets[1]
    )


def spellings(rows: Clues, columns: Clues) -> Iterator[tuple[str, str]]:
    """Yield ways to write a puzzle, each with its kind."""
    both = rows, columns
    for number, empty in product([" ", ",", ", ", "-", "."], ["0", "-", "[]"]):
        a, b = ("\n".join(joined(clue, number, empty) for clue in clues) for clues in both)
        yield from (("titles", f"{x}\n{a}\n\n{y}\n{b}\n") for x, y in TITLES)
        yield "columns first", f"Spalten:\n{b}\nZeilen:\n{a}"
        yield from (
            ("dividers", f"{a}\n{divider}\n{b}\n") for divider in DIVIDERS[: 8 if empty == "0" else 0]
        )
    for clue, number in product([", ", "; ", " / ", "|", ";"], [" ", ".", "-"]):
        a, b = (clue.join(joined(own, number) for own in clues) for clues in both)
        yield "in one line", f"Rows: {a}\nColumns: {b}\n"
        yield "in one line", f"H = {a}\nV = {b}"
        yield "two lines", f"{a}\n{b}\n"
    for x, y, behind in LINE_LABELS:
        lines = [[f"{name}{i}{behind}{joined(c, empty='')}" for i, c in enumerate(clues, 1)]
                 for name, clues in zip((x, y), both, strict=True)]  # fmt: skip
        yield "line labels", "\n".join([*lines[0], "", *lines[1]])
        yield "line labels", "\n".join([*reversed(lines[1]), *reversed(lines[0])])
    for behind in (". ", ") ", ": "):
        a, b = ("\n".join(f"{i}{behind}{joined(c)}" for i, c in enumerate(clues, 1)) for clues in both)
        yield from (
            ("numbered lines", text) for text in (f"Rows\n{a}\nColumns\n{b}", f"{a}\n\n{b}", f"{a}\n{b}")
        )
    for name, (text, brackets, comma) in LITERALS.items():
        yield name, text.format(*(nested(clues, brackets, comma) for clues in both))
    for text in ("rows: {}\ncolumns: {}", "rows = {};\ncols = {};"):
        yield "strings", text.format(*(json.dumps([joined(c) for c in clues]) for clues in both))
    for item in (str, joined, lambda c: f'"{joined(c)}"'):
        a, b = ("\n".join(f"  - {item(clue)}" for clue in clues) for clues in both)
        yield "YAML", f"title: A\nwidth: {len(columns)}\nrows:\n{a}\ncolumns:\n{b}\n"
    a, b = ("\n".join(joined(clue) for clue in clues) for clues in both)
    h, w = len(rows), len(columns)
    sizes = f"{h}x{w}", f"{h} × {w}", f"Size: {h}x{w}", f"height: {h}\nwidth: {w}", f"{h}\n{w}", f"{w} {h}"
    for size, text in product(sizes, (f"{a}\n{b}", f"Rows\n{a}\nColumns\n{b}", f"{a}\n\n{b}")):
        yield "sizes", f"{size}\n{text}"
    for text in (f"Rows:\n{a}\nColumns:\n{b}\n", f"{a}\n\n{b}\n"):
        yield "titled", f"A little heart\n\n{text}"
        for old, new in ((" ", "\xa0"), (" ", "\u2003"), ("\n", "\r"), ("\n", "\r\n"), ("1", "1\u200b")):
            yield "characters", "\ufeff" + text.replace(old, new)
        yield from (("digits", text.translate(table)) for table in (ARABIC, WIDE))
    if all(rows + columns):
        a, b = (" ".join("".join(chr(64 + n) for n in clue) for clue in clues) for clues in both)
        yield from (
            ("letters", text) for text in (f"{a}\n{b}", f"{a}\n{b}".lower(), f"Rows: {a}\nColumns: {b}")
        )
    depth = max(map(len, columns))
    matrix = "\n".join(
        joined(list(level)) for level in zip(*([0] * (depth - len(c)) + c for c in columns), strict=True)
    )
    yield "matrix", f"{matrix}\n---\n" + "\n".join(joined(clue) for clue in rows)


def random_puzzles(count: int) -> Iterator[Puzzle]:
    """Yield puzzles with clues of several numbers: lists of single ones are only read with labels."""
    random = np.random.default_rng(4)
    for height, width in [(3, 4), (5, 5), (9, 7), (15, 20), (4, 3)] * count:
        cells = random.random((height, width)) < random.choice([0.4, 0.6, 0.8])
        puzzle = Puzzle.from_grid(Grid.from_cells(cells))
        if any(len(clue) > 1 for clue in puzzle.rows) and any(len(clue) > 1 for clue in puzzle.columns):
            yield puzzle


def test_every_spelling_of_a_puzzle_gives_it_or_is_said_to_be_ambiguous() -> None:
    right = ambiguous = 0
    for puzzle in random_puzzles(3):
        rows, columns = (
            [[length for length, _ in clue] for clue in clues] for clues in (puzzle.rows, puzzle.columns)
        )
        for kind, text in spellings(rows, columns):
            reading, _ = read_typed(text)
            if reading.fault and "can be read as" in reading.fault.message:
                ambiguous += 1
                continue
            assert reading.fault is None, (kind, text, reading.fault)
            (found,) = reading.puzzles
            read = found.rows.clues(), found.columns.clues()
            assert read == (puzzle.rows, puzzle.columns), (kind, text)
            right += 1
    assert right > 3000
    assert ambiguous < right / 50


@pytest.mark.parametrize("name", ["12_labels", "13_labels_inline", "15_literals", "26_yaml", "27_own_output",
                                  "31_dashes_between", "34_fullwidth_digits", "38_letters", "41_cr_only",
                                  "46_column_matrix"])  # fmt: skip
def test_inputs_of_people_are_read(read: Read, name: str) -> None:
    if not WILD.is_dir():
        pytest.skip("the inputs are not beside the repository")
    (path,) = WILD.glob(f"{name}.*")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (puzzle,) = read(path.read_bytes(), name=path.name)
    assert puzzle.canonical_hash == BASE.canonical_hash


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("2 1\n?\n3\n\n2\n1 1\n1\n1 1\n", "an unknown clue (?), which is not supported yet"),
        ("Rows:\n2 1\n1\nfoo\nColumns:\n2\n", ":4:1: 'foo' is neither a clue nor a label"),
        ("Rows:\n2 1\n1\nfoo\nColumns:\n2\n", "understood: 2 rows (2 1 / 1), then no columns"),
        ("Rows:\n2 1\n1\nfoo\nColumns:\n2\n", "clues written like this:\n  rows:\n  2 1\n"),
        ("R1: 2 1\nR2: 1\nR3: 3\n", "understood: 3 rows (2 1 / 1 / 3), then no columns"),
        ("5x4\nRows: 2 1, 1, 3\nColumns: 2, 1 1, 1, 1 1\n", ":1:1: the size here contradicts the clues"),
        (
            "Rows: 1,1 1,1\nColumns: 1,1 1,1\n",
            "columns 1 / 1 1 / 1 or as 2x2 with rows 1 / 1 and columns 1 / 1",
        ),
        (
            "Rows:\n1 1\n1 1\n1 1\nColumns:\n1 1\n1 1\n1 1\n",
            "clues without counts; a 0 behind one, as in 1 1 0",
        ),
        (
            "Rows: 2 - 1\nColumns: 1, 1, 1\n",
            "2x3 with rows 2 / 1 and columns 1 / 1 / 1 or as 3x3 with rows 2 / 0",
        ),
        ("Rows: ; 2; 1\nColumns: 2; 1\n", "';' has nothing on one side: an empty clue is 0"),
        ("rows: [[2, 1], [1], [3]\ncolumns: [[2]]", "'[' is not closed"),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_was_understood(
    read: Read, content: str, message: str
) -> None:
    with pytest.raises(FormatError) as error:
        read(content)
    assert message in str(error.value)


@pytest.mark.parametrize(
    "content", ["Rows: 2 1; 1; 3\nColumns: 2; 1 1; 1; 1 2\n", "R1: 9\nR2: 1\nC1: 9\nC2: 1\n"]
)
def test_labelled_clues_that_are_no_puzzle_are_understood(read: Read, content: str) -> None:
    with pytest.raises(PuzzleError, match=r"both must be the same|needs . cells, the line has .") as error:
        read(content)
    assert error.value.draft  # so that what is wrong can be found


AMONG_WORDS = [
    "Hello:\n\nRows: 2 1, 1, 3\nColumns: 2, 1 1, 1, 1 1\n\nThanks (and bye)!\nJo",
    "Rows (3):\n2 1\n1\n3\nColumns (4)\n2\n1 1\n1\n1 1",
    "Rows 1-3: 2 1, 1, 3\nColumns 1-4: 2, 1 1, 1, 1 1",
    "1. Zeile: 2 1\n2. Zeile: 1\n3. Zeile: 3\n1. Spalte: 2\n2. Spalte: 1 1\n3. Spalte: 1\n4. Spalte: 1 1",
    "1st row 2 1\n2nd row 1\n3rd row 3\n1st column 2\n2nd column 1 1\n3rd column 1\n4th column 1 1",
    "row(1,[2,1]). row(2,[1]). row(3,[3]).\ncol(1,[2]). col(2,[1,1]). col(3,[1]). col(4,[1,1]).",
    "const p = {rows: [[2, 1], [1], [3]], cols: [[2], [1, 1], [1], [1, 1]]};\nexport default p;",
]


@pytest.mark.parametrize("content", AMONG_WORDS)
def test_words_around_clues_are_no_clues(read: Read, content: str) -> None:
    assert read(content)[0].canonical_hash == BASE.canonical_hash


def test_what_solve_prints_is_read_with_its_goal(read: Read) -> None:
    cells = np.array([[1, 1, 0, 2], [1, 0, 3, 0], [0, 2, 2, 2]] + [[1] * 4] * 12, np.uint8)
    for grid in (cells, cells > 0):
        puzzle = Puzzle.from_grid(Grid.from_cells(grid))
        text = plain(puzzle, puzzle.goal)
        (found,) = read(f"a.json: 15x4\n\n{text}\n{legend(puzzle)}\n\nanswer       unique\n\n")
        assert (found.canonical_hash, found.goal) == (puzzle.canonical_hash, puzzle.goal)
    assert read(plain(puzzle, Grid.unknown(15, 4, puzzle.palette)))[0].goal is None


LONG = [
    "7" * 10**6,
    "1 " * 500_000,
    "[" * 10**6,
    "[1],\n" * 10**5,
    "a\n" * 10**5,
    "- " * 10**5,
    "1\n" * 10**5,
]
LONG += ["1,1 1;1/1|1-1.1\n" * 60_000, "'1' # a " * 10**5, "\u200b/*" * 10**5]


@pytest.mark.parametrize("text", LONG, ids=range(len(LONG)))
def test_long_texts_take_no_longer_than_a_moment(text: str) -> None:
    start = time.process_time()
    assert read_typed(text)[0].fault
    assert time.process_time() - start < 0.5
