"""Recognise the format of a file by evidence.

Every format says how much the content speaks for it (`Sureness`) and why. The suffix of the file is one more
piece of evidence: it counts half a step, so that a weak match with the right suffix is enough and neither the
suffix nor a weak match is enough alone. If several formats match best, each reads the file; they
must find the same puzzles. A file that no format matches well is refused, with the nearest format and what
speaks against it: reading a file wrongly and then proving its puzzle unique is worse than refusing it.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

from nonocsp.formats.base import Evidence, Format, Reader, Sureness
from nonocsp.formats.source import Source
from nonocsp.model import FormatError, NonocspError

_COMPARED = 100
"""How many puzzles of a set two readers must have in common."""


class _Match(NamedTuple):
    """A format, whether the suffix of the file is one of its own, and what the content says."""

    known: Format
    has_suffix: bool
    found: Evidence

    @property
    def rank(self) -> int:
        """How good the match is: two a step of sureness, one for the suffix."""
        return 2 * self.found.sureness + self.has_suffix


_ENOUGH = 2 * Sureness.WEAK + 1
"""The least rank of a format that is taken."""


def recognise(source: Source, known: Iterable[tuple[Format, bool]]) -> tuple[Format, Source]:
    """Return the format of a source, and the source from its start.

    `known` has all formats, each with whether the suffix of the file is one of its own, those first. The
    others are only asked if none of these is strong, and nobody after one that is certain. FormatError if no
    format matches well, or if several do and read different puzzles.
    """
    head = source.head_in_utf8
    matches: list[_Match] = []
    last: Format | None = None
    for format, has_suffix in known:
        if format.is_asked_last:
            last = format
            continue
        if not has_suffix and any(match.rank > 2 * Sureness.STRONG for match in matches):
            break
        match = _Match(format, has_suffix, format.sniff(head))
        if match.found.sureness is Sureness.CERTAIN:
            return format, source
        matches.append(match)
    best = max(match.rank for match in matches)
    if best <= _ENOUGH and last:
        near = [match.known for match in matches if match.found.sureness is Sureness.WEAK]
        source, match = _asked_last(source, last, near, can_read=best == _ENOUGH)
        if match.found.sureness is Sureness.STRONG or (match.rank and not near):
            return last, source
        matches.append(match)
    if best < _ENOUGH:
        raise _refusal(source, matches)
    equals: dict[Reader, Format] = {}
    for match in matches:
        if match.rank == best:
            equals.setdefault(match.known.read, match.known)
    if len(equals) == 1:
        return next(iter(equals.values())), source
    return _agreed(source, list(equals.values()))


def _asked_last(source: Source, last: Format, near: list[Format], *, can_read: bool) -> tuple[Source, _Match]:
    """Return the source again, and how the format that is asked last matches all of it.

    Formats that match weakly go first, if the suffix is that of one and it can read the file.
    """
    try:
        content = source.content()
    except FormatError:
        return source, _Match(last, False, Evidence(Sureness.NO, "it is too large"))
    found = last.sniff(content)
    if found.sureness and can_read and any(_reading(format, source.again(content)) for format in near):
        found = Evidence(Sureness.NO, "it is of another format")
    return source.again(content), _Match(last, False, found)


def _agreed(source: Source, equals: list[Format]) -> tuple[Format, Source]:
    """Return the one of several formats that can read the source; an error if they read different puzzles."""
    content = source.content()
    readings = [(format, _reading(format, source.again(content, is_quiet=True))) for format in equals]
    able = [(format, found) for format, found in readings if found]
    if not able:
        return equals[0], source.again(content)
    (first, found), *others = able
    different = [format for format, puzzles in others if puzzles != found]
    if different:
        names = [first.name, *(format.name for format in different)]
        options = " or ".join(f"--from {name}" for name in names)
        raise source.error(
            f"this could be {' or '.join(names)}, which read different puzzles",
            expected=f"{options} (in Python, format={names[0]!r}) to choose",
        )
    return first, source.again(content)


def _reading(format: Format, source: Source) -> list[str]:
    """Return the hashes of the puzzles that a format finds before the first error."""
    found = []
    with suppress(NonocspError):
        for puzzle in islice(format.read(source), _COMPARED):
            found.append(puzzle.canonical_hash)
            source.next_puzzle()
    return found


def _refusal(source: Source, matches: list[_Match]) -> FormatError:
    """Return the error for a source that no format matches: with the nearest format, if one is near."""
    nearest = max(matches, key=lambda match: (match.rank, match.found.line))
    names = ", ".join(match.known.name for match in matches)
    message, expected = "the format is not recognised", f"one of {names}"
    if nearest.rank or nearest.found.line > 1:
        name, why = nearest.known.name, nearest.found.why
        message = f"{message}; the nearest is {name}, but {why}"
        expected = f"a known format; use --from {name} (in Python, format={name!r}) to read it as {name}"
    return source.error(message, expected=expected)
