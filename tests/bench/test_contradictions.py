"""The cross-check: every pair of claims that cannot both be true, and no other."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nonocsp.backends.base import Request, Task
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.bench import contradictions
from nonocsp.bench.contradictions import CrossCheck, cross_check, disagreements, shortened
from nonocsp.bench.rows import RunRow
from nonocsp.bench.table import table_of
from nonocsp.engine import StopFlag
from nonocsp.model import Grid, Puzzle

A, B, C = ["#.", ".#"], [".#", "#."], ["##", ".."]
_number = itertools.count()


def row(backend: str, answer: str, *solutions: list[str], **rest: Any) -> RunRow:
    return {
        "run": str(next(_number)),
        **{"puzzle": "p", "rows": 2, "columns": 2},
        "puzzle_hash": "h",
        "backend": backend,
        "task": "decide",
        "bound": 1000,
        "seed": 0,
        "repeat": 0,
        "answer": answer,
        "termination": "ok",
        "solutions": list(solutions),
        **rest,
    }


UNSAT, UNKNOWN = row("x", "unsat"), row("x", "unknown", termination="wall")
UNIQUE_A, UNIQUE_B = row("x", "unique", A), row("x", "unique", B)
SOLVED_A = row("x", "solved", A, termination="wall")
MULTIPLE_AB, MULTIPLE_BC = row("x", "multiple", A, B), row("x", "multiple", B, C)
PARTIAL_A, PARTIAL_NONE = row("x", "partial", partial=["#.", "??"]), row("x", "partial", partial=["??"] * 2)
COUNT_AB = row("x", "multiple", A, B, task="count")
COUNT_AB_CUT = row("x", "multiple", A, B, task="count", termination="wall")
COUNT_AB_BOUND = row("x", "multiple", A, B, task="count", bound=2)
COUNT_2 = row("x", "multiple", A, B, task="count", bound=None, count=2)
COUNT_MANY, COUNT_MORE = (
    row("x", "multiple", A, B, task="count", bound=None, count=10**40 + more) for more in (0, 1)
)
LEAST_MANY, LEAST_MORE = (
    row("x", "multiple", A, B, task="count", bound=None, termination="wall", count_at_least=10**40 + more)
    for more in (0, 1)
)


@pytest.mark.parametrize(
    ("one", "other", "contradict"),
    [
        (UNSAT, UNSAT, False),
        (UNSAT, UNKNOWN, False),
        (UNSAT, SOLVED_A, True),
        (UNSAT, UNIQUE_A, True),
        (UNSAT, MULTIPLE_AB, True),
        (UNSAT, PARTIAL_A, False),
        (UNIQUE_A, UNIQUE_A, False),
        (UNIQUE_A, UNIQUE_B, True),
        (UNIQUE_A, MULTIPLE_AB, True),
        (UNIQUE_A, MULTIPLE_BC, True),
        (UNIQUE_A, SOLVED_A, False),
        (UNIQUE_B, SOLVED_A, True),
        (UNIQUE_A, UNKNOWN, False),
        (MULTIPLE_AB, MULTIPLE_BC, False),
        (MULTIPLE_AB, SOLVED_A, False),
        (UNIQUE_A, PARTIAL_A, False),
        (UNIQUE_B, PARTIAL_A, True),
        (UNIQUE_B, PARTIAL_NONE, False),
        (MULTIPLE_AB, PARTIAL_A, True),
        (SOLVED_A, PARTIAL_A, False),
        (COUNT_AB, MULTIPLE_AB, False),
        (COUNT_AB, MULTIPLE_BC, True),
        (COUNT_AB_CUT, MULTIPLE_BC, False),
        (COUNT_AB_BOUND, MULTIPLE_BC, False),
        (COUNT_AB, UNIQUE_A, True),
        (COUNT_2, COUNT_AB, False),
        (COUNT_2, COUNT_AB_CUT, False),
        (COUNT_2, MULTIPLE_BC, True),
        (COUNT_2, COUNT_MANY, True),
        (COUNT_2, LEAST_MANY, True),
        (COUNT_AB, LEAST_MANY, True),
        (COUNT_MANY, COUNT_MANY, False),
        (COUNT_MANY, COUNT_MORE, True),
        (COUNT_MANY, MULTIPLE_BC, False),
        (COUNT_MANY, LEAST_MANY, False),
        (COUNT_MANY, LEAST_MORE, True),
        (COUNT_MORE, LEAST_MANY, False),
        (LEAST_MANY, LEAST_MORE, False),
        (COUNT_MANY, UNIQUE_A, True),
        (LEAST_MANY, UNSAT, True),
    ],
)
def test_two_rows_contradict_each_other_only_if_one_excludes_a_solution_of_the_other(
    one: RunRow, other: RunRow, contradict: bool
) -> None:
    one, other = one | {"backend": "one", "run": "1"}, other | {"backend": "other", "run": "2"}
    for rows in ([one, other], [other, one]):
        assert len(disagreements(rows)) == contradict


def test_counts_that_differ_are_reported_with_their_digits() -> None:
    (found,) = disagreements([COUNT_MANY | {"backend": "one"}, COUNT_MORE | {"backend": "other"}])
    assert found.solution is None
    assert str(found) == f"p: one counted {10**40} solutions, other counted {10**40 + 1}"
    (found,) = disagreements([COUNT_MANY | {"backend": "one"}, LEAST_MORE | {"backend": "other"}])
    assert str(found) == f"p: one counted {10**40} solutions, other proved at least {10**40 + 1}"
    assert shortened(10**100).endswith("0 (101 digits)")


def test_rows_about_different_puzzles_are_not_compared() -> None:
    assert not disagreements([UNSAT, UNIQUE_A | {"puzzle": "q"}])
    assert not disagreements([UNSAT, UNIQUE_A | {"puzzle_hash": "i"}])


def test_each_pair_of_backends_is_reported_once_per_puzzle() -> None:
    liar = [UNSAT | {"backend": "liar", "run": f"liar {repeat}"} for repeat in range(3)]
    (found,) = disagreements([*liar, MULTIPLE_AB])
    assert found.solution in {tuple(A), tuple(B)}
    assert "liar answered unsat" in str(found)


def test_a_backend_that_contradicts_itself_is_reported_with_the_runs() -> None:
    runs = [
        row("fickle", "unique", A, seed=0, repeat=0),
        row("fickle", "unique", A, seed=0, repeat=1),
        row("fickle", "unique", B, seed=1, repeat=0),
        row("steady", "multiple", A, B, seed=0, repeat=0),
    ]
    texts = sorted(map(str, disagreements(runs)))
    itself = "fickle (seed 0, repeat 0) answered unique, fickle (seed 1, repeat 0) has another solution"
    assert texts == [f"p: {itself}", "p: fickle answered unique, steady has another solution"]


def test_puzzles_with_the_same_name_but_different_clues_are_reported_separately() -> None:
    both = [UNSAT | {"backend": "liar"}, UNIQUE_A]
    assert len(disagreements([*both, *(entry | {"puzzle_hash": "other"} for entry in both)])) == 2


CLAIMS = [
    *(UNSAT, UNKNOWN, UNIQUE_A, UNIQUE_B, SOLVED_A, MULTIPLE_AB, MULTIPLE_BC, PARTIAL_A, PARTIAL_NONE),
    *(COUNT_AB, COUNT_AB_CUT, COUNT_AB_BOUND, COUNT_2, COUNT_MANY, COUNT_MORE, LEAST_MANY, LEAST_MORE),
]


@given(
    st.lists(st.tuples(st.sampled_from(CLAIMS), st.sampled_from("xyz"), st.sampled_from("pq")), max_size=12)
)
def test_the_contradictions_are_those_of_comparing_every_pair_of_rows(
    entries: list[tuple[RunRow, str, str]],
) -> None:
    rows = [claim | {"backend": b, "puzzle": p, "run": str(i)} for i, (claim, b, p) in enumerate(entries)]
    expected = {
        (one["puzzle"], *sorted((one["backend"], other["backend"])))
        for one, other in itertools.permutations(rows, 2)
        if one["puzzle"] == other["puzzle"] and disagreements([one, other])
    }
    found = disagreements(rows)
    pairs = [(d.claim["puzzle"], *sorted((d.claim["backend"], d.evidence["backend"]))) for d in found]
    assert len(pairs) == len(set(pairs))
    assert set(pairs) == expected


class Stored:
    """A campaign that notes which of its rows are read."""

    def __init__(self, rows: Sequence[RunRow]) -> None:
        self.rows, self.table, self.read = rows, table_of(rows), list[RunRow]()

    def rows_at(self, numbers: Iterable[int]) -> Iterator[RunRow]:
        for number in numbers:
            self.read.append(self.rows[number])
            yield self.rows[number]


@given(
    st.lists(st.tuples(st.sampled_from(CLAIMS), st.sampled_from("xyz"), st.sampled_from("pq")), max_size=12),
    st.integers(0, 12),
)
def test_stored_campaigns_have_the_contradictions_of_all_their_rows(
    entries: list[tuple[RunRow, str, str]], cut: int
) -> None:
    rows = [claim | {"backend": b, "puzzle": p, "run": str(i)} for i, (claim, b, p) in enumerate(entries)]
    findings = cross_check([Stored(rows[:cut]), Stored(rows[cut:])])
    assert findings.disagreements == disagreements(rows)
    assert findings.count == len(findings.disagreements)
    for found, (claim, evidence) in zip(findings.disagreements, findings.runs, strict=True):
        assert (found.claim, found.evidence) == (rows[claim], rows[evidence])


@given(
    st.lists(st.tuples(st.sampled_from(CLAIMS), st.sampled_from("xyz"), st.sampled_from("pq")), max_size=12),
    st.integers(0, 12),
)
def test_row_by_row_true_contradictions_are_found_of_each_puzzle_that_has_some(
    entries: list[tuple[RunRow, str, str]], earlier: int
) -> None:
    rows = [claim | {"backend": b, "puzzle": p, "run": str(i)} for i, (claim, b, p) in enumerate(entries)]
    known, table = table_of(rows[:earlier]), table_of(rows)
    check = CrossCheck(known, np.arange(len(known)), rows.__getitem__)
    told = []
    for number in range(len(known), len(rows)):
        said = int(table["found"][number]), int(table["claim"][number])
        key = int(table.puzzles.key[table["puzzle"][number]])
        told += check.add(rows[number], key, said, number)
    pairs = {(found.claim["puzzle"], found.backends) for found in told}
    every = {(found.claim["puzzle"], found.backends) for found in disagreements(rows)}
    before = {(found.claim["puzzle"], found.backends) for found in disagreements(rows[:earlier])}
    assert pairs <= every
    assert {puzzle for puzzle, _ in every} == {puzzle for puzzle, _ in pairs | before}


def test_an_exact_number_and_a_bound_of_the_same_size_are_different_claims() -> None:
    rows = [
        claim | {"backend": "x", "run": str(i)}
        for i, claim in enumerate((COUNT_MORE, LEAST_MANY, COUNT_MANY))
    ]
    assert cross_check([Stored(rows)]).disagreements == disagreements(rows) != []


def test_rows_are_read_only_where_their_digests_differ() -> None:
    fine = [row(b, "unique", A, puzzle=f"p{i}") for i in range(20) for b in "abc"]
    many = [row("a", "multiple", A, B), row("b", "multiple", B, C), row("c", "multiple", B, A)]
    alike = [row("settle", "partial", puzzle="p1", partial=["#.", "??"]) for _ in range(5)]
    stored = Stored([*fine, *many, *alike])
    assert not cross_check([stored]).count
    assert stored.read == [fine[3], alike[0]]


def test_contradictions_beyond_those_that_are_kept_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contradictions, "KEPT", 7)
    rows = [
        each
        for i in range(30)
        for each in (row("liar", "unsat", puzzle=f"p{i}"), row("b", "unique", A, puzzle=f"p{i}"))
    ]
    findings = cross_check([Stored(rows)])
    assert (findings.count, len(findings.disagreements), len(findings.runs)) == (30, 7, 7)


def test_a_row_that_holds_only_some_of_its_solutions_excludes_no_other() -> None:
    counted = row(
        "count", "multiple", A, B, task="count", solution_count=3, solutions_file="solutions/x.json.gz"
    )
    assert not disagreements([counted, row("b", "solved", C)])


@pytest.mark.usefixtures("unruly")
@pytest.mark.parametrize("image", ["### ... ...", "#.. .#. ..#", "#.# ... #.#", "##. #.. ...", "... ... ..."])
def test_every_true_claim_about_a_puzzle_agrees_with_every_other(image: str) -> None:
    puzzle = Puzzle.from_grid(Grid.from_strings(image.split()))
    claims = []
    for task, bound in itertools.product(Task, (2, 1000)):
        outcome = run_backend(create("brute"), puzzle, Request(task, bound=bound), StopFlag())
        claims.append(row(str(task), "", task=task, bound=bound) | outcome.record(puzzle))
    assert not disagreements(claims)
