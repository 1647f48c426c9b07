"""Recognise the format of a file by evidence.

Every format says how much the content speaks for it (`Sureness`) and why. The suffix of the file is one more
piece of evidence: it counts half a step, so that a weak match with the right suffix is enough and neither the
suffix nor a weak match is enough alone. If several formats match best, each reads the file; they
must find the same puzzles. A file that no format matches well is refused, with the nearest format and what
speaks against it: reading a file wrongly and then proving its puzzle unique is worse than refusing it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

from nonocsp.formats.base import Evidence, Format, Reader, Sureness
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import said_lines
from nonocsp.model import FormatError, NonocspError

_COMPARED = 100
"""How many puzzles of a set two readers must have in common."""


class _Match(NamedTuple):
    """A format, and what the content says."""

    known: Format
    found: Evidence
    rank: int  # how good the match is: two a step of sureness, one for the suffix


_STRONG = 2 * Sureness.STRONG
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
    last, best = None, 0
    for format, has_suffix in known:
        if format.is_asked_last:
            last = format
            continue
        if not has_suffix and best > _STRONG:
            break
        found = format.sniff(head)
        if found.sureness is Sureness.CERTAIN:
            return format, source
        rank = 2 * found.sureness + has_suffix
        matches.append(_Match(format, found, rank))
        best = max(best, rank)
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
    """Return the source again, and how all of it matches the format asked last; likely weak ones go first."""
    try:
        content = source.content()
    except FormatError:
        return source, _Match(last, Evidence(Sureness.NO, "it is too large"), 0)
    found = last.sniff(content)
    if found.sureness and can_read and any(_reading(format, source.again(content)) for format in near):
        found = Evidence(Sureness.NO, "it is of another format")
    return source.again(content), _Match(last, found, 2 * found.sureness)


def _agreed(source: Source, equals: list[Format]) -> tuple[Format, Source]:
    """Return the one of several formats that can read the source; an error if they read different puzzles."""
    content = source.content()
    readings = [(format, _reading(format, source.again(content))) for format in equals]
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
    found, source = [], source.quietly()
    with suppress(NonocspError):
        for puzzle in islice(format.read(source), _COMPARED):
            found.append(puzzle.canonical_hash)
            source.next_puzzle()
    return found


_GENERATE = "a puzzle; `nonocsp generate {name}` makes one of it"
_OTHER_FILES = (
    (rb"\xff\xd8\xff", "a photograph (JPEG)", _GENERATE),
    (rb"....ftyp(?:avif|avis)", "a photograph (AVIF)", _GENERATE),
    (
        rb"....ftyp(?:hei[cfmsx]|hevc|mif1)",
        "a photograph (HEIC)",
        "a PNG or JPEG of it for `nonocsp generate`",
    ),
    (rb"%PDF-", "a PDF document", "its clues, copied into a text file"),
    (rb"PK\x03\x04.*(?:word/|mimetype)", "a document of a word processor", "its clues, saved as text"),
    (rb"\xd0\xcf\x11\xe0|\{\\rtf", "a document of a word processor", "its clues, saved as text"),
    (
        rb"\s*(?i:<!doctype html|<html)",
        "a web page without a puzzle that is known",
        "its clues, copied as text",
    ),
)
"""How files start that people take for puzzles, what they are, and what to bring instead."""
_CLUE = re.compile(r"[0-9\s,;.-]*")
_UNKNOWN_CLUE = re.compile(r"[0-9\s,;]*\?[0-9\s,;?]*")


def _refusal(source: Source, matches: list[_Match]) -> FormatError:
    """Return the error for a source that no format matches: what it is, or what it nearly is."""
    for start, what, expected in _OTHER_FILES:
        if re.match(start, source.head, re.DOTALL):
            return source.error(f"this is {what}", expected=expected.format(name=source.name))
    lines = said_lines(source.head_in_utf8)
    unknown = next((line for line in lines if _UNKNOWN_CLUE.fullmatch(line[1])), None)
    if unknown and sum(text.replace(" ", "").isdigit() for _, text in lines) > 1:
        message = f"{unknown[1]!r} has an unknown clue, which is not supported yet"
        return source.error(message, line=unknown[0], expected="numbers")
    ranked = sorted(matches, key=lambda match: (match.rank, match.found.line), reverse=True)
    near = [match for match in ranked[:2] if match.rank or match.found.line > 1]
    odd = [line for line in lines if not _CLUE.fullmatch(line[1])]
    if 0 < 5 * len(odd) < len(lines) and all(match.rank < _ENOUGH for match in near):
        expected = "numbers, as in the other lines, or a label such as `columns:`"
        return source.error(f"{odd[0][1]!r} is no clue", line=odd[0][0], expected=expected)
    if not near:
        expected = "clues, a drawing or a puzzle file; `nonocsp convert --formats` lists what is read"
        return source.error("the format is not recognised", expected=expected)
    name = near[0].known.name
    readings = "; the next is ".join(f"{match.known.name}, but {match.found.why}" for match in near)
    return source.error(
        f"the format is not recognised; the nearest is {readings}",
        expected=f"a known format; use --from {name} (in Python, format={name!r}) to read it as {name}",
    )
