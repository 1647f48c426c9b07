"""Say what the value of a key in a JSON document is, whatever the program calls it.

`web/src/model/formats/data/json_keys.ts` has the same words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

Fields = dict[str, Any]
Place = str
"""The way to a value, such as ``puzzles[3].rows[2]``."""

AXES = ("row", "column")
TEXTS = ("title", "author", "licence", "source")
_CLUES = "(?:clues?|hints?|defs?|rules?|constraints?|numbers?|descriptions?|specs?|lists?|data|values?)"
_ROW = "(?:rows?|left|horizontals?|horiz|hor|h|across|zeilen?)"
_COLUMN = "(?:columns?|cols?|top|verticals?|vert|ver|v|down|spalten?)"
_COLOUR = "colou?r"
_ROLES = {
    "row": f"{_CLUES}?(?:for|of)?{_ROW}{_CLUES}?",
    "column": f"{_CLUES}?(?:for|of)?{_COLUMN}{_CLUES}?",
    "row colours": f"{_ROW}{_CLUES}?{_COLOUR}s?",
    "column colours": f"{_COLUMN}{_CLUES}?{_COLOUR}s?",
    "clues": f"{_CLUES}|puzzles?|nonograms?|levels?|games?|blocks?|runs|segments?|groups?",
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
_MARKS = re.compile(r"[\W_]+")


def role(key: str) -> str:
    """Return what a key says that its value is; nothing if it is no known word."""
    return _role(key) if len(key) <= 40 else ""


@lru_cache(maxsize=1 << 10)
def _role(key: str) -> str:
    name = _MARKS.sub("", key).lower()
    return next((role for role, words in _PATTERNS.items() if words.fullmatch(name)), "")


def is_weak(key: str) -> bool:
    """Return whether some people use this name of an axis for the other one."""
    return bool(_WEAK.fullmatch(_MARKS.sub("", key).lower()))


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
