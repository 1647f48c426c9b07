"""Provenance: versions, machine and code of what measures, asked where it runs."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from uuid import uuid4

import psutil
import pytest

from nonocsp.backends.base import Request
from nonocsp.model import NonocspError, Puzzle
from nonocsp.processes import short_run
from nonocsp.processes.starting import can_isolate
from nonocsp.run import create
from nonocsp.run.jobs import Executor, Job
from nonocsp.run.provenance import (
    Offer,
    Provenance,
    code,
    forget,
    forget_code,
    hash_files,
    machine,
    offer,
    provenance,
    version_line,
    versions,
)
from tests.waiting import AMPLE_S

DOTS = Puzzle.from_clues([[1]] * 2, [[1]] * 2)


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Install a backend ``guest`` from a module, as a package would; its files are below ``tmp_path``."""

    def register(module: str) -> None:
        info = tmp_path / "guest-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: guest\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[nonocsp.backends]\nguest = {module}:Guest\n")
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
        forget()

    yield register
    monkeypatch.undo()
    forget()


def code_now() -> str:
    forget_code()
    return code("guest")


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.parametrize(
    ("module", "counted", "ignored"),
    [
        ("guest", ["guest.py"], ["other.py", "guest.txt"]),
        (
            "guest.inner.backend",
            [
                "guest/__init__.py",
                "guest/inner/__init__.py",
                "guest/inner/backend.py",
                "guest/inner/sourceless.pyc",
                "guest/tables/a.txt",
            ],
            ["guest/__pycache__/backend.pyc", "guest/__init__.pyc", "guest/.cache/a", "other/__init__.py"],
        ),
        (
            "company.guest.backend",
            ["company/guest/__init__.py", "company/guest/backend.py"],
            ["company/other/__init__.py", "company/other.py"],
        ),
        ("company.guest", ["company/guest.py"], ["company/other.py"]),
    ],
)
def test_code_is_that_of_the_package_that_holds_the_backend(
    install: Callable[[str], None], tmp_path: Path, module: str, counted: list[str], ignored: list[str]
) -> None:
    poison = "raise RuntimeError('imported')"
    for name in counted:
        write(tmp_path / name, poison)
    install(module)
    seen = {code_now()}
    for number, name in enumerate(counted, 2):
        write(tmp_path / name, f"{poison} # changed")
        seen.add(code_now())
        assert len(seen) == number, f"a change of {name} was not noticed"
    for name in ignored:
        write(tmp_path / name, "anything")
        assert code_now() in seen, f"{name} is not the backend's"
    assert all(len(digits) == 16 for digits in seen)
    assert not {"guest", "company.guest"} & sys.modules.keys()


def test_a_renamed_file_changes_the_code(install: Callable[[str], None], tmp_path: Path) -> None:
    write(tmp_path / "guest" / "__init__.py", "")
    write(tmp_path / "guest" / "one.py", "x = 1")
    install("guest")
    before = code_now()
    (tmp_path / "guest" / "one.py").rename(tmp_path / "guest" / "two.py")
    assert code_now() != before


def test_of_a_large_package_a_bounded_part_is_read(
    install: Callable[[str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "guest" / "__init__.py", "")
    with (tmp_path / "guest" / "weights.bin").open("wb") as file:
        file.truncate(1 << 40)
    install("guest")
    before = code_now()
    with (tmp_path / "guest" / "weights.bin").open("ab") as file:
        file.truncate((1 << 40) + 1)
    after = code_now()
    assert after != before  # its size counts
    write(tmp_path / "guest" / "z.py", "")
    assert code_now() != after
    monkeypatch.setattr("nonocsp.run.provenance.MAX_FILES", 2)
    few = code_now()
    write(tmp_path / "guest" / "z.py", "changed")
    assert code_now() == few


def test_reading_files_takes_no_memory_for_all_of_them(tmp_path: Path) -> None:
    with (tmp_path / "large").open("wb") as file:
        file.truncate(300 << 20)
    tracemalloc.start()
    try:
        hash_files({}, {"large": tmp_path / "large"})
        assert tracemalloc.get_traced_memory()[1] < 30 << 20
    finally:
        tracemalloc.stop()


def test_a_backend_whose_module_is_gone_has_the_code_of_nonocsp_alone(
    install: Callable[[str], None], tmp_path: Path
) -> None:
    install("guest.backend")
    assert code_now() == code("settle") == code("sat")


def test_versions_name_the_distributions_that_a_backend_needs() -> None:
    assert versions("sat").keys() == {"nonocsp", "python", "sat", "python-sat"}
    assert versions("sat")["python-sat"] == version("python-sat")
    assert versions("settle").keys() == {"nonocsp", "python", "settle"}


@pytest.mark.parametrize("executor", ["inline", "fork", "warm"])
def test_every_measurement_says_what_measured_it(executor: str) -> None:
    with create(executor, 1) as measuring:
        ((_, measurement),) = measuring.run([Job(DOTS, "probing:level=1", Request())])
    assert measurement.provenance == provenance("probing:level=1")
    assert measurement.provenance.machine == str(machine())


GUEST = """
from dataclasses import dataclass
from nonocsp.backends.base import Capabilities

@dataclass(frozen=True)
class NoOptions:
    pass

class Guest:
    summary, paper, requires, Options, capabilities = "for tests", "", (), NoOptions, Capabilities()

    def __init__(self, options):
        self.options = options

    def search(self, puzzle, run):
        run.stats["is"] = "{}"
        return iter(())
"""


def test_a_row_names_the_code_that_ran_even_if_the_package_was_replaced(
    install: Callable[[str], None], tmp_path: Path
) -> None:
    def run(executor: Executor) -> tuple[object, str]:
        ((_, measurement),) = executor.run([Job(DOTS, "guest", Request())])
        assert measurement.provenance is not None
        return measurement.outcome.stats["is"], measurement.provenance.code

    write(tmp_path / "guest.py", GUEST.format("former"))
    install("guest")
    with create("warm", 1) as lasting:
        former, code_of_former = run(lasting)
        write(tmp_path / "guest.py", GUEST.format("new"))
        with create("warm", 1) as executor:
            new, code_of_new = run(executor)
        assert run(lasting) == (new, code_of_new)
    assert (former, new) == ("former", "new")
    assert code_of_former != code_of_new


def test_a_plug_in_is_asked_again_after_all_was_forgotten(
    install: Callable[[str], None], tmp_path: Path
) -> None:
    write(tmp_path / "guest.py", GUEST.format("good"))
    install("guest")
    before = offer("guest")
    write(tmp_path / "guest.py", "raise RuntimeError('broken here')")
    assert offer("guest") == before
    forget()
    assert not before.problem
    assert "broken here" in offer("guest").problem


def test_a_backend_that_is_not_installed_has_the_versions_of_nonocsp_alone() -> None:
    assert provenance("nonesuch:a=b").versions.keys() == {"nonocsp", "python"}
    assert provenance("nonesuch").code == code("settle")


HERE = Offer(
    Provenance({"nonocsp": "1", "python": "3.11.7", "guest": "2"}, "this machine", "a" * 16),
    source="b" * 16,
    platform="Linux x86_64",
)


def there(
    *, code: str = "a" * 16, source: str = "b" * 16, platform: str = "Linux x86_64", **versions: str
) -> Offer:
    """Return what another process offers."""
    assert HERE.provenance is not None
    return Offer(Provenance(HERE.provenance.versions | versions, "another machine", code), source, platform)


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        (there(), ""),
        (there(python="3.11.9"), ""),
        (there(python="3.12.0"), "python 3.12 instead of 3.11"),
        (there(nonocsp="2"), "nonocsp 2 instead of 1"),
        (there(guest="3", nonocsp="2"), "nonocsp 2 instead of 1, guest 3 instead of 2"),
        (there(extra="1"), "extra 1 instead of none"),
        (
            there(code="c" * 16),
            f"other code of the same version ({'c' * 16} instead of {'a' * 16})",
        ),
        (there(code="c" * 16, platform="Darwin arm64"), ""),
        (
            there(source="c" * 16, platform="Darwin arm64"),
            f"other code of the same version ({'c' * 16} instead of {'b' * 16})",
        ),
        (Offer(None, "", "Linux x86_64", "unknown backend"), "unknown backend"),
    ],
)
def test_a_process_may_measure_for_another_with_the_same_versions_and_code(
    other: Offer, difference: str
) -> None:
    assert HERE.difference(other) == difference


def test_an_offer_names_what_is_missing(install: Callable[[str], None], tmp_path: Path) -> None:
    assert "unknown backend 'nonesuch'" in offer("nonesuch").problem
    assert "option" in offer("probing:nonesuch=1").problem
    assert offer("settle") == offer("settle")
    assert offer("settle").provenance == provenance("settle")
    assert offer("settle").source != code("settle")  # the compiled core does not count
    write(tmp_path / "guest.py", "raise RuntimeError('broken here')")
    install("guest")
    assert "broken here" in offer("guest").problem


def test_a_plug_in_that_kills_who_asks_for_it_costs_no_other_offer_of_a_worker(
    install: Callable[[str], None], tmp_path: Path
) -> None:
    write(tmp_path / "guest.py", "import os\nos.kill(os.getppid(), 9)\nraise RuntimeError('still here')")
    install("guest")
    script = """
from nonocsp.run.provenance import offer
guest, settle = offer("guest"), offer("settle")
assert guest.problem.startswith("backend 'guest' is not available"), guest
assert not settle.problem, settle
"""
    subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        check=True,
        timeout=AMPLE_S,
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("echo; echo ' 1.5 '; echo more", "1.5"),
        ("echo 1.5 >&2; exit 3", "1.5"),
        ("yes 1.5", "1.5"),
        ("cat /dev/zero | tr '\\0' x", "x" * 200),
        ("exit 1", "unknown"),
        ("echo 1.5; kill -9 $$", "1.5"),
        ("echo 1.5; kill -9 $PPID", "1.5"),
    ],
)
def test_the_version_of_a_program_is_the_first_line_that_it_prints(text: str, line: str) -> None:
    assert version_line(["/bin/sh", "-c", text]) == line


@pytest.mark.parametrize("isolated", [True, False])
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("setsid sh -c 'sleep 600 & sleep 600' >/dev/null 2>&1 & echo 1.5", "1.5"),
        ("setsid sh -c 'sleep 600 & exit 0'; echo 1.5", "1.5"),  # it keeps the output open
        ("setsid sleep 600 & echo 1.5; exec sleep 600", "unknown"),
        ("setsid sleep 600 & exec >/dev/null 2>&1; exec sleep 600", "unknown"),
        ("trap '' TERM HUP; while :; do (sleep 600; :) & yes 1.5; done", "1.5"),
    ],
)
def test_a_version_command_leaves_no_process(
    text: str, line: str, isolated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not isolated:
        monkeypatch.setattr(short_run, "can_isolate", lambda: False)
    elif not can_isolate():
        pytest.skip("this system lets this user have no namespaces")
    mark = uuid4().hex
    monkeypatch.setenv("VERSION_MARK", mark)
    monkeypatch.setattr("nonocsp.run.provenance.VERSION_S", 2.0)
    assert version_line(["/bin/sh", "-c", text]) == line
    assert not [
        process
        for process in psutil.process_iter(["environ", "status"])
        if (process.info["environ"] or {}).get("VERSION_MARK") == mark
        and process.pid != os.getpid()
        and process.info["status"] != psutil.STATUS_ZOMBIE
    ]


def test_a_system_without_a_process_for_a_version_command_is_an_error_that_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(short_run, "can_isolate", lambda: False)
    monkeypatch.setattr("subprocess.Popen", refuse)
    monkeypatch.setattr("nonocsp.processes.guard._RETRY_S", 0.001)
    with pytest.raises(NonocspError, match=r"cannot start solver: Resource temporarily unavailable; end "):
        version_line(["solver", "--version"])
