"""A sample of what ``python -m tools.recognition`` counts; docs/results/agreement.md has the full figures."""

import sysconfig
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from nonocsp.formats import formats
from tools.recognition import KINDS, count_matrix, count_texts, hashes, puzzles, texts_in

pytestmark = pytest.mark.filterwarnings("ignore::nonocsp.FormatWarning")


def test_what_a_format_writes_is_read_by_that_format_alone_or_refused_with_words(tmp_path):
    found = count_matrix(islice(puzzles(7), 3 * len(KINDS)), tmp_path)
    assert not [name for name, kind in found if kind == "misread"]
    silent = {known.name for known in formats() if known.can_write} - {
        name for name, kind in found if kind == "read"
    }
    assert silent == set()


def test_the_texts_of_installed_packages_are_no_puzzles():
    """Only folders of a few packages, for time."""
    packages = Path(sysconfig.get_path("purelib"))
    folders = [packages / name for name in ("numpy/_core", "yaml", "typer", "pydantic")]
    found, read = count_texts(islice(texts_in(folders), 200))
    assert read == []
    assert found.total() > 100


@pytest.mark.slow
def test_every_file_of_the_datasets_means_the_same_without_its_name(datasets, tmp_path):
    """Files of which only the name tells the format are refused without it; two have lines to spare."""
    paths = sorted(path for path in datasets.rglob("*") if path.is_file() and path.stat().st_size < 1 << 16)
    kinds: Counter[str] = Counter()
    for path in paths[::8]:
        bare = tmp_path / "file"
        bare.write_bytes(path.read_bytes())
        named, unnamed = hashes(path), hashes(bare)
        if not isinstance(unnamed, str):
            assert named == unnamed, path
        kinds["read" if not isinstance(unnamed, str) else "refused"] += 1
    assert kinds["read"] > kinds["refused"] / 2
