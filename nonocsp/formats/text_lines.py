"""Read the lines that text formats have in common: heads, sizes, clues and comments."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import dropwhile, islice

from nonocsp.formats.palettes import BLACK, Sketch, complete
from nonocsp.formats.source import HEAD_BYTES, Source
from nonocsp.model import MAX_LINES, Block, Clue, Puzzle

NumberedLine = tuple[int, str]
"""The number of a line in its file, from 1, and its text."""

ColouredBlock = tuple[int, str]
"""A length, and what the file calls the colour."""

_MOST_LINES = 8 * MAX_LINES
"""The most lines that are read of a file with one puzzle: far more than its clues and comments need."""

cached_block = lru_cache(maxsize=1 << 14)(Block)
"""`Block`, made once for equal arguments: the puzzles of a set share a few hundred blocks."""

_LONG_REFERENCE = re.compile(r"&#(?:[xX][0-9a-fA-F]{9,}|[0-9]{9,});?")
_PLAIN = re.compile(r"[0-9\s,]*")
_TOKEN = re.compile(r"[^\s,]+")
_NUMBER = re.compile(r"[0-9]{1,9}")
_SIZE = re.compile(r"[0-9]{1,1000}")


def head_lines(head: bytes) -> list[str]:
    """Return the lines of a head that say something: stripped, without blank lines and comments."""
    text = head.decode(errors="replace").removeprefix("\ufeff")
    stripped = (line.strip() for line in text.split("\n"))
    return [line for line in stripped if line and line[0] not in "#%"]


def numbered_head(head: bytes) -> list[NumberedLine]:
    """Return the lines of a head with their numbers, without a last line that is cut."""
    texts = head.decode(errors="replace").removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    if is_cut(head) or not texts[-1]:
        texts.pop()
    return list(enumerate(texts, start=1))


def said_lines(head: bytes) -> list[NumberedLine]:
    """Return the lines of a head that say something: stripped, without blank lines and comments."""
    stripped = ((number, text.strip()) for number, text in numbered_head(head))
    return [(number, text) for number, text in stripped if text and not is_comment(text)]


def is_cut(head: bytes) -> bool:
    """Return whether the file may go on behind its head."""
    return len(head) >= HEAD_BYTES


def is_lengths(text: str) -> bool:
    """Return whether a line is a one-colour clue: numbers between blanks or commas, ``[]``, or nothing."""
    return bool(_PLAIN.fullmatch(text)) or text.strip() == "[]"


def without_references(text: str) -> str:
    """Return a text of HTML with its characters for entities such as ``&quot;`` and ``&#34;``."""
    return html.unescape(with_short_references(text))


def with_short_references(text: str) -> str:
    """Return a text of HTML without numbers that stand for no character: Python fails at 5000 digits."""
    return _LONG_REFERENCE.sub("\ufffd", text)


def is_comment(text: str) -> bool:
    """Return whether the line starts with ``#`` or ``%``."""
    return text.lstrip().startswith(("#", "%"))


def sized_lines(head: bytes) -> list[NumberedLine]:
    """Return the lines of a head from the first one that says something, if that is two sizes; else none."""
    lines = list(dropwhile(lambda line: not line[1].strip() or is_comment(line[1]), numbered_head(head)))
    if lines and is_size(lines[0][1].partition("#")[0]):
        sizes = lines[0][1].partition("#")[0].split()
        return lines if all(1 <= int(size) <= MAX_LINES for size in sizes) else []
    return []


def mk_middle(lines: Sequence[NumberedLine]) -> int:
    """Return the index of the line ``#`` that an ``.mk`` file has below its row clues; 0 if there is none.

    Nothing else tells such a file from a ``.nin`` file.
    """
    height = int(lines[0][1].split()[0])
    middle = next((i for i, (_, text) in enumerate(lines) if i and text.lstrip().startswith("#")), 0)
    filled = sum(bool(text.strip()) for _, text in lines[1:middle])
    return middle if filled <= height < middle else 0


def is_size(text: str) -> bool:
    """Return whether a line is two numbers, of a thousand digits at most."""
    words = text.split()
    return len(words) == 2 and all(_SIZE.fullmatch(word) for word in words)


def skip_comments(source: Source) -> list[NumberedLine]:
    """Return the lines of a file with one puzzle, from the first one on that says something."""
    read = islice(source.lines(), _MOST_LINES)
    lines = list(dropwhile(lambda line: not line[1].strip() or is_comment(line[1]), read))
    if not lines:
        raise source.error("nothing but comments", expected="a puzzle")
    return lines


def parse_header(source: Source, header: NumberedLine, what: tuple[str, str]) -> tuple[int, int]:
    """Return the two sizes of a first line, whose names are `what`, in the order of the format."""
    number, text = header
    if not is_size(text):
        expected = f"{what[0].upper()} {what[1].upper()}, two numbers, {what[0]} first"
        raise source.error("no size", line=number, expected=expected)
    first, second = text.split()
    return parse_size(source, number, first, what[0]), parse_size(source, number, second, what[1])


def parse_clue(source: Source, line: NumberedLine) -> Clue:
    """Return the one-colour clue of a line: lengths, or nothing, ``0`` or ``[]`` for the empty one."""
    number, text = line
    words = text.replace(",", " ").split()
    if not words or words in (["0"], ["[]"]):
        return Clue()
    if len(words) > MAX_LINES:
        raise source.error(f"{len(words)} blocks", line=number, expected=f"at most {MAX_LINES} in a line")
    if _PLAIN.fullmatch(text) and max(map(len, words)) < 10:
        return Clue(map(cached_block, map(int, words)))
    token = next(token for token in _TOKEN.finditer(text) if not _NUMBER.fullmatch(token[0]))
    raise source.error(
        f"{shortened(token[0])} is no block length",
        line=number,
        column=token.start() + 1,
        expected="a clue such as 3 1 2, or 0 for an empty line",
    )


def coloured_clues(lines: Iterable[Iterable[ColouredBlock]], index: Mapping[str, int]) -> tuple[Clue, ...]:
    """Return the clues that these blocks are."""
    return tuple(Clue([cached_block(length, index[colour]) for length, colour in line]) for line in lines)


def coloured_puzzle(
    rows: Sequence[Sequence[ColouredBlock]],
    columns: Sequence[Sequence[ColouredBlock]],
    colours: Mapping[str, Sketch],
    *,
    default: str,
    background: tuple[str, Sketch],
) -> Puzzle:
    """Return the puzzle of these blocks and of the colours that the file declares, by what it calls them.

    `default` is what stands for black, which needs no declaration; `background` is what stands for the
    background, with its colour if it is not declared.
    """
    used = {colour for line in (*rows, *columns) for _, colour in line}
    inks = {**({default: BLACK} if default in used else {}), **colours}
    paper = inks.pop(*background)
    index = {colour: i for i, colour in enumerate(inks, start=1)}
    palette = complete([paper, *inks.values()])
    return Puzzle(coloured_clues(rows, index), coloured_clues(columns, index), palette)


def lengths_text(clue: Clue) -> str:
    """Return the lengths of a clue as `parse_clue` reads them, ``0`` for the empty clue."""
    return " ".join(str(block.length) for block in clue) or "0"


def parse_size(source: Source, number: int, text: str, what: str) -> int:
    """Return a number of rows or columns."""
    if _NUMBER.fullmatch(text) and 1 <= int(text) <= MAX_LINES:
        return int(text)
    raise source.error(f"{what} {shortened(text)}", line=number, expected=f"a {what} from 1 to {MAX_LINES}")


def fit(lines: Sequence[NumberedLine], expected: int) -> list[NumberedLine]:
    """Return the lines without blank ones at the end that are too many."""
    kept = list(lines)
    while len(kept) > expected and not kept[-1][1].strip():
        kept.pop()
    return kept


def with_lost_clue(clues: Sequence[Clue], expected: int, first: int) -> tuple[Clue, ...]:
    """Return the clues, with the empty last one if the file lost its newline; `first` are of one axis."""
    sums = [sum(block.length for block in clue) for clue in clues]
    is_lost = len(clues) == expected - 1 and sum(sums[:first]) == sum(sums[first:])
    return (*clues, Clue()) if is_lost else tuple(clues)


def shortened(text: str) -> str:
    """Return the text as it is quoted in a message."""
    return repr(text if len(text) <= 30 else f"{text[:27]}...")
