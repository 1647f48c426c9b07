"""Fill the marked regions of the manual's pages with text made from the code.

A region lies between ``<!-- generated: NAME -->`` and ``<!-- end -->``. Running this file writes the texts to
the pages, so that they read well as files, too; a test compares them with the code. A NAME with a slash is a
file, shown in the region's code block. MkDocs takes the longer texts of `BUILT` instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import command_line
import ladder
import layers
import reference

DOCS = Path(__file__).parents[1]
REGION = re.compile(r"^<!-- generated: ([^\n]+) -->\n(.*?)^<!-- end -->\n", re.MULTILINE | re.DOTALL)
TEXTS: dict[str, Callable[[], str]] = {
    "api": reference.api_table,
    "backends": reference.backends,
    "commands": command_line.commands_table,
    "configs": reference.configs,
    "errors": reference.errors,
    "exit codes": reference.exit_codes,
    "formats": reference.formats_table,
    "layers": layers.package_table,
    "outcomes": reference.outcomes,
    "programs": reference.programs,
    "rows": reference.rows,
    "shelves": layers.shelves_table,
    **ladder.RUNGS,
}
BUILT: dict[str, Callable[[], str]] = {"api": reference.api, "commands": command_line.commands}


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Return a page as MkDocs builds it, without the markers."""
    return REGION.sub(lambda region: _text(region, BUILT), markdown)


def filled(markdown: str) -> str:
    """Return a page with the regions as they are committed."""
    return REGION.sub(
        lambda region: f"<!-- generated: {region[1]} -->\n{_text(region, TEXTS).strip()}\n<!-- end -->\n",
        markdown,
    )


def _text(region: re.Match[str], texts: Mapping[str, Callable[[], str]]) -> str:
    name, committed = region[1], region[2]
    if "/" in name:
        fence = committed.partition("\n")[0]
        return f"{fence}\n{(DOCS.parent / name).read_text(encoding='utf-8').rstrip()}\n```\n"
    return texts[name]() if name in texts else committed


if __name__ == "__main__":
    for page in sorted(DOCS.rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        if (new := filled(text)) != text:
            page.write_text(new, encoding="utf-8")
            print(page.relative_to(DOCS))
