"""The grammar of MiniZinc data (``.dzn`` files): assignments of literals to names.

::

    data  = { name "=" value ";" }
    value = number | string | name | bound ".." bound | name "(" values ")"
          | "[" values "]" | "{" values "}" | "[|" values { "|" values } "|]"

Values stand between commas; the last comma and the last semicolon are optional; comments are ``% ...`` and
``/* ... */``. Names may be used before they are assigned. Puzzles need no more of the language: enumerations,
tuples and records are refused. The time is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import shortened
from nonocsp.model import MAX_LINES, FormatError

_TOKEN = re.compile(
    r"""(?P<blank> \s+ | %[^\n]* | /\*.*?\*/ )
      | (?P<number> -?[0-9]+ (?:\.[0-9]+)? (?:[eE][-+]?[0-9]+)? )
      | (?P<string> "(?:[^"\\\n]|\\.)*" )
      | (?P<name> [A-Za-z_][A-Za-z0-9_]* )
      | (?P<symbol> \[\| | \|\] | \.\. | [\[\]{}(),;=|] )""",
    re.VERBOSE | re.DOTALL,
)
_INTEGER = re.compile(r"-?[0-9]{1,9}")
_MAX_DEPTH = 8
_MAX_CHARACTERS = 1 << 18
"""A small limit, because each number takes about a hundred bytes of memory until the clues are made."""

_VALUE = "a number, a string, a name or an array"


class Literal(NamedTuple):
    """A number or a string as it is written."""

    text: str
    at: int


class Name(NamedTuple):
    """A name that stands for a value."""

    text: str
    at: int


class Range(NamedTuple):
    """The numbers from `first` to `last`."""

    first: Value
    last: Value
    at: int


class Array(NamedTuple):
    """An array or a set by its opening bracket: of two dimensions after ``[|``, else of one row."""

    bracket: str
    rows: tuple[tuple[Value, ...], ...]
    at: int


class Call(NamedTuple):
    """A function of values, such as ``array2d(1..2, 1..3, [...])``."""

    function: str
    arguments: tuple[Value, ...]
    at: int


Value = Literal | Name | Range | Array | Call
"""Each knows at which character of the text it starts."""


class Row(NamedTuple):
    """The numbers in a row of a two-dimensional array, and where it starts."""

    numbers: tuple[int, ...]
    at: int


@dataclass(frozen=True, slots=True)
class Data:
    """The assignments of a file."""

    source: Source
    text: str
    values: dict[str, Value] = field(default_factory=dict)

    def error(self, message: str, at: int = -1, expected: str = "") -> FormatError:
        """Return the error that says what is wrong in the file, and where."""
        if at < 0:
            return self.source.error(message, expected=expected)
        line, column = self.text.count("\n", 0, at) + 1, at - self.text.rfind("\n", 0, at)
        return self.source.error(message, line=line, column=column, expected=expected)

    def integer(self, value: Value) -> int:
        """Return the whole number that a value is."""
        found = self._resolved(value)
        if isinstance(found, Literal) and _INTEGER.fullmatch(found.text):
            return int(found.text)
        raise self.error("no whole number", value.at, "a whole number of at most nine digits")

    def table(self, name: str) -> list[Row]:
        """Return the rows of a two-dimensional array of numbers: ``[| ... |]`` or ``array2d(...)``."""
        value = self._resolved(self.values[name])
        match value:
            case Array("[|", rows):
                width = len(rows[0])
            case Call("array2d", (first, second, flat)):
                width, height = self._size(second), self._size(first)
                match self._resolved(flat):
                    case Array("[", (items,)) if len(items) == height * width and height <= max(
                        len(items), MAX_LINES
                    ):
                        rows = tuple(items[i * width : (i + 1) * width] for i in range(height))
                    case _:
                        expected = f"{height} x {width} numbers between [ and ]"
                        raise self.error("no array of that size", flat.at, expected)
            case _:
                raise self.error(f"{name} is no table", value.at, "[| ... |] or array2d(..., ..., [...])")
        for row in rows:
            if len(row) != width:
                raise self.error(f"a row of {len(row)} numbers", row[0].at if row else value.at, f"{width}")
        return [Row(tuple(map(self.integer, row)), row[0].at if row else value.at) for row in rows]

    def _size(self, value: Value) -> int:
        """Return the number of elements of a range or set."""
        match self._resolved(value):
            case Range(first, last):
                return max(0, self.integer(last) - self.integer(first) + 1)
            case Array("{", (items,)):
                return len(items)
        raise self.error("no range", value.at, "a range such as 1..20")

    def _resolved(self, value: Value) -> Value:
        """Return what a name stands for, other values as they are."""
        found, names = value, set[str]()
        while isinstance(found, Name):
            if found.text not in self.values or found.text in names:
                raise self.error(
                    f"{shortened(found.text)} has no value", found.at, f"{found.text[:30]} = ...;"
                )
            names.add(found.text)
            found = self.values[found.text]
        self.values.update(dict.fromkeys(names, found))  # so that a long chain is followed once
        return found


class _Token(NamedTuple):
    """A piece of the text; symbols are their own kind."""

    kind: str
    text: str
    at: int


@dataclass(slots=True)
class _Parser:
    """Recursive descent with one token of look-ahead."""

    data: Data
    tokens: Iterator[_Token]
    token: _Token

    def assignments(self) -> None:
        """Put what the text assigns into `data`."""
        values = self.data.values
        while self.token.kind != "end":
            name = self.take("name", "a name such as rows")
            self.take("=", "= behind the name")
            if name.text in values:
                message = f"{shortened(name.text)} is assigned a second time"
                raise self.data.error(message, name.at, "one value")
            values[name.text] = self.value(0)
            if self.token.kind != "end":
                self.take(";", "; behind the value")

    def value(self, depth: int) -> Value:
        """Return the value that starts with this token, which lies in `depth` arrays or calls."""
        token = self.token
        if depth > _MAX_DEPTH:
            raise self.data.error("nested too deeply", token.at, "arrays of numbers")
        self.token = next(self.tokens)
        match token.kind:
            case "number" | "name":
                if token.kind == "name" and self.accept("("):
                    return Call(token.text, self.values(depth, ")"), token.at)
                simple = (Name if token.kind == "name" else Literal)(token.text, token.at)
                return Range(simple, self.value(depth + 1), token.at) if self.accept("..") else simple
            case "string":
                return Literal(token.text, token.at)
            case "[" | "{":
                close = "]" if token.kind == "[" else "}"
                return Array(token.kind, (self.values(depth, close),), token.at)
            case "[|":
                rows = [tuple(self.until(depth, ("|", "|]")))]
                while self.accept("|"):
                    rows.append(tuple(self.until(depth, ("|", "|]"))))
                self.take("|]", "a comma, | or |]")
                return Array(token.kind, tuple(rows), token.at)
        raise self.unexpected(token, _VALUE)

    def values(self, depth: int, close: str) -> tuple[Value, ...]:
        """Return the values between commas up to a closing bracket, which is taken."""
        values = tuple(self.until(depth, (close,)))
        self.take(close, f"a comma or {close}")
        return values

    def until(self, depth: int, ends: tuple[str, ...]) -> Iterator[Value]:
        """Yield the values between commas up to a symbol, which is not taken."""
        while self.token.kind not in ends:
            yield self.value(depth + 1)
            if not self.accept(","):
                return

    def accept(self, kind: str) -> bool:
        """Take the next token if it is of this kind, and say whether it was."""
        if self.token.kind != kind:
            return False
        self.token = next(self.tokens)
        return True

    def take(self, kind: str, expected: str) -> _Token:
        """Take the next token, which must be of a kind."""
        token = self.token
        if not self.accept(kind):
            raise self.unexpected(token, expected)
        return token

    def unexpected(self, token: _Token, expected: str) -> FormatError:
        """Return the error for a token that cannot stand where it does."""
        found = shortened(token.text) if token.text else "the end of the file"
        return self.data.error(f"{found} is out of place", token.at, expected)


def parse(source: Source) -> Data:
    """Return the assignments of a file; FormatError where it does not follow the grammar."""
    text = source.text()
    if len(text) > _MAX_CHARACTERS:
        raise source.error("too much data", expected=f"at most {_MAX_CHARACTERS} characters")
    data, tokens = Data(source, text), _tokens(text)
    _Parser(data, tokens, next(tokens)).assignments()
    return data


def _tokens(text: str) -> Iterator[_Token]:
    """Yield the tokens, then ``end`` without end; an invalid character is a token of kind ``wrong``."""
    at = 0
    while found := _TOKEN.match(text, at):
        kind = found.lastgroup or ""
        if kind != "blank":
            yield _Token(found[0] if kind == "symbol" else kind, found[0], at)
        at = found.end()
    if at < len(text):
        yield _Token("wrong", text[at], at)
    while True:
        yield _Token("end", "", len(text))
