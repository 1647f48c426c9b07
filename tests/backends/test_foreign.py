"""Plug-ins describe themselves in a process of their own: their code does not run in the one that asks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from nonocsp.backends import foreign, installed
from nonocsp.backends.registry import canonical_spec, complete_names
from nonocsp.model import BackendError, UsageError
from nonocsp.processes import short_run
from nonocsp.processes.starting import can_isolate
from nonocsp.run.provenance import versions
from tests.waiting import AMPLE_S, wait_until

GUEST = """
from dataclasses import dataclass
from typing import Annotated
from annotated_doc import Doc
from nonocsp.backends.settle import Settle

@dataclass(frozen=True, slots=True)
class Options:
    depth: Annotated[int, Doc("how deep")] = 3

class Guest(Settle):
    Options = Options
    requires = ("yaml",)
"""

WRITES = """
import os
def write(text):
    for end in range(3, 9):
        try:
            os.write(end, text)
        except OSError:
            pass
if True:
   """
"""Writes to whatever is open."""
CLAIM = {"spec": "guest", "requires": ["numpy"], "complete": True, "extra": "", "options": []}
KILLS = """
import os, signal, time
others = {os.getppid()}
if os.environ["ISOLATED"]:
    others |= {1, int(os.environ["ASKER"])}
for number in (signal.SIGSTOP, signal.SIGKILL):
    for pid in others:
        try:
            os.kill(pid, number)
        except OSError:
            pass
if not os.environ["ISOLATED"]:
    time.sleep(60)  # a killed process takes its time to end on a busy machine, and this one ends with it
"""
"""Stops and kills who asks, as far as it can be seen."""
ASKS = """
import os, sys
from nonocsp.processes import short_run
from nonocsp.backends.registry import canonical_spec
from nonocsp.model import BackendError
os.environ["ASKER"] = str(os.getpid())
if not os.environ["ISOLATED"]:
    short_run.can_isolate = lambda: False
try:
    print(canonical_spec("guest"))
except BackendError as error:
    print(error)
print(canonical_spec("settle"))
"""
LEAVES = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)
os.wait()
open(os.path.join(os.environ["TMPDIR"], "left"), "w").close()
open("here", "w").close()
for _ in range(1200):
    os.mkdir("deep")
    os.chdir("deep")
os.chmod(".", 0)
if os.environ["ISOLATED"]:
    open("/dev/shm/" + os.environ["GUEST_MARK"], "w").close()
"""
"""Leaves a process in a session of its own, files, and shared memory."""


@pytest.fixture(params=[True, False], ids=["isolated", "open"])
def isolated(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether plug-ins run in namespaces here."""
    if not request.param:
        monkeypatch.setattr(short_run, "can_isolate", lambda: False)
    elif not can_isolate():
        pytest.skip("this system lets this user have no namespaces")
    monkeypatch.setenv("ISOLATED", "yes" if request.param else "")
    return bool(request.param)


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Install a backend ``guest`` whose module has some lines before or after the class."""

    def register(source: str) -> None:
        info = tmp_path / "guest-1.5.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: guest\nVersion: 1.5\n")
        (info / "entry_points.txt").write_text("[nonocsp.backends]\nguest = guest_module:Guest\n")
        (tmp_path / "guest_module.py").write_text(source)
        monkeypatch.syspath_prepend(tmp_path)
        forget()

    monkeypatch.setenv("GUEST_MARK", uuid4().hex)

    def forget() -> None:
        installed.registered.cache_clear()
        versions.cache_clear()
        foreign.known.clear()

    yield register
    monkeypatch.undo()
    forget()


def test_a_plug_in_is_described_without_being_imported_here(install: Callable[[str], None]) -> None:
    install(f"import time\ntime.perf_counter = lambda: 0.0\nprint('noise')\n{GUEST}")
    assert canonical_spec("guest:depth=3") == "guest"
    assert canonical_spec(" guest:depth=7") == "guest:depth=7"
    found = versions("guest")
    assert found["guest"] == "1.5"
    assert "PyYAML" in found
    assert "guest_module" not in sys.modules
    assert time.perf_counter() > 0.0


def test_a_wrong_option_of_a_plug_in_is_told_as_that_of_any_backend(install: Callable[[str], None]) -> None:
    install(GUEST)
    with pytest.raises(UsageError, match="has no option 'deep'"):
        canonical_spec("guest:deep=1")
    with pytest.raises(UsageError, match="depth=x does not fit; expected int"):
        canonical_spec("guest:depth=x")


def test_a_plug_in_is_asked_about_many_specs_in_one_process(
    install: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    install(GUEST)
    specs = [f"guest:depth={depth}" for depth in range(200)]
    foreign.learn([*specs, "guest:depth=x", "settle"])
    monkeypatch.setattr(foreign, "_ask", lambda name, specs: pytest.fail("asked again"))
    assert [canonical_spec(spec) for spec in specs] == [*specs[:3], "guest", *specs[4:]]
    with pytest.raises(pytest.fail.Exception):
        canonical_spec("guest:depth=x")  # an error is told by a process of its own


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("raise RuntimeError('out of order')", "cannot be loaded: out of order"),
        (
            "raise RuntimeError('out\\nof\\x1b[2J order' + '!' * 10**5)",
            r"cannot be loaded: out of \[2J order!+…$",
        ),
        ("import os; os._exit(3)", "its import broke its process, which ended with exit code 3"),
        ("import os; os.kill(os.getpid(), 9)", "its import killed its process with SIGKILL"),
        ("import ctypes; ctypes.string_at(0)", "its import killed its process with SIGSEGV"),
        ("raise SystemExit", "its import broke its process, which ended with exit code 0"),
        ("x = bytearray(3 << 30)", "cannot be loaded: MemoryError"),
        (
            f"{WRITES} while True: write(b'x' * 65536)",
            "its import wrote more than 4 MiB in place of an answer",
        ),
        (f"{GUEST}    requires = ('no_such_module',)", "needs no_such_module"),
        (f"{WRITES} write(b'{{}}')\n{GUEST}", "its import broke its process"),
    ],
)
def test_a_plug_in_that_breaks_at_import_says_why_it_is_not_available(
    install: Callable[[str], None], source: str, reason: str
) -> None:
    install(source)
    with pytest.raises(BackendError, match=reason):
        canonical_spec("guest")


def test_a_plug_in_that_hangs_at_import_is_given_up(
    install: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    install("import time\ntime.sleep(600)")
    monkeypatch.setattr(foreign, "WAIT_S", 1.0)
    with pytest.raises(BackendError, match="its import took more than 1 s"):
        canonical_spec("guest")
    assert not processes_with("GUEST_MARK", os.environ["GUEST_MARK"])


@pytest.mark.parametrize(
    "claim",
    [
        {**CLAIM, "spec": "other"},
        {**CLAIM, "spec": f"guest:depth={'1' * 9000}"},
        {**CLAIM, "spec": "guest:depth=\ud800"},
        {**CLAIM, "requires": ["numpy"] * 101},
        {**CLAIM, "requires": ["n" * 201]},
        {**CLAIM, "requires": [1]},
        {**CLAIM, "complete": "yes"},
        {**CLAIM, "options": [{"name": "depth"}]},
        {**CLAIM, "options": [{"name": "depth", "type": "int", "default": 3, "help": ""}]},
        {"spec": "guest"},
        "guest",
    ],
)
def test_nonsense_that_a_plug_in_says_of_itself_is_an_error(
    claim: object, install: Callable[[str], None]
) -> None:
    answer = json.dumps([claim]).encode()
    install(f"{WRITES} write({answer!r})\nos._exit(0)")
    with pytest.raises(BackendError, match=r"backend 'guest' is not available: what it says .* no sense"):
        canonical_spec("guest")


def test_a_plug_in_whose_threads_never_end_is_described_at_once(install: Callable[[str], None]) -> None:
    install(f"import threading, time\nthreading.Thread(target=time.sleep, args=(600,)).start()\n{GUEST}")
    before = time.monotonic()
    assert canonical_spec("guest:depth=7") == "guest:depth=7"
    assert time.monotonic() - before < foreign.WAIT_S


def test_nothing_that_an_import_starts_or_makes_is_left(
    install: Callable[[str], None], isolated: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    install(f"{LEAVES}{GUEST}")
    before = {*tmp_path.iterdir()}
    assert canonical_spec("guest:depth=7") == "guest:depth=7"
    assert {*tmp_path.iterdir()} - {tmp_path / "__pycache__"} == before  # Python may have compiled the module
    assert not Path("/dev/shm", os.environ["GUEST_MARK"]).exists()
    assert not processes_with("GUEST_MARK", os.environ["GUEST_MARK"])


def test_an_import_cannot_stop_or_kill_the_process_that_asks(
    install: Callable[[str], None], isolated: bool, tmp_path: Path
) -> None:
    install(f"{KILLS}{GUEST}")
    asker = subprocess.run(
        [sys.executable, "-c", ASKS],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
        timeout=AMPLE_S,
    )
    said, other = asker.stdout.splitlines()
    killed = "backend 'guest' is not available: its import killed its process with SIGKILL"
    assert said == ("guest" if isolated else killed)
    assert (asker.returncode, other) == (0, "settle")


def test_a_process_that_asks_and_dies_takes_the_plug_in_along(
    install: Callable[[str], None], isolated: bool, tmp_path: Path
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    install("import time\nopen('started', 'w').close()\ntime.sleep(600)")
    asker = subprocess.Popen(
        [sys.executable, "-c", ASKS],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "TMPDIR": str(temporary),
        },
        stdout=subprocess.DEVNULL,
    )
    wait_until(lambda: [*temporary.rglob("started")])
    asker.kill()
    asker.wait()
    wait_until(lambda: not processes_with("GUEST_MARK", os.environ["GUEST_MARK"]))
    assert [*temporary.iterdir()] == []


def test_complete_plug_ins_are_found_without_being_imported_here(install: Callable[[str], None]) -> None:
    install(GUEST)
    assert "guest" not in complete_names()  # settling alone decides not every puzzle
    foreign.known.clear()
    (Path(sys.path[0]) / "guest_module.py").write_text(
        f"{GUEST}\n    capabilities = __import__('nonocsp.backends.base').backends.base.Capabilities()"
    )
    assert "guest" in complete_names()
    assert "guest_module" not in sys.modules


def processes_with(variable: str, value: str) -> list[int]:
    """Return the other processes that have a variable in their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                is_zombie = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()[0] == "Z"
                has_it = f"{variable}={value}".encode() in (entry / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if has_it and not is_zombie:
                found.append(int(entry.name))
    return found
