"""A server in namespaces of its own: what its runs see, what they cannot do, and when all of it ends."""

from __future__ import annotations

import json
import os
import platform
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

import psutil
import pytest

from nonocsp.backends.base import Answer, Limits, Request
from nonocsp.model import Puzzle
from nonocsp.processes import namespace, starting
from nonocsp.processes.starting import can_isolate
from nonocsp.run import create
from nonocsp.run.jobs import Job, Measurement
from tests.listening import listening
from tests.waiting import AMPLE_S, wait_for_ends

NOBODY = 65534
DOTS = Puzzle.from_clues([[1]] * 3, [[1]] * 3)

REPORT = """
import json, os, signal
signal.signal(signal.SIGINT, signal.SIG_DFL)
for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, signal.SIGINT):
    if os.fork() == 0:
        os.kill(1, number)  # the command
        os.kill(0, signal.SIGKILL)  # its group
        os._exit(0)
    os.wait()
seen = [name for name in os.listdir("/proc") if name.isdigit()]
shared = os.listdir("/dev/shm")
open("/dev/shm/mine", "w").close()
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
rights = int(status["CapBnd"], 16)
print(json.dumps([os.getpid(), os.getppid(), seen, shared, rights & ~0b11111011, os.getuid()]))
"""


@pytest.fixture(autouse=True)
def _namespaces() -> None:
    """Skip where this user may not have namespaces."""
    if not can_isolate():
        pytest.skip("this system lets this user have no namespaces")


def isolated(program: str, python: str = sys.executable) -> list[str]:
    return [python, "-I", "-S", namespace.__file__, python, "-I", "-c", program]


def run_isolated(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(isolated(program), capture_output=True, text=True, check=False, timeout=AMPLE_S)


def test_an_isolated_command_sees_only_itself_and_survives_signals_from_inside() -> None:
    done = run_isolated(REPORT)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [1, 0, ["1"], [], 0, os.getuid()]
    assert not Path("/dev/shm/mine").exists()


def test_ordinary_users_get_namespaces_where_the_system_lets_them() -> None:
    python = shutil.which("python3", path="/usr/bin")
    if os.getuid() != 0 or python is None:
        pytest.skip("only root can become another user, who needs a Python that is for all")
    command = isolated(REPORT, python)
    done = subprocess.run(command, user=NOBODY, group=NOBODY, capture_output=True, text=True, check=False)
    if "_unshare" in done.stderr:
        pytest.skip("this system lets ordinary users have no namespaces")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [1, 0, ["1"], [], 0, NOBODY]


@pytest.mark.parametrize(
    ("program", "code"),
    [
        ("raise SystemExit(3)", 3),
        ("import ctypes; ctypes.string_at(0)", -11),
        ("import os; os.fork() or os.execlp('sleep', 'sleep', '600')", 0),
    ],
)
def test_an_isolated_command_ends_as_it_would_otherwise(program: str, code: int) -> None:
    assert run_isolated(program).returncode == code


def test_all_processes_of_a_namespace_die_with_the_process_that_made_it() -> None:
    outer = subprocess.Popen(
        isolated("import os, time\nfor _ in range(3): os.fork()\nprint(flush=True)\ntime.sleep(600)"),
        stdout=subprocess.PIPE,
    )
    with outer:
        assert outer.stdout is not None
        outer.stdout.readline()
        inside = psutil.Process(outer.pid).children(recursive=True)
        assert inside
        outer.kill()
    wait_for_ends(inside)


REACH = """
import errno, json, os, socket, sys
folder, port, *names = sys.argv[1:]
def outcome(act):
    try:
        act()
    except OSError as error:
        return errno.errorcode[error.errno]
def write(path):
    return outcome(lambda: open(os.path.join(path, "new"), "w").close())
def reach(address, family=socket.AF_UNIX):
    return outcome(lambda: socket.socket(family).connect(address))
def itself():
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()
terminal = os.ttyname(os.openpty()[1])
print(json.dumps({
    "files": [write(place) for place in (folder, "/run", os.path.join(folder, "given"), ".", "/dev/shm")],
    "port": reach(("127.0.0.1", int(port)), socket.AF_INET),
    "sockets": [reach(name.replace("@", "\\0")) for name in names],
    "itself": outcome(itself),
    "devices": sorted(name for name in os.listdir("/dev") if os.path.exists("/dev/" + name)
                      and not os.path.isdir("/dev/" + name) and not os.path.islink("/dev/" + name)),
    "terminals": [name for name in os.listdir("/dev/pts") if name.isdigit()],
    "services": [name for name in os.listdir("/run") if not os.path.islink(os.path.join("/run", name))],
}))
"""


@pytest.fixture(params=["this user", "an ordinary user"])
def reach(request: pytest.FixtureRequest) -> Iterator[Callable[..., dict[str, Any]]]:
    """Return what an isolated process can write and speak to, given some access."""
    user: dict[str, Any] = {}
    python: str | None = sys.executable
    if request.param == "an ordinary user":
        python = shutil.which("python3", path="/usr/bin")
        if os.getuid() != 0 or python is None:
            pytest.skip("only root can become another user, who needs a Python that is for all")
        user = {"user": NOBODY, "group": NOBODY}
    code = Path(tempfile.mkdtemp())
    shutil.copy(namespace.__file__, code / "namespace.py")
    for folder in (code, code / "given", code / "temporary"):
        folder.mkdir(exist_ok=True)
        folder.chmod(0o777)
    names = [f"@{uuid4().hex}", f"{code}/socket"]

    def ask(network: bool, writable: Sequence[str]) -> dict[str, Any]:
        options = [
            *([namespace.NETWORK] if network else []),
            *(f"{namespace.WRITABLE}{code}/{name}" for name in writable),
        ]
        with listening(*names) as (port, _):
            (code / "socket").chmod(0o777)
            done = subprocess.run(
                [
                    *(str(python), "-I", "-S", str(code / "namespace.py"), *options),
                    *(str(python), "-I", "-c", REACH, str(code), str(port), *names),
                ],
                **user,
                cwd=code / "temporary",
                env={"TMPDIR": str(code / "temporary")},
                capture_output=True,
                text=True,
                check=False,
                timeout=AMPLE_S,
            )
        if user and "_unshare" in done.stderr:
            pytest.skip("this system lets ordinary users have no namespaces")
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    yield ask
    shutil.rmtree(code)


def test_an_isolated_command_writes_only_in_its_own_folders_and_reaches_nobody_outside(
    reach: Callable[..., dict[str, Any]],
) -> None:
    found = reach(network=False, writable=[])
    found["devices"] = [name for name in found["devices"] if not name.startswith(namespace._COMPUTING)]
    assert found == {
        "files": ["EROFS", "EROFS", "EROFS", None, None],
        "port": "ECONNREFUSED",
        "sockets": ["ECONNREFUSED"] * 2,
        "itself": None,
        "devices": ["full", "null", "random", "tty", "urandom", "zero"],
        "terminals": ["0"],
        "services": [],
    }


def test_an_isolated_command_can_be_given_folders_and_the_network(
    reach: Callable[..., dict[str, Any]],
) -> None:
    given = reach(network=True, writable=["given"])
    assert given["files"] == ["EROFS", "EROFS", None, None, None]
    assert given["port"] is None
    assert given["sockets"] == [None, "ECONNREFUSED"]  # a name without a file belongs to the network


RESOLVER = """
import os, sys
from nonocsp.processes import namespace
namespace._RUN, namespace._RESOLVER = sys.argv[1] + "/run", sys.argv[1] + "/resolv.conf"
namespace.main([*sys.argv[2:], "find", namespace._RUN, "!", "-exec", "test", "-c", "{}", ";", "-print"])
"""


@pytest.mark.parametrize("option", [namespace.NETWORK, ""])
def test_a_command_with_the_network_finds_who_knows_addresses_and_no_other_service(
    option: str, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    for name in ("service/secret", "resolve/resolv.conf", "system/bin"):
        (run / name).parent.mkdir(parents=True)
        (run / name).touch()
    (run / "current").symlink_to("system")
    server = socket.socket(socket.AF_UNIX)
    server.bind(f"{run}/resolve/service")
    (tmp_path / "resolv.conf").symlink_to("run/resolve/resolv.conf")
    command = [*starting.PYTHON, "-c", RESOLVER, str(tmp_path), *filter(None, [option])]
    with server:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=AMPLE_S)
    kept = {run, run / "current", *([run / "resolve", run / "resolve/resolv.conf"] if option else [])}
    assert {*map(Path, done.stdout.splitlines())} == kept


INIT = """
import ctypes, os, time
from nonocsp.processes.namespace import fork_first
from nonocsp.run.worker.fork_server import be_init
from nonocsp.run.worker.hosts import Init

ctypes.CDLL(None).prctl(4, 0)  # a server cannot be traced, either

def breed():
    for _ in range(4):
        if os.fork() == 0:
            while True:
                if os.fork():
                    os._exit(0)
    time.sleep(600)

def start(act):
    return Init(lambda codes: fork_first(lambda: be_init(act, codes)))

inits = [start(lambda: os._exit(3)), start(lambda: os.kill(os.getpid(), 9)), start(breed)]
while None in (codes := [init.exit_code() for init in inits[:2]]):
    time.sleep(0.01)
print(*codes, inits[2].exit_code())
for init in inits:
    init.end()
print(*filter(str.isdigit, os.listdir("/proc")))
"""


def test_killing_the_init_process_of_a_host_ends_also_those_that_fork_all_the_time() -> None:
    command = [
        sys.executable,
        "-I",
        "-S",
        namespace.__file__,
        namespace.FOR_SERVER,
        *starting.PYTHON,
        "-c",
        INIT,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=AMPLE_S)
    assert done.stdout == "3 -9 None\n1\n", done.stderr


FORBIDDEN = """
import ctypes, fcntl, json, os, socket
written = []
for place, kind in [line.split()[1:3] for line in open("/proc/self/mounts")] + [["/proc/sys/kernel", ""]]:
    name = "cgroup.procs" if kind.startswith("cgroup") else "core_pattern"
    try:
        open(f"{place}/{name}", "r+").close()
        written.append(place)
    except OSError:
        pass
libc = ctypes.CDLL(None)
add_key = {"x86_64": 248, "aarch64": 217}[os.uname().machine]
calls = [lambda: libc.unshare(0x10000000), lambda: libc.syscall(add_key, b"user", b"note", b"x", 1, -4)]
for call in (lambda: fcntl.fcntl(file, 1024, 0), lambda: socket.socket(40, socket.SOCK_STREAM)):
    try:
        with open(os.__file__) as file:
            call()
        written.append("refused no call")
    except PermissionError:
        pass
print(json.dumps([written, *(call() for call in calls)]))
"""
HOST = f"""
import os, sys
from nonocsp.processes.namespace import fork_first
os.waitpid(fork_first(lambda: os.execv(sys.executable, [sys.executable, "-I", "-c", {FORBIDDEN!r}]))[0], 0)
"""


@pytest.mark.parametrize(
    "command",
    [
        [sys.executable, "-I", "-c", FORBIDDEN],
        [namespace.FOR_SERVER, *starting.PYTHON, "-c", HOST],
    ],
)
def test_nobody_inside_can_write_settings_or_control_groups_or_make_user_namespaces(
    command: list[str],
) -> None:
    if platform.machine() not in namespace._SECCOMP:
        pytest.skip("the numbers of this machine's system calls are not known")
    done = subprocess.run(
        [*starting.isolating(), *command], capture_output=True, text=True, check=True, timeout=AMPLE_S
    )
    assert json.loads(done.stdout) == [[], -1, -1]


def test_a_server_writes_no_settings() -> None:
    command = [*starting.isolating(is_server=True), "sh", "-c", "echo core > /proc/sys/kernel/core_pattern"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=AMPLE_S)
    assert done.returncode != 0
    assert "Read-only file system" in done.stderr or os.getuid() != 0


@pytest.mark.parametrize("place", ["in shared memory", "removed"])
def test_runs_are_isolated_wherever_the_current_folder_is(place: str) -> None:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        remove = "rmdir {0} && mkdir {0}.new && " if place == "removed" else ""
        command = f"cd {folder} && {remove.format(folder)}exec {shlex.join(starting.isolating())} pwd"
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
        if remove:
            Path(f"{folder}.new").rename(folder)
    assert (done.stdout, done.returncode) == ("/\n", 0), done.stderr


PROBE = """
from nonocsp.processes import namespace
namespace.give_up_rights = None  # so that a host cannot start
namespace.main([])
"""


def test_a_system_that_cannot_start_hosts_in_namespaces_is_found_out() -> None:
    done = subprocess.run([*starting.PYTHON, "-c", PROBE], capture_output=True, check=False, timeout=AMPLE_S)
    assert done.returncode != 0


@pytest.fixture(params=["fork", "warm"])
def name(request: pytest.FixtureRequest) -> Iterator[str]:
    can_isolate.cache_clear()
    yield str(request.param)
    can_isolate.cache_clear()


def measure(name: str) -> Measurement:
    with create(name, 1, pin=True) as executor:
        ((_, measurement),) = executor.run([Job(DOTS, "settle", Request(limits=Limits(wall=20.0)))])
    return measurement


def test_a_run_says_that_it_was_isolated(name: str) -> None:
    measurement = measure(name)
    assert measurement.conditions.isolated
    assert measurement.conditions.cores
    assert measurement.outcome.answer is Answer.PARTIAL


def test_runs_are_isolated_even_if_temporary_files_are_in_shared_memory(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        monkeypatch.setenv("TMPDIR", folder)
        monkeypatch.setattr("tempfile.tempdir", folder)
        measurement = measure(name)
        assert not [*Path(folder).iterdir()]
    assert measurement.conditions.isolated
    assert measurement.outcome.answer is Answer.PARTIAL


def test_where_namespaces_are_forbidden_runs_are_measured_without_them(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starting, "isolating", lambda: (sys.executable, "-c", "raise SystemExit(1)"))
    measurement = measure(name)
    assert not measurement.conditions.isolated
    assert measurement.outcome.answer is Answer.PARTIAL
