"""Facts for answer set solvers (``.lp``), in the two dialects of public programs; in colour.

nonogram_asp::

    row_cnt(2). col_cnt(2).       the size
    row(0, 0, red, 2).            row 0, block 0, its colour and length; rows and columns are counted from 0
    col(0, 0, red, 1).

gramcracker's, in one colour::

    #const w = 2. #const h = 2.   the size
    row_hint(1, 1, 2).            row 1, block 1, its length; all are counted from 1
    col_hint(1, 1, 1).

Blocks of a line are ordered by their numbers, whatever the first one is. A line without facts is empty. ``%``
and ``%*`` ... ``*%`` are comments; ``#show`` and ``#program`` are ignored. Everything but facts of numbers,
names and strings is refused: a rule would have to be solved. The first dialect is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from nonocsp.formats.base import Evidence, Format, Sureness, text_writer
from nonocsp.formats.palettes import WHITE, Sketch, complete
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import cached_block, parse_size, shortened
from nonocsp.model import MAX_LINES, Clue, Puzzle

_MAX_CHARACTERS = 1 << 20
_TOKEN = re.compile(
    r"""(?P<blank> \s+ | %\*.*?(?:\*%|\Z) | %[^\n]* )
      | (?P<string> "[^"\\\n]{0,80}" )
      | (?P<number> [0-9]{1,9} (?![0-9A-Za-z_]) )
      | (?P<name> \#?[a-z][A-Za-z0-9_]{0,80} )
      | (?P<symbol> [(),.=] )""",
    re.VERBOSE | re.DOTALL,
)
_FACT = re.compile(rb"\b(row|col)(_hint|_cnt)?\(\s*[0-9]+\s*(,\s*[0-9]+\s*,[^()\n]{1,90})?\)\s*\.")
_NAME = re.compile(r"[a-z][A-Za-z0-9_]*")
_IGNORED = ("#show", "#program")
_SIZES = {"row_cnt": "row", "col_cnt": "col", "h": "row", "w": "col"}
_WHAT = {"row": "number of rows", "col": "number of columns"}
_ONE_COLOUR = ""


class _Fact(NamedTuple):
    """A fact and the line that it stands in; a constant is the fact ``name(value)``."""

    name: str
    arguments: tuple[str, ...]
    line: int


def sniff(head: bytes) -> Evidence:
    """Return whether there is a fact such as ``row(0, 0, red, 2).`` or ``row_hint(1, 1, 2).``."""
    if found := _FACT.search(head):
        return Evidence(Sureness.CERTAIN, f"{shortened(found[0].decode(errors='replace'))} is a fact")
    return Evidence(Sureness.NO, "no fact such as row(0, 0, red, 2). or row_hint(1, 1, 2).")


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the one puzzle."""
    sizes: dict[str, int] = {}
    blocks: dict[str, dict[tuple[int, int], tuple[str, int]]] = {"row": {}, "col": {}}
    first = {"row": 0, "col": 0}
    for fact in _facts(source):
        if fact.name in _SIZES and len(fact.arguments) == 1:
            axis = _SIZES[fact.name]
            if axis in sizes:
                raise source.error(f"a second {_WHAT[axis]}", line=fact.line, expected="one puzzle")
            sizes[axis] = parse_size(source, fact.line, fact.arguments[0], _WHAT[axis])
        else:
            axis, place, block = _block(source, fact)
            if place in blocks[axis]:
                message = f"block {place[1]} of {axis} {place[0]} a second time"
                raise source.error(message, line=fact.line, expected="one fact for each block")
            blocks[axis][place] = block
            first[axis] = int(fact.name.endswith("_hint"))
    for axis, what in _WHAT.items():
        if axis not in sizes:
            expected = f"{axis}_cnt(5). or #const {'h' if axis == 'row' else 'w'} = 5."
            raise source.error(f"no {what}", expected=expected)
    names = dict.fromkeys(colour for axis in blocks.values() for colour, _ in axis.values())
    names.pop(_ONE_COLOUR, None)
    index = {_ONE_COLOUR: 1} | {name: i for i, name in enumerate(names, start=1)}
    inks = [_unquoted(name) for name in names]
    palette = complete([Sketch(rgb=WHITE.rgb), *map(Sketch, inks)])
    rows, columns = (_clues(source, blocks[axis], axis, (first[axis], sizes[axis]), index) for axis in _WHAT)
    yield Puzzle(rows, columns, palette)


@text_writer
def write(puzzle: Puzzle) -> list[str]:
    """Write the facts of a puzzle, in the dialect with colours."""
    names = [_quoted(colour.name, i) for i, colour in enumerate(puzzle.palette.colours)]
    lines = [f"row_cnt({len(puzzle.rows)}).", f"col_cnt({len(puzzle.columns)})."]
    for axis, clues in (("row", puzzle.rows), ("col", puzzle.columns)):
        for i, clue in enumerate(clues):
            facts = (f"{axis}({i}, {k}, {names[ink]}, {n})." for k, (n, ink) in enumerate(clue))
            lines += [" ".join(facts)] if clue else []
    return lines


def _quoted(name: str, i: int) -> str:
    """Return a colour's name as a term."""
    if _NAME.fullmatch(name):
        return name
    good = name.isprintable() and len(name) <= 80 and not {*'"\\'} & {*name}
    return f'"{name}"' if good else f"ink_{i}"


def _unquoted(term: str) -> str:
    return term[1:-1] if term.startswith('"') else term


def _facts(source: Source) -> Iterator[_Fact]:
    """Yield facts and constants; FormatError at anything else."""
    text = source.text()
    if len(text) > _MAX_CHARACTERS:
        raise source.error("too many facts", expected=f"at most {_MAX_CHARACTERS} characters")
    at, line, words, start = 0, 1, list[str](), 1
    while at < len(text):
        token = _TOKEN.match(text, at)
        if not token:
            expected = "facts such as row(0, 0, red, 2). or row_hint(1, 1, 2)., and no rules"
            raise source.error(f"{shortened(text[at : at + 9])} is no fact", line=line, expected=expected)
        if token.lastgroup != "blank":
            start = line if not words else start
            words.append(token[0])
            if token[0] == "." and words[0] not in _IGNORED:
                yield _fact(source, words, start)
            if token[0] == ".":
                words = []
        line += token[0].count("\n")
        at = token.end()
    if words:
        raise source.error("the file ends in a fact", line=start, expected="a dot behind each fact")


def _fact(source: Source, words: list[str], line: int) -> _Fact:
    match words:
        case ["#const", name, "=", value, "."]:
            return _Fact(name, (value,), line)
        case [name, "(", *inside, ")", "."] if len(inside) % 2 and {*inside[1::2]} <= {","}:
            return _Fact(name, tuple(inside[::2]), line)
    expected = "facts such as row(0, 0, red, 2). or row_hint(1, 1, 2)."
    raise source.error(f"{shortened(' '.join(words))} is no fact", line=line, expected=expected)


def _block(source: Source, fact: _Fact) -> tuple[str, tuple[int, int], tuple[str, int]]:
    """Return the axis, (line, block) and (colour, length) of a fact."""
    axis, _, kind = fact.name.partition("_")
    wanted = {"": 4, "hint": 3}.get(kind)
    numbers = [fact.arguments[i] for i in (0, 1, -1)] if len(fact.arguments) == wanted else []
    if axis not in _WHAT or not numbers or not all(number.isdigit() for number in numbers):
        known = (
            "row(line, block, colour, length), row_hint(line, block, length), row_cnt(n), the same for col"
        )
        shown = shortened(f"{fact.name}({', '.join(fact.arguments)})")
        raise source.error(f"{shown} says nothing of a puzzle", line=fact.line, expected=f"one of {known}")
    line, block, length = map(int, numbers)
    return axis, (line, block), (fact.arguments[2] if wanted == 4 else _ONE_COLOUR, length)


def _clues(
    source: Source,
    blocks: Mapping[tuple[int, int], tuple[str, int]],
    axis: str,
    lines: tuple[int, int],
    index: Mapping[str, int],
) -> tuple[Clue, ...]:
    """Return the clues of an axis, whose `lines` are the number of the first and how many there are."""
    first, count = lines
    clues: list[list[tuple[str, int]]] = [[] for _ in range(count)]
    for (line, _), block in sorted(blocks.items()):
        if not first <= line < first + count or len(clues[line - first]) == MAX_LINES:
            expected = f"{first} to {first + count - 1}, as the {_WHAT[axis]} says"
            raise source.error(f"a block of {axis} {line}", expected=expected)
        clues[line - first].append(block)
    return tuple(Clue(cached_block(length, index[colour]) for colour, length in clue) for clue in clues)


_SUMMARY = "facts for answer set solvers: row_cnt(5). row(0, 0, red, 2). or row_hint(1, 1, 2)."
FORMATS = (Format("asp", (".lp",), _SUMMARY, sniff, read, write, holds_colours=True),)
