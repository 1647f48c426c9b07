"""Replace ``<!-- generated: NAME -->`` on the pages of the manual by text made from the code.

MkDocs runs this before it reads a page, so this text cannot differ from the code. An unknown name ends the
build.
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
    "programs": reference.programs,
    "rows": reference.rows,
    "shelves": lambda: picture.shelves().drawing(),
}


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Return a page with the text of each marker in its place."""
    return re.sub(r"^<!-- generated: (.+) -->$", _text, markdown, flags=re.MULTILINE)


def _text(marker: re.Match[str]) -> str:
    if marker[1] not in TEXTS:
        raise PluginError(f"no text is called {marker[1]!r}; expected one of {', '.join(TEXTS)}")
    return TEXTS[marker[1]]()
