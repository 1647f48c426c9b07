"""The search for faults that no test notices."""

from pathlib import Path

import pytest

from tests.waiting import AMPLE_S
from tools.benchmarks.harness.mutants import (
    WITHOUT_EDITABLE,
    Mutant,
    outcomes_of,
)

SOURCE = """def count(stop):
    number = 0
    while number < stop:
        number += 1
    return number
"""


@pytest.fixture
def checkout(tmp_path) -> Path:
    """A checkout with one module and its test."""
    (tmp_path / "nonocsp").mkdir()
    (tmp_path / "nonocsp" / "__init__.py").touch()
    (tmp_path / "nonocsp" / "counting.py").write_text(SOURCE)
    (tmp_path / "sitecustomize.py").write_text(WITHOUT_EDITABLE)
    test = "from nonocsp.counting import count\n\ndef test_count():\n    assert count(3) == 3\n"
    (tmp_path / "test_counting.py").write_text(test)
    return tmp_path


@pytest.mark.slow
def test_a_mutant_is_killed_times_out_or_survives(checkout):
    wrong, endless = SOURCE.replace("= 0", "= 9"), SOURCE.replace("+= 1", "+= 0")
    alike = SOURCE.replace("number < stop", "stop > number")
    for text, seconds, end in (
        (wrong, AMPLE_S, "killed"),
        (endless, 3, "timeout"),
        (alike, AMPLE_S, "survived"),
    ):
        mutant = Mutant(1, "", "", text)
        found = outcomes_of(Path("counting.py"), [mutant], ["test_counting.py"], [checkout], seconds)
        assert [outcome for _, outcome in found] == [end]
    assert (checkout / "nonocsp" / "counting.py").read_text() == SOURCE
