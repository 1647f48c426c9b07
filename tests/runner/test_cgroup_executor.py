"""Executor cgroup, with BenchExec where it works; otherwise its error messages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nonocsp.backends.base import Answer, Limits, Request, Termination
from nonocsp.model import BackendError, Puzzle, UsageError
from nonocsp.runner import cgroup, create
from nonocsp.runner.jobs import Executor, Job, Measurement

pytestmark = pytest.mark.usefixtures("unruly")

DOTS = Puzzle.from_clues([[1]] * 3, [[1]] * 3)
MIB = 2**20


@pytest.fixture(scope="module")
def real() -> None:
    """Skip a test that needs control groups, and rights to use them."""
    if problem := cgroup.cgroup_problem():
        pytest.skip(problem)


@pytest.fixture
def executor(real: None) -> Iterator[Executor]:
    with create("cgroup", 1, pin=True) as executor:
        yield executor


@pytest.fixture
def imitation(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A stand-in for runexec that takes its arguments, runs the command and answers as it would."""
    if " cgroup" not in Path("/proc/self/mounts").read_text():
        pytest.skip("this machine has no control groups mounted, from which the CPU time is read")
    (tmp_path / "benchexec").mkdir()
    (tmp_path / "benchexec" / "__init__.py").touch()
    (tmp_path / "benchexec" / "runexecutor.py").write_text(IMITATION)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(cgroup, "cgroup_problem", lambda: "")


IMITATION = """
import resource, subprocess, sys
options, command = sys.argv[1 : sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1 :]
memory = int(options[options.index("--memlimit") + 1].rstrip("B"))
if memory == 1:
    print("terminationreason=failed")
elif memory < 10**6:
    print("terminationreason=memory", "exitsignal=9", "cputime=0.25s", f"memory={memory}B", sep="\\n")
else:
    job = open(options[options.index("--input") + 1])
    code = subprocess.run(command, stdin=job, stdout=subprocess.DEVNULL).returncode
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    print(f"exitsignal={-code}" if code < 0 else f"returnvalue={code}")
    print(f"cputime={used:.9f}s", "memory=12345678B", sep="\\n")
"""


def measure(executor: Executor, backend: str, limits: Limits) -> Measurement:
    ((_, measurement),) = executor.run([Job(DOTS, backend, Request(limits=limits))])
    return measurement


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "limits", "termination"),
    [
        ("hang", Limits(wall=0.3), Termination.WALL),
        ("spin", Limits(cpu=0.3, wall=30.0), Termination.CPU),
        ("allocate", Limits(memory=200 * MIB, wall=30.0), Termination.MEMORY),
        ("segfault", Limits(wall=30.0), Termination.CRASHED),
    ],
)
def test_a_control_group_ends_a_run_at_its_limits(
    executor: Executor, how: str, limits: Limits, termination: Termination
) -> None:
    bad = measure(executor, f"unruly:how={how}", limits)
    assert bad.outcome.termination is termination
    if termination is Termination.MEMORY:
        assert bad.peak_rss_bytes
        assert bad.peak_rss_bytes <= 200 * MIB


def test_a_run_in_a_control_group_is_measured(executor: Executor) -> None:
    measurement = measure(executor, "brute", Limits(wall=30.0, memory=500 * MIB))
    assert (measurement.outcome.answer, measurement.executor) == (Answer.MULTIPLE, "cgroup")
    assert measurement.conditions.cores is not None
    assert measurement.peak_rss_bytes
    assert 10 * MIB < measurement.peak_rss_bytes < 200 * MIB  # the interpreter counts


def test_the_output_of_runexec_becomes_a_measurement(imitation: None) -> None:
    with create("cgroup", 1) as executor:
        good = measure(executor, "brute", Limits(memory=500 * MIB))
        killed = measure(executor, "brute", Limits(memory=5000))
        crashed = measure(executor, "unruly:how=segfault", Limits(memory=500 * MIB))
    assert good.outcome.answer is Answer.MULTIPLE
    assert good.peak_rss_bytes == 12345678
    assert killed.outcome.termination is Termination.MEMORY
    assert killed.peak_rss_bytes == 5000
    assert "SIGSEGV" in crashed.outcome.message


def test_a_run_that_runexec_cannot_start_is_an_error_that_says_how_to_find_the_cause(imitation: None) -> None:
    with (
        create("cgroup", 1) as executor,
        pytest.raises(BackendError, match="runexecutor --no-container"),
    ):
        measure(executor, "brute", Limits(memory=1))


def test_without_benchexec_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nonocsp.extras.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'nonocsp\[cgroup\]'"):
        create("cgroup", 1)


def test_without_usable_control_groups_the_error_names_the_cause_and_where_to_find_help(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("benchexec")
    package = tmp_path / "benchexec"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "check_cgroups.py").write_text("raise SystemExit('Cgroups are not available.')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(UsageError, match=r"Cgroups are not available\.; .*check_cgroups says how"):
        create("cgroup", 1)
