"""Every input that fuzzing starts from, former findings among them, is read or refused as it should be."""

from pathlib import Path

import pytest

from nonocsp.model import NonocspError
from tools.fuzzing.base import seeds
from tools.fuzzing.trial import attempt, targets

TARGETS = targets()
INPUTS = [path for target in TARGETS.values() for path in sorted(seeds(target).glob("*"))]


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_no_input_of_the_corpus_causes_a_crash(path):
    assert attempt(TARGETS[path.parent.name], path.read_bytes(), most_s=5.0) is None


@pytest.mark.parametrize("name", TARGETS)
def test_every_target_has_seeds_that_its_reader_accepts(name):
    def is_read(path: Path) -> bool:
        try:
            TARGETS[name].read(path.read_bytes())
        except NonocspError:
            return False
        return True

    assert sum(map(is_read, seeds(TARGETS[name]).glob("*"))) >= 2


def test_every_folder_of_the_corpus_belongs_to_a_target():
    corpus = seeds(TARGETS["json"]).parent
    assert {path.name for path in corpus.iterdir()} == TARGETS.keys()
