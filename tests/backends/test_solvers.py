"""Backends around other solvers: their options, ends that claim nothing, what is missing, limits."""

import json
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from uuid import uuid4

import psutil
import pytest
from typer.testing import CliRunner, Result

from nonocsp.backends.base import Answer, Limits, Request, Task, Termination
from nonocsp.backends.registry import create, info
from nonocsp.backends.solvers import cpmpy
from nonocsp.backends.solvers.minizinc import MODELS
from nonocsp.cli.app import app
from nonocsp.datasets import random_set
from nonocsp.model import BackendError, Puzzle, UsageError
from nonocsp.run import create as create_executor
from nonocsp.run.jobs import Executor, Job
from nonocsp.testing import n_dom, permutations, solutions
from tests.backends.asking import outcome_of
from tests.waiting import AMPLE_S, wait_until


def needs(*specs: str) -> list[object]:
    """Return specs, of which those that cannot run here are skipped."""
    marked: list[object] = []
    for spec in specs:
        try:
            create(spec)
        except BackendError as error:
            marked.append(pytest.param(spec, marks=pytest.mark.skip(reason=str(error))))
        else:
            marked.append(spec)
    return marked


needs_minizinc = pytest.mark.skipif(not shutil.which("minizinc"), reason="apt install minizinc")


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("cpsat:workers=0", "workers=0 does not fit"),
        ("cpsat:parameters=linearisation_level:0", "CP-SAT has no parameter 'linearisation_level'"),
        ("cpsat:parameters=symmetry_level:0 parse_text_format:1", "no parameter 'parse_text_format'"),
        ("cpsat:parameters=linearization_level:low", "'linearization_level:low' does not fit"),
        ("cpsat:parameters=linearization_level: 0", "'linearization_level:' does not fit"),
        ("cpsat:parameters=num_workers:4", "num_workers is set by workers=N"),
        ("cpsat:parameters=random_seed:4", "random_seed is set by the seed of the request"),
        ("milp:parameters=presolving:off", "HiGHS has no option 'presolving'"),
        ("milp:parameters=presolve:sometimes", "presolve:sometimes does not fit"),
        ("milp:parameters=mip_detect_symmetry:maybe", "mip_detect_symmetry:maybe does not fit"),
        ("milp:parameters=mip_max_nodes:many", "mip_max_nodes:many does not fit"),
        ("milp:parameters=presolve", "presolve: does not fit"),
        ("milp:parameters=threads:4", "option threads of HiGHS is set by the backend, to 1"),
        ("milp:parameters=random_seed:4", "option random_seed of HiGHS is set by the seed of the request"),
    ],
)
def test_an_option_that_a_solver_does_not_take_is_a_usage_error_that_names_it(spec, complaint):
    if spec.startswith("milp"):
        pytest.importorskip("highspy")
    with pytest.raises(UsageError, match=complaint):
        create(spec)


@pytest.mark.parametrize(
    "spec",
    needs(
        "cpsat:parameters=stop_after_first_solution:true",
        "cpsat:parameters=max_deterministic_time:0",
        "milp:parameters=mip_max_nodes:0 presolve:off",
    ),
)
def test_a_search_cut_short_by_a_parameter_claims_nothing(spec):
    with pytest.raises(BackendError, match="ended before its search did"):
        outcome_of(n_dom(8) if spec.startswith("milp") else permutations(4), spec)


@pytest.mark.parametrize("spec", needs("cpmpy", "asp", "milp", "minizinc", "cpsat"))
def test_candidates_with_a_hole_are_kept_apart(spec):
    clues = [[(1, 1), (1, 3)], [(1, 3), (1, 1)]]
    puzzle = Puzzle.from_clues(clues, clues)
    assert {*outcome_of(puzzle, spec, Task.COUNT).solutions} == {*solutions(puzzle)}


@pytest.mark.parametrize(
    ("spec", "counts"),
    [
        ("asp", ("rules", "atoms", "choices")),
        ("milp", ("solves", "variables", "constraints")),
        ("minizinc", ("nodes", "flat_s")),
        ("cpmpy", ("variables", "constraints")),
    ],
)
def test_a_solver_leaves_its_counts(spec, counts):
    try:
        outcome = outcome_of(n_dom(5), spec)
    except BackendError as error:
        pytest.skip(str(error))
    assert outcome.answer is Answer.UNIQUE
    assert all(float(outcome.stats[name]) > 0 for name in counts)


def hard(side: int) -> Puzzle:
    return next(iter(random_set(2017, count=1, rows=side, columns=side, density=0.5)))


@pytest.mark.parametrize("spec", needs("milp", "asp"))
def test_a_search_that_is_cut_off_ends_in_time_and_keeps_its_counts(spec):
    count = {"asp": "conflicts", "milp": "variables"}[spec]
    for wall in (0.5, 4.0, 30.0):  # on a busy machine the first may end while the program is made
        outcome = outcome_of(hard(45) if spec == "milp" else n_dom(14), spec, limits=Limits(wall=wall))
        assert (outcome.answer, outcome.termination) == (Answer.UNKNOWN, Termination.WALL)
        if count in outcome.stats:
            break
    assert int(outcome.stats[count]) > 0


@needs_minizinc
def test_a_limit_ends_minizinc_and_its_solver(monkeypatch):
    mark = uuid4().hex
    monkeypatch.setenv("STARTED_BY", mark)
    assert outcome_of(n_dom(14), "minizinc", limits=Limits(wall=1.5)).termination is Termination.WALL
    wait_until(lambda: not any(is_marked(process, mark) for process in psutil.process_iter()))


def is_marked(process: psutil.Process, mark: str) -> bool:
    """Return whether a process runs that was started with a mark in its environment."""
    with suppress(psutil.Error):
        return process.environ().get("STARTED_BY") == mark
    return False


@pytest.fixture(scope="module", params=["fork", "warm"])
def executor(request) -> Iterator[Executor]:
    with create_executor(request.param, 1) as executor:
        yield executor


@pytest.mark.slow
@pytest.mark.parametrize("spec", needs("asp", "milp", "cpmpy", "minizinc"))
def test_a_solver_answers_and_obeys_its_limits(executor, spec):
    requests = [
        (n_dom(3), Limits(wall=AMPLE_S)),
        (hard(60), Limits(cpu=0.5, wall=AMPLE_S)),
        (hard(60), Limits(memory=24 << 20, wall=AMPLE_S)),
        (hard(60), Limits(wall=0.5)),
        (n_dom(3), Limits(wall=AMPLE_S)),
    ]
    jobs = [Job(puzzle, spec, Request(limits=limits)) for puzzle, limits in requests]
    measured = [one.outcome for _, one in executor.run(jobs)]
    ends = [outcome.termination for outcome in measured]
    assert ends == [Termination.OK, Termination.CPU, Termination.MEMORY, Termination.WALL, Termination.OK]
    assert measured[0].answer is measured[-1].answer is Answer.UNIQUE
    assert measured[1].cpu_s >= 0.5
    assert measured[3].wall_s >= 0.5
    running = [process.name() for process in psutil.Process().children(recursive=True)]
    assert not [name for name in running if "minizinc" in name or "gecode" in name]


@pytest.mark.slow
@pytest.mark.parametrize("spec", needs(*(f"cpmpy:solver={name},model=mdd" for name in cpmpy.NEEDS)))
def test_a_solver_that_holds_the_interpreter_is_ended_in_time(spec):
    outcome = outcome_of(n_dom(14), spec, limits=Limits(wall=2.0))
    ends = {Termination.WALL: (Answer.UNKNOWN, Answer.SOLVED), Termination.OK: (Answer.UNIQUE,)}
    assert outcome.answer in ends[outcome.termination]


# What is missing


def test_the_options_of_minizinc_and_cpmpy_are_the_models_and_solvers_that_there_are():
    options = {option.name: option.type.split("|") for option in info("minizinc").options()}
    assert sorted(options["model"]) == sorted(path.stem for path in MODELS.glob("*.mzn"))
    options = {option.name: option.type.split("|") for option in info("cpmpy").options()}
    assert options["solver"] == [*cpmpy.NEEDS]


def test_a_missing_solver_is_named_with_what_to_install(monkeypatch):
    pytest.importorskip("cpmpy")
    found = cpmpy.find_spec
    monkeypatch.setattr(cpmpy, "find_spec", lambda name: None if name == "z3" else found(name))
    advice = r"solver=z3 is not available: needs z3: pip install 'nonocsp\[sol"
    with pytest.raises(BackendError, match=advice):
        create("cpmpy:solver=z3")

    def cli(*arguments: str) -> Result:
        return CliRunner().invoke(app, list(arguments))

    (record,) = map(json.loads, cli("backends", "cpmpy", "--json").stdout.splitlines())
    assert record["available"] is True
    missing = record["missing_choices"]
    assert missing["solver=z3"] == "needs z3: pip install 'nonocsp[solvers]'"
    assert missing.keys() <= {"solver=z3", "solver=exact"}  # Exact is not in the extra
    assert "not solver=z3" in " ".join(cli("backends", "cpmpy").stdout.split())
    looked_at = map(json.loads, cli("doctor", "--json").stdout.splitlines())
    (value,) = [found["value"] for found in looked_at if found["name"] == "backend cpmpy"]
    assert "but not solver=" in value
    assert value.endswith("solver=z3")


def test_no_solver_is_imported_to_see_whether_it_is_there():
    modules = ("clingo", "cpmpy", "highspy", "ortools", "pychoco", "pysat", "z3")
    script = (
        "import sys; from nonocsp.backends.registry import info, names\n"
        "for name in names(): info(name).missing_choices\n"
        f"print([module for module in {modules} if module in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ("", "minizinc ended before its search did: status unknown, exit code 3, last words: oh dear"),
        ('{"type": "status", "status": "UNKNOWN"}\n', "status UNKNOWN, exit code 3"),
        ('{"type": "error", "what": "type error", "message": "bad"}', "minizinc, type error: bad"),
        ("Segmentation fault\n", "status unknown, exit code 3"),
    ],
)
def test_whatever_ends_minizinc_early_claims_nothing(said, complaint, tmp_path, monkeypatch):
    program = tmp_path / "minizinc"
    program.write_text(f"#!/bin/sh\n{shutil.which('cat')} {tmp_path}/said\necho oh dear >&2\nexit 3\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    (tmp_path / "said").write_text(said)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(BackendError, match=complaint):
        outcome_of(permutations(3), "minizinc")


def test_without_the_program_the_backend_says_how_to_install_it(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackendError, match="needs the program minizinc: apt install minizinc"):
        create("minizinc:solver=new")  # specs that could run are not looked up again
