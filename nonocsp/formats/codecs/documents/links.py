"""Links of puzz.link and of other sites with pzprjs, and the files that these sites save; one colour.

::

    https://puzz.link/p?nonogram/6/6/12g1111h11112j12g11g21j11g3h

``nonogram/WIDTH/HEIGHT/`` and the numbers outside the grid: of the columns, then of the rows, each from the
grid outwards, with half as many places (rounded up) as the line has cells. ``0`` to ``f`` is a number; ``-``
stands before two hexadecimal digits, ``+`` before three; ``g`` to ``z`` are 1 to 20 empty places. A file
holds a link a line; no link is ever followed.

::

    pzprv3/nonogram/3/4/. . . 1 . 1 /. . 2 1 1 1 /2 1 # # . # /. 1 # . . . /. 3 . # # # /

``pzprv3/nonogram/HEIGHT/WIDTH/`` and all places row by row, between ``/`` or on lines: numbers, with ``c`` in
front if a player ticked them, ``#`` for filled and ``+`` for empty cells. Cells that solve the puzzle are its
goal. Numbers that are not known (``.`` in a link, ``-2`` in a file) are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nonocsp.formats.base import Evidence, Format, Sureness, text_writer
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import cached_block, head_lines, parse_size, shortened
from nonocsp.late import numpy as np
from nonocsp.model import Clue, Grid, Puzzle, UsageError, bounds, mismatches

_ADDRESS = re.compile(r"https?://\S+")
_LINK = re.compile(r"(?:https?://)?[\w.:-]+(?:/[\w.-]+)*/?\?(\w+?)(?:_edit|_play)?/(\S*)")
_BODY = re.compile(r"([0-9]{1,9})/([0-9]{1,9})/([^/?#&]*)/?")
_CODE = re.compile(r"([0-9a-f])|-([0-9a-f]{2})|\+([0-9a-f]{3})|([g-z])|(\.)")
_MOST_EMPTY = 20
_LONGEST = 0xFFF
_NUMBER = re.compile(r"c?([0-9]{1,4})")
_UNKNOWN = "every number; unknown clues are not supported yet"
_EXAMPLE = "such as https://puzz.link/p?nonogram/2/1/1g2"


def sniff(head: bytes) -> Evidence:
    """Return whether the first line is a link to a puzzle."""
    first, *others = head_lines(head) or [""]
    if _LINK.fullmatch(first) and ("/p?" in first or "p.html?" in first):
        return Evidence(Sureness.CERTAIN, "a link with a puzzle")
    if _ADDRESS.fullmatch(first) and not others:
        return Evidence(Sureness.STRONG, "an address")
    return Evidence(Sureness.NO, "no link with a puzzle", 1)


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the puzzle of each link."""
    for number, line in source.lines():
        if text := line.partition(" #")[0].strip() if not line.lstrip().startswith("#") else "":
            yield _puzzle(source, number, text)


@text_writer
def write(puzzle: Puzzle) -> list[str]:
    """Write a link a line."""
    (height, width), code, empty = puzzle.shape, "", 0
    for clues, places in ((puzzle.columns, (height + 1) // 2), (puzzle.rows, (width + 1) // 2)):
        for clue in clues:
            numbers = [_code(length) for length, _ in clue[::-1]]
            code += (_empty(empty) if numbers else "") + "".join(numbers)
            empty = places - len(clue) + (0 if numbers else empty)
    return [f"https://puzz.link/p?nonogram/{width}/{height}/{code}{_empty(empty)}"]


def _code(length: int) -> str:
    if length > _LONGEST:
        raise UsageError(f"a link of puzz.link has no block of {length} cells; write json")
    return f"{length:x}" if length < 16 else f"-{length:02x}" if length < 256 else f"+{length:03x}"


def _empty(places: int) -> str:
    rest = chr(ord("f") + places % _MOST_EMPTY) if places % _MOST_EMPTY else ""
    return "z" * (places // _MOST_EMPTY) + rest


def _puzzle(source: Source, number: int, text: str) -> Puzzle:
    found = _LINK.fullmatch(text)
    if not found:
        expected = f"a link with a nonogram, {_EXAMPLE}; `nonocsp fetch` gets puzzles of other sites"
        raise source.error(f"{shortened(text)} holds no puzzle", line=number, expected=expected)
    if found[1] != "nonogram":
        raise source.error(f"a puzzle of the kind {shortened(found[1])}", line=number, expected="nonogram")
    body = _BODY.fullmatch(found[2])
    if not body:
        raise source.error(f"{shortened(text)} is no whole link", line=number, expected=_EXAMPLE)
    width, height = (
        parse_size(source, number, size, what)
        for size, what in zip(body.groups(), ("width", "height"), strict=False)
    )
    places = [(height + 1) // 2] * width + [(width + 1) // 2] * height
    clues = _clues(source, number, body[3], places, text.index(body[3]) + 1)
    return Puzzle(clues[width:], clues[:width])


def _clues(source: Source, number: int, code: str, places: list[int], column: int) -> tuple[Clue, ...]:
    """Return the clues of all lines, which have so many places each."""
    lines: list[list[int]] = [[] for _ in places]
    line = place = at = 0
    while at < len(code):
        found = _CODE.match(code, at)
        if not found or found[5]:
            what = "an unknown number" if found else f"{code[at]!r} is no number and no gap"
            raise source.error(what, line=number, column=column + at, expected=_UNKNOWN)
        gap = ord(found[4]) - ord("f") if found[4] else 1
        if line < len(lines) and not found[4]:
            lines[line].append(int(found[1] or found[2] or found[3], 16))
        place += gap
        while line < len(lines) and place >= places[line]:
            place -= places[line]
            line += 1
        if line == len(lines) and (place or at + len(found[0]) < len(code)):
            expected = "the end of the link"
            raise source.error("more numbers than places", line=number, column=column + at, expected=expected)
        at += len(found[0])
    if line < len(lines):
        expected = f"{sum(places)} places, {sum(places[line:]) - place} more; is the link cut off?"
        raise source.error("the link ends too early", line=number, column=column + at, expected=expected)
    return tuple(_clue(numbers[::-1]) for numbers in lines)


def _clue(numbers: list[int]) -> Clue:
    return Clue(map(cached_block, numbers if numbers != [0] else []))


def sniff_file(head: bytes) -> Evidence:
    """Return whether the text starts as a file of pzprjs does."""
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"pzprv3"):
        return Evidence(Sureness.CERTAIN, "the first word is pzprv3")
    return Evidence(Sureness.NO, "the first word is not pzprv3", 1)


def read_file(source: Source) -> Iterator[Puzzle]:
    """Yield the puzzle of the file."""
    fields = _fields(source)
    heads = [text.strip() for _, text in (next(fields, (0, "")) for _ in range(4))]
    if heads[1] != "nonogram":
        raise source.error(f"a puzzle of the kind {shortened(heads[1])}", expected="nonogram")
    height, width = (
        parse_size(source, 0, size, what) for size, what in zip(heads[2:], ("height", "width"), strict=True)
    )
    top, left = (height + 1) // 2, (width + 1) // 2
    columns: list[list[int]] = [[] for _ in range(width)]
    rows: list[list[int]] = []
    cells = np.zeros((height, width), np.uint8)
    for i in range(top + height):
        number, text = next(fields, (0, ""))
        words = text.split(maxsplit=left + width)
        if len(words) != left + width:
            expected = f"{top + height} rows of {left + width} places, as the size says"
            raise source.error(f"row {i + 1} has {len(words)} places", line=number, expected=expected)
        numbers = [_number(source, number, word) for word in words[: left if i >= top else None]]
        if i >= top:
            rows.append([length for length in numbers if length is not None])
            cells[i - top] = [word == "#" for word in words[left:]]
            if odd := {*words[left:]} - {"#", "+", "."}:
                raise source.error(f"{shortened(min(odd))} is no cell", line=number, expected="#, + or .")
            continue
        for column, length in zip(columns, numbers[left:], strict=True):
            column.extend([] if length is None else [length])
    puzzle = Puzzle(tuple(map(_clue, rows)), tuple(map(_clue, columns)))
    if cells.any() and mismatches(puzzle, cells):
        source.note("the cells are no solution of the clues and are left out")
    is_solved = cells.any() and not mismatches(puzzle, cells)
    yield Puzzle(puzzle.rows, puzzle.columns, goal=Grid.from_cells(cells)) if is_solved else puzzle


@text_writer
def write_file(puzzle: Puzzle) -> list[str]:
    """Write a file with a row a line."""
    height, width = puzzle.shape
    top, left = (height + 1) // 2, (width + 1) // 2
    above = [_padded(clue, top) for clue in puzzle.columns]
    lines = [["."] * left + [column[i] for column in above] for i in range(top)]
    for i, clue in enumerate(puzzle.rows):
        marks = (
            ["."] * width if puzzle.goal is None else ["#" if cell else "." for cell in puzzle.goal.cells[i]]
        )
        lines.append(_padded(clue, left) + marks)
    return ["pzprv3", "nonogram", str(height), str(width), *(" ".join(line) + " " for line in lines)]


def _padded(clue: Clue, places: int) -> list[str]:
    return ["."] * (places - len(clue)) + [str(length) for length, _ in clue]


def _fields(source: Source) -> Iterator[tuple[int, str]]:
    """Yield what stands between slashes and line ends, with the number of its line."""
    for number, line in source.lines(longest=bounds.FILE_BYTES):
        texts = line.split("/")
        yield from (
            (number, text) for text in (texts[:-1] if len(texts) > 1 and not texts[-1].strip() else texts)
        )


def _number(source: Source, line: int, word: str) -> int | None:
    """Return the number of a place outside the grid; None if it is empty."""
    if word == ".":
        return None
    if found := _NUMBER.fullmatch(word):
        return int(found[1])
    is_unknown = word in ("-2", "c-2", "?")
    message = "an unknown number" if is_unknown else f"{shortened(word)} is no number"
    raise source.error(message, line=line, expected=_UNKNOWN if is_unknown else "a number or .")


FORMATS = (
    Format(
        "puzz-link",
        (),
        "links of puzz.link and its relatives, one a line",
        sniff,
        read,
        write,
        holds_many=True,
    ),
    Format("pzprv3", (), "files that puzz.link and its relatives save", sniff_file, read_file, write_file),
)
