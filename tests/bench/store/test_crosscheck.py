"""The cross-check of a running campaign finds what the cross-check of all its rows finds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nonocsp.bench.contradictions import disagreements
from nonocsp.bench.store.crosscheck import CrossCheck
from nonocsp.model import UsageError
from tests.bench.held import Held

A, B, C = ["#.", ".#"], [".#", "#."], ["##", ".."]


def row(backend: str, answer: str, *solutions: list[str], **rest: Any) -> Any:
    asked = {"puzzle": "p", "puzzle_hash": "h", "index": 1, "task": "decide", "bound": 1000}
    which = {"backend": backend, "seed": 0, "repeat": 0, "termination": "ok", "stats": {}}
    return {**asked, **which, "answer": answer, "solutions": list(solutions), **rest}


def test_each_contradiction_is_reported_once_with_the_row_that_causes_it() -> None:
    rows = [
        row("a", "multiple", A, B),
        row("b", "unique", A),
        row("b", "unique", A, repeat=1),
        row("c", "unsat"),
        row("a", "solved", B, puzzle="another"),
    ]
    check = CrossCheck(Held(rows[:1]))
    told = [{str(found) for found in check.add(each)} for each in rows[1:]]
    assert [len(found) for found in told] == [1, 0, 2, 0]
    assert set().union(*told) == {str(found) for found in disagreements(rows)}


def test_a_full_temporary_folder_is_an_error_that_says_what_to_do() -> None:
    check = CrossCheck(Held([]))
    check._database.execute("PRAGMA max_page_count = 20")
    rows = (row("a", "unique", A, puzzle_hash=f"{number}", puzzle="x" * 1000) for number in range(1000))
    with pytest.raises(UsageError, match=r"takes no more \(database or disk is full\); set TMPDIR"):
        [*map(check.add, rows)]


claims = st.one_of(
    st.just({"answer": "unsat", "solutions": []}),
    st.just({"answer": "unknown", "solutions": [], "termination": "wall"}),
    st.sampled_from([A, B, C]).map(lambda grid: {"answer": "unique", "solutions": [grid]}),
    st.sampled_from([A, B, C]).map(lambda grid: {"answer": "solved", "solutions": [grid]}),
    st.permutations([A, B, C]).map(lambda grids: {"answer": "multiple", "solutions": grids[:2]}),
    st.sampled_from([["#?", "??"], [".?", "??"], ["??", "??"]]).map(
        lambda partial: {"answer": "partial", "solutions": [], "partial": partial}
    ),
)
rows = st.builds(
    lambda puzzle, backend, repeat, claim: row(backend, "", puzzle=puzzle, repeat=repeat) | claim,
    st.sampled_from(["p", "q"]),
    st.sampled_from(["a", "b", "c", "d"]),
    st.integers(0, 3),
    claims,
)


@given(st.lists(rows, max_size=12), st.integers(0, 12))
@settings(max_examples=200)
def test_row_by_row_the_same_pairs_are_found_as_in_all_rows(made: list[Any], earlier: int) -> None:
    check = CrossCheck(Held(made[:earlier]))
    told = [found for each in made[earlier:] for found in check.add(each)]
    pairs = [(found.claim["puzzle"], found.backends) for found in told]
    before = {(found.claim["puzzle"], found.backends) for found in disagreements(made[:earlier])}
    assert len(pairs) == len(set(pairs))
    assert before.isdisjoint(pairs)
    assert before.union(pairs) == {(found.claim["puzzle"], found.backends) for found in disagreements(made)}
