"""What all tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return REPOSITORY


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference data beside the checkout; the test skips where it is absent."""
    path = REPOSITORY.parent / "shared"
    if not path.is_dir():
        pytest.skip("../shared with the reference data is not beside this checkout")
    return path


@pytest.fixture(scope="session")
def datasets(shared: Path) -> Path:
    """Real puzzles with known verdicts."""
    return shared / "datasets"
