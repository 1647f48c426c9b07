"""The built web pages, and how to fill one with data.

``tools/studio`` builds each page from ``web/`` into one HTML file that asks for nothing elsewhere. The pages
are committed beside this module; ``studio.html``, which contains the core, is that of the last release.
"""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

from nonocsp.model import UsageError

FOLDER = Path(__file__).parent
LANGUAGES = ("en", "de")
"""What pages speak; their words are in ``web/src/texts`` and ``nonocsp/grading/explain/texts.json``."""
PLACE = '<script type="application/json" id="data"></script>'
"""The element of a page that takes its data."""


def built(name: str) -> str:
    """Return a built page as it is; UsageError, with how to build it, if it is not there."""
    path = FOLDER / f"{name}.html"
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UsageError(
            f"{path}: the page is missing; run `make release-pages` in a checkout, or install nonocsp again"
        ) from None


def filled(name: str, data: Any, *, title: str, without_script: str = "") -> str:
    """Return a built page with its title and data, which ``web/src/shared/data.ts`` reads."""
    # a string is JSON already
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    page = built(name).replace("<noscript></noscript>", f"<noscript>{without_script}</noscript>", 1)
    before, place, after = page.partition(PLACE)
    if not place:
        raise ValueError(f"web/{name}.html has no element for data: {PLACE}")
    before = re.sub("<title>[^<]*", lambda _: f"<title>{html.escape(title, quote=False)}", before, count=1)
    safe = text.replace("<", "\\u003c")  # in JSON, "<" occurs only in strings
    return f"{before}{place.removesuffix('</script>')}{safe}</script>{after}"
