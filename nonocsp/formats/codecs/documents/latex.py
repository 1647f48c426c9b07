r"""Nonograms of the LaTeX package logicpuzzle, in documents that typeset as they are; one colour.

::

    \begin{nonogram}[rows=2, columns=3, title={Stair}]
      \nonogramV{{2}, {1, 1}}        the rows from the bottom to the top
      \nonogramH{{1}, {1}, {2}}      the columns from left to right
      \nonogramrow{1}{2/2}           optional, the solution: row 1 is the lowest, 2 cells from column 2 on
    \end{nonogram}

A clue stands in braces, or without them if it has one length; ``0`` and ``{}`` are the empty clue. The
package sets the lengths of a clue from the grid outwards, so they stand in reverse. A document may hold
several puzzles. A solution is the goal; other commands and the text around the environments mean nothing.
``%`` starts a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from nonocsp.formats.base import Evidence, Format, Sureness
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import cached_block, parse_size, shortened
from nonocsp.late import numpy as np
from nonocsp.model import MAX_LINES, Clue, Grid, Puzzle, bounds

_MAX_CHARACTERS = 1 << 20
_BEGIN, _END = r"\begin{nonogram}", r"\end{nonogram}"
_COMMENT = re.compile(r"(?<!\\)%.*")
_OPTION = re.compile(r"(rows|columns)\s*=\s*([0-9]{1,9})")
_TITLE = re.compile(r"title\s*=\s*(?:\{([^{}]*)\}|([^,\]{}]*))")
_COMMAND = re.compile(r"\\nonogram(V|H|row)\s*")
_BRACE = re.compile(r"[{}]")
_CLUE = re.compile(r"\s*(?:\{([0-9,\s]*)\}|([0-9]+))\s*(,|$)")
_RUN = re.compile(r"\s*([0-9]{1,9})\s*/\s*([0-9]{1,9})\s*")
_SPECIAL = re.compile(r"[\\{}\[\]$&#^_~%]")

_HEAD = "\\documentclass{article}\n\\usepackage{logicpuzzle}\n\\begin{document}\n"


def sniff(head: bytes) -> Evidence:
    r"""Say whether the text has ``\begin{nonogram}``, or is a document with the package."""
    if _BEGIN.encode() in head:
        return Evidence(Sureness.CERTAIN, f"it has {_BEGIN}")
    if b"{logicpuzzle}" in head and b"\\documentclass" in head:
        return Evidence(Sureness.STRONG, r"it has \usepackage{logicpuzzle}")
    return Evidence(Sureness.NO, f"no {_BEGIN}")


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the puzzle of each environment."""
    raw = source.text()
    if len(raw) > _MAX_CHARACTERS:
        raise source.error("too much text", expected=f"at most {_MAX_CHARACTERS} characters")
    text = "\n".join(_COMMENT.sub("", line) for line in raw.split("\n"))
    at, line, counted = text.find(_BEGIN), 1, 0
    while at >= 0:
        line, counted = line + text.count("\n", counted, at), at
        end = text.find(_END, at)
        if end < 0:
            raise source.error(f"{_BEGIN} is not closed", line=line, expected=_END)
        yield _puzzle(source, text[at + len(_BEGIN) : end], line)
        at = text.find(_BEGIN, end)


def write(puzzles: Iterable[Puzzle], stream: BinaryIO) -> None:
    """Write a document with a page for each puzzle; solutions stay out of it."""
    stream.write(_HEAD.encode())
    for puzzle in puzzles:
        height, width = puzzle.shape
        title = f", title={{{_escaped(puzzle.title)}}}" if puzzle.title else ""
        rows, columns = (", ".join(map(_clue_text, clues)) for clues in (puzzle.rows[::-1], puzzle.columns))
        lines = [
            f"{_BEGIN}[rows={height}, columns={width}{title}]",
            f"\\nonogramV{{{rows}}}",
            f"\\nonogramH{{{columns}}}",
            _END,
            "\\clearpage",
        ]
        stream.write(("\n".join(lines) + "\n").encode())
    stream.write(b"\\end{document}\n")


def _clue_text(clue: Clue) -> str:
    return "{" + (", ".join(str(length) for length, _ in clue[::-1]) or "0") + "}"


def _escaped(text: str) -> str:
    """Return a title without the characters that LaTeX takes for commands."""
    return _SPECIAL.sub(" ", " ".join(text.split()))


def _puzzle(source: Source, text: str, line: int) -> Puzzle:
    options, body = _options(text)
    sizes = dict(_OPTION.findall(options))
    title = _TITLE.search(options)
    lists: dict[str, tuple[Clue, ...]] = {}
    runs: dict[int, str] = {}
    number, at, counted = line + text.count("\n", 0, len(text) - len(body)), 0, 0
    while command := _COMMAND.search(body, at):
        number, counted = number + body.count("\n", counted, command.start()), command.start()
        argument, at = _braces(source, body, command.end(), number)
        if command[1] != "row":
            if command[1] in lists:
                message = f"\\nonogram{command[1]} a second time"
                raise source.error(message, line=number, expected=f"one for each {_BEGIN}")
            lists[command[1]] = _clues(source, argument, number)
        else:
            row = parse_size(source, number, argument.strip(), "row")
            if row in runs:
                message = f"row {row} of the solution a second time"
                raise source.error(message, line=number, expected="each row once")
            runs[row], at = _braces(source, body, at, number)
    for name, what in (("V", "rows"), ("H", "columns")):
        if name not in lists:
            raise source.error(
                f"no \\nonogram{name}", line=line, expected=f"\\nonogram{name}, the clues of {what}"
            )
        size = parse_size(source, line, sizes.get(what, str(len(lists[name]))), what)
        if size != len(lists[name]):
            message = f"{len(lists[name])} clues in \\nonogram{name}"
            raise source.error(message, line=line, expected=f"{size}, as {what}={size} says")
    goal = _goal(source, runs, (len(lists["V"]), len(lists["H"])), line) if runs else None
    shown = ((title[1] or title[2] or "") if title else "").strip()
    return Puzzle(lists["V"][::-1], lists["H"], title=shown, goal=goal)


def _options(text: str) -> tuple[str, str]:
    """Return what stands in brackets at the start, and the rest."""
    if not text.startswith("["):
        return "", text
    options, _, body = text[1:].partition("]")
    return options, body


def _braces(source: Source, text: str, at: int, line: int) -> tuple[str, int]:
    """Return what stands between the braces that open at a place, and where it ends."""
    depth, start = 0, _BRACE.search(text, at)
    if start and start[0] == "{" and not text[at : start.start()].strip():
        for brace in _BRACE.finditer(text, start.start()):
            depth += 1 if brace[0] == "{" else -1
            if depth == 0:
                return text[start.end() : brace.start()], brace.end()
    raise source.error("no braces behind the command", line=line, expected="{ and as many }")


def _clues(source: Source, text: str, line: int) -> tuple[Clue, ...]:
    clues: list[Clue] = []
    at, text = 0, text.rstrip()
    while at < len(text):
        found = _CLUE.match(text, at)
        words = (found[1] if found[1] is not None else found[2]).replace(",", " ").split() if found else []
        if not found or len(clues) == MAX_LINES or any(len(word) > 9 for word in words):
            number = line + text.count("\n", 0, at)
            shown = shortened(text[at:].strip())
            raise source.error(f"{shown} is no clue", line=number, expected="clues such as {1, 2}, {3}")
        clues.append(Clue(cached_block(int(word)) for word in (words[::-1] if words != ["0"] else ())))
        at = found.end()
    return tuple(clues)


def _goal(source: Source, runs: dict[int, str], shape: tuple[int, int], line: int) -> Grid:
    if shape[0] * shape[1] > bounds.IMAGE_PIXELS:
        expected = f"at most {bounds.IMAGE_PIXELS} cells"
        raise source.error(f"a solution of {shape[0]}x{shape[1]} cells", line=line, expected=expected)
    cells = np.zeros(shape, np.uint8)
    for row, text in runs.items():
        for run in text.split(","):
            found = _RUN.fullmatch(run)
            column, length = (int(found[1]), int(found[2])) if found else (0, 0)
            if not (1 <= row <= shape[0] and column >= 1 and column + length - 1 <= shape[1]):
                expected = "COLUMN/LENGTH in the grid, rows counted from the bottom"
                raise source.error(
                    f"row {row} of the solution: {shortened(run)}", line=line, expected=expected
                )
            cells[shape[0] - row, column - 1 : column - 1 + length] = 1
    return Grid.from_cells(cells)


_SUMMARY = "LaTeX documents with the package logicpuzzle: \\begin{nonogram}, \\nonogramV, \\nonogramH"
FORMATS = (Format("latex", (".tex",), _SUMMARY, sniff, read, write, holds_many=True),)
