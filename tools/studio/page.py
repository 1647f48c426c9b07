"""Build the web pages: one file each that asks for nothing elsewhere.

An entry is ``web/NAME.html`` with ``web/src/NAME/main.tsx``; Vite builds each in a run of its own into
``build/studio/``. From there they go to ``nonocsp/pages/``. The same sources and lock file give the same
bytes.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from tools.studio.core import FOLDER
from tools.studio.npm import ROOT, WEB, install_packages, run_node

PAGES = ROOT / "nonocsp" / "pages"
STUDIO = "studio"
"""The entry that contains the core. Its page is large, so it is built for the repository once a release."""


def entries() -> list[str]:
    """Return the names of all entries but the studio."""
    return sorted(path.stem for path in WEB.glob("*.html") if path.stem != STUDIO)


def build_pages(names: Sequence[str]) -> list[Path]:
    """Check the types and build pages in ``build/studio/``; return their paths."""
    install_packages()
    run_node("node_modules/typescript/bin/tsc", "--noEmit")
    for name in names:
        run_node("node_modules/vite/bin/vite.js", "build", "--logLevel", "warn", ENTRY=name)
    return [FOLDER / f"{name}.html" for name in names]


def put_into_package(pages: Sequence[Path]) -> None:
    """Copy built pages into the package, where `nonocsp.pages` finds them."""
    for path in pages:
        shutil.copyfile(path, PAGES / path.name)


def outdated(pages: Sequence[Path]) -> list[str]:
    """Return the names of pages in the package that differ from these built ones, or belong to no entry."""
    fresh = {path.name: path.read_bytes() for path in pages}
    kept = {path.name: path.read_bytes() for path in PAGES.glob("*.html")}
    stray = {name for name in kept if not (WEB / name).exists()}
    return sorted(stray | {name for name in fresh if fresh[name] != kept.get(name)})
