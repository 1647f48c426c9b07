"""The cross-check: every pair of claims that cannot both be true, and no other."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from nonocsp.bench.contradictions import cross_check, disagreements, shortened
from nonocsp.bench.rows import RunRow
from nonocsp.bench.table import table_of

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


MANY = 10**40
COUNT: dict[str, Any] = {"task": "count", "bound": None}
UNSAT, UNKNOWN = row("x", "unsat"), row("x", "unknown", termination="wall")
UNIQUE_A, UNIQUE_B = row("x", "unique", A), row("x", "unique", B)
SOLVED_A = row("x", "solved", A, termination="wall")
MULTIPLE_AB, MULTIPLE_BC = row("x", "multiple", A, B), row("x", "multiple", B, C)
PARTIAL_A, PARTIAL_NONE = row("x", "partial", partial=["#.", "??"]), row("x", "partial", partial=["??"] * 2)
COUNT_AB = row("x", "multiple", A, B, task="count")
COUNT_AB_CUT = row("x", "multiple", A, B, task="count", termination="wall")
COUNT_AB_BOUND = row("x", "multiple", A, B, task="count", bound=2)
COUNT_2, COUNT_MANY, COUNT_MORE = (row("x", "multiple", A, B, **COUNT, count=n) for n in (2, MANY, MANY + 1))
LEAST_MANY, LEAST_MORE = (
    row("x", "multiple", A, B, **COUNT, termination="wall", count_at_least=n) for n in (MANY, MANY + 1)
)
WORLDS = [
    (set(own), n)
    for n in (0, 1, 2, 3, MANY, MANY + 1, MANY + 2)
    for length in range(min(n, 3) + 1)
    for own in itertools.combinations("ABC", length)
]
"""What may be true of a puzzle: which of A, B and C are solutions, and how many solutions it has."""
TRUE_IN: list[tuple[RunRow, Callable[[set[str], int], bool]]] = [
    (UNKNOWN, lambda own, n: True),
    (UNSAT, lambda own, n: n == 0),
    (UNIQUE_A, lambda own, n: own == {"A"} and n == 1),
    (UNIQUE_B, lambda own, n: own == {"B"} and n == 1),
    (SOLVED_A, lambda own, n: "A" in own),
    (MULTIPLE_AB, lambda own, n: own >= {"A", "B"}),
    (MULTIPLE_BC, lambda own, n: own >= {"B", "C"}),
    (PARTIAL_A, lambda own, n: own <= {"A"}),
    (PARTIAL_NONE, lambda own, n: True),
    (COUNT_AB, lambda own, n: own == {"A", "B"} and n == 2),
    (COUNT_AB_CUT, lambda own, n: own >= {"A", "B"}),
    (COUNT_AB_BOUND, lambda own, n: own >= {"A", "B"}),
    (COUNT_2, lambda own, n: own >= {"A", "B"} and n == 2),
    (COUNT_MANY, lambda own, n: own >= {"A", "B"} and n == MANY),
    (COUNT_MORE, lambda own, n: own >= {"A", "B"} and n == MANY + 1),
    (LEAST_MANY, lambda own, n: own >= {"A", "B"} and n >= MANY),
    (LEAST_MORE, lambda own, n: own >= {"A", "B"} and n >= MANY + 1),
]
CLAIMS = [claim for claim, _ in TRUE_IN]


def test_two_rows_contradict_each_other_only_if_nothing_makes_both_true():
    for (one, holds), (other, also) in itertools.product(TRUE_IN, repeat=2):
        rows = [one | {"backend": "one", "run": "1"}, other | {"backend": "other", "run": "2"}]
        can_be = any(holds(*world) and also(*world) for world in WORLDS)
        assert len(disagreements(rows)) == (not can_be), (one, other)


def test_counts_that_differ_are_reported_with_their_digits():
    (found,) = disagreements([COUNT_MANY | {"backend": "one"}, COUNT_MORE | {"backend": "other"}])
    assert found.solution is None
    assert str(found) == f"p: one counted {MANY} solutions, other counted {MANY + 1}"
    (found,) = disagreements([COUNT_MANY | {"backend": "one"}, LEAST_MORE | {"backend": "other"}])
    assert str(found) == f"p: one counted {MANY} solutions, other proved at least {MANY + 1}"
    assert shortened(10**100).endswith("0 (101 digits)")


def test_each_pair_of_backends_is_reported_once_per_puzzle_and_clues():
    liar = [UNSAT | {"backend": "liar", "run": f"liar {repeat}"} for repeat in range(3)]
    (found,) = disagreements([*liar, MULTIPLE_AB])
    assert found.solution in {tuple(A), tuple(B)}
    assert "liar answered unsat" in str(found)
    for elsewhere in ({"puzzle": "q"}, {"puzzle_hash": "i"}):
        assert not disagreements([UNSAT, UNIQUE_A | elsewhere])
        other = [it | elsewhere | {"run": f"other {it['run']}"} for it in (*liar, MULTIPLE_AB)]
        assert len(disagreements([*liar, MULTIPLE_AB, *other])) == 2


def test_a_backend_that_contradicts_itself_is_reported_with_the_runs():
    runs = [
        row("fickle", "unique", A, seed=0, repeat=0),
        row("fickle", "unique", A, seed=0, repeat=1),
        row("fickle", "unique", B, seed=1, repeat=0),
        row("steady", "multiple", A, B, seed=0, repeat=0),
    ]
    texts = sorted(map(str, disagreements(runs)))
    itself = "fickle (seed 0, repeat 0) answered unique, fickle (seed 1, repeat 0) has another solution"
    assert texts == [f"p: {itself}", "p: fickle answered unique, steady has another solution"]


@st.composite
def campaigns(draw: st.DrawFn) -> list[RunRow]:
    """Draw rows of three backends about two puzzles."""
    entry = st.tuples(st.sampled_from(CLAIMS), st.sampled_from("xyz"), st.sampled_from("pq"))
    entries = enumerate(draw(st.lists(entry, max_size=12)))
    return [claim | {"backend": b, "puzzle": p, "run": str(i)} for i, (claim, b, p) in entries]


class Stored(list[Any]):
    """A campaign that notes which of its rows are read."""

    def __init__(self, rows: Sequence[RunRow]) -> None:
        super().__init__(rows)
        self.rows, self.table, self.read = self, table_of(rows), list[RunRow]()

    def at(self, numbers: Iterable[int]) -> Iterator[RunRow]:
        for number in numbers:
            self.read.append(self[number])
            yield self[number]


@given(campaigns(), st.integers(0, 12))
def test_the_contradictions_are_those_of_comparing_every_pair_of_rows(rows, cut):
    expected = {
        (one["puzzle"], *sorted((one["backend"], other["backend"])))
        for one, other in itertools.permutations(rows, 2)
        if one["puzzle"] == other["puzzle"] and disagreements([one, other])
    }
    found = disagreements(rows)
    pairs = [(d.claim["puzzle"], *sorted((d.claim["backend"], d.evidence["backend"]))) for d in found]
    assert len(pairs) == len(set(pairs))
    assert set(pairs) == expected
    stored = cross_check([Stored(rows[:cut]), Stored(rows[cut:])])
    assert (stored.disagreements, stored.count) == (found, len(found))
    for it, (claim, evidence) in zip(stored.disagreements, stored.runs, strict=True):
        assert (it.claim, it.evidence) == (rows[claim], rows[evidence])
