"""Parse JSON of a source within bounds, with the place of a fault."""

from __future__ import annotations

import json
from typing import Any

from nonocsp.formats.source import Source
from nonocsp.model import bounds


def parse_json(source: Source, text: str, number: int = 0) -> Any:
    """Return the value of a JSON text, which is line `number` of its file, or the whole file if that is 0."""
    if bounds.has_too_many_marks(text):
        lists, objects, commas = bounds.JSON_MARKS.values()
        most = f"at most {lists} lists, {objects} objects, {commas} commas; of a set, a puzzle a line"
        raise source.error("too much JSON at once", line=number, expected=most)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        line = number or error.lineno
        raise source.error(error.msg, line=line, column=error.colno, expected="valid JSON") from None
    except (RecursionError, ValueError) as error:
        message = "nested too deeply" if isinstance(error, RecursionError) else "a number is too long"
        raise source.error(message, line=number, expected="a puzzle in JSON") from None


def shown(value: Any) -> str:
    """Return the start of a value as JSON, for messages."""
    try:
        return json.dumps(value)[:40]
    except RecursionError:
        return f"{type(value).__name__}, nested deeply,"


def is_unicode(text: str) -> bool:
    """Return whether a text has no half of a surrogate pair, which JSON can say and no file can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def unicode_text(value: Any) -> str:
    """Return a string with `?` for halves of surrogate pairs, which no file can hold; nothing for others."""
    return value.encode(errors="replace").decode() if isinstance(value, str) else ""
