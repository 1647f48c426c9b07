"""Findings from the answers of several backends to one puzzle, and the files saved for a disagreement."""

import json
from collections.abc import Iterator

import pytest

from nonocsp.backends.base import Answer, Limits, Outcome, Request, Task, Termination
from nonocsp.bench.agreement import Checked, Finding, check_puzzles, save_finding
from nonocsp.formats import NamedPuzzle, load
from nonocsp.model import FormatError, Grid, Puzzle
from nonocsp.testing import permutations

DOTS = Puzzle.from_clues([[1]] * 2, [[1]] * 2, title="two dots")
A, B = Grid.from_strings(["#.", ".#"]), Grid.from_strings([".#", "#."])
UNIQUE_A = Outcome(Answer.UNIQUE, Termination.OK, (A,))
MULTIPLE = Outcome(Answer.MULTIPLE, Termination.OK, (A, B))
UNSAT = Outcome(Answer.UNSAT, Termination.OK)
PARTIAL = Outcome(Answer.PARTIAL, Termination.OK, partial=Grid.unknown(2, 2))
PAINTED_B = Outcome(Answer.PARTIAL, Termination.OK, partial=Grid.from_strings([".?", "??"]))
CUT_OFF = Outcome(Answer.SOLVED, Termination.WALL, (A,))
CRASHED = Outcome(Answer.UNKNOWN, Termination.CRASHED, message="no idea")
REFUSED = Outcome(Answer.UNKNOWN, Termination.UNSUPPORTED)


def checked(*outcomes: Outcome, puzzle: Puzzle = DOTS) -> Checked:
    by_backend = {f"backend {i}": outcome for i, outcome in enumerate(outcomes)}
    return Checked.of(NamedPuzzle("dots", 1, puzzle), Request(), by_backend)


@pytest.mark.parametrize(
    ("outcomes", "finding"),
    [
        ((MULTIPLE, MULTIPLE), "agreed"),
        ((UNSAT, UNSAT, PARTIAL), "agreed"),
        ((MULTIPLE, PARTIAL, CUT_OFF), "alone"),
        ((UNIQUE_A,), "alone"),
        ((CUT_OFF, PARTIAL, REFUSED), "undecided"),
        ((MULTIPLE, MULTIPLE, CRASHED), "broken"),
        ((MULTIPLE, UNIQUE_A), "disagreed"),
        ((UNSAT, CUT_OFF), "disagreed"),
        ((UNIQUE_A, PAINTED_B), "disagreed"),
        ((UNSAT, CRASHED, MULTIPLE), "disagreed"),
    ],
)
def test_the_finding_is_the_worst_one_that_applies(outcomes, finding):
    found = checked(*outcomes)
    assert found.finding is Finding(finding)
    assert found.is_sound == (finding not in ("broken", "disagreed"))


def test_a_saved_finding_holds_the_puzzle_and_every_backends_claim(tmp_path):
    found = checked(UNSAT, MULTIPLE)
    path = save_finding(found, tmp_path / "new" / "folder")
    assert load(path) == DOTS
    claims = json.loads(path.with_suffix(".claims.json").read_text())
    assert claims == found.record()
    assert claims["backends"]["backend 1"]["solutions"] == [["#.", ".#"], [".#", "#."]]
    assert claims["disagreements"] == ["dots: backend 0 answered unsat, backend 1 has a solution"]


@pytest.mark.usefixtures("unruly")
def test_every_backend_is_asked_about_every_puzzle_before_faulty_input():
    def broken_off() -> Iterator[NamedPuzzle]:
        yield from (NamedPuzzle(f"p{i}", i, it) for i, it in enumerate((DOTS, blank), start=1))
        raise FormatError("not a puzzle")

    blank = Puzzle.from_clues([[]] * 2, [[]] * 3)
    backends = ["brute", "deny", "unruly:how=segfault", "unruly:how=hang", "unruly:how=lie"]
    checks = check_puzzles(broken_off(), backends, Request(Task.COUNT, Limits(wall=1.0)), jobs=2)
    found = {check.source.name: check for check in (next(checks), next(checks))}
    assert [*found["p1"].outcomes] == backends
    assert [check.finding for check in found.values()] == [Finding.DISAGREED] * 2
    ends = [str(outcome.termination) for outcome in found["p2"].outcomes.values()]
    assert ends == ["ok", "ok", "crashed", "wall", "ok"]
    with pytest.raises(FormatError, match="not a puzzle"):
        next(checks)


@pytest.mark.usefixtures("unruly")
@pytest.mark.parametrize(
    ("listed", "counts", "disagreement"),
    [
        (0, [], []),
        (4, [(None, 4), (None, 4)], []),
        (7, [(6, None), (5, None)], ["p: brute:skip=1 counted 5 solutions, brute has another"]),
    ],
)
def test_a_backend_that_overlooks_one_of_several_solutions_is_found_by_its_list(listed, counts, disagreement):
    sources = [NamedPuzzle(name, 1, permutations(3)) for name in ("p", "q", "r")]  # six solutions
    checks = [*check_puzzles(sources, ["brute", "brute:skip=1"], Request(), jobs=2, listed=listed)]
    assert {outcome.answer for check in checks for outcome in check.outcomes.values()} == {Answer.MULTIPLE}
    record = next(check for check in checks if check.source.name == "p").record()
    said = [(each.get("count"), each.get("count_at_least")) for each in record.get("listed", {}).values()]
    assert (said, record["disagreements"]) == (counts, disagreement)
