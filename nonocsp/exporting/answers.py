"""Read what a solver printed about an export: a grid, or that there is none.

Nothing here believes a grid: it is verified. That there is none is only the solver's word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nonocsp.exporting.variable_map import VariableMap
from nonocsp.model import Grid, UsageError

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_UNSAT = re.compile(
    r"^(?:s[ \t]+)?(?:UNSATISFIABLE|UNSAT|unsat|=====UNSATISFIABLE=====)[ \t]*$", re.MULTILINE
)
_NO_SOLUTION = re.compile(r"\binfeasible\b|\bno solution\b|^={10}$", re.IGNORECASE | re.MULTILINE)
_FOUND = re.compile(r"^(?:s[ \t]+)?(?:SATISFIABLE|SAT)$|\boptimal\b", re.IGNORECASE | re.MULTILINE)
_ENDS = {"flatzinc": "----------", "xcsp3": "</instantiation>", "lp": "# Dual solution values"}
"""What the first solution ends with."""
_COMPLETE = ("dimacs", "xcsp3")
"""Languages whose solvers print every variable; others leave out what is 0, or may have any value."""
_LITERALS = re.compile(r"^(?:v[ \t])?([-+\d \t,\[\]]+)$", re.MULTILINE)
_LITERAL = re.compile(r"[-+]?\d{1,18}")
_SIGNED = re.compile(r"^v[ \t](.*)$", re.MULTILINE)
_SIGNED_NAME = re.compile(r"([-~]?)(x\d{1,18})\b")
_NAMED = re.compile(
    r"\b(x\d{1,18})\b(?:\|?\s{0,9}\(\s{0,9}\)\s{0,9}Bool\s{1,9}|\"[^<>]{0,200}?\bvalue=\""
    r"|\|?[ \t]{1,99}|[ \t]{0,9}=[ \t]{0,9})"
    r"(true|false|[-+]?\d[\d.]{0,30}(?:[eE][-+]?\d{1,4})?)(?![\w.])"
)
"""``x1 = true;``, ``(define-fun x1 () Bool true)``, ``(x1 true)``, ``x1 1.0``, ``name="x1" … value="1"``."""
_LIST, _VALUES = re.compile(r"<list>([^<]*)</list>"), re.compile(r"<values>([^<]*)</values>")
_REPEATED = re.compile(r"(-?\d{1,9})x(\d{1,9})")
_TOLERANCE = 1e-3
"""How far from a whole number the values of integer programs may lie."""


def read_answer(variable_map: VariableMap, output: str) -> Grid | None:
    """Return the verified grid that a solver printed, the first of several; None if it says there is none."""
    language = variable_map.language
    text = _ESCAPES.sub("", output).replace("\r\n", "\n")
    values: dict[str, int] = {}
    end = _ENDS.get(language)
    for name, value in _read(language, text.partition(end)[0] if end else text, len(variable_map.variables)):
        if values.setdefault(name, value) != value:
            raise UsageError(f"the output has two values for {name}; decode one solution at a time")
    values = {name: value for name, value in values.items() if name in variable_map.variables}
    if _UNSAT.search(text) and values:
        raise UsageError("the output has a solution and says that there is none; decode one run at a time")
    if _UNSAT.search(text) or (not values and _NO_SOLUTION.search(text)):
        return None
    if not values and variable_map.variables and not _FOUND.search(text):
        raise UsageError(f"no answer in the output: expected what a solver prints about {language}")
    return variable_map.grid(values, missing=None if language in _COMPLETE else 0)


def _read(language: str, text: str, variables: int) -> Iterator[tuple[str, int]]:
    """Yield the variables that have a value in the output."""
    if language == "dimacs":
        for line in _LITERALS.finditer(text):
            numbers = map(int, _LITERAL.findall(line[1]))
            yield from ((str(abs(number)), int(number > 0)) for number in numbers)
    elif language == "xcsp3":
        yield from _instantiated(re.sub(r"^v[ \t]", "", text, flags=re.MULTILINE), variables)
    elif signed := _SIGNED.findall(text):
        for line in signed:
            yield from ((name, int(not sign)) for sign, name in _SIGNED_NAME.findall(line))
    else:
        yield from ((name, _number(name, value)) for name, value in _NAMED.findall(text))


def _number(name: str, value: str) -> int:
    """Return a value as a whole number."""
    if value in ("true", "false"):
        return int(value == "true")
    try:
        number = float(value)
        if abs(number - round(number)) <= _TOLERANCE:
            return round(number)
    except (ValueError, OverflowError):
        pass
    raise UsageError(f"{name} is {value} in the output: expected 0 or 1")


def _instantiated(text: str, variables: int) -> Iterator[tuple[str, int]]:
    """Yield the values of the first solution in XML, in which ``0x3`` stands for three zeros."""
    names, words = _LIST.search(text), _VALUES.search(text)
    if not (names and words):
        return
    values: list[str] = []
    for word in words[1].split():
        repeated = _REPEATED.fullmatch(word)
        values += [repeated[1]] * min(int(repeated[2]), variables) if repeated else [word]
    for name, value in zip(names[1].split(), values, strict=False):
        if value != "*":
            yield name, _number(name, value)
