"""``pytest --backend``: which specs a test of all backends gets, and which tests are left out."""

import subprocess
import sys

import pytest

from nonocsp.backends.registry import names
from tests.conftest import chosen_specs

TABLE = {"settle": 20, "sat": 10, "sat:solver=cadical195": 50, "gac": 5}


@pytest.mark.parametrize(
    ("choice", "chosen"),
    [
        (None, TABLE),
        ("settle", {"settle": 1}),
        ("sat", {"sat": 1, "sat:solver=cadical195": 1}),
        ("sat:solver=cadical195", {"sat:solver=cadical195": 1}),
        ("sat:encoding=direct", {"sat:encoding=direct": 1}),
        ("mine", {"mine": 1}),
        ("all", dict.fromkeys([*TABLE, *names()], 1)),
    ],
)
def test_the_option_selects_all_specs_of_a_backend_and_every_puzzle(choice, chosen):
    assert chosen_specs(TABLE, choice) == chosen


@pytest.mark.slow
def test_only_tests_of_the_chosen_backend_are_collected(repository):
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-n0", "--backend=settle"]
    folders = ["tests/backends", "tests/model"]
    result = subprocess.run([*command, *folders], cwd=repository, capture_output=True, text=True, check=True)
    files = {line.partition(":")[0] for line in result.stdout.splitlines() if line.startswith("tests/")}
    assert files == {f"tests/backends/test_{name}.py" for name in ("options", "conformance", "agreement")}
