"""Make Markdown tables, and read the parameters from NumPy docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Sequence
from enum import Enum
from html import escape
from typing import get_args, get_type_hints

from annotated_doc import Doc
from griffe import Docstring, DocstringSectionKind


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table. Line breaks in cells become spaces."""
    lines = [_row(head), _row(["---"] * len(head)), *map(_row, rows)]
    return "\n".join(lines) + "\n"


def _row(cells: Iterable[object]) -> str:
    return "| " + " | ".join(" ".join(str(cell).split()).replace("|", "\\|") for cell in cells) + " |"


def code(text: object) -> str:
    """Return a text as code for a cell of a table; an empty text stays empty."""
    return f"<code>{escape(str(text)).replace('|', '&#124;')}</code>" if str(text) else ""


def markdown(text: str) -> str:
    """Return a docstring with code marked up as in Markdown instead of reStructuredText."""
    return re.sub(r"``(.+?)``", r"`\1`", inspect.cleandoc(text))


def summary(documented: object) -> str:
    """Return the first paragraph of a docstring."""
    return markdown(inspect.getdoc(documented) or "").partition("\n\n")[0]


def parameters(documented: type) -> dict[str, str]:
    """Return the description of each parameter in the docstring of a class."""
    found = {}
    for section in Docstring(inspect.getdoc(documented) or "").parse("numpy"):
        if section.kind is DocstringSectionKind.parameters:
            for parameter in section.value:
                found |= dict.fromkeys(parameter.name.split(", "), markdown(parameter.description))
    return found


def annotations(documented: type) -> dict[str, str]:
    """Return what the annotations of a class say of each field: the `Doc` of its ``Annotated`` type."""

    def doc(hint: object) -> str:
        found = [part.documentation for part in get_args(hint) if isinstance(part, Doc)]
        return found[0] if found else doc(get_args(hint)[0])

    return {name: doc(hint) for name, hint in get_type_hints(documented, include_extras=True).items()}


def member_docs(documented: type[Enum]) -> dict[str, str]:
    """Return the docstrings of the members of an enumeration."""
    found = re.findall(r'^    (\w+) = .*\n    """(.*)"""', inspect.getsource(documented), re.MULTILINE)
    return {name: markdown(text) for name, text in found}
