"""``python -m tools.studio [all|pages|check]``: build the core for browsers and the web pages.

- ``all``: every page, the studio with its core included; the default.
- ``pages``: the pages without the core, which are committed. Needs node alone.
- ``check``: build these and compare them with the committed ones; exit code 1 if a byte differs.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
from pathlib import Path

from tools.studio.core import build_core
from tools.studio.page import STUDIO, build_pages, committed, outdated, put_into_package


def main() -> None:
    """Build, and print sizes and checksums."""
    parser = argparse.ArgumentParser(prog="python -m tools.studio", description=__doc__.partition("\n")[0])
    parser.add_argument("what", nargs="?", choices=("all", "pages", "check"), default="all")
    what = parser.parse_args().what
    pages = build_pages(committed())
    if what == "check":
        if differing := outdated(pages):
            raise SystemExit(
                f"nonocsp/pages is not built from web/: {', '.join(differing)}; run `make pages`"
            )
    else:
        put_into_package(pages)
    if what == "all":  # the studio contains the core, and the page of the player to publish
        pages += [build_core(), *(studio := build_pages([STUDIO]))]
        put_into_package(studio)
    for path in pages:
        _show(path)


def _show(path: Path) -> None:
    content = path.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    packed = len(gzip.compress(content, 9, mtime=0))
    print(f"{path}: {len(content):,} bytes, {packed:,} packed by gzip, sha256 {digest}")


if __name__ == "__main__":
    main()
