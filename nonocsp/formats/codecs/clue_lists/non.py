"""The ``.non`` files of Steve Simpson, with the colours of nonogram-db and nonny and bundles.

Keys, in any order, a line each: ``title by copyright license catalogue width height color rows columns
goal``; unknown ones are ignored. Texts may be quoted and hold HTML entities. ``rows`` and ``columns`` are
followed by a clue a line, lengths between commas or blanks, ``0`` or a blank line for the empty clue. The
two descriptions of the format differ here: for Simpson blank lines mean nothing, for nonogram-db they are
empty clues. If a section has as many lines that are not blank as clues, its blank lines are skipped;
otherwise they are clues.

``color a #ff0000`` gives a colour; ``3a`` is a block of it, and a word before lengths (``red 3 1 blue 2``)
is the colour of those that follow in the line. A bare length has colour ``1``, black unless told. The goal
is ``0`` for background and else a colour's character, row by row. ``====`` separates the puzzles of a
bundle. nonny's ``color red FF0000 #`` has a name and then the character; there, a colon may follow a word
before lengths, and ``background`` is the name of the background.

``by`` is the author, ``license`` (else ``copyright``) the licence and ``catalogue`` the source. Names of
colours have no place in the format.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import BinaryIO

from nonocsp.engine.reading import read_list
from nonocsp.formats.base import Evidence, Format, Sureness
from nonocsp.formats.palettes import BLACK, WHITE, Sketch, complete, unique_chars
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import (
    ColouredBlock,
    NumberedLine,
    coloured_clues,
    fit,
    is_comment,
    is_cut,
    parse_size,
    shortened,
    without_references,
)
from nonocsp.late import numpy as np
from nonocsp.model import MAX_LINES, UNKNOWN_CHAR, Grid, Palette, Puzzle

_KEYS = ("title", "by", "copyright", "license", "catalogue", "width", "height", "goal")
_SECTIONS = {"rows": "height", "columns": "width"}
_FILLED, _EMPTY = "1", "0"
"""In the goal; ``1`` is also the colour of lengths without a colour."""

_USUAL = {_EMPTY: WHITE, _FILLED: BLACK}
"""The colours that need no ``color`` line."""

_COLOUR_WORDS = frozenset(colour.name for colour in Palette.of(10).colours[1:])
_KEY_LINE = re.compile(
    r"^[^\S\n]*(?:(rows|columns)|(width|height|rows|columns)[^\S\n]+[0-9]+)[^\S\n]*$", re.MULTILINE
)
_BARE_FILE = re.compile(
    r"(?P<keys>(?:(?!color)[a-z]+ [^\n]*\n)*)width (?P<width>[0-9]+)\nheight (?P<height>[0-9]+)\n"
    r"\n*rows\n(?P<rows>(?:[0-9,]+\n)+)"
    r"\n*columns\n(?P<columns>(?:[0-9,]+\n)+)\n*(?P<goal>goal .*\n?)?"
)
_CERTAIN = Evidence(Sureness.CERTAIN, "the keys width, height, rows and columns")
_PLAIN_CLUE = re.compile(r"[0-9]{1,9}(?:[\s,]+[0-9]{1,9})*")
_TOKEN = re.compile(r"[^\s,]+")
_BLOCK = re.compile(r"([0-9]{1,9})([^\s,0-9]*)")
_COLOUR = re.compile(r"(\S+)\s+#?([0-9a-fA-F]{6})(?:\s+(\S))?")
_BACKGROUND = "background"
"""What nonny calls it."""
_SPDX = re.compile(r"[A-Za-z0-9.+-]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_NOT_FOR_COLOURS = " 0123456789#,&%\"'"


@dataclass(slots=True)
class _Draft:
    """The lines of one puzzle, by key."""

    values: dict[str, NumberedLine] = field(default_factory=dict)
    colours: dict[str, str] = field(default_factory=dict)
    chars: dict[str, str] = field(default_factory=dict)
    sections: dict[str, list[NumberedLine]] = field(default_factory=dict)
    last_line: int = 0

    def text(self, key: str) -> str:
        """Return the text of a key, without quotes and entities; empty if it is not there."""
        if key not in self.values:
            return ""
        value = self.values[key][1]
        quoted = len(value) > 1 and value[0] == value[-1] == '"'
        return without_references(value[1:-1] if quoted else value)

    def texts(self) -> dict[str, str]:
        """Return the texts of the puzzle, by their fields."""
        return {
            "title": self.text("title"),
            "author": self.text("by"),
            "licence": self.text("license") or self.text("copyright"),
            "source": self.text("catalogue"),
        }


def sniff(head: bytes) -> Evidence:
    """Say how many of the keys are there that every file has."""
    text = head.decode(errors="replace").removeprefix("\ufeff")
    if _bare_file(text):
        return _CERTAIN
    whole = text.rpartition("\n")[0] if is_cut(head) else text
    keys = {section or _SECTIONS.get(key, key) for section, key in _KEY_LINE.findall(whole)}
    missing = [key for key in ("width", "height", *_SECTIONS) if key not in keys]
    if len(missing) <= is_cut(head):
        return _CERTAIN
    sureness = {1: Sureness.STRONG, 2: Sureness.WEAK}.get(len(missing), Sureness.NO)
    return Evidence(sureness, f"there is no line with {missing[0]}")


@lru_cache(maxsize=1)
def _bare_file(text: str) -> re.Match[str] | None:
    """Return the parts of a file without colours, as most are; None for others."""
    return _BARE_FILE.fullmatch(text)


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the puzzles of a bundle, usually one."""
    if puzzle := _bare_puzzle(source):
        yield puzzle
        return
    for draft in _drafts(source):
        rows, columns = (
            [_blocks(source, draft, line) for line in _clue_lines(source, draft, section)]
            for section in _SECTIONS
        )
        used = dict.fromkeys(colour for line in (*rows, *columns) for _, colour in line)
        bare = [_FILLED] if _FILLED in used and _FILLED not in draft.colours else []
        inks = [ink for ink in dict.fromkeys([*bare, *draft.colours, *used]) if ink != _EMPTY]
        index = {ink: i for i, ink in enumerate(inks, start=1)}
        sketches = []
        for ink in (_EMPTY, *inks):
            rgb, usual = draft.colours.get(ink, ""), _USUAL.get(ink)
            char = draft.chars.get(ink, "")
            if usual:
                sketches.append(Sketch(rgb=rgb, char=char or usual.char) if rgb else usual)
            elif len(ink) == 1:
                sketches.append(Sketch(rgb=rgb, char=char or ink))
            else:
                sketches.append(Sketch(rgb=rgb, name=ink, char=char))
        yield Puzzle.from_flat(
            coloured_clues(rows, index),
            coloured_clues(columns, index),
            palette=complete(sketches),
            goal=_goal(source, draft, index, (len(rows), len(columns))),
            **draft.texts(),
        )


def _bare_puzzle(source: Source) -> Puzzle | None:
    """Return the puzzle of a small file without colours; None for others, which are read line by line."""
    match = _bare_file(source.plain or "")
    found = match and read_list("olsak", ":\n{rows}:\n{columns}:".format_map(match)).puzzles
    if not (match and found and found[0].rows.length_bytes):
        return None
    draft, (rows, columns, *_) = _Draft(), found[0]
    for number, line in enumerate(match["keys"].split("\n")[:-1], start=1):
        _take_key(source, draft, number, line)
    if match["height"] != str(rows.line_count) or match["width"] != str(columns.line_count):
        return None
    if match["goal"]:
        _take_key(source, draft, match.string.rstrip().count("\n") + 1, match["goal"])
    goal = _goal(source, draft, {_FILLED: 1}, (rows.line_count, columns.line_count))
    return Puzzle.from_flat(rows, columns, goal=goal, **draft.texts())


def write(puzzles: Iterable[Puzzle], stream: BinaryIO) -> None:
    """Write puzzles, separated by ``====``."""
    for i, puzzle in enumerate(puzzles):
        lines = ["===="] if i else []
        texts = (("title", puzzle.title), ("by", puzzle.author), ("catalogue", puzzle.source))
        lines += [f"{key} {_quoted(text)}" for key, text in texts if text]
        if licence := puzzle.licence:
            lines.append(f"license {licence if _SPDX.fullmatch(licence) else _quoted(licence)}")
        is_one_colour, (_, *inks) = puzzle.palette.is_one_colour, puzzle.palette.colours
        is_bare = [is_one_colour or (ink.rgb, ink.char) == (BLACK.rgb, BLACK.char) for ink in inks]
        wanted = [ink.char for ink, bare in zip(inks, is_bare, strict=True) if not bare]
        others = iter(unique_chars(wanted, _NOT_FOR_COLOURS))
        characters = [_EMPTY, *(_FILLED if bare else next(others) for bare in is_bare)]
        for char, colour in zip(characters, puzzle.palette.colours, strict=True):
            may_be_usual = char == _EMPTY or is_one_colour  # several are declared, to keep their order
            if not (may_be_usual and colour.rgb == _USUAL[char].rgb):
                lines.append(f"color {char} {colour.rgb}")
        lines += [f"width {len(puzzle.columns)}", f"height {len(puzzle.rows)}"]
        for section, clues in (("rows", puzzle.rows), ("columns", puzzle.columns)):
            lines += ["", section]
            for clue in clues:
                blocks = (f"{length}{characters[ink].replace(_FILLED, '')}" for length, ink in clue)
                lines.append(",".join(blocks) or "0")
        if puzzle.goal is not None:
            lines += ["", f'goal "{"".join(np.array(characters)[puzzle.goal.cells].ravel())}"']
        stream.write(("\n".join(lines) + "\n").encode())


def _drafts(source: Source) -> Iterator[_Draft]:
    draft, section = _Draft(), ""
    for number, line in source.lines():
        text = line.strip()
        draft.last_line = number
        if section and text[:1].isdigit():
            draft.sections[section].append((number, line.rstrip()))
            continue
        word = text.split(maxsplit=1)[0].removesuffix(":") if text else ""
        is_plain = not word[:1].isalpha() and not is_comment(text)
        if text.startswith("===="):
            yield draft
            draft, section = _Draft(), ""
        elif section and (is_plain or word in draft.colours or word in _COLOUR_WORDS):  # a clue
            draft.sections[section].append((number, line.rstrip()))
        elif text and not is_comment(text):
            section = _take_key(source, draft, number, text)
    if draft.values or draft.sections:
        yield draft


def _take_key(source: Source, draft: _Draft, number: int, text: str) -> str:
    """Keep a line that starts with a key; return the section that it opens, if any."""
    key, _, value = text.partition(" ") if " " in text else text.partition("\t")
    value = value.strip()
    if key in _SECTIONS and not value:
        if key in draft.sections:
            raise source.error(f"{key} a second time", line=number, expected="==== between two puzzles")
        draft.sections[key] = []
        return key
    if key == "color":
        found = _COLOUR.fullmatch(value)
        if not found:
            raise source.error(f"color {shortened(value)}", line=number, expected="such as: color a #ff0000")
        name = _EMPTY if found[1] == _BACKGROUND else found[1]
        draft.colours[name] = f"#{found[2].lower()}"
        draft.chars[name] = found[3] or ""
    elif key in _KEYS or key in _SECTIONS:
        draft.values[_SECTIONS.get(key, key)] = (number, value)
    return ""


def _clue_lines(source: Source, draft: _Draft, section: str) -> list[NumberedLine]:
    """Return the lines that are clues; see the module's text for what blank ones are."""
    key = _SECTIONS[section]
    if section not in draft.sections or key not in draft.values:
        missing = section if section not in draft.sections else key
        expected = "the keys width, height, rows and columns"
        raise source.error(f"{missing} is missing", line=draft.last_line, expected=expected)
    count = parse_size(source, *draft.values[key], key)
    lines = draft.sections[section]
    filled = [line for line in lines if line[1]]
    kept = filled if len(filled) == count else fit(lines, count)
    if len(kept) != count:
        place = kept[min(count, len(kept) - 1)][0] if kept else draft.last_line
        expected = f"{count}, as {key} says"
        raise source.error(f"{len(kept)} clues of {section}", line=place, expected=expected)
    return kept


def _blocks(source: Source, draft: _Draft, line: NumberedLine) -> list[ColouredBlock]:
    number, text = line
    if text.strip() in ("", "0", "[]"):
        return []
    if _PLAIN_CLUE.fullmatch(text) and len(text) <= MAX_LINES:
        return [(int(length), _FILLED) for length in text.replace(",", " ").split()]
    blocks: list[ColouredBlock] = []
    colour = _FILLED
    for token in _TOKEN.finditer(text):
        block = _BLOCK.fullmatch(token[0])
        if len(blocks) > MAX_LINES:
            raise source.error("too many blocks", line=number, expected=f"at most {MAX_LINES} in a line")
        if block:
            blocks.append((int(block[1]), _designator(block[2], draft) if block[2] else colour))
        elif (word := token[0].removesuffix(":")) in draft.colours or word in _COLOUR_WORDS:
            colour = _designator(word, draft)
        else:
            expected = "a clue such as 3,1 or 3a,1b, or 0 for an empty line"
            message = f"{shortened(token[0])} is no block"
            raise source.error(message, line=number, column=token.start() + 1, expected=expected)
    return blocks


def _designator(word: str, draft: _Draft) -> str:
    """Return the word for a colour; plain black is the colour of bare lengths."""
    return _FILLED if word == BLACK.name and word not in draft.colours else word


def _goal(source: Source, draft: _Draft, index: dict[str, int], shape: tuple[int, int]) -> Grid | None:
    text = draft.text("goal")
    if not text or UNKNOWN_CHAR in text:
        return None
    number, cells = draft.values["goal"][0], shape[0] * shape[1]
    if len(text) != cells:
        expected = f"{shape[0]} x {shape[1]} cells"
        raise source.error(f"a goal of {len(text)} cells", line=number, expected=expected)
    named = {char: index[ink] for ink, char in draft.chars.items() if char and ink in index}
    colours = {**(dict.fromkeys(text, 1) if len(index) <= 1 else named | index), _EMPTY: 0}
    unknown = next((char for char in text if char not in colours), None)
    if unknown:
        expected = f"characters of colours: {' '.join(colours)}"
        raise source.error(f"{unknown!r} in the goal", line=number, expected=expected)
    return Grid.from_cells(np.array([colours[char] for char in text], np.uint8).reshape(shape))


def _quoted(text: str) -> str:
    from html import escape

    escaped = escape(text, quote=True)
    return '"' + _CONTROL.sub(lambda match: f"&#{ord(match[0])};", escaped) + '"'


_SUMMARY = "Simpson's .non with colours (3a), goal, bundles; a blank line among clues is an empty clue"
FORMATS = (
    Format("non", (".non", ".nonpack"), _SUMMARY, sniff, read, write, holds_many=True, holds_colours=True),
)
