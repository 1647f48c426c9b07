"""The declarations that come with nonocsp, on outputs written from what the solvers' documentation says."""

import shutil
from pathlib import Path

import pytest

from nonocsp.backends.base import Answer, Limits, Request, Run, Task
from nonocsp.backends.command.backend import Command, class_of
from nonocsp.backends.command.declaration import Declaration, read_declaration
from nonocsp.backends.registry import canonical_spec
from nonocsp.backends.run import or_crashed, run_backend
from nonocsp.engine import StopFlag
from nonocsp.model import Puzzle
from nonocsp.shipped import find_solver, solvers
from nonocsp.testing import CHECKS
from tests.backends.command.conftest import CAT, TWO

UNSAT = Puzzle.from_clues([[1, 1], [1, 1], []], [[2], [2], []])
OUTPUTS: list[tuple[str, Puzzle, str, str]] = [
    ("pbnsolve", CAT, "UNIQUE LINE SOLUTION:\nX.X\nXXX\n.X.\n", "unique"),
    ("pbnsolve", CAT, "UNIQUE DEPTH-2 SOLUTION:\n#.#\n###\n.#.\n", "unique"),
    ("pbnsolve", TWO, "FOUND MULTIPLE SOLUTIONS:\nX.\n.X\nALTERNATE SOLUTION\n.X\nX.\n", "multiple"),
    ("pbnsolve", TWO, "FOUND NON-UNIQUE SOLUTION:\nX.\n.X\n", "solved"),
    ("pbnsolve", UNSAT, "NO SOLUTION\n", "unsat"),
    ("pbnsolve", TWO, "STALLED WITH PARTIAL SOLUTION:\n??\n??\n", "partial"),
    ("nonogrid", CAT, "# # # 2 2 2\n# 1 1 ■ . ■\n# # 3 ■ ■ ■\n# # 1 . ■ .\n", "unique"),
    ("nonogrid", TWO, "# 1 1\n1 ■ .\n1 . ■\n\n# 1 1\n1 . ■\n1 ■ .\n", "multiple"),
    ("nonogram", CAT, "##__##\n######\n__##__\n", "solved"),
    ("nonogram", UNSAT, "Inconsistent puzzle\n", "unsat"),
    ("picross-solver", CAT, "GRID 1: 3x3\n  Solution nb 1:\n  #.#\n  ###\n  .#.\n", "unique"),
    ("picross-solver", TWO, "Solution nb 1:\n  #.\n  .#\n\nSolution nb 2:\n  .#\n  #.\n", "multiple"),
    ("picross-solver", TWO, "Partial solution:\n  ??\n  ??\nNot line-solvable\n", "partial"),
    ("nonogram-solver", CAT, "solved\n#.#\n###\n.#.\n", "solved"),
    ("nonogram-solver", UNSAT, "no solution\n", "unsat"),
    ("nonogram-solver", TWO, "gave up\n", "partial"),
    ("lalafrogkk", CAT, "$1\n1\t0\t1\n1\t1\t1\n0\t1\t0\n", "solved"),
    ("chuffed", CAT, "", "crashed"),
    ("gecode", UNSAT, "=====UNSATISFIABLE=====\n", "unsat"),
    ("gecode", TWO, "=====UNKNOWN=====\n", "partial"),
    ("gecode", TWO, "cells = array1d(1..4, [true, false, false, true]);\n----------\n"
     "cells = array1d(1..4, [false, true, true, false]);\n----------\n==========\n", "multiple"),
    ("chuffed", CAT,
     "cells = array1d(1..9 ,[1, 0, 1, 1, 1, 1, 0, 1, 0]);\n----------\n==========\n", "unique"),
    ("chuffed", CAT, "cells = [true,false];\n----------\n", "crashed"),
    ("chuffed", CAT, "----------\n==========\n", "crashed"),
    ("kissat", TWO, "c Kissat\ns SATISFIABLE\nv 1 0\n", "crashed"),
    ("kissat", TWO, "s SATISFIABLE\nv 1 -2 -3 4 99999 0\n", "crashed"),
    ("kissat", TWO, "s SATISFIABLE\ns UNSATISFIABLE\n", "crashed"),
    ("kissat", TWO, "c nothing\n", "crashed"),
    ("kissat", TWO, "s UNKNOWN\n", "partial"),
    ("kissat", TWO, "s UNSATISFIABLE\n", "unsat"),
]  # fmt: skip


def printing(name: str, output: str, folder: Path) -> Command:
    """Return a shipped solver with a program in its place that prints what was recorded."""
    declared = read_declaration(find_solver(Path(f"{name}.yaml")))
    program = folder / "program"
    words = [str(program), *declared.command[1:]]
    (folder / "output").write_text(output)
    target = f"> {declared.output_file}" if declared.output_file else ""
    program.write_text(f"#!/bin/sh\ncat {folder}/output {target}\n")
    program.chmod(0o755)
    changed = Declaration.model_validate(declared.model_dump() | {"command": words})
    backend = class_of(changed)(None)
    assert isinstance(backend, Command)
    return backend


@pytest.mark.parametrize(("name", "puzzle", "output", "expected"), OUTPUTS)
def test_outputs_of_public_solvers_are_read(name, puzzle, output, expected, tmp_path):
    backend = printing(name, output, tmp_path)
    found = or_crashed(lambda: run_backend(backend, puzzle, Request(limits=Limits(wall=20)), StopFlag()))
    if expected == "crashed":
        assert (found.answer, found.termination) == (Answer.UNKNOWN, "crashed")
        assert "cannot be read" in found.message or "no grid" in found.message
    else:
        assert (found.answer, found.termination) == (Answer(expected), "ok"), found.message


INSTALLED = {"cadical": 300, "minisat": 300, "kissat": 300, "gecode": 1000, "chuffed": 1000}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", INSTALLED)
def test_a_solver_that_is_installed_conforms(name, check):
    declared = read_declaration(find_solver(Path(f"{name}.yaml")))
    if not shutil.which(declared.command[0]):
        pytest.skip(f"{declared.command[0]} is not installed")
    check(class_of(declared)(None), 20 * INSTALLED[name])


def test_every_shipped_solver_is_tested_and_found_by_its_name(tmp_path, monkeypatch):
    assert {f"{name}.yaml" for name in ({name for name, *_ in OUTPUTS} | {*INSTALLED})} == {*solvers()}
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cadical").write_text("#!/bin/sh\n")
    (tmp_path / "cadical").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    for given in ("cadical.yaml", "examples/solvers/cadical.yaml"):
        assert '"name":"cadical"' in canonical_spec(given)


def test_a_formula_is_settled_without_the_solver_where_lines_decide(tmp_path):
    for puzzle, answer in ((CAT, Answer.UNIQUE), (UNSAT, Answer.UNSAT)):
        backend = printing("kissat", "nothing", tmp_path)
        found = run_backend(backend, puzzle, Request(), StopFlag())
        assert found.answer is answer
        assert found.stats["program_runs"] == 0


def test_a_second_solution_is_asked_for_by_a_clause(tmp_path):
    backend = printing("kissat", "s SATISFIABLE\nv 1 -2 -3 4 0\n", tmp_path)
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\nfor file; do :; done; cp $file {tmp_path}/asked; cat {tmp_path}/output\n")
    run = Run(Request(Task.SOLVE), StopFlag())
    first = next(backend.search(TWO, run))
    question = (tmp_path / "asked").read_text().split("\n", 1)
    list_of = backend.search(TWO, Run(Request(), StopFlag()))
    assert next(list_of) == first
    assert next(list_of) == first  # a solver that ignores the clause gives the same again
    asked = (tmp_path / "asked").read_text().split("\n", 1)
    clauses = [int(head[0].split()[3]) for head in (question, asked)]
    assert clauses[1] == clauses[0] + 1
    assert asked[1].startswith(question[1])
