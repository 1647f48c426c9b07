"""MiniZinc data of automata (Kjellerstrand's ``nonogram_regular.mzn``, files ``*_aut.dzn``); one colour.

``row_max`` is the number of rows. ``row_states`` is a table with two columns, the automata of all rows below
each other: in state s, ``row_states[s, 1]`` is the next state after an empty cell and ``row_states[s, 2]``
after a filled one, counted from 1 in each automaton, 0 for none. ``row_num_states`` has the number of states
of each row, ``row_start_where`` where its automaton starts in the table. The same holds for ``col_``.

The clue of a line follows from its automaton: a state that stays on an empty cell is a gap; the states
between two gaps count the cells of a block; the last state is the end of the last block. An automaton of
another form describes no clue and is refused. No states, or one, are the empty clue.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import BinaryIO

from nonocsp.formats.base import Evidence, Format, Sureness
from nonocsp.formats.codecs.data.dzn_grammar import Array, Data, Row, Value, parse
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import cached_block
from nonocsp.model import Clue, Puzzle

_AXES = ("row", "col")
_MOST_STATES = 1 << 18
"""Of all lines of an axis: automata may share states of the table."""
_MARKS = (b"row_states", b"row_num_states", b"col_states", b"col_num_states")


def sniff(head: bytes) -> Evidence:
    """Return whether ``row_states`` is assigned, or another of the names of automata."""
    found = [mark.decode() for mark in _MARKS if mark in head]
    if found and b"=" in head:
        return Evidence(Sureness.CERTAIN, f"{found[0]} is assigned")
    return Evidence(Sureness.NO, "neither row_states nor col_states is assigned")


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the one puzzle."""
    data = parse(source)
    rows, columns = (tuple(_clues(data, axis)) for axis in _AXES)
    yield Puzzle(rows, columns)


def write(puzzles: Iterable[Puzzle], stream: BinaryIO) -> None:
    """Write the automata of a puzzle."""
    for puzzle in puzzles:
        for axis, clues in zip(_AXES, (puzzle.rows, puzzle.columns), strict=True):
            automata = [_states(clue) for clue in clues]
            sizes = [len(states) for states in automata]
            starts = [1 + before for before in accumulate(sizes[:-1], initial=0)]
            lines = [
                f"{axis}_max = {len(clues)};",
                f"{axis}_states = array2d(1..{axis}_total_states, 1..2, [",
            ]
            for clue, states in zip(clues, automata, strict=True):
                lines.append(f"% pattern {','.join(str(length) for length, _ in clue) or 0}")
                lines.append(" ".join(f"{empty},{filled}," for empty, filled in states))
            numbers = {"max_state": max(sizes), "total_states": sum(sizes), "num_patterns": len(clues)}
            lines += ["]);", *(f"{axis}_{name} = {number};" for name, number in numbers.items())]
            for name, values in (("num_states", sizes), ("start_where", starts)):
                lines.append(f"{axis}_{name} = [{','.join(map(str, values))}];")
            stream.write(("\n".join(lines) + "\n").encode())


def _states(clue: Clue) -> list[tuple[int, int]]:
    """Return the next states of each state: a gap before each block, and a state for each of its cells."""
    states: list[tuple[int, int]] = []
    for length, _ in clue:
        gap = len(states) + 1
        states.append((gap, gap + 1))
        states += [(0, gap + i + 1) for i in range(1, length)]
        states.append((gap + length + 1, 0))
    return [*states[:-1], (max(1, len(states)), 0)]


def _clues(data: Data, axis: str) -> Iterator[Clue]:
    names = [f"{axis}_{name}" for name in ("states", "num_states", "start_where")]
    for name in names:
        if name not in data.values:
            raise data.error(f"{name} is missing", expected=f"{', '.join(names)} and {axis}_max")
    table = data.table(names[0])
    sizes, starts = (_list(data, data.values[name], name) for name in names[1:])
    number = data.values.get(f"{axis}_max")
    if len(sizes) != len(starts) or (number is not None and data.integer(number) != len(sizes)):
        expected = f"as many as {axis}_max says"
        raise data.error(f"{len(sizes)} sizes and {len(starts)} starts", data.values[names[1]].at, expected)
    if sum(sizes) > _MOST_STATES:
        expected = f"at most {_MOST_STATES} states"
        raise data.error(f"automata of {sum(sizes)} states", data.values[names[1]].at, expected)
    for size, start in zip(sizes, starts, strict=True):
        if size < 0 or start < 1 or start - 1 + size > len(table):
            expected = f"states of {names[0]}, which has {len(table)}"
            raise data.error(f"an automaton from {start} on", data.values[names[2]].at, expected)
        yield _clue(data, table[start - 1 : start - 1 + size])


def _list(data: Data, value: Value, name: str) -> list[int]:
    match value:
        case Array("[", (items,)):
            return [data.integer(item) for item in items]
    raise data.error(f"{name} is no list", value.at, "numbers between [ and ]")


def _clue(data: Data, states: list[Row]) -> Clue:
    """Return the clue that an automaton accepts."""
    lengths: list[int] = []
    gap = 1
    while gap < len(states):
        if states[gap - 1].numbers != (gap, gap + 1):
            raise data.error("no gap before a block", states[gap - 1].at, f"{gap},{gap + 1}")
        end = gap + 1
        while end < len(states) and states[end - 1].numbers == (0, end + 1):
            end += 1
        behind = end if end == len(states) else end + 1
        if states[end - 1].numbers != (behind, 0):
            raise data.error("no end of a block", states[end - 1].at, f"0,{end + 1} or {behind},0")
        lengths.append(end - gap)
        gap = end + 1
    if gap == len(states) and states[-1].numbers != (gap, 0):
        raise data.error("no end of the line", states[-1].at, f"{gap},0")
    return Clue(map(cached_block, lengths))


_SUMMARY = "MiniZinc data; automata as tables of states (row_states, col_states)"
FORMATS = (Format("dzn-states", (".dzn",), _SUMMARY, sniff, read, write),)
