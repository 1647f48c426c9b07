"""Say what the keys of a JSON document mean, and read its clues; an error names the place of the value.

`web/src/model/formats/data/json_values.ts` has the same words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from nonocsp.formats.json_text import shown
from nonocsp.model import MAX_LINES, FormatError

Fields = dict[str, Any]
Place = str
"""The way to a value, such as ``puzzles[3].rows[2]``."""

Token = str | int | None
"""What a document says about a colour; None: nothing."""
Blocks = list[tuple[int, Token]]
"""Lengths and colours of a clue."""
Lines = list[tuple[Place, Any]]
"""The clues of an axis as they stand in the document."""

AXES = ("row", "column")
TEXTS = ("title", "author", "licence", "source")
_CLUE_WORDS = "(?:clues?|hints?|defs?|rules?|constraints?|numbers?|descriptions?|specs?|lists?|data|values?)"
_ROW = "(?:rows?|left|horizontals?|horiz|hor|h|across|zeilen?)"
_COLUMN = "(?:columns?|cols?|top|verticals?|vert|ver|v|down|spalten?)"
_COLOUR = "colou?r"
_ROLES = {
    "row": f"{_CLUE_WORDS}?(?:for|of)?{_ROW}{_CLUE_WORDS}?",
    "column": f"{_CLUE_WORDS}?(?:for|of)?{_COLUMN}{_CLUE_WORDS}?",
    "row colours": f"{_ROW}{_CLUE_WORDS}?{_COLOUR}s?",
    "column colours": f"{_COLUMN}{_CLUE_WORDS}?{_COLOUR}s?",
    "clues": f"{_CLUE_WORDS}|puzzles?|nonograms?|levels?|games?|blocks?|runs|segments?|groups?",
    "goal": "goal|solutions?|answer|grid|image|cells|picture|pixels|bitmap|drawing|board|matrix",
    "palette": f"palette|{_COLOUR}s|{_COLOUR}(?:map|table|list)|inks?",
    "colour": f"{_COLOUR}(?:index|id|name)?|c",
    "length": "lengths?|len|count|n|run",
    "height": "height|rowcount|n(?:um)?rows",
    "width": "width|col(?:umn)?s?count|n(?:um)?col(?:umn)?s",
    "size": "sizes?|dimensions?|shape",
    "title": "title|name|titel",
    "author": "authors?|by|creator|designer",
    "licence": "licen[cs]e|copyright",
    "source": "source|url|origin",
}
_PATTERNS = {role: re.compile(words) for role, words in _ROLES.items()}
_WEAK = re.compile("h|v|hor|ver|horizontals?|verticals?|horiz|vert")
_PLAIN_KEY = re.compile(r"[\w-]{1,40}")
_JOINTS = re.compile(r"[\W_]+")
_LENGTHS = re.compile(r"\s*[\[(]?\s*(\d{1,9}(?:(?:[\s,]+|\s*[-.]\s*)\d{1,9})*)?\s*[\])]?\s*")
_SEPARATORS = re.compile(r"[\n;/|]")
_DIGITS = re.compile(r"\d+")
_NUMBERED = re.compile(r"\D{0,10}(\d{1,4})")
_BLOCK = 'a length, [length, "colour"] or {"length": 3, "colour": "red"}'


def role(key: str) -> str:
    """Return what a key says that its value is; nothing if it is no known word."""
    return _role(key) if len(key) <= 40 else ""


@lru_cache(maxsize=1 << 10)
def _role(key: str) -> str:
    name = _JOINTS.sub("", key).lower()
    return next((role for role, words in _PATTERNS.items() if words.fullmatch(name)), "")


def is_weak(key: str) -> bool:
    """Return whether some people use this name of an axis for the other one."""
    return bool(_WEAK.fullmatch(_JOINTS.sub("", key).lower()))


def keys(fields: Fields, wanted: str, is_good: Callable[[Any], bool] = lambda _: True) -> list[str]:
    """Return the keys of a role whose value is good."""
    return [key for key, value in fields.items() if role(key) == wanted and is_good(value)]


def first(fields: Fields, wanted: Iterable[str], is_good: Callable[[Any], bool]) -> Any:
    """Return the first good value of one of the roles; None if there is none."""
    return next((fields[key] for one in wanted for key in keys(fields, one, is_good)), None)


def below(place: Place, key: str | int) -> Place:
    """Return the place of a value in the list or object at a place."""
    if isinstance(key, str) and _PLAIN_KEY.fullmatch(key):
        return f"{place}.{key}" if place else key
    return f"{place}[{json.dumps(key)[:40]}]"


def clue_like(value: Any) -> bool:
    """Return whether a value can be a clue: a list, or a text of numbers."""
    return isinstance(value, list) or (isinstance(value, str) and bool(_LENGTHS.fullmatch(value)))


def lines_of(value: Any, place: Place) -> Lines | None:
    """Return the clues of an axis: a list, a text with separators or an object; None for other values."""
    if isinstance(value, str):
        separators = {*_SEPARATORS.findall(value)}
        value = value.strip("\n").split(*separators) if len(separators) == 1 else None
    if isinstance(value, dict):
        inner = keys(value, "clues", lambda one: isinstance(one, list))
        if len(inner) == 1:
            return lines_of(value[inner[0]], below(place, inner[0]))
        numbers = [int(found[1]) for key in value if (found := _NUMBERED.fullmatch(key))]
        if not numbers or numbers != [*range(numbers[0], numbers[0] + len(value))] or numbers[0] > 1:
            return None
        return [(below(place, key), clue) for key, clue in value.items()]
    if not isinstance(value, list):
        return None
    if len(value) > MAX_LINES:
        raise FormatError(f"{place}: {len(value)} clues", expected=f"at most {MAX_LINES}")
    return [(f"{place}[{i}]", clue) for i, clue in enumerate(value)]


class ClueReader:
    """Reads clues and remembers where colours stand.

    Parameters
    ----------
    colour_first
        Whether of two numbers the first one is the colour.

    Attributes
    ----------
    pair
        The first pair of numbers, with its place; nothing if there is none.
    places
        Where each colour stands first.
    """

    def __init__(self, colour_first: bool) -> None:
        self.colour_first = colour_first
        self.pair = ""
        self.places: dict[Token, Place] = {}

    def clue(self, place: Place, value: Any) -> Blocks:
        """Return the blocks of a clue, without the zeros at its ends."""
        if isinstance(value, dict) and _length_of(value) is None:
            value = _unwrapped(value, place)
        if isinstance(value, str) and "?" not in value:
            found = _LENGTHS.fullmatch(value)
            if not found:
                raise FormatError(
                    f"{place}: {shown(value)} is no clue", expected='lengths, such as "3 1" or [3, 1]'
                )
            value = [int(number) for number in _DIGITS.findall(value)]
        if not isinstance(value, list):
            blocks = [self._block(value, place)]
        else:
            blocks = [
                (block, None) if type(block) is int else self._block(block, f"{place}[{i}]")
                for i, block in enumerate(value)
            ]
        while blocks and blocks[-1][0] == 0:
            blocks.pop()
        start = next((i for i, (length, _) in enumerate(blocks) if length), 0)
        return blocks[start:]

    def _block(self, value: Any, place: Place) -> tuple[int, Token]:
        if value is None or value == "?":
            message = f"{place}: {shown(value)} is an unknown clue, which is not supported yet"
            raise FormatError(message, expected="every number of every clue")
        length, colour = number_of(value), None
        if value == "":
            length = 0
        elif isinstance(value, list) and len(value) == 2:
            length, colour = self._pair(value, place)
        elif isinstance(value, dict):
            length = number_of(_length_of(value))
            colour = first(value, ("colour",), lambda one: one is not None)
        if length is None or not (colour is None or isinstance(colour, str) or _is_number(colour)):
            raise FormatError(f"{place}: {shown(value)} is no block", expected=_BLOCK)
        self.places.setdefault(colour, place)
        return length, colour

    def _pair(self, value: list[Any], place: Place) -> tuple[int | None, Token]:
        numbers = [number_of(one) for one in value]
        is_name = [
            isinstance(one, str) and number is None for one, number in zip(value, numbers, strict=True)
        ]
        if any(is_name) or (_is_number(value[0]) and isinstance(value[1], str)):
            i = is_name.index(True) if any(is_name) else 1
            return numbers[1 - i], value[i]
        if None in numbers:
            return None, None
        self.pair = self.pair or f"{place}: {shown(value)}"
        colour, length = value if self.colour_first else value[::-1]
        return number_of(length), colour if isinstance(colour, str) else number_of(colour)


def number_of(value: Any) -> int | None:
    """Return a whole number, which may be a text; None for anything else."""
    if type(value) is int:
        return value
    if isinstance(value, str) and len(value) < 10 and value.isdecimal():
        return int(value)
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else None


def paired(place: Place, lengths: Any, colours: Any) -> list[Fields]:
    """Return the blocks of a list of lengths and a list of their colours."""
    if not (isinstance(lengths, list) and isinstance(colours, list) and len(lengths) == len(colours)):
        raise FormatError(
            f"{place}: {shown(colours)} are the colours", expected="a list with one for each length"
        )
    return [{"length": length, "colour": colour} for length, colour in zip(lengths, colours, strict=True)]


def _is_number(value: Any) -> bool:
    return number_of(value) is not None


def _length_of(value: Fields) -> Any:
    return first(value, ("length", "clues", "size"), _is_number)


def _unwrapped(value: Fields, place: Place) -> Any:
    """Return the clue in an object, with its colours if they have a list of their own."""
    clue = first(value, ("clues", "length"), clue_like)
    colours = first(value, ("palette", "colour"), lambda one: isinstance(one, list))
    return clue if colours is None else paired(place, clue, colours)
