"""``python -m tools.studio pages|studio|all [--check]``: build the core for browsers and the web pages.

- ``pages``: the pages without the core, into ``nonocsp/pages``. Needs node alone.
- ``studio``: these, and the studio with its core, which stays in ``build/studio``.
- ``all``: every page into ``nonocsp/pages``, the studio too.

``--check`` puts nothing there, but compares; the exit code is 1 if a byte differs.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
from collections.abc import Sequence
from pathlib import Path

from tools.studio.core import build_core
from tools.studio.page import STUDIO, build_pages, entries, outdated, put_into_package


def main() -> None:
    """Build, and print sizes and checksums."""
    parser = argparse.ArgumentParser(prog="python -m tools.studio", description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=("pages", "studio", "all"))
    parser.add_argument("--check", action="store_true", help="compare with the pages in nonocsp/pages")
    asked = parser.parse_args()
    act = _compare if asked.check else put_into_package
    pages = build_pages(entries())
    act(pages)
    if asked.what != "pages":  # the studio contains the core, and the page of the player to publish
        pages += [build_core(), *(studio := build_pages([STUDIO]))]
        if asked.what == "all":
            act(studio)
    for path in pages:
        _show(path)


def _compare(pages: Sequence[Path]) -> None:
    if differing := outdated(pages):
        target = "release-pages" if f"{STUDIO}.html" in differing else "pages"
        raise SystemExit(f"nonocsp/pages is out of date: {', '.join(differing)}; run `make {target}`")


def _show(path: Path) -> None:
    content = path.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    packed = len(gzip.compress(content, 9, mtime=0))
    print(f"{path}: {len(content):,} bytes, {packed:,} packed by gzip, sha256 {digest}")


if __name__ == "__main__":
    main()
