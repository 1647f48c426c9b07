"""Say in plain words what is wrong with a value that came from a file: of a config, a row or a session.

Pydantic finds the fault; the words are ours, such as ``seeds: expected a list, such as [0, 1, 2], not 3``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

_SHAPES = {
    "": "keys such as name, puzzles and backends",
    "seeds": "a number of seeds, such as 20, a range, such as 0..19, or a list",
    "backends": "a list, such as [hybrid, sat]",
    "backends.*": "a spec, such as sat, or a mapping, such as {spec: sat, name: baseline}",
    "puzzles": "a list, such as [{file: cat.non}]",
    "puzzles.*": "a mapping, such as {file: cat.non}",
    "dominoes": "a list, such as [5, 10]",
    "random": "a mapping, such as {rows: 10, columns: 10, count: 5}",
    "slice": "a slice, such as '::10' or {start: 0, stop: 10}",
    "size": "rows and columns, such as '25x30'",
    "limits": "a mapping, such as {wall: 10, memory: 2 GiB}",
    "cluster": "a mapping, such as {executor: warm}",
}
"""The lists and mappings of a config, by their keys; those of a source of puzzles without ``puzzles.*``."""

_EXPECTED = {
    "greater_than": "a number above {gt}",
    "greater_than_equal": "a number of at least {ge}",
    "less_than": "a number below {lt}",
    "less_than_equal": "a number of at most {le}",
    "too_short": "at least {min_length} entries",
    "too_long": "at most {max_length} entries",
    "string_too_long": "text of at most {max_length} characters",
    "string_unicode": "text without half characters",
    "enum": "{expected}",
    "literal": "{expected}",
    "int_parsing_size": "a smaller number",
    "list": "a list",
    "tuple": "a list",
    "dict": "a mapping",
    "model": "a mapping",
    "int": "a whole number",
    "float": "a number",
    "finite": "a finite number",
    "bool": "true or false",
    "string": "text",
    "byte": "a size such as 512 MiB or 2 GiB",
    "none": "null",
}
"""What pydantic expected, by its name for the error (``too_short``) or its first word (``int_type``)."""


_NAME = "letters, digits, '.', '_' and '-', with a letter or digit first"


def one_of(names: Iterable[str]) -> str:
    """Return the regular expression that matches one of some names."""
    return f"^({'|'.join(names)})$"


def first_fault(error: ValidationError, *root: str) -> str:
    """Say what is wrong with the value that `root` leads to: the first fault, or all missing keys."""
    details = error.errors(include_url=False)
    for detail in details:
        detail["loc"] = (*root, *detail["loc"])
    missing = [repr(key_of(detail)) for detail in details if detail["type"] == "missing"]
    if len(missing) > 1 and details[0]["type"] == "missing":
        return f"the keys {', '.join(missing)} are missing"
    first = key_of(details[0])
    if sum(key_of(detail) == first for detail in details) > 1:  # one for each type that it may have
        return f"{first}: expected a number, text, true, false or null, not {_shown(details[0]['input'])}"
    return describe(details[0])


def describe(detail: ErrorDetails) -> str:
    """Say what one error of a validation is about: the key, what was expected, and what was found."""
    place = key_of(detail)
    if detail["type"] == "missing":
        return f"the key {place!r} is missing"
    if detail["type"] == "extra_forbidden":
        return f"unknown key {place!r}"
    if detail["type"] == "value_error":
        return f"{place or 'the config'}: {detail['ctx']['error']}"
    if detail["type"] == "too_long":
        return f"{place}: expected {_expected(detail)}"
    return f"{place or 'the config'}: expected {_expected(detail)}, not {_shown(detail['input'])}"


def key_of(detail: ErrorDetails) -> str:
    """Return the keys and positions that lead to an error, without the types that pydantic tried there."""
    tried = re.compile(r"constrained-\w+|int|float|str|bool")
    return ".".join(str(part) for part in detail["loc"] if not tried.fullmatch(str(part)))


def _expected(detail: ErrorDetails) -> str:
    kind, context = detail["type"], detail.get("ctx", {})
    if kind == "string_pattern_mismatch":
        names = re.fullmatch(r"\^\(([\w|]+)\)\$", context["pattern"])
        return f"one of {names[1].replace('|', ', ')}" if names else _NAME
    if kind == "too_short" and context["min_length"] == 1:
        return "at least one entry"
    words = _EXPECTED.get(kind) or _EXPECTED.get(kind.partition("_")[0], "another value")
    if words in ("a list", "a mapping"):
        place = ".".join("*" if isinstance(part, int) else part for part in detail["loc"])
        return _SHAPES.get(place.removeprefix("puzzles.*."), words)
    plain = {key: int(v) if isinstance(v, float) and v.is_integer() else v for key, v in context.items()}
    return words.format(**plain)


def _shown(value: Any) -> str:
    """Return the value that was found, as JSON and YAML write it, or at least its kind."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list" if value else "an empty list"
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "true", False: "false"}[value]
    try:
        text = repr(value)
    except ValueError:  # of more than 4300 digits, as YAML's !!int makes of 0xFFF…
        return "a number too long to be shown"
    return text if len(text) <= 40 else f"{text[:39]}…"
