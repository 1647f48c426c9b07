"""Puzzles as MiniZinc data (``.dzn``), in the two codings that models use; one colour.

- *padded clues* (Kjellerstrand's models, CSPLib 012): ``row_rules`` and ``col_rules`` have a row a line, its
  lengths padded with zeros on one side or both; ``rows`` and ``cols`` are the numbers of lines.
- *automaton* (the MiniZinc challenge): ``rows`` and ``cols`` have a row a line, a 1 for each cell of a block
  and a 0 between two blocks, so that ``1,1,0,1`` is the clue 2 1; padded with -1; a single 0 is an empty
  line. ``Y`` is the number of rows and ``X`` that of columns.

The names tell them apart, whatever the numbers. Other names are ignored. The grammar is in `dzn_grammar`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import BinaryIO, NamedTuple

from nonocsp.formats.base import Evidence, Format, Sureness, Writer
from nonocsp.formats.codecs.data.dzn_grammar import Data, parse
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import cached_block, is_cut, said_lines
from nonocsp.model import Clue, Puzzle

_COMMENT = re.compile(rb"/\*.*?\*/", re.DOTALL)
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\s*=")
_TABLE = re.compile(r"\[\||array2d\b")
_NAME = re.compile(r"(?<![A-Za-z0-9_])((?:row|col)(?:s|_rules))\s*=(?!=)")


def sniff(head: bytes) -> Evidence:
    """Say whether the first line is an assignment, and the tables of a puzzle follow."""
    lines = said_lines(_COMMENT.sub(lambda match: b"\n" * match[0].count(b"\n"), head))
    if not lines or not _ASSIGNMENT.match(lines[0][1]):
        return Evidence(Sureness.NO, "the first line is no assignment", 1)
    text = "\n".join(text for _, text in lines)
    names = {match[1] for match in _NAME.finditer(text)}
    pairs = [pair for pair in (("row_rules", "col_rules"), ("rows", "cols")) if names.issuperset(pair)]
    if pairs and _TABLE.search(text):
        return Evidence(Sureness.CERTAIN, f"the tables {' and '.join(pairs[0])}")
    if names and _TABLE.search(text) and is_cut(head):
        return Evidence(Sureness.STRONG, f"a table and {names.pop()}")
    if names:
        return Evidence(Sureness.WEAK, "the tables of rows and columns are not both there", lines[-1][0])
    return Evidence(Sureness.NO, "nothing is assigned to a name that puzzles use", 1)


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the one puzzle, in either coding."""
    data = parse(source)
    coding = _PADDED if "row_rules" in data.values or "col_rules" in data.values else _AUTOMATON
    rows, columns = (tuple(_clues(data, coding, axis)) for axis in (coding.rows, coding.columns))
    yield Puzzle(rows, columns)


def _clues(data: Data, coding: _Coding, axis: _Axis) -> Iterator[Clue]:
    if axis.table not in data.values:
        expected = f"the tables {coding.rows.table} and {coding.columns.table}"
        raise data.error(f"{axis.table} is missing", expected=expected)
    table = data.table(axis.table)
    number = data.values.get(axis.number)
    if number is not None and data.integer(number) != len(table):
        wanted = f"{data.integer(number)}, as {axis.number} says"
        raise data.error(f"{len(table)} clues in {axis.table}", data.values[axis.table].at, wanted)
    for row in table:
        lengths = coding.decode(row.numbers)
        if lengths is None:
            raise data.error("no clue", row.at, coding.clue)
        yield Clue(map(cached_block, lengths))


class _Axis(NamedTuple):
    """The names of a direction: how many lines, and the table of their clues."""

    number: str
    table: str


class _Coding(NamedTuple):
    """A way to put clues into numbers."""

    rows: _Axis
    columns: _Axis
    decode: Callable[[Sequence[int]], list[int] | None]
    clue: str


def _from_padded(numbers: Sequence[int]) -> list[int] | None:
    lengths = _stripped(numbers, padding=0)
    return lengths if all(length > 0 for length in lengths) else None


def _from_word(numbers: Sequence[int]) -> list[int] | None:
    word = _stripped(numbers, padding=-1)
    if word in ([], [0]):
        return []
    if not set(word) <= {0, 1}:
        return None
    lengths = [len(block) for block in bytes(word).split(b"\0")]
    return lengths if all(lengths) else None


def _stripped(numbers: Sequence[int], padding: int) -> list[int]:
    """Return the numbers without the padding before and behind them."""
    kept = [i for i, number in enumerate(numbers) if number != padding]
    return list(numbers[kept[0] : kept[-1] + 1]) if kept else []


def write_padded(puzzles: Iterable[Puzzle], stream: BinaryIO) -> None:
    """Write padded clues, zeros first."""
    for puzzle in puzzles:
        for name, clues in (("row", puzzle.rows), ("col", puzzle.columns)):
            width = max(1, *map(len, clues))
            rows = [[0] * (width - len(clue)) + [block.length for block in clue] for clue in clues]
            lines = ",\n".join(f"  {_commas(row)}" for row in rows)
            ranges = f"1..{name}s, 1..{name}_rule_len"
            stream.write(f"{name}s = {len(rows)};\n{name}_rule_len = {width};\n".encode())
            stream.write(f"{name}_rules = array2d({ranges}, [\n{lines}\n]);\n".encode())


def write_automaton(puzzles: Iterable[Puzzle], stream: BinaryIO) -> None:
    """Write the words of the automaton, with the padding behind."""
    for puzzle in puzzles:
        words = [
            [list(b"\0".join(b"\1" * block.length for block in clue)) or [0] for clue in clues]
            for clues in (puzzle.rows, puzzle.columns)
        ]
        width = max(len(word) for direction in words for word in direction)
        stream.write(f"X = {len(puzzle.columns)};\nY = {len(puzzle.rows)};\nmaxlen = {width};\n".encode())
        for name, direction in zip(("rows", "cols"), words, strict=True):
            lines = "\n  |".join(_commas(word + [-1] * (width - len(word))) for word in direction)
            stream.write(f"{name} = [|{lines}\n  |];\n".encode())


def _commas(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))


_PADDED = _Coding(
    _Axis("rows", "row_rules"),
    _Axis("cols", "col_rules"),
    _from_padded,
    "lengths such as 0,0,2,1, zeros outside only",
)
_AUTOMATON = _Coding(
    _Axis("Y", "rows"),
    _Axis("X", "cols"),
    _from_word,
    "1s with a 0 between blocks, then -1s, such as 1,1,0,1,-1",
)


def _format(name: str, suffixes: tuple[str, ...], coding: str, write: Writer) -> Format:
    return Format(
        name=name,
        suffixes=suffixes,
        summary=f"MiniZinc data; {coding}; read in both codings",
        sniff=sniff,
        read=read,
        write=write,
    )


FORMATS = (
    _format("dzn", (".dzn",), "written as padded clues (row_rules, col_rules)", write_padded),
    _format("dzn-dfa", (), "written as words of 1, 0 and -1 (rows, cols), by name only", write_automaton),
)
