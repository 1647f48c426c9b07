"""Executor cgroup, with BenchExec where it works; otherwise its error messages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import psutil
import pytest

from nonocsp.backends.base import Answer, Limits, Request, Termination
from nonocsp.model import BackendError, Puzzle, UsageError
from nonocsp.processes.guard import descendants
from nonocsp.processes.starting import Access
from nonocsp.run import cgroup, create
from nonocsp.run.jobs import Executor, Job, Measurement
from nonocsp.run.worker import control_groups
from nonocsp.run.worker.control_groups import GroupTree, made_by_benchexec, remove_groups
from nonocsp.run.worker.group import LEFT, RUNEXEC, read_report
from tests.waiting import AMPLE_S, wait_until

pytestmark = pytest.mark.usefixtures("unruly")

DOTS = Puzzle.from_clues([[1]] * 3, [[1]] * 3)
MIB = 2**20


@pytest.fixture(scope="module")
def real() -> None:
    """Skip a test that needs control groups, and rights to use them."""
    if problem := cgroup.cgroup_problem():
        pytest.skip(problem)


@pytest.fixture
def executor(real: None, tmp_path: Path) -> Iterator[Executor]:
    with create("cgroup", 1, pin=True, access=Access(writable=(str(tmp_path),))) as executor:
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
import os, resource, subprocess, sys
options, command = sys.argv[1 : sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1 :]
memory = int(options[options.index("--memlimit") + 1].rstrip("B"))
if memory == 1:
    print("terminationreason=failed")
elif memory == 2:
    sys.exit("no rights")
elif memory == 3:
    os.kill(os.getpid(), 9)
elif memory < 10**6:
    print("terminationreason=memory", "exitsignal=9", "cputime=0.25s", f"memory={memory}B", sep="\\n")
else:
    job = open(options[options.index("--input") + 1])
    code = subprocess.run(command, stdin=job, stdout=subprocess.DEVNULL).returncode
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    print(f"exitsignal={-code}" if code < 0 else f"returnvalue={code}")
    print(f"cputime={used:.9f}s", "memory=12345678B", sep="\\n", flush=True)
    exec(os.environ.get("ENDING", ""))
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


@pytest.mark.parametrize("memory", [1, 2])
def test_a_run_that_runexec_cannot_start_is_an_error_that_says_how_to_find_the_cause(
    imitation: None, memory: int
) -> None:
    with (
        create("cgroup", 1) as executor,
        pytest.raises(BackendError, match="runexecutor --no-container"),
    ):
        measure(executor, "brute", Limits(memory=memory))


def test_a_run_whose_runexec_is_killed_before_it_starts_is_killed(imitation: None) -> None:
    with create("cgroup", 1) as executor:
        assert measure(executor, "brute", Limits(memory=3)).outcome.termination is Termination.KILLED


@pytest.mark.parametrize(
    ("ending", "termination", "message"),
    [
        ("os.kill(os.getpid(), 9)", Termination.KILLED, "BenchExec died of SIGKILL"),
        ("sys.exit(3)", Termination.CRASHED, "BenchExec ended with exit code 3"),
        ("os.write(1, bytes(10**6))", Termination.CRASHED, "BenchExec gave no usable report"),
    ],
)
def test_a_report_counts_only_if_runexec_ends_by_itself_and_says_no_more(
    imitation: None, monkeypatch: pytest.MonkeyPatch, ending: str, termination: Termination, message: str
) -> None:
    monkeypatch.setenv("ENDING", ending)
    with create("cgroup", 1) as executor:
        bad = measure(executor, "brute", Limits(memory=500 * MIB))
    assert bad.outcome.termination is termination
    assert message in bad.outcome.message
    assert not bad.outcome.solutions
    assert bad.peak_rss_bytes is None


@pytest.mark.parametrize(
    ("said", "report"),
    [
        (b"returnvalue=0\nmemory=5B\n", (0, None, 5)),
        (b"terminationreason=memory\nexitsignal=9\nreturnvalue=7\n", (-9, Termination.MEMORY, None)),
        (b"\xff\xfe=1\nmemory=\xff5B\nreturnvalue=0x1\n", (None, None, None)),
        (b"memory=" + b"9" * 5000 + b"B\nexitsignal=-9\nterminationreason=\xd9\xa3\n", (None, None, None)),
        ("memory=\u0663B\n".encode(), (None, None, None)),  # a digit, but no ASCII
    ],
)
def test_what_is_no_number_in_a_report_is_unknown(
    said: bytes, report: tuple[int | None, Termination | None, int | None]
) -> None:
    assert read_report(said) == report


CONFINED = """
import ctypes, errno, json, os, sys
from nonocsp.run.worker.confinement import confine
if not confine():
    print("null")
    sys.exit()

def failure(act):
    try:
        act()
    except OSError as error:
        return errno.errorcode[error.errno]

libc = ctypes.CDLL(None, use_errno=True)

def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "")

def change_folder(path):
    os.mkdir(path)
    os.rename(path, f"{path}-renamed")
    os.rmdir(f"{path}-renamed")

mounts = [line.split()[1:3] for line in open("/proc/self/mounts")]
folders = [place for place, kind in mounts if kind.startswith("cgroup")]
groups = [f"{place}/cgroup.procs" for place in folders]
one, other = sys.argv[1:]
print(json.dumps({
    "write": failure(lambda: open(f"{one}/file", "w").close()),
    "move": failure(lambda: os.rename(f"{one}/file", f"{other}/file")),
    "read a group": failure(lambda: open(groups[0]).close()),
    "write a group": [*{failure(lambda: open(group, "r+").close()) for group in groups}],
    "change a folder": failure(lambda: change_folder(f"{one}/folder")),
    "change a group": [*{failure(lambda: change_folder(f"{place}/{os.getpid()}")) for place in folders}],
    "write a setting": failure(lambda: open("/proc/sys/kernel/core_pattern", "r+").close()),
    "clone3": failure(lambda: checked(libc.syscall(435, None, 0))),
    "unshare": failure(lambda: checked(libc.unshare(0x10000000))),
    "fork": failure(lambda: os.fork() or os._exit(0)),
    "open a descriptor outside": failure(lambda: os.open(f"/proc/{os.getppid()}/fd/0", os.O_RDONLY)),
}))
"""


@pytest.fixture
def confined(tmp_path: Path) -> dict[str, Any]:
    """What a confined process finds that it can do; the test skips where Linux cannot confine it."""
    if " cgroup" not in Path("/proc/self/mounts").read_text():
        pytest.skip("this machine has no control groups mounted")
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    command = [sys.executable, "-P", "-c", CONFINED, str(tmp_path / "one"), str(tmp_path / "other")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=AMPLE_S)
    if (found := json.loads(done.stdout)) is None:
        pytest.skip("this system has no Landlock, or an old one")
    return dict(found)


def test_a_confined_process_can_do_everything_but_change_groups_or_settings_or_look_outside(
    confined: dict[str, Any],
) -> None:
    assert confined.pop("open a descriptor outside") in ("EACCES", "EPERM")
    assert confined == {
        **dict.fromkeys(("write", "move", "change a folder", "read a group", "fork")),
        "write a group": ["EACCES"],
        "change a group": ["EACCES"],
        "write a setting": "EACCES",
        "clone3": "ENOSYS",
        "unshare": "EPERM",
    }


@pytest.fixture
def isolated(hostile: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """What hostile backends need, which do nothing where they are not isolated."""
    monkeypatch.setenv("HOSTILE_OUTSIDE", str(Path("/proc/self/ns/pid").readlink()))


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["leaves-its-group", "forks-into-another-group"])
def test_memory_counts_wherever_a_run_wants_to_be(executor: Executor, isolated: None, backend: str) -> None:
    bad = measure(executor, backend, Limits(wall=AMPLE_S, memory=400 * MIB))
    assert bad.outcome.termination in (Termination.MEMORY, Termination.CRASHED)
    assert bad.outcome.termination is Termination.MEMORY or bad.outcome.message == LEFT


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["resets-its-figures", "renames-its-group"])
def test_a_run_cannot_change_what_its_group_has_counted(
    executor: Executor, isolated: None, confined: dict[str, Any], backend: str
) -> None:
    measurement = measure(executor, backend, Limits(wall=AMPLE_S, memory=400 * MIB))
    assert measurement.outcome.termination is Termination.OK
    assert measurement.outcome.cpu_s > 0.2
    assert measurement.peak_rss_bytes
    assert measurement.peak_rss_bytes > 100 * MIB


@pytest.mark.slow
def test_a_run_cannot_write_what_runexec_reports(executor: Executor, isolated: None) -> None:
    measurement = measure(executor, "forges-reports", Limits(wall=AMPLE_S, memory=400 * MIB))
    assert measurement.outcome.termination is Termination.OK
    assert measurement.peak_rss_bytes
    assert measurement.peak_rss_bytes > 10 * MIB


@pytest.mark.slow
def test_all_threads_of_a_run_are_confined_even_those_that_numpy_starts(
    real: None, isolated: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")
    with create("cgroup", 1) as executor:
        measurement = measure(executor, "lists-its-rights", Limits(wall=AMPLE_S))
    assert measurement.outcome.stats["without new rights"] in ("0", "1")  # without Landlock, or with it


def test_the_cpu_time_of_a_group_counts_whatever_its_name_and_once_it_is_removed(real: None) -> None:
    below = control_groups._cpu_file(os.getpid())[0].parent
    first, second = (below / f"{name}-{uuid4().hex}" for name in ("first", "second"))
    first.mkdir()
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as busy:
        try:
            (first / "cgroup.procs").write_text(str(busy.pid))
            tree = GroupTree(busy.pid)
            with suppress(PermissionError):  # version 2 forbids it
                first.rename(second)
            wait_until(lambda: tree.cpu_s() > 0)
        finally:
            busy.kill()
            busy.wait()
            used = tree.cpu_s()
            remove_groups([first, second])
    assert tree.cpu_s() == used
    assert tree.is_lost
    tree.close()


def groups_of_runs() -> set[Path]:
    """Return the control groups of the runs below this process."""
    return made_by_benchexec(descendants(os.getpid()))


@pytest.fixture
def meeting(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder with a file for each run of backend ``meeting`` that has begun; one alone does not end."""
    folder = tmp_path / "meeting"
    folder.mkdir()
    monkeypatch.setenv("MEETING", str(folder))
    return folder


def measure_while(executor: Executor, meeting: Path, act: Callable[[], None]) -> Measurement:
    """Measure a run, and do something as soon as it has begun."""

    def act_in_time() -> None:
        wait_until(lambda: any(meeting.iterdir()))
        act()

    with ThreadPoolExecutor(1) as pool:
        acting = pool.submit(act_in_time)
        measurement = measure(executor, "meeting", Limits(wall=AMPLE_S))
        acting.result()
    return measurement


@pytest.mark.slow
def test_a_run_that_is_outside_its_control_group_has_crashed(executor: Executor, meeting: Path) -> None:
    elsewhere = []

    def move() -> None:
        for group in groups_of_runs():
            if not (group / "cpuset.cpus").exists():  # a new group of that kind takes nobody
                elsewhere.append(group.with_name(f"elsewhere-{uuid4().hex}"))
                elsewhere[-1].mkdir()
                for pid in (group / "cgroup.procs").read_text().split():
                    (elsewhere[-1] / "cgroup.procs").write_text(pid)

    bad = measure_while(executor, meeting, move)
    for folder in elsewhere:
        wait_until(lambda folder=folder: not (folder / "cgroup.procs").read_text())
        folder.rmdir()
    assert elsewhere
    assert (bad.outcome.termination, bad.outcome.message) == (Termination.CRASHED, LEFT)
    assert bad.peak_rss_bytes is None


@pytest.mark.slow
def test_a_process_that_has_ended_is_not_outside_its_control_group(
    executor: Executor, isolated: None
) -> None:
    assert measure(executor, "keeps-a-zombie", Limits(wall=AMPLE_S)).outcome.termination is Termination.OK


@pytest.mark.slow
def test_nothing_stays_of_a_run_whose_runexec_was_killed(executor: Executor, meeting: Path) -> None:
    groups = set[Path]()

    def kill() -> None:
        groups.update(groups_of_runs())
        below = psutil.Process().children(recursive=True)
        (runexec,) = [process for process in below if RUNEXEC in " ".join(process.cmdline())]
        runexec.kill()

    bad = measure_while(executor, meeting, kill)
    assert bad.outcome.termination is Termination.KILLED
    assert bad.peak_rss_bytes is None
    assert groups
    assert not [group for group in groups if group.exists()]


@pytest.mark.slow
def test_no_control_group_stays_of_a_campaign_that_is_interrupted(real: None, meeting: Path) -> None:
    jobs = [Job(DOTS, backend, Request(limits=Limits(wall=AMPLE_S))) for backend in ("brute", "meeting")]
    with create("cgroup", 2, access=Access(writable=(str(meeting),))) as executor:
        measured = iter(executor.run(jobs))
        next(measured)
        wait_until(lambda: any(meeting.iterdir()))
        groups = groups_of_runs()
    assert groups
    assert not [group for group in groups if group.exists()]


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
