"""One studio with a stub page for the tests of a file."""

from collections.abc import Iterator

import pytest

pytest.importorskip("httpx", reason="httpx is not installed")

from tests.studio.serving import STUB, Served, serving


@pytest.fixture(scope="module")
def served(tmp_path_factory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("folder"), STUB) as studio:
        yield studio
