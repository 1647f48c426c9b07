"""Row clues, a separator, column clues, and no size: what Keen, ish, syro and pbnsol read; one colour.

::

    2 1
    0
    1

    1 1
    1
    1

The separator is an empty line or ``&`` (Makhorin's pbnsol). As an empty line separates, the empty clue is
``0``. Lengths stand between blanks or commas. Lines that start with ``#``, ``%`` or ``*`` are comments. If
every line ends with ``0`` behind its lengths, the zeros are ends of lines (syro). webpbn.com exports all of
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from nonocsp.formats.base import Evidence, Format, Sureness, text_writer
from nonocsp.formats.source import HEAD_BYTES, Source
from nonocsp.formats.text_lines import NumberedLine, lengths_text, parse_clue, shortened
from nonocsp.model import MAX_LINES, Clue, Puzzle

_COMMENTS = ("#", "%", "*")
_OF_CLUES = frozenset("0123456789 ,\t\r")
_MOST_LINES = 8 * MAX_LINES


def sniff(head: bytes) -> Evidence:
    """Return whether there are two sections of clues that fit each other."""
    texts = head.decode(errors="replace").removeprefix("\ufeff").split("\n")
    is_cut = len(head) >= HEAD_BYTES
    lines = [*enumerate(texts[:-1] if is_cut else texts, start=1)]
    wrong = next((number for number, text in lines if not _is_clue_or_mark(text)), 0)
    if wrong:
        return Evidence(Sureness.NO, f"{shortened(texts[wrong - 1].strip())} is no clue", wrong)
    sections = _sections(lines)
    if is_cut and len(sections) <= 2:
        return Evidence(Sureness.WEAK, "nothing but clues, with at most one empty line")
    if len(sections) != 2:
        return Evidence(Sureness.NO, f"{len(sections)} sections between empty lines, not two", lines[-1][0])
    lengths = [[_lengths(text) for _, text in section] for section in sections]
    if sum(map(sum, lengths[0])) != sum(map(sum, lengths[1])):
        return Evidence(Sureness.NO, "the two sections have different sums", sections[1][0][0])
    for clues, others in (lengths, lengths[::-1]):
        if any(sum(clue) + len(clue) - 1 > len(others) for clue in clues):
            return Evidence(Sureness.NO, "a clue does not fit its line", sections[0][0][0])
    return Evidence(Sureness.STRONG, "two sections of clues with the same sum, an empty line between them")


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the one puzzle."""
    lines = list(islice(source.lines(), _MOST_LINES))
    sections = _sections(lines)
    if len(sections) != 2:
        place = sections[2][0][0] if len(sections) > 2 else lines[-1][0]
        expected = "two: row clues, an empty line or &, column clues, with 0 for an empty clue"
        raise source.error(f"{len(sections)} sections of clues", line=place, expected=expected)
    rows, columns = (_clues(source, section) for section in _without_ends(sections))
    yield Puzzle(rows, columns)


@text_writer
def write(puzzle: Puzzle) -> list[str]:
    """Write a puzzle."""
    rows, columns = (map(lengths_text, clues) for clues in (puzzle.rows, puzzle.columns))
    return [*rows, "", *columns]


def _is_clue_or_mark(text: str) -> bool:
    return _OF_CLUES.issuperset(text) or text.startswith(_COMMENTS) or text.strip() == "&"


def _lengths(text: str) -> list[int]:
    """Return the lengths of a line that holds a clue, none for the empty one."""
    return [length for word in text.replace(",", " ").split() if (length := int(word[:9]))]


def _sections(lines: Iterable[NumberedLine]) -> list[list[NumberedLine]]:
    """Return the lines between separators, without comments; in a file with ``&``, only that separates."""
    kept = [(number, text) for number, text in lines if not text.startswith(_COMMENTS)]
    has_mark = any(text.strip() == "&" for _, text in kept)
    sections: list[list[NumberedLine]] = [[]]
    for number, text in kept:
        if text.strip() not in ("", "&"):
            sections[-1].append((number, text))
        elif sections[-1] and (text.strip() or not has_mark):
            sections.append([])
    return [section for section in sections if section]


def _without_ends(sections: list[list[NumberedLine]]) -> list[list[NumberedLine]]:
    """Return the sections without the zeros that end the lines, if each line has one behind lengths."""
    words = [text.split() for section in sections for _, text in section]
    if not all(line[-1] == "0" for line in words) or all(len(line) == 1 for line in words):
        return sections
    return [[(number, text.rstrip()[:-1] or "0") for number, text in section] for section in sections]


def _clues(source: Source, lines: Iterable[NumberedLine]) -> tuple[Clue, ...]:
    return tuple(parse_clue(source, line) for line in lines)


_SUMMARY = "Keen, ish, syro, pbnsol: row clues, an empty line or &, column clues, no size"
FORMATS = (Format("keen", (".keen",), _SUMMARY, sniff, read, write),)
