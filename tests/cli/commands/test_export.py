"""Puzzle, export, a real solver, decode: the grid fits, and what the solver decides is right.

``NONOCSP_EXPORTS=200 pytest tests/cli/commands/test_export.py`` takes 200 puzzles a language.
"""

import csv
import hashlib
import os
import re
import shutil
import subprocess
import sys
from itertools import count
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from nonocsp import solve
from nonocsp.backends.base import Answer
from nonocsp.bench.competition import FAMILIES
from nonocsp.exporting import LANGUAGES
from nonocsp.exporting.answers import read_answer
from nonocsp.exporting.languages import export
from nonocsp.exporting.variable_map import read_map
from nonocsp.formats import load_all
from nonocsp.model import Grid, Puzzle, UsageError, verify

COUNT = int(os.environ.get("NONOCSP_EXPORTS", "6"))


def cadical(path: Path) -> str:
    formula = pytest.importorskip("pysat.formula").CNF(from_file=str(path))
    with pytest.importorskip("pysat.solvers").Solver("cadical153", bootstrap_with=formula.clauses) as solver:
        if not solver.solve():
            return "c a comment\ns UNSATISFIABLE\n"
        return f"s SATISFIABLE\nv {' '.join(map(str, solver.get_model()))} 0\n"


def highs(path: Path) -> str:
    solver = pytest.importorskip("highspy").Highs()
    solver.setOptionValue("output_flag", False)
    solver.readModel(str(path))
    solver.run()
    solver.writeSolution(f"{path}.sol", 0)
    return Path(f"{path}.sol").read_text()


def z3(path: Path) -> str:
    return output_of(str(Path(sys.executable).with_name("z3")), str(path))


def gecode(path: Path) -> str:
    return output_of("fzn-gecode", str(path))


def output_of(program: str, *words: str) -> str:
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed")
    return subprocess.run([program, *words], check=False, capture_output=True, text=True, timeout=60).stdout


def cp_sat_on_opb(path: Path) -> str:
    """Read pseudo-Boolean constraints in the way of the competition, and solve them."""
    cp_model = pytest.importorskip("ortools.sat.python.cp_model")
    model, variables = cp_model.CpModel(), {}
    head, *lines = path.read_text().splitlines()
    for line in lines:
        terms, bound = re.fullmatch(r"((?:[+-]\d+ x\d+ )+)>= (-?\d+) ;", line).groups()
        pairs = [(int(weight), name) for weight, name in re.findall(r"([+-]\d+) (x\d+)", terms)]
        for _, name in pairs:
            variables.setdefault(name, model.new_bool_var(name))
        model.add(sum(weight * variables[name] for weight, name in pairs) >= int(bound))
    assert head.startswith(f"* #variable= {len(variables)} #constraint= {len(lines)}")
    solver = cp_model.CpSolver()
    if solver.solve(model) == cp_model.INFEASIBLE:
        return "s UNSATISFIABLE\n"
    return "v " + " ".join("-" * (not solver.value(one)) + name for name, one in variables.items())


def cp_sat_on_xcsp3(path: Path) -> str:
    """Read the two constraints of XCSP3 that an export has, and solve them."""
    cp_model = pytest.importorskip("ortools.sat.python.cp_model")
    model, tree = cp_model.CpModel(), ElementTree.parse(path)
    bounds = {one.get("id"): [*map(int, one.text.split(".."))] for one in tree.iter("var")}
    variables = {name: model.new_int_var(*both, name) for name, both in bounds.items()}
    for one in tree.iter("regular"):
        number = dict(zip(dict.fromkeys(re.findall(r"s\d+", ElementTree.tostring(one, "unicode"))), count()))
        steps = re.findall(r"\((s\d+),(\d+),(s\d+)\)", one.findtext("transitions"))
        model.add_automaton(
            [variables[name] for name in one.findtext("list").split()],
            number[one.findtext("start").strip()],
            [number[state] for state in one.findtext("final").split()],
            [(number[state], int(colour), number[following]) for state, colour, following in steps],
        )
    for one in tree.iter("extension"):
        cells = [variables[name] for name in one.findtext("list").split()]
        if (conflict := one.findtext("conflicts")) is not None:
            model.add_forbidden_assignments(cells, [tuple(map(int, conflict.strip(" ()").split(",")))])
        else:
            model.add_allowed_assignments(cells, [(int(word),) for word in one.findtext("supports").split()])
    solver = cp_model.CpSolver()
    if solver.solve(model) == cp_model.INFEASIBLE:
        return "s UNSATISFIABLE\n"
    values = " ".join(str(solver.value(one)) for one in variables.values())
    return f"v <list> {' '.join(variables)} </list>\nv <values> {values} </values>\nv </instantiation>"


SOLVERS = {
    "dimacs": cadical,
    "opb": cp_sat_on_opb,
    "flatzinc": gecode,
    "xcsp3": cp_sat_on_xcsp3,
    "smt2": z3,
    "lp": highs,
}


def puzzles(repository: Path) -> list[Puzzle]:
    """Return shipped pictures and random puzzles, of one colour and three."""
    shipped = [*load_all(repository / "datasets" / "showcase" / "puzzles")][: COUNT // 4]
    sizes = np.random.default_rng(1).integers(3, 9, (COUNT, 2)).tolist()
    made = [
        Puzzle.from_grid(np.random.default_rng(seed).integers(0, 2 + 2 * (seed % 2), size).astype(np.uint8))
        for seed, size in enumerate(sizes)
    ]
    return [Puzzle.from_clues([[3], [], [3]], [[1, 1], [2], [1, 1]]), *shipped, *made][:COUNT]


def asked(language: str, puzzle: Puzzle, folder: Path, **options) -> Grid | None:
    """Return what the language's solver says, read with the map from its file."""
    made = export(puzzle, language, **options)
    path, meaning = folder / f"puzzle{LANGUAGES[language]}", folder / "puzzle.map.json"
    path.write_text("".join(made.parts))
    meaning.write_text(made.map.text())
    return read_answer(read_map(str(meaning)), SOLVERS[language](path))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_solver_decides_what_is_exported(language, repository, tmp_path):
    for number, puzzle in enumerate(puzzles(repository)):
        options = {"root": number % 2 == 0, "encoding": ("order", "direct", "automaton")[number % 3]}
        answer = solve(puzzle).answer
        grid = asked(language, puzzle, tmp_path, **options)
        assert (grid is None) == (answer is Answer.UNSAT)
        if grid is not None:
            assert verify(puzzle, grid)
            other = asked(language, puzzle, tmp_path, without=grid, **options)
            assert (other is None) == (answer is Answer.UNIQUE)
            assert other is None or (verify(puzzle, other) and other != grid)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("family", FAMILIES)
def test_a_set_for_competitions_has_the_verdicts_that_a_solver_finds(cli, language, family, tmp_path):
    made, options = tmp_path / "set", ("--family", family, "--to", language, "--count", 3)
    assert cli("dataset", "pack", *options, "--output", made).exit_code == 0
    rows = [*csv.DictReader((made / "verdicts.csv").read_text().splitlines())]
    assert {row["instance"] for row in rows} == {path.name for path in (made / "instances").iterdir()}
    for row in rows:
        path = made / "instances" / row["instance"]
        assert hashlib.sha256(path.read_bytes()).hexdigest() == row["sha256"]
        grid = read_answer(read_map(f"{made}/maps/{path.name}.map.json"), SOLVERS[language](path))
        assert row["verdict"] == ("sat" if grid else "unsat")
    verdicts = [row["verdict"] for row in rows]
    summary = f"{verdicts.count('sat')} satisfiable and {verdicts.count('unsat')} unsatisfiable"
    assert summary in (made / "README.md").read_text()
    assert family == "transition" or verdicts == ["unsat", "sat"] * 3
    again = cli("dataset", "pack", *options, "--output", made)
    assert (again.exit_code, "has files" in again.stderr) == (2, True)


@pytest.mark.parametrize(
    ("language", "output", "answer"),
    [
        ("dimacs", "c kissat\ns SATISFIABLE\nv 1 -2\nv -3 4 0\n", "#. .#"),
        ("dimacs", "SAT\n-1 2 3 -4 0\n", ".# #."),
        ("dimacs", "SAT\n1 -2 -3 0\n", "no value for the variable 4 (row 2, column 2)"),
        ("dimacs", "UNSAT\n", None),
        ("dimacs", "s UNSATISFIABLE\nv 1 2 3 4 0\n", "says that there is none"),
        ("opb", "o 0\ns SATISFIABLE\nv x1 -x2 -x3 x4\n", "#. .#"),
        ("flatzinc", "x1 = true;\nx2 = false;\nx3 = false;\nx4 = true;\n----------\nx1 = false;\n", "#. .#"),
        ("flatzinc", "=====UNSATISFIABLE=====\n", None),
        ("smt2", "sat\n((x1 true)\n (x2 false) (x3 false) (x4 true))\n", "#. .#"),
        ("smt2", 'unsat\n(error "no model")\n', None),
        ("lp", "# Objective value = 0\nx1 0.9999999\nx2 0\nx3 -0\nx4 1\n", "#. .#"),
        (
            "lp",
            '<variable name="x1" index="0" value="1"/>\n<variable name="x4" index="3" value="1"/>',
            "#. .#",
        ),
        ("lp", "Optimal - objective value 0\n  0 x1  1  0\n  3 x4  1  0\n", "#. .#"),
        ("lp", "x1 0.5\n", "x1 is 0.5"),
        ("lp", "Model status\nInfeasible\n", None),
        ("xcsp3", "<list> r1c1 r1c2 r2c1 r2c2 </list> <values> 1 0x2 1 </values> </instantiation>", "#. .#"),
        ("xcsp3", "<list> r1c1 r1c2 r2c1 r2c2 </list> <values> 1 1 0 0 </values>", "row 1 is ##, its clue 1"),
        ("xcsp3", "s UNKNOWN\n", "no answer"),
    ],
)
def test_what_solvers_print_is_read_or_refused_with_its_place(language, output, answer):
    answer_of = export(Puzzle.from_clues([[1], [1]], [[1], [1]]), language).map
    if answer is None or set(answer) <= {*"#. "}:
        grid = read_answer(answer_of, output)
        assert (grid and " ".join(grid.strings())) == answer
    else:
        with pytest.raises(UsageError, match=re.escape(answer)):
            read_answer(answer_of, output)


def test_on_the_command_line_an_export_leads_back_to_a_grid(cli, records, files, tmp_path):
    target, grid = tmp_path / "two.cnf", tmp_path / "grid.txt"
    meaning, output = f"{target}.map.json", tmp_path / "two.out"
    refused = cli("convert", files("multiple"), "-", "--to", "dimacs")
    assert (refused.exit_code, "nonocsp export" in refused.stderr) == (2, True)
    assert cli("export", files("multiple"), "--to", "dimacs", "-o", target).exit_code == 0
    output.write_text("s SATISFIABLE\nv 1 -2 -3 4 0\n")
    shown = cli("decode", meaning, output)
    assert (shown.exit_code, "answer       solved" in shown.stdout) == (0, True)
    grid.write_text("#.\n.#\n")
    assert cli("export", files("multiple"), "--to", "dimacs", "-o", target, "--without", grid).exit_code == 0
    output.write_text("SAT\n-1 2 3 -4 0\n")
    assert records("decode", meaning, output, code=0)[0]["answer"] == "multiple"
    output.write_text("s UNSATISFIABLE\n")
    assert records("decode", meaning, output, code=1)[0]["answer"] == "unsat"
    assert cli("export", files("multiple"), "--to", "opb", "-o", "-").exit_code == 2
    text = Path(meaning).read_text()
    Path(meaning).write_text(text.replace('"x', '"y').replace("[1, 1,", "[9, 1,"))
    assert "no variable map" in cli("decode", meaning, output).stderr
