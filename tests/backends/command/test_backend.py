"""What a declared program is given, what its claims count for, and when it is asked again."""

import json
import shutil
import subprocess
import sys

import pytest

import nonocsp
from nonocsp.backends.base import Answer, Limits, Request, Task, Termination
from nonocsp.backends.command.backend import NoOptions, class_of
from nonocsp.backends.command.declaration import Declaration
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import StopFlag
from nonocsp.model import Palette, Puzzle
from nonocsp.testing import CHECKS, SMALL, SMALL_IN_COLOUR, n_dom, solutions
from tests.backends.command.conftest import CAT, ENOUGH, GRID, TWO

RIGHT = f"printf '%s\\n' '{GRID[0]}' '{GRID[1]}' '{GRID[2]}'"
FIRST, SECOND = "printf '%s\\n' '#.' '.#'", "printf '%s\\n' '.#' '#.'"
UNIQUE, MULTIPLE, UNSAT, UNKNOWN = "echo one", "echo several", "echo none", "echo gave up"
RULES = {
    "unique": "^one$",
    "multiple": "^several$",
    "unsat": "^none$",
    "unknown": "^gave up$",
    "all": "^all$",
}
ANSWERS: list[tuple[Puzzle, Task, str, str]] = [
    (CAT, Task.DECIDE, f"{UNIQUE}; {RIGHT}", "unique ok 1"),
    (CAT, Task.DECIDE, RIGHT, "solved ok 1"),
    (CAT, Task.DECIDE, f"{MULTIPLE}; {RIGHT}", "solved ok 1"),
    (CAT, Task.DECIDE, f"{UNKNOWN}; {RIGHT}", "solved ok 1"),
    (CAT, Task.DECIDE, f"{RIGHT}; echo all", "unique ok 1"),
    (CAT, Task.DECIDE, UNSAT, "unsat ok 0"),
    (CAT, Task.DECIDE, UNKNOWN, "partial ok 0"),
    (CAT, Task.DECIDE, f"printf '%s\\n' '#?#' '###' '.?.'; {UNKNOWN}", "partial ok 0"),
    (TWO, Task.DECIDE, f"{FIRST}; echo; {SECOND}", "multiple ok 2"),
    (TWO, Task.DECIDE, f"{FIRST}; {SECOND}; {MULTIPLE}", "multiple ok 2"),
    (TWO, Task.SOLVE, f"{FIRST}; {SECOND}; {MULTIPLE}", "solved ok 1"),
    (CAT, Task.SOLVE, f"{UNIQUE}; {RIGHT}", "solved ok 1"),
    (CAT, Task.COUNT, f"{UNIQUE}; {RIGHT}", "unique ok 1"),
    (TWO, Task.COUNT, f"{FIRST}; {SECOND}; echo all", "multiple ok 2"),
    (TWO, Task.COUNT, f"{FIRST}; {SECOND}", "multiple unsupported 2"),
]


@pytest.mark.parametrize(("puzzle", "task", "text", "expected"), ANSWERS)
def test_claims_count_for_what_is_documented(puzzle, task, text, expected, measure):
    found = measure(text, puzzle, task, rules=RULES).outcome
    assert f"{found.answer} {found.termination} {len(found.solutions)}" == expected, found.message
    if "#?#" in text:
        assert found.partial is not None
        assert found.partial.strings() == ["#?#", "###", ".?."]


EXCLUDING = """case $2 in
'') echo '#.'; echo .#;;
*) if grep -c . $2 | grep -q 2; then echo .#; echo '#.'; else echo none; fi;;
esac"""


def test_a_program_that_can_exclude_solutions_is_asked_until_there_are_no_others(measure, tmp_path):
    program = str(tmp_path / "program")
    measure(EXCLUDING)  # writes it
    for task, answer, runs in (
        (Task.DECIDE, "multiple", 2),
        (Task.COUNT, "multiple", 3),
        (Task.SOLVE, "solved", 1),
    ):
        found = measure(
            "",
            TWO,
            task,
            command=[program, "{puzzle}"],
            exclude=[program, "{puzzle}", "{found}"],
            rules={"unsat": "none"},
        ).outcome
        assert (found.answer, found.termination) == (Answer(answer), Termination.OK), found.message
        assert found.stats["program_runs"] == runs


PROVER = """\
import sys
from pysat.formula import CNF
from pysat.solvers import Solver

formula, proof, kind = sys.argv[1:]
with Solver("glucose4", bootstrap_with=CNF(from_file=formula).clauses, with_proof=True) as solver:
    if solver.solve():
        print("s SATISFIABLE")
        print("v", *solver.get_model(), 0)
    else:
        print("s UNSATISFIABLE")
        lines = ["c lemmas", *(line for line in solver.get_proof() if not line.startswith("d")), "0"]
        if kind == "lrat":  # without hints
            lines[1:] = [f"{1000000 + number} {line} 0" for number, line in enumerate(lines[1:])]
            lines.insert(2, "1000000 d 2 0")
        if kind != "none":
            lines = ["a\\1\\0"] if kind == "binary" else lines[: 3 if kind == "cut" else None]
            open(proof, "w").write("\\n".join(lines))
"""


@pytest.mark.parametrize(
    ("form", "kind", "said"),
    [
        ("drat", "drat", ""),
        ("lrat", "lrat", ""),
        ("drat", "cut", "the proof ends without the empty clause"),
        ("lrat", "drat", "is no line of LRAT"),
        ("drat", "none", "did not write proof"),
        ("lrat", "binary", "the proof was not verified: it is binary"),
    ],
)
def test_the_proof_of_a_program_is_verified(measure, tmp_path, form, kind, said):
    (tmp_path / "prover.py").write_text(PROVER)
    command = [sys.executable, str(tmp_path / "prover.py"), "{puzzle}", "{proof}", kind]
    found = measure("", n_dom(5), command=command, input="dimacs", proof=form, limits=ENOUGH).outcome
    evidence = "checked grid" if kind == "binary" else None if said else "proved"
    assert (found.proved, found.evidence) == (not said, evidence)
    assert found.termination is (Termination.OK if evidence else Termination.CRASHED)
    assert said in found.message


def test_a_puzzle_can_come_on_the_standard_input_and_an_answer_in_a_file(measure, script):
    program = script(f'read size; test "$size" = "3 3" || exit 1; {RIGHT}')
    for given in ({"given": "stdin"}, {}):
        assert measure("", command=[program], input="nin", **given).outcome.answer is Answer.SOLVED
    assert measure(f"{{ {RIGHT}; }} > answer.txt", output_file="answer.txt").outcome.answer is Answer.SOLVED


def test_a_program_reads_no_title_and_no_solution(measure):
    puzzle = Puzzle.from_clues([[1, 1], [3], [1]], [[2], [2], [2]], title="secret")
    found = measure("cat $1 >&2; exit 1", puzzle, limits=ENOUGH).outcome
    assert "height 3" in found.message
    assert "secret" not in found.message


def test_a_program_that_is_stopped_does_not_repeat_its_former_answer(script):
    program = script("[ $2 ] && exec sleep 60; printf '#.\\n.#\\n' > answer.txt")
    declared = Declaration(
        name="program",
        command=(program, "{puzzle}"),
        exclude=(program, "{puzzle}", "{found}"),
        output_file="answer.txt",
    )
    found = run_backend(class_of(declared)(NoOptions()), TWO, Request(limits=Limits(wall=0.3)), StopFlag())
    assert (found.termination, len(found.solutions)) == (Termination.WALL, 1), found.message


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("printf '1\\t0\\t1\\n1\\t1\\t1\\n0\\t1\\t0\\n'", {}),
        ("echo '$1'; printf '101\\n111\\n010\\n'", {}),
        ("printf 'X X\\nXXX\\n X \\n'", {"cells": " X"}),
        ("printf '##__##\\n######\\n__##__\\n'", {"width": 2}),
        ("printf '|#.#|\\n|###|\\n|.#.|\\n'", {}),
        ("printf '1 1: #.#\\n  3: ###\\n  1: .#.\\n'", {"row": "^ *[0-9 ]+: (.*)$"}),
        ("printf '\\033[1mbo\\033[0mb\\nbbb\\nobo\\n'", {"cells": "ob"}),
        ("printf '\\342\\226\\210.\\342\\226\\210\\n###\\r\\n.#.\\n'", {}),
    ],
)
def test_grids_are_read_in_the_shapes_that_programs_print(text, rules, measure):
    found = measure(text, rules=rules).outcome
    assert found.answer is Answer.SOLVED, found.message
    assert found.solutions[0].strings() == GRID


@pytest.mark.parametrize("answer", ["unique", "solved"])
def test_json_says_the_answer_and_the_grids(answer, measure):
    numbers = [[1, 0, 1], [1, 1, 1], [0, 1, 0]]
    for grid in (GRID, numbers):
        document = json.dumps({"answer": answer, "solutions": [grid], "took": 3})
        found = measure(f"echo start; echo '{document}'", output="json").outcome
        assert found.answer is Answer(answer), found.message
        assert found.solutions[0].strings() == GRID


def test_a_program_without_colours_gets_none(measure):
    puzzle = SMALL_IN_COLOUR[1]
    assert measure("exit 1", puzzle).outcome.termination is Termination.UNSUPPORTED
    found = measure("exit 1", puzzle, colours=True, input="nin").outcome
    assert found.termination is Termination.UNSUPPORTED
    assert "nin has no colours" in found.message


def test_colours_are_read_by_the_characters_of_the_palette(measure):
    puzzle = Puzzle.from_clues([[1, (1, 2)]], [[1], [(1, 2)]], palette=Palette.of(2))
    chars = puzzle.palette.chars
    for text, rules in ((chars[1:3], {}), ("rb", {"cells": ".rb"})):
        found = measure(f"echo {text!r}", puzzle, colours=True, input="json", rules=rules).outcome
        assert found.answer is Answer.SOLVED, found.message


@pytest.fixture(scope="module")
def brute(repository, tmp_path_factory) -> str:
    """The spec of the example in C++, compiled."""
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    folder = tmp_path_factory.mktemp("own")
    shutil.copytree(repository / "examples" / "own-solver", folder, dirs_exist_ok=True)
    subprocess.run([compiler, "-O2", "-std=c++17", "-o", "solver", "solver.cpp"], cwd=folder, check=True)
    return str(folder / "cpp.yaml")


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_example_in_cpp_conforms(brute, check):
    check(create(brute), 4000)


@pytest.mark.slow
def test_the_public_interface_takes_a_declaration(brute, repository):
    assert nonocsp.solve(CAT, backend=brute).answer is Answer.UNIQUE
    assert [one.answer for one in nonocsp.solve_many([CAT, TWO], brute, jobs=1)] == ["unique", "multiple"]
    if shutil.which("node"):
        spec = str(repository / "examples" / "own-solver" / "node.yaml")
        for puzzle, found in zip(SMALL, nonocsp.solve_many(SMALL, spec, jobs=1), strict=True):
            number = len(solutions(puzzle))
            assert (found.termination, len(found.solutions)) == (Termination.OK, min(2, number))
            assert found.answer is (Answer.UNSAT, Answer.UNIQUE, Answer.MULTIPLE)[min(2, number)]
