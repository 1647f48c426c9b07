"""The ``.lp`` files of Robert Bosch's integer program, exported by webpbn.com; one colour.

::

    number_of_rows: 2
    number_of_columns: 2
    row_1
    number_of_clusters: 1
    size(s): 2
    ...
    column_1
    number_of_clusters: 1
    size(s): 1

The lines of the grid come in any order. Two keys follow each of them, whatever they are called (Bosch's own
files differ): the number of blocks, and the blocks. Facts for answer set solvers have the same suffix, see
``asp``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nonocsp.formats.base import Evidence, Format, Sureness, text_writer
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import NumberedLine, cached_block, head_lines, parse_size, shortened
from nonocsp.model import MAX_LINES, Clue, Puzzle

_AXES = ("row", "column")
_LINE = re.compile(r"(row|column)_([0-9]{1,9}):?")
_NUMBER = re.compile(r"[0-9]{1,9}")


def sniff(head: bytes) -> Evidence:
    """Return whether the first line is ``number_of_rows:``."""
    first = next(iter(head_lines(head)), "")
    if first.startswith("number_of_rows:"):
        return Evidence(Sureness.CERTAIN, "the first line is number_of_rows:")
    return Evidence(Sureness.NO, "the first line is not number_of_rows:", 1)


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the one puzzle."""
    words = _Words(source)
    sizes = {}
    for axis in _AXES:
        number, word = words.take(f"number_of_{axis}s: and a number")
        if word != f"number_of_{axis}s:":
            raise source.error(shortened(word), line=number, expected=f"number_of_{axis}s:")
        number, word = words.take("a number")
        sizes[axis] = parse_size(source, number, word, f"number of {axis}s")
    clues: dict[str, dict[int, Clue]] = {axis: {} for axis in _AXES}
    for number, word in words:
        found = _LINE.fullmatch(word)
        if not found or not 1 <= int(found[2]) <= sizes[found[1]] or int(found[2]) in clues[found[1]]:
            expected = "row_1, column_1 and so on, each line once and in the size"
            raise source.error(f"{shortened(word)} is out of place", line=number, expected=expected)
        clues[found[1]][int(found[2])] = _clue(words)
    for axis in _AXES:
        if len(clues[axis]) != sizes[axis]:
            missing = next(i for i in range(1, sizes[axis] + 1) if i not in clues[axis])
            expected = f"{sizes[axis]} {axis}s, as number_of_{axis}s says"
            raise source.error(f"{axis}_{missing} is missing", line=words.line, expected=expected)
    rows, columns = (tuple(clue for _, clue in sorted(clues[axis].items())) for axis in _AXES)
    yield Puzzle(rows, columns)


@text_writer
def write(puzzle: Puzzle) -> list[str]:
    """Write a puzzle."""
    lines = [f"number_of_rows: {len(puzzle.rows)}", f"number_of_columns: {len(puzzle.columns)}"]
    for axis, clues in zip(_AXES, (puzzle.rows, puzzle.columns), strict=True):
        for i, clue in enumerate(clues, start=1):
            sizes = " ".join(str(length) for length, _ in clue)
            lines += ["", f"{axis}_{i}", f"number_of_clusters: {len(clue)}", f"size(s): {sizes}".rstrip()]
    return lines


class _Words:
    """The words of a file with their lines, taken one by one."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.line = 1
        self._rest = ((number, word) for number, text in source.lines() for word in text.split())

    def __iter__(self) -> Iterator[NumberedLine]:
        return self._rest

    def take(self, expected: str) -> NumberedLine:
        """Return the next word; raise FormatError if the file ends."""
        self.line, word = next(self._rest, (self.line, ""))
        if not word:
            raise self.source.error("the file ends", line=self.line, expected=expected)
        return self.line, word


def _clue(words: _Words) -> Clue:
    words.take("number_of_clusters:")
    number, word = words.take("the number of blocks")
    if not (_NUMBER.fullmatch(word) and int(word) <= MAX_LINES):
        expected = f"a number of blocks up to {MAX_LINES}"
        raise words.source.error(f"{shortened(word)} is no number of blocks", line=number, expected=expected)
    words.take("size(s):")
    lengths = []
    for _ in range(int(word)):
        number, length = words.take("the length of a block")
        if not _NUMBER.fullmatch(length):
            message = f"{shortened(length)} is no block length"
            raise words.source.error(message, line=number, expected=f"{word} lengths behind size(s):")
        lengths.append(int(length))
    return Clue(map(cached_block, lengths))


_SUMMARY = "Bosch's .lp: number_of_rows:, number_of_columns:, then row_1, number of blocks, sizes"
FORMATS = (Format("bosch", (".lp",), _SUMMARY, sniff, read, write),)
