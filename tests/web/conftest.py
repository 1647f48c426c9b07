"""What tests of the studio need: the core for browsers, and node to run it."""

import fcntl
import json
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tools.studio import core, page

Judge = Callable[..., list[dict[str, Any]]]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--studio", metavar="NONOCSP", help="drive the studio of this command, installed anywhere"
    )
    parser.addoption("--full", action="store_true", help="judge all puzzles, not a sample (make studio-test)")


@pytest.fixture(scope="session")
def is_full(pytestconfig) -> bool:
    return bool(pytestconfig.getoption("--full", default=False))


@pytest.fixture(scope="session")
def node() -> str:
    """A node that runs TypeScript as it is."""
    found = page.node()
    if found is None:
        pytest.skip("node 24 or newer is not installed: make studio installs it")
    return found[0]


@contextmanager
def locked() -> Iterator[None]:
    """Let one process build at a time."""
    core.FOLDER.mkdir(parents=True, exist_ok=True)
    with (core.FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def core_module() -> Path:
    """The core for browsers, built from the present sources."""
    if find_spec("ziglang") is None:
        pytest.skip("ziglang is not installed: make studio installs it")
    with locked():
        return core.build_core()


@pytest.fixture(scope="session")
def packages(node) -> Path:
    """The folder of TypeScript, with its packages."""
    if not page.INSTALLED.exists():
        pytest.skip("the packages of web/ are not installed: make studio installs them")
    return page.WEB


@pytest.fixture(scope="session")
def studio_page(packages, core_module, tmp_path_factory) -> Path:
    """The page, built from the present sources; a copy, since another process may build it again."""
    with locked():
        return Path(shutil.copy(*page.build_pages([page.STUDIO]), tmp_path_factory.mktemp("studio")))


@pytest.fixture(scope="session")
def judge(node, core_module, repository) -> Judge:
    """Judge puzzles by the core for browsers, in one process."""

    def run(puzzles: Sequence[dict[str, Any]], *options: str) -> list[dict[str, Any]]:
        command = [node, str(repository / "tests" / "web" / "judge.ts"), str(core_module), *options]
        given = "\n".join(map(json.dumps, puzzles))
        done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run
