"""The XML of webpbn.com (Jan Wolter's pbn-0.3), in colour, with goal, several puzzles a file, read lazily.

Clues of columns and rows come in either order; a count without a colour has the puzzle's ``defaultcolor``.
The background is the colour that ``backgroundcolor`` names, usually white; white and black need no
declaration. A goal with unknown cells, or with sets of colours, is dropped; without clues they are derived
from the goal. ``<copyright>`` is the licence, ``<source>`` with ``<id>`` the source. Triddlers are
rejected.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from nonocsp.formats.base import Evidence, Format, Sureness
from nonocsp.formats.elements import Element, elements
from nonocsp.formats.palettes import BLACK, WHITE, Sketch, complete
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import is_cut, shortened
from nonocsp.late import numpy as np
from nonocsp.model import UNKNOWN_CHAR, Block, Clue, Grid, Puzzle

_PREDEFINED = {"white": WHITE, "black": BLACK._replace(char="X")}
_PUZZLE = re.compile(rb"<puzzle(set)?[\s>]")
_OF_A_NONOGRAM = re.compile(rb"<(clues|solution|color)[\s>]|type=[\"']triddler")
_RGB = re.compile(r"#?(?:([0-9a-f]{6})|([0-9a-f])([0-9a-f])([0-9a-f]))", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,9}")
_CELL = re.compile(r"\[[^][]*\]|\\.|.")
_SPECIAL = re.compile(r"[\[\]\\|?]")
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def sniff(head: bytes) -> Evidence:
    """Say whether the head is XML with a puzzle in it, and whether that has what nonograms have."""
    text = head.removeprefix(codecs.BOM_UTF8).lstrip()
    if not text.startswith(b"<"):
        return Evidence(Sureness.NO, "it does not start as XML does", 1)
    puzzle = _PUZZLE.search(text)
    if not puzzle:
        return Evidence(Sureness.NO, "it has no element <puzzle>", 1)
    number = text.count(b"\n", 0, puzzle.start()) + 1
    if _OF_A_NONOGRAM.search(text, puzzle.start()):
        return Evidence(Sureness.CERTAIN, f"a puzzle with clues or a solution in line {number}")
    if is_cut(head):
        return Evidence(Sureness.STRONG, f"a puzzle in line {number}")
    return Evidence(Sureness.WEAK, f"the puzzle in line {number} has neither clues nor a solution", number)


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the puzzles as their elements are closed."""
    set_source = ""
    for node in elements(source, "puzzle", "source"):
        if node.tag == "source":
            set_source = node.text
            continue
        kind = node.attributes.get("type", "grid")
        if kind != "grid":
            message = f"a puzzle of type {shortened(kind)}, which is no rectangular nonogram"
            raise source.error(message, line=node.line, expected='type="grid"')
        sketches = _sketches(source, node)
        palette = complete(sketches)
        origin = (node.first_text("source") or set_source, node.first_text("id"))
        texts = {
            "title": node.first_text("title"),
            "author": node.first_text("author") or node.first_text("authorid"),
            "licence": node.first_text("copyright"),
            "source": " ".join(filter(None, origin)),
        }
        goal = _goal(source, node, {sketch.char: i for i, sketch in enumerate(sketches) if sketch.char})
        if not node.all("clues") and goal is not None:
            yield Puzzle.from_grid(goal, palette=palette, **texts)
            continue
        colours = {colour.name: i for i, colour in enumerate(palette.colours)}
        colours[""] = colours.get(_default_colour(node, [colour.name for colour in palette.colours[1:]]), 0)
        rows, columns = (_clues(source, node, axis, colours) for axis in ("rows", "columns"))
        yield Puzzle(rows, columns, palette, goal=goal, **texts)


def write(puzzles: Iterable[Puzzle], stream: BinaryIO) -> None:
    """Write a puzzle set."""
    stream.write(b'<?xml version="1.0" encoding="UTF-8"?>\n<puzzleset>\n')
    for puzzle in puzzles:
        stream.write("".join(f"{line}\n" for line in _lines(puzzle)).encode())
    stream.write(b"</puzzleset>\n")


def _sketches(source: Source, node: Element) -> list[Sketch]:
    """Return the colours, background first; white and black are added where they are meant."""
    declared: dict[str, Sketch] = {}
    for colour in node.all("color"):
        if not (found := _RGB.fullmatch(colour.text)):
            message = f"colour {shortened(colour.text)}"
            raise source.error(message, line=colour.line, expected="RRGGBB, such as ff0000")
        rgb = found[1] or "".join(2 * digit for digit in found.groups()[1:])
        name = colour.attributes.get("name", "")
        declared[name] = Sketch(name, f"#{rgb.lower()}", colour.attributes.get("char", ""))
    background = node.attributes.get("backgroundcolor", WHITE.name)
    needed = [background]
    lines = [line for clues in node.all("clues") for line in clues.all("line")]
    if any("color" not in count.attributes for line in lines for count in line.all("count")):
        needed.append(_default_colour(node, [name for name in declared if name != background]))
    for name in needed:
        if name not in declared and name not in _PREDEFINED:
            expected = f"a declared one: {', '.join(declared) or 'none'}"
            raise source.error(f"unknown colour {shortened(name)}", line=node.line, expected=expected)
    names = dict.fromkeys([background, *declared, *needed])
    return [declared.get(name) or _PREDEFINED[name] for name in names]


def _default_colour(node: Element, inks: list[str]) -> str:
    """Return the name of the colour of counts that name none."""
    usual = inks[0] if len(inks) == 1 else BLACK.name
    return node.attributes.get("defaultcolor", usual)


def _clues(source: Source, node: Element, axis: str, colours: dict[str, int]) -> tuple[Clue, ...]:
    """Return the clues of the rows or columns; `colours` has the default under the empty name."""
    sections = [clues for clues in node.all("clues") if clues.attributes.get("type") == axis]
    if len(sections) != 1:
        expected = 'one <clues type="columns"> and one <clues type="rows">'
        raise source.error(f'{len(sections)} <clues type="{axis}">', line=node.line, expected=expected)
    lines = [line.all("count") for line in sections[0].all("line")]
    return tuple(
        Clue(_block(source, count, colours) for count in counts if len(counts) > 1 or count.text != "0")
        for counts in lines
    )


def _block(source: Source, count: Element, colours: dict[str, int]) -> Block:
    if not _NUMBER.fullmatch(count.text):
        raise source.error(f"count {shortened(count.text)}", line=count.line, expected="a number of cells")
    colour = colours.get(count.attributes.get("color", ""), 0)
    if not colour:
        name = count.attributes.get("color", "the default colour")
        known = ", ".join(name for name, i in colours.items() if name and i)
        message = f"a block in {shortened(name)}, which is the background or not declared"
        raise source.error(message, line=count.line, expected=f"one of the colours: {known}")
    return Block(int(count.text), colour)


def _goal(source: Source, node: Element, chars: dict[str, int]) -> Grid | None:
    """Return the goal if the puzzle has one without unknown cells."""
    goals = (found for found in node.all("solution") if found.attributes.get("type", "goal") == "goal")
    images = [image for goal in goals for image in goal.all("image")]
    if not images:
        return None
    lines = enumerate("".join(images[0].pieces).split("\n"), start=images[0].line)
    rows = [_image_row(source, number, text.strip(), chars) for number, text in lines if text.strip()]
    cells = [cell for row in rows for cell in row if cell is not None]
    if len({len(row) for row in rows}) != 1:
        expected = "as many cells in each row"
        raise source.error("a solution of uneven rows", line=images[0].line, expected=expected)
    if len(cells) != len(rows) * len(rows[0]):
        return None
    return Grid.from_cells(np.array(cells, np.uint8).reshape(len(rows), -1))


def _image_row(source: Source, number: int, text: str, chars: dict[str, int]) -> list[int | None]:
    """Return the colour of each cell, None for an unknown one."""
    if len(text) < 2 or text[0] != "|" or text[-1] != "|":
        expected = "a row of cells between two |"
        raise source.error(f"row {shortened(text)} of the solution", line=number, expected=expected)
    row: list[int | None] = []
    for token in _CELL.findall(text[1:-1]):
        char = token[-1] if token[0] == "\\" else token[1:-1] if token[0] == "[" else token
        if char in chars and token != UNKNOWN_CHAR:
            row.append(chars[char])
        elif token[0] in (UNKNOWN_CHAR, "["):
            row.append(None)
        else:
            known = " ".join(map(repr, chars))
            expected = f"a cell is one of {known}, or ? if unknown"
            raise source.error(f"{token!r} in the solution", line=number, expected=expected)
    return row


def _lines(puzzle: Puzzle) -> Iterator[str]:
    """Yield the lines of a puzzle's element."""
    palette = puzzle.palette
    names = [_attribute(colour.name) for colour in palette.colours]
    yield f'<puzzle type="grid" defaultcolor={names[1]} backgroundcolor={names[0]}>'
    texts = (
        *(("title", puzzle.title), ("author", puzzle.author)),
        *(("copyright", puzzle.licence), ("source", puzzle.source)),
    )
    yield from (f"<{tag}>{_escaped(text)}</{tag}>" for tag, text in texts if text)
    for name, ink in zip(names, palette.colours, strict=True):
        yield f"<color name={name} char={_attribute(ink.char)}>{ink.rgb[1:].upper()}</color>"
    for axis, clues in (("columns", puzzle.columns), ("rows", puzzle.rows)):
        yield f'<clues type="{axis}">'
        for clue in clues:
            counts = []
            for length, colour in clue:
                attribute = f" color={names[colour]}" if colour != 1 else ""
                counts.append(f"<count{attribute}>{length}</count>")
            yield f"<line>{''.join(counts)}</line>"
        yield "</clues>"
    if puzzle.goal is not None:
        cells = np.array([_SPECIAL.sub(r"\\\g<0>", char) for char in palette.chars])[puzzle.goal.cells]
        yield '<solution type="goal">\n<image>'
        yield from (f"|{_escaped(''.join(row))}|" for row in cells)
        yield "</image>\n</solution>"
    yield "</puzzle>"


def _escaped(text: str) -> str:
    from xml.sax.saxutils import escape

    return escape(_NOT_XML.sub("\ufffd", text), {"\r": "&#13;"})


def _attribute(text: str) -> str:
    from xml.sax.saxutils import quoteattr

    return quoteattr(_NOT_XML.sub("\ufffd", text))


_SUMMARY = "XML of webpbn.com: colours, goal, several puzzles a file"
FORMATS = (
    Format("webpbn", (".xml", ".pbn"), _SUMMARY, sniff, read, write, holds_many=True, holds_colours=True),
)
