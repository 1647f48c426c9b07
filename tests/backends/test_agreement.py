"""Every backend agrees with another on random puzzles of all sizes, colours and densities."""

from itertools import islice

import pytest

from nonocsp.backends.base import Limits, Request, Task
from nonocsp.backends.registry import complete_names
from nonocsp.bench.agreement import Finding
from tools.differential.comparing import ENUMERATION, compare
from tools.differential.puzzles import random_puzzles

SPECS = dict.fromkeys(complete_names(), 15) | {"asp": 15, "milp": 50, "cpmpy": 50, "minizinc": 50}


@pytest.mark.parametrize("task", list(Task))
def test_a_backend_agrees_with_another(backend_spec, sample, task):
    other = "cpsat" if backend_spec.startswith("sat") else "sat"
    request = Request(task, Limits(wall=5), bound=100)
    puzzles = list(islice(random_puzzles(0), 0, 150, sample))
    findings = [compare(puzzle, [backend_spec, other, ENUMERATION], request).finding for puzzle in puzzles]
    assert set(findings) <= {Finding.AGREED, Finding.ALONE}
    assert findings.count(Finding.AGREED) >= 0.9 * len(puzzles)
