"""The search for faults that no test notices."""

from pathlib import Path

import pytest

from tests.waiting import AMPLE_S
from tools.benchmarks.harness.mutants import (
    WITHOUT_EDITABLE,
    Mutant,
    judges_of,
    modules_in,
    mutants_of,
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


def test_each_mutant_changes_one_place_in_a_function():
    changes = [(mutant.line, mutant.before, mutant.after) for mutant in mutants_of(SOURCE)]
    assert changes == [
        (2, "0", "1"),
        (3, "number < stop", "(not (number < stop))"),
        (3, "number < stop", "(number <= stop)"),
        (4, "1", "2"),
    ]
    for mutant in mutants_of(SOURCE):
        compile(mutant.source, "module", "exec")


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


def test_a_module_is_judged_by_its_mirrored_tests():
    assert "tests/grading/test_meter.py" in judges_of(Path("grading/meter.py"))
    assert judges_of(Path("model/clue.py")) == ["tests/model"]
    for module in modules_in(["."]):
        assert judges_of(module)
