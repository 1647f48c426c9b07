"""The forced literals of 2-SAT instances, against all assignments."""

import numpy as np
import pytest
from numpy.typing import NDArray

from nonocsp.engine.searches import forced_literals

Clauses = NDArray[np.int32]


def random_clauses(variables: int, count: int, seed: int) -> Clauses:
    rng = np.random.default_rng([variables, count, seed])
    shape = count, 2
    return (rng.integers(1, variables + 1, shape) * rng.choice([-1, 1], shape)).astype(np.int32)


def forced(variables: int, clauses: Clauses) -> list[int] | None:
    literals = forced_literals(variables, clauses)
    return None if literals is None else literals.tolist()


def forced_by_trial(variables: int, clauses: Clauses) -> list[int] | None:
    """Return the forced literals by trying all assignments."""
    values = np.arange(2**variables)[:, None] >> np.arange(variables) & 1 == 1
    holds = np.concatenate([~values[:, ::-1], np.zeros_like(values[:, :1]), values], axis=1)  # [literal + n]
    models = holds[(holds[:, clauses + variables]).any(axis=2).all(axis=1)]
    if not len(models):
        return None
    literals = np.flatnonzero(models.all(axis=0)) - variables
    return sorted(literals.tolist(), key=abs)


@pytest.mark.parametrize("variables", [2, 3, 5, 8, 12])
def test_forced_literals_hold_in_all_assignments(variables):
    verdicts = set()
    for seed, ratio in enumerate(np.linspace(0.2, 2.4, 60)):
        clauses = random_clauses(variables, max(1, round(ratio * variables)), seed)
        expected = forced_by_trial(variables, clauses)
        verdicts.add("none" if expected is None else "some" if expected else "free")
        assert forced(variables, clauses) == expected, clauses.tolist()
    assert verdicts == {"none", "some", "free"}


def test_a_long_chain_needs_no_recursion():
    count = 20_000
    first = np.arange(1, count, dtype=np.int32)
    chain = np.stack([-first, first + 1], axis=1)  # each variable implies the next
    assert forced(count, chain) == []
    assert forced(count, np.append(chain, [[1, 1]], axis=0).astype(np.int32)) == list(range(1, count + 1))


def test_a_cycle_through_both_values_has_no_assignment():
    cycle = np.array([[-1, 2], [-2, -1], [1, 3], [-3, 1]], np.int32)
    assert forced(3, cycle) is None
    assert forced(3, cycle[:3]) == [-1, 3]
    assert forced(4, np.empty((0, 2), np.int32)) == []


@pytest.mark.parametrize("literal", [0, 3, -3, -(2**31)])
def test_literals_out_of_range_are_refused(literal):
    with pytest.raises(ValueError, match="literal is out of range"):
        forced_literals(2, np.array([[1, literal]], np.int32))
