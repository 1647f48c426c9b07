"""Bring proofs into the form that the core checks: binary DRAT (Wetzler, Heule & Hunt 2014)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from nonocsp.certificates.document import Invalid
from nonocsp.model import bounds

_DRAT = re.compile(rb"(d )?((?:-?[1-9][0-9]{0,8} )*)0\r?\n?")
"""A line of DRAT: a lemma, or a deletion."""
_LRAT = re.compile(rb"([1-9]\d{0,14}) (d )?((?:-?[1-9]\d{0,14} )*)0 ?((?:-?[1-9]\d{0,14} )*0)?\r?\n?")
"""A line of LRAT: the number of a lemma, its literals and hints; or a deletion of numbers."""
_TEXT = re.compile(rb"(?:c[^\n]*\n?|[-0-9d \r\n])*")
_OPENING = 1000
"""Bytes that tell whether a proof is text."""


def is_text(proof: bytes) -> bool:
    """Return whether a proof is lines of numbers and comments, and not binary."""
    return _TEXT.fullmatch(proof[:_OPENING]) is not None


def from_drat(lines: Iterable[bytes]) -> bytes:
    """Return the binary form of DRAT in lines of text; `Invalid`, with the line's number, if it is none."""
    steps = bytearray()
    for number, line in enumerate(lines, start=1):
        step = _DRAT.fullmatch(line) if len(line) < bounds.LINE_BYTES else None
        if not step:
            raise Invalid(f"{number}: {line[:40]!r} is not a list of literals that ends in 0")
        _add(steps, map(int, step[2].split()), is_deletion=bool(step[1]))
    return bytes(steps)


def from_lrat(lines: Iterable[bytes], formula: Iterable[int]) -> bytes:
    """Return the lemmas and deletions of LRAT, without its hints, as binary DRAT; `Invalid` if it is none.

    `formula` has literals, each clause ends with 0; its clauses have the numbers from 1.
    """
    clauses, steps = dict(enumerate(_clauses(formula), start=1)), bytearray()
    for number, line in enumerate(lines, start=1):
        step = _LRAT.fullmatch(line) if len(line) < bounds.LINE_BYTES else None
        if not step or (step[2] is None) != (step[4] is not None):
            raise Invalid(f"{number}: {line[:40]!r} is no line of LRAT; expected its text form")
        named = [*map(int, step[3].split())]
        if step[2]:
            for clause in named:
                _add(steps, clauses.pop(clause, []), is_deletion=True)
        else:
            clauses[int(step[1])] = named
            _add(steps, named)
    return bytes(steps)


def _clauses(literals: Iterable[int]) -> Iterator[list[int]]:
    """Yield the clauses of a formula that has none without literals."""
    for is_end, clause in groupby(literals, key=lambda literal: literal == 0):
        if not is_end:
            yield [*clause]


def _add(steps: bytearray, literals: Iterable[int], *, is_deletion: bool = False) -> None:
    steps += b"d" if is_deletion else b"a"
    for literal in literals:
        code = 2 * abs(literal) + (literal < 0)
        while code > 127:
            steps.append(code & 127 | 128)
            code >>= 7
        steps.append(code)
    steps.append(0)
