"""The text files of Pierre Dejoue's picross-solver: named grids, a clue in brackets a line; one colour.

::

    # a comment
    GRID Note
    ROWS
    [ 1 2 ]
    [ ]
    COLUMNS
    ...

Either section comes first, and there may be several grids, read lazily. ``[ ]`` and ``[ 0 ]`` are the empty
clue; blank lines mean nothing. Any other line is an error, raised after the grid above it if that grid has
both sections. A grid's name is the puzzle's title, on one line. Beside it only the clues are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import BinaryIO

from nonocsp.formats.base import Evidence, Format, Sureness
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import NumberedLine, lengths_text, parse_clue, said_lines, shortened
from nonocsp.model import MAX_LINES, Clue, Puzzle

_SECTIONS = ("ROWS", "COLUMNS")


@dataclass(slots=True)
class _Draft:
    """A grid as far as it was read; `clues` has its sections in the order of the file."""

    title: str
    line: int
    clues: dict[str, list[Clue]] = field(default_factory=dict)


def sniff(head: bytes) -> Evidence:
    """Say whether GRID comes first, then a section, then a clue."""
    expected = (("GRID",), _SECTIONS, ("[",))
    lines = said_lines(head)
    words = [line[1].replace("[", "[ ").split()[0] for line in lines[:3]]
    agreeing = sum(1 for _ in takewhile(lambda pair: pair[0] in pair[1], zip(words, expected, strict=False)))
    if agreeing == len(expected):
        return Evidence(Sureness.CERTAIN, "GRID, a section and a clue in brackets")
    sureness = (Sureness.NO, Sureness.WEAK, Sureness.STRONG)[agreeing]
    if agreeing == len(lines):
        return Evidence(sureness, f"{expected[agreeing][0]} does not follow", agreeing + 1)
    number, text = lines[agreeing]
    why = f"line {number} is {shortened(text)}, not {' or '.join(expected[agreeing])}"
    return Evidence(sureness, why, number if agreeing else 1)


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the grids."""
    draft: _Draft | None = None
    for number, text in source.lines():
        word, _, rest = text.strip().partition(" ")
        if not word or word.startswith("#"):
            continue
        if word == "GRID":
            if draft:
                yield _puzzle(source, draft)
            draft = _Draft(rest.strip(), number)
        elif draft and word in _SECTIONS:
            if word in draft.clues:
                raise source.error(f"{word} a second time", line=number, expected="GRID before the next grid")
            draft.clues[word] = []
        elif draft and draft.clues and word.startswith("["):
            _take_clue(source, draft, (number, text))
        else:
            if draft and all(draft.clues.get(section) for section in _SECTIONS):
                yield _puzzle(source, draft)
            expected = "GRID and a name before anything else"
            if draft:
                clue = "a clue such as [ 1 2 ], ROWS, COLUMNS or GRID"
                expected = clue if draft.clues else "ROWS or COLUMNS below GRID"
            message = f"{shortened(text.split()[0])} is out of place"
            column = len(text) - len(text.lstrip()) + 1
            raise source.error(message, line=number, column=column, expected=expected)
    if draft:
        yield _puzzle(source, draft)


def write(puzzles: Iterable[Puzzle], stream: BinaryIO) -> None:
    """Write grids, with a blank line between two."""
    for i, puzzle in enumerate(puzzles):
        title = " ".join(puzzle.title.split())
        lines = [f"GRID {title}".rstrip()]
        for section, clues in zip(_SECTIONS, (puzzle.rows, puzzle.columns), strict=True):
            lines += [section, *(f"[ {lengths_text(clue)} ]" for clue in clues)]
        stream.write(("\n" * (i > 0) + "\n".join(lines) + "\n").encode())


def _take_clue(source: Source, draft: _Draft, line: NumberedLine) -> None:
    number, text = line
    start, end = text.index("["), text.rstrip().rfind("]")
    if end != len(text.rstrip()) - 1:
        column = len(text.rstrip()) + 1
        raise source.error("a clue without ]", line=number, column=column, expected="a clue such as [ 1 2 ]")
    section, clues = next(reversed(draft.clues.items()))
    if len(clues) == MAX_LINES:
        raise source.error(f"too many clues in {section}", line=number, expected=f"at most {MAX_LINES}")
    clues.append(parse_clue(source, (number, f"{text[:start]} {text[start + 1 : end]}")))


def _puzzle(source: Source, draft: _Draft) -> Puzzle:
    for section in _SECTIONS:
        if not draft.clues.get(section):
            message = f"the grid {shortened(draft.title)} has no {section.lower()}"
            expected = f"{section} and a clue such as [ 1 2 ] a line"
            raise source.error(message, line=draft.line, expected=expected)
    rows, columns = (tuple(draft.clues[section]) for section in _SECTIONS)
    return Puzzle(rows, columns, title=draft.title)


_SUMMARY = "named grids of picross-solver: GRID, ROWS, COLUMNS, a clue such as [ 1 2 ] a line"
FORMATS = (Format("picross", (".txt",), _SUMMARY, sniff, read, write, holds_many=True),)
