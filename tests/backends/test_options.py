"""Whatever the options, a complete backend finds every solution once, and many in the same order by seed."""

from collections.abc import Iterator
from itertools import product

import pytest

from nonocsp.backends.base import Task, Termination
from nonocsp.backends.registry import create, info
from nonocsp.engine.searches import search_parameters
from nonocsp.model import BackendError
from nonocsp.testing import permutations
from tests.backends.asking import outcome_of, random_puzzles, small_puzzles

LEARNING = "hybrid:backtracking=no,budget=0"
TURNS = "cells_first=1+dive_interval=1+dive_first=1"
FEW = "reduce_first=20+reduce_interval=1+reduce_fraction=1+model=starts"


def choices(name: str, option: str) -> list[str]:
    (found,) = [each for each in info(name).options() if each.name == option]
    return found.type.split("|")


def specs() -> Iterator[str]:
    """Yield specs of every choice that a complete backend offers, and of many combinations."""
    for spec, options in (
        ("blocks", ["first"]),
        ("segments", ["pixel"]),
        ("twosat", ["level"]),
        ("gac", ["variable_order", "value_order", "settle"]),
        ("sat", ["encoding", "phase"]),
        ("cpsat", ["model"]),
        ("asp", ["configuration"]),
        ("minizinc", ["model"]),
        ("cpmpy", ["solver", "model"]),
        ("hybrid", ["backtracking", "guidance"]),
    ):
        for values in product(*(choices(spec, option) for option in options)):
            yield f"{spec}:{','.join(map('='.join, zip(options, values, strict=True)))}"
    for option in ("level", "score", "order"):
        for choice, groups in product(choices("probing", option), ("gp=no", "gp=yes,min_group=2")):
            yield f"probing:{option}={choice},{groups}"
    yield from (f"hybrid:backtracking={way},budget={n}" for way, n in product(("yes", "no"), (0, 50, 400)))
    yield from (f"{LEARNING},search={search}" for search in (TURNS, FEW, "model=cells", "phase=fixed"))
    yield f"{LEARNING},threads=3,search={TURNS}"
    yield from ("cpsat:workers=2", "mdd", "milp")


OTHER_SOLVERS = ("milp", "cpmpy", "minizinc", "asp", "cpsat")
SPECS = {spec: 3 if spec.startswith(OTHER_SOLVERS) else 1 for spec in specs()}


def test_every_solution_is_found_once(backend_spec, sample):
    if not create(backend_spec).capabilities.complete:
        pytest.skip("incomplete")
    for puzzle, expected in small_puzzles()[::sample]:
        outcome = outcome_of(puzzle, backend_spec, Task.COUNT, bound=10_000)
        assert outcome.termination is Termination.OK, outcome.message
        assert len(outcome.solutions) == outcome.count == len(expected)
        assert set(outcome.solutions) == expected


def test_extreme_parameters_of_the_learning_search_find_every_solution():
    puzzle = permutations(5)
    for parameter in search_parameters():
        for value in (parameter.least, min(parameter.most, 1000)):
            text = parameter.choices[int(value)] if parameter.choices else value
            spec = f"{LEARNING},search={parameter.name}={text}"
            assert len(set(outcome_of(puzzle, spec, Task.COUNT).solutions)) == 120, spec


LONG_LINES = [(1, 3, 130), (2, 70, 9), (1, 90, 1)]


@pytest.mark.parametrize(
    ("spec", "shapes"),
    [
        ("hybrid", LONG_LINES),
        (LEARNING, LONG_LINES),
        (f"{LEARNING},guidance=none", LONG_LINES),
        *((spec, []) for spec in ("blocks", "gac", "cpsat:model=table", "cpsat:model=intervals")),
    ],
)
def test_larger_puzzles_have_the_solutions_of_sat(spec, shapes):
    """Lines longer than a machine word are for those that do not list placements."""
    for colours, rows, columns in [(1, 10, 10), (3, 9, 9), *shapes]:
        for puzzle in random_puzzles(2, colours, rows, columns):
            found, expected = (outcome_of(puzzle, each, Task.COUNT, bound=60) for each in (spec, "sat"))
            assert found.count == expected.count
            if found.count is not None:
                assert set(found.solutions) == set(expected.solutions)


@pytest.mark.parametrize(
    ("spec", "fewest"),
    [
        ("sat", 3),
        ("asp", 3),
        ("cpmpy", 2),
        ("gac:value_order=random", 3),
        ("probing:order=random", 2),
        ("gac", 1),
        ("probing", 1),
    ],
)
def test_a_seed_decides_the_order_of_the_solutions(spec, fewest):
    try:
        create(spec)
    except BackendError as error:
        pytest.skip(str(error))
    puzzle = permutations(5)
    orders = [outcome_of(puzzle, spec, Task.COUNT, bound=20, seed=seed).solutions for seed in (0, 0, 1, 2)]
    assert orders[0] == orders[1]
    assert fewest <= len(set(orders)) <= (3 if fewest > 1 else 1)
