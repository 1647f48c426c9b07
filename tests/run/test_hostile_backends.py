"""Hostile backends harm nobody: other runs are as without them, and nothing of them is left.

The backends are in `tests/hostile`; each says how its runs must end.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import cycle, islice
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from nonocsp.backends.base import Limits, Request, Task, Termination
from nonocsp.model import BackendError, Puzzle
from nonocsp.processes.starting import can_isolate
from nonocsp.run import create
from nonocsp.run.jobs import Job, Measurement
from tests.listening import listening
from tests.waiting import wait_until

pytestmark = pytest.mark.usefixtures("hostile")

DOTS = Puzzle.from_clues([[1]] * 3, [[1]] * 3)
CROSS = Puzzle.from_clues([[1], [3], [1]], [[1], [3], [1]])
RING = Puzzle.from_clues([[5], [1, 1], [1, 1], [1, 1], [5]], [[5], [1, 1], [1, 1], [1, 1], [5]])
HONEST = [(puzzle, backend) for puzzle in (DOTS, CROSS, RING) for backend in ("settle", "hybrid", "brute")]
SHARES = {"fork": 2, "warm": 1, "dask": 1}
"""The number of tests in which an executor runs the hostile backends; they can run at the same time."""
SAMPLES = {"fork": 4, "warm": 1, "dask": 16}
"""For each executor a number n: one of every n hostile backends runs, with ``--all-hostile`` each of them.

A server of ``warm`` has many backends. Other executors start Python for each backend, or for each run.
"""
SLOW = ("dask",)
SYSTEM_V_KEY = 0x6E6F6E6F


@pytest.fixture(params=SAMPLES)
def name(request: pytest.FixtureRequest) -> str:
    skip_unavailable(request.param)
    return str(request.param)


def skip_unavailable(name: str) -> None:
    if name == "dask":
        pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def expected(hostile: object) -> dict[str, Any]:
    """What the honest runs give where no hostile backend runs, by job."""
    with create("warm", 1) as executor:
        alone = executor.run(islice(honest_jobs(), len(HONEST)))
        return {job.id: verdict(measurement) for job, measurement in alone}


@pytest.fixture
def mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A text in the environment of all processes that start, which have nothing left at the end."""
    mark = uuid4().hex
    for folder in ("here", "temporary"):
        (tmp_path / folder).mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("HOSTILE_MARK", mark)
    monkeypatch.setenv("HOSTILE_OUTSIDE", str(Path("/proc/self/ns/pid").readlink()))
    monkeypatch.setenv("HOSTILE_PRECIOUS", str(tmp_path))
    for variable in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(variable, str(tmp_path / "temporary"))
    monkeypatch.setattr("tempfile.tempdir", None)
    (tmp_path / "precious").write_text("stays")
    here = {*tmp_path.iterdir()}
    with listening(f"@{mark}", str(tmp_path / "here" / "socket")) as (port, heard):
        monkeypatch.setenv("HOSTILE_LISTENERS", f"{port} @{mark} {tmp_path / 'here' / 'socket'}")
        yield mark
        assert heard() == []
    assert (tmp_path / "precious").read_text() == "stays"
    assert {*tmp_path.iterdir()} == here
    assert [*(tmp_path / "here").iterdir()] == []
    assert [path for path in Path("/dev/shm").iterdir() if mark in path.name] == []
    for kind in ("shm", "sem", "msg"):
        keys = [int(line.split()[0]) for line in Path(f"/proc/sysvipc/{kind}").read_text().splitlines()[1:]]
        assert not {*range(SYSTEM_V_KEY, SYSTEM_V_KEY + 3)} & {*keys}
    # dask's processes, and the guards that clear up after them, take their time to end
    wait_until(lambda: not [*_marked(mark), *(tmp_path / "temporary").glob("nonocsp-*")])


def _marked(mark: str) -> Iterator[int]:
    """Yield the processes that have the mark in their environment, but this one and its resource tracker."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with suppress(OSError):
                is_ours = b"multiprocessing.resource_tracker" in (entry / "cmdline").read_bytes()
                if not is_ours and f"HOSTILE_MARK={mark}".encode() in (entry / "environ").read_bytes():
                    yield int(entry.name)


def honest_jobs() -> Iterator[Job]:
    """Yield jobs of well-behaved backends for ever; those with the same id are the same."""
    for number in cycle(range(len(HONEST))):
        puzzle, backend = HONEST[number]
        yield Job(puzzle, backend, Request(Task.COUNT, Limits(wall=30.0)), id=f"honest {number}")


def verdict(measurement: Measurement) -> tuple[Any, ...]:
    """Return what two measurements of one run share."""
    outcome = measurement.outcome
    found = (outcome.answer, outcome.termination, outcome.solutions, outcome.partial, outcome.message)
    return (*found, dict(outcome.stats), measurement.left)


@pytest.mark.slow
@pytest.mark.parametrize(
    "runs_in",
    [(name, share) for name, shares in SHARES.items() for share in range(shares)],
    ids=lambda runs_in: f"{runs_in[0]}-{runs_in[1]}",
)
def test_hostile_backends_end_as_they_must_and_no_other_run_notices_them(
    runs_in: tuple[str, int],
    mark: str,
    hostile: Mapping[str, type[Any]],
    expected: Mapping[str, Any],
    pytestconfig: pytest.Config,
) -> None:
    name, share = runs_in
    skip_unavailable(name)
    if not can_isolate():
        hostile = {name: kind for name, kind in hostile.items() if not kind.needs_namespaces}
    sample = 1 if pytestconfig.getoption("all_hostile") else SAMPLES[name]
    chosen = [*hostile][share :: SHARES[name] * sample]
    honest = honest_jobs()
    jobs = []
    for backend in chosen:
        jobs += [Job(DOTS, backend, Request(limits=hostile[backend].limits), id=backend), next(honest)]
    with create(name, 1) as executor:
        measured = list(executor.run(jobs))
    assert sorted(job.id for job, _ in measured) == sorted(job.id for job in jobs)
    faults = []
    for job, measurement in measured:
        if job.id in expected:
            if verdict(measurement) != expected[job.id]:
                faults.append(f"{job.id}: {verdict(measurement)}; expected {expected[job.id]}")
        else:
            faults += faults_of(job.id, measurement, hostile[job.backend])
    assert not faults, "\n".join(faults)


def faults_of(name: str, measurement: Measurement, kind: type[Any]) -> Iterator[str]:
    """Yield what is wrong with the measurement of a hostile backend."""
    outcome, left = measurement.outcome, measurement.left
    how = f"{name}: {outcome.termination}, {outcome.message!r}, left {left}"
    if outcome.termination not in kind.becomes:
        yield f"{how}; expected {kind.becomes}"
    elif kind.says not in outcome.message:
        yield f"{how}; expected {kind.says!r}"
    elif kind.leaves and not any(kind.leaves in text for text in left):
        yield f"{how}; expected {kind.leaves!r} to be left"
    elif left and not kind.leaves:
        yield f"{how}; expected that nothing is left"
    if outcome.solutions and outcome.termination not in (Termination.OK, Termination.WALL):
        yield f"{how}, with solutions"
    if not 0 <= outcome.wall_s < 60 or not 0 <= outcome.cpu_s < 60:
        yield f"{how}: {outcome.wall_s} s, {outcome.cpu_s} CPU seconds"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("backend", "termination"),
    [
        ("fails-to-import", Termination.CRASHED),
        ("sleeps-at-import", Termination.OK),
        ("works-in-its-constructor", Termination.OK),
    ],
)
def test_backends_that_act_when_they_are_imported_harm_only_their_own_runs(
    name: str, backend: str, termination: Termination, mark: str, pytestconfig: pytest.Config
) -> None:
    spare(name, "-at-import" in backend, pytestconfig)
    bad = Job(DOTS, backend, Request(limits=Limits(wall=0.3)))
    with create(name, 1) as executor:
        if name == "dask" and termination is Termination.CRASHED:  # the handshake has found out
            with pytest.raises(BackendError, match=f"no worker .* can run {backend}"):
                list(executor.run([bad]))
            return
        measured = [measurement for _, measurement in executor.run([bad, next(honest_jobs()), bad])]
    assert [each.outcome.termination for each in measured] == [termination, Termination.OK, termination]


@pytest.mark.parametrize(
    ("backend", "least_s"),
    [("hides-half-its-time", 0.15), ("turns-the-clock-back", 0.0), ("says-ended-early", 0.15)],
)
def test_the_time_of_a_run_is_not_what_the_backend_claims(
    name: str, backend: str, least_s: float, mark: str, pytestconfig: pytest.Config
) -> None:
    spare(name, backend != "hides-half-its-time", pytestconfig)
    with create(name, 1) as executor:
        ((_, measurement),) = executor.run([Job(DOTS, backend, Request(limits=Limits(wall=20.0)))])
    assert measurement.outcome.termination is Termination.OK
    assert measurement.outcome.wall_s >= least_s
    assert measurement.claimed_wall_s is None or 0 <= measurement.claimed_wall_s != measurement.outcome.wall_s


def test_no_backend_confines_the_processes_of_others(mark: str) -> None:
    if not can_isolate():
        pytest.skip("this system lets this user have no namespaces")
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("there is only one core")
    specs = ["busy", "slows-all-processes", "busy", "busy:seconds=0.001"]  # a known host, then a new one
    with create("warm", 1) as executor:
        measured = [each for _, each in executor.run(Job(DOTS, spec, Request()) for spec in specs)]
    assert {each.outcome.termination for each in measured} == {Termination.OK}
    first, _, known, new = (each.outcome.stats.get("cores") for each in measured)
    assert first == known == new


@pytest.mark.parametrize("name", ["fork", "warm"])
def test_nothing_that_one_backend_leaves_in_the_folders_is_there_for_another(name: str, mark: str) -> None:
    if not can_isolate():
        pytest.skip("this system lets this user have no namespaces")
    specs = ["writes-after-its-run", "finds-nothing", "marks-its-folders", "finds-nothing"] * 4
    jobs = (Job(DOTS, spec, Request(limits=Limits(wall=20.0))) for spec in specs)
    with create(name, 1) as executor:
        found = [each.outcome.message for job, each in executor.run(jobs) if job.backend == "finds-nothing"]
    assert found == [""] * 8


@pytest.mark.parametrize("name", ["fork", "warm"])
def test_a_run_sees_no_process_of_other_backends_and_cannot_wake_it(name: str, mark: str) -> None:
    if not can_isolate():
        pytest.skip("this system lets this user have no namespaces")
    specs = ["works-in-its-host", "wakes-hosts", "brute"]
    jobs = (Job(DOTS, spec, Request(limits=Limits(wall=20.0))) for spec in specs)
    with create(name, 1) as executor:
        measured = [each.outcome for _, each in executor.run(jobs)]
    assert {each.termination for each in measured} == {Termination.OK}
    assert measured[1].stats["seen"] == 1 + (name == "fork")  # its init process, and the host that forked it
    assert measured[1].cpu_s < 0.15  # of the .3 s in which the thread of the other could work


def spare(name: str, others_show_it: bool, config: pytest.Config) -> None:
    """Skip a case with a slow executor if other cases show the same, but with ``--all-hostile``."""
    if name in SLOW and others_show_it and not config.getoption("all_hostile"):
        pytest.skip(f"with {name}, only with --all-hostile")
