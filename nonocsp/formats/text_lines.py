"""Read the lines that text formats have in common: heads, sizes, clues and comments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from nonocsp.formats.palettes import BLACK, Sketch, complete
from nonocsp.formats.source import HEAD_BYTES, Source
from nonocsp.model import MAX_LINES, Block, Clue, FlatClues, Puzzle

NumberedLine = tuple[int, str]
"""The number of a line in its file, from 1, and its text."""

ColouredBlock = tuple[int, str]
"""A length, and what the file calls the colour."""

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


def without_references(text: str) -> str:
    """Return a text of HTML with its characters for entities such as ``&quot;`` and ``&#34;``."""
    if "&" not in text:
        return text
    from html import unescape  # few files need its long tables

    return unescape(with_short_references(text))


def with_short_references(text: str) -> str:
    """Return a text of HTML without numbers that stand for no character: Python fails at 5000 digits."""
    return _LONG_REFERENCE.sub("\ufffd", text)


def is_comment(text: str) -> bool:
    """Return whether the line starts with ``#`` or ``%``."""
    return text.lstrip().startswith(("#", "%"))


def is_size(text: str) -> bool:
    """Return whether a line is two numbers, of a thousand digits at most."""
    words = text.split()
    return len(words) == 2 and all(_SIZE.fullmatch(word) for word in words)


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


def coloured_clues(lines: Iterable[Iterable[ColouredBlock]], index: Mapping[str, int]) -> FlatClues:
    """Return the clues that these blocks are."""
    clues = [[(length, index[colour]) for length, colour in line] for line in lines]
    flat = FlatClues.of_numbers(clues)  # None if a block has no cells
    return flat or FlatClues.of(Clue(map(Block._make, clue)) for clue in clues)


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
    return Puzzle.from_flat(coloured_clues(rows, index), coloured_clues(columns, index), palette=palette)


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


def shortened(text: str) -> str:
    """Return the text as it is quoted in a message."""
    return repr(text if len(text) <= 30 else f"{text[:27]}...")
