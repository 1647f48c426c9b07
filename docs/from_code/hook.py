"""Lets pages of the manual contain what the code says: ``<!-- generated: NAME -->`` becomes that text.

MkDocs runs this before it reads a page. So what is made here cannot differ from the code; a name that nobody
makes ends the build.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import command_line
import picture
import reference
from mkdocs.exceptions import PluginError

TEXTS: dict[str, Callable[[], str]] = {
    "api": reference.api,
    "backends": reference.backends,
    "commands": command_line.commands,
    "configs": reference.configs,
    "errors": reference.errors,
    "exit codes": reference.exit_codes,
    "formats": reference.formats_table,
    "imports": lambda: picture.package().imports_table(),
    "layers": lambda: picture.package().drawing(),
    "outcomes": reference.outcomes,
    "rows": reference.rows,
    "shelves": lambda: picture.shelves().drawing(),
}


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Replace every marker of a page by the text that it names."""
    return re.sub(r"^<!-- generated: (.+) -->$", _text, markdown, flags=re.MULTILINE)


def _text(marker: re.Match[str]) -> str:
    if marker[1] not in TEXTS:
        raise PluginError(f"nothing makes {marker[1]!r}; there are {', '.join(TEXTS)}")
    return TEXTS[marker[1]]()
