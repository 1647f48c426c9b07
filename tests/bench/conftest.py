"""Registers the test backends of `unruly` the way an installed package does: by entry points on the path."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nonocsp.backends import registry

ENTRY_POINTS = "[nonocsp.backends]\nbrute = unruly:Brute\ndeny = unruly:Deny\nunruly = unruly:Unruly\n"


@pytest.fixture(scope="session")
def unruly_path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PYTHONPATH on which the test backends are installed."""
    folder = tmp_path_factory.mktemp("installed")
    info = folder / "unruly-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: unruly\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    return os.pathsep.join([str(folder), str(Path(__file__).parent)])


@pytest.fixture(scope="module")
def unruly(unruly_path: str) -> Iterator[None]:
    """The test backends, registered here and in every worker."""
    with pytest.MonkeyPatch.context() as patch:
        for folder in reversed(unruly_path.split(os.pathsep)):
            patch.syspath_prepend(folder)
        patch.setenv("PYTHONPATH", unruly_path, prepend=os.pathsep)
        registry._registered.cache_clear()
        yield
    registry._registered.cache_clear()


@pytest.fixture
def write_config(tmp_path: Path) -> Callable[[str], Path]:
    """Write a config, and beside it `puzzles.jsonl` with the six puzzles below, and return its path."""

    def write(text: str) -> Path:
        (tmp_path / "puzzles.jsonl").write_text("\n".join(PUZZLES) + "\n")
        path = tmp_path / "campaign.yaml"
        path.write_text(text)
        return path

    return write


PUZZLES = (
    '{"title": "cross", "rows": [[1], [3], [1]], "columns": [[1], [3], [1]]}',
    '{"title": "three dots", "rows": [[1], [1], [1]], "columns": [[1], [1], [1]]}',
    '{"title": "full", "rows": [[3], [3], [3]], "columns": [[3], [3], [3]]}',
    '{"title": "empty", "rows": [[], [], []], "columns": [[], [], []]}',
    '{"title": "two dots", "rows": [[1], [], [1]], "columns": [[1], [], [1]]}',
    '{"title": "none", "rows": [[1, 1], [], [1, 1]], "columns": [[2], [], [2]]}',
)
"""Unique, six solutions, unique, unique, two solutions, unsatisfiable."""
