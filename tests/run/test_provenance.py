"""Provenance: versions, machine and code of what measures, asked where it runs."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from uuid import uuid4

import psutil
import pytest

from nonocsp.backends.base import Request
from nonocsp.model import Puzzle
from nonocsp.run import create
from nonocsp.run import provenance as module
from nonocsp.run.jobs import Job
from nonocsp.run.provenance import (
    Offer,
    Provenance,
    code,
    forget,
    forget_code,
    machine,
    offer,
    provenance,
    version_line,
)

DOTS = Puzzle.from_clues([[1]] * 2, [[1]] * 2)


@pytest.fixture
def install(tmp_path, monkeypatch) -> Iterator[Callable[[str], None]]:
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
        ("guest_file", ["guest_file.py"], ["other.py", "guest_file.txt"]),
        (
            "guest.inner.backend",
            ["guest/__init__.py", "guest/inner/backend.py", "guest/tables/a.txt"],
            ["guest/__pycache__/backend.pyc", "guest/.cache/a", "other/__init__.py"],
        ),
        (
            "company.guest.backend",
            ["company/guest/__init__.py", "company/guest/backend.py"],
            ["company/other/__init__.py", "company/other.py"],
        ),
        ("company.guest", ["company/guest.py"], ["company/other.py"]),
        ("guest.gone", [], ["other.py"]),
    ],
)
def test_any_change_of_the_package_of_a_plug_in_changes_its_code(install, tmp_path, module, counted, ignored):
    poison = "raise RuntimeError('imported')"
    for name in counted:
        write(tmp_path / name, poison)
    install(module)
    seen = {code_now()}
    assert (seen == {code("settle")}) == (not counted)
    for number, name in enumerate(counted, 2):
        write(tmp_path / name, f"{poison} # changed")
        seen.add(code_now())
        assert len(seen) == number, f"a change of {name} was not noticed"
    for name in ignored:
        write(tmp_path / name, "anything")
        assert code_now() in seen, f"{name} is not the backend's"


def test_files_that_are_too_large_count_by_size_and_time(install, tmp_path):
    write(tmp_path / "guest" / "__init__.py", "")
    for name in ("a.bin", "b.bin"):
        write(tmp_path / "guest" / name, "")
        os.truncate(tmp_path / "guest" / name, 1 << 40)
    install("guest")
    seen = [code_now()]
    for size, when in ((1 << 40, 1.0), ((1 << 40) + 1, 1.0), ((1 << 40) + 1, 2.0)):
        os.truncate(tmp_path / "guest" / "b.bin", size)
        os.utime(tmp_path / "guest" / "b.bin", (when, when))
        seen.append(code_now())
    assert len({*seen}) == 4


def test_another_version_or_core_of_nonocsp_is_other_code(monkeypatch, tmp_path):
    assert code("settle") == code("sat")
    seen = {code("settle")}
    write(tmp_path / "another.so", "another")
    for name, value in (("CORE", str(tmp_path / "another.so")), ("version", lambda package: "9.9")):
        monkeypatch.setattr(module, name, value)
        forget_code()
        seen.add(code("settle"))
    assert len(seen) == 3
    monkeypatch.undo()
    forget_code()


@pytest.mark.parametrize("executor", ["inline", "fork", "warm"])
def test_every_measurement_says_what_measured_it(executor):
    with create(executor, 1) as measuring:
        ((_, measurement),) = measuring.run([Job(DOTS, "probing:level=1", Request())])
    assert measurement.provenance == provenance("probing:level=1")
    assert measurement.provenance.machine == str(machine())


HERE = Offer(
    Provenance({"nonocsp": "1", "python": "3.11.7", "guest": "2"}, "this machine", "a" * 16),
    source="b" * 16,
    platform="Linux x86_64",
)


def there(*, code: str = "a" * 16, source: str = "b" * 16, system: str = "Linux", **versions: str) -> Offer:
    """Return what another process offers."""
    assert HERE.provenance is not None
    found = Provenance(HERE.provenance.versions | versions, "another machine", code)
    return Offer(found, source, f"{system} x86_64")


OTHER = "other code of the same version (cccccccccccccccc instead of {})"


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        (there(), ""),
        (there(python="3.11.9"), ""),
        (there(guest="3", nonocsp="2"), "nonocsp 2 instead of 1, guest 3 instead of 2"),
        (there(code="c" * 16), OTHER.format("a" * 16)),
        (there(code="c" * 16, system="Darwin"), ""),
        (there(source="c" * 16, system="Darwin"), OTHER.format("b" * 16)),
        (Offer(None, "", "Linux x86_64", "unknown backend"), "unknown backend"),
    ],
)
def test_a_process_may_measure_for_another_with_the_same_versions_and_code(other, difference):
    assert HERE.difference(other) == difference


def test_an_offer_names_what_is_missing():
    assert "unknown backend 'nonesuch'" in offer("nonesuch").problem
    assert "option" in offer("probing:nonesuch=1").problem
    assert offer("settle").provenance == provenance("settle")
    assert offer("settle").source != code("settle")  # the compiled core does not count


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("echo; echo ' 1.5 '; echo more", "1.5"),
        ("echo 1.5 >&2; kill -9 $$", "1.5"),
        ("cat /dev/zero | tr '\\0' x", "unknown"),
        ("read line || echo 1.5", "1.5"),
        ("sleep 600 & echo 1.5", "1.5"),  # it keeps the output open
        ("exec >/dev/null 2>&1; sleep 600 & exec sleep 600", "unknown"),
    ],
)
def test_a_version_is_the_first_line_that_a_program_prints_in_time_and_nothing_of_it_is_left(
    text, line, monkeypatch
):
    mark = uuid4().hex
    monkeypatch.setenv("VERSION_MARK", mark)
    monkeypatch.setattr(module, "VERSION_S", 0.5)
    before = monotonic()
    assert version_line(["/bin/sh", "-c", text]) == line
    assert version_line(["/nowhere"]) == version_line([]) == "unknown"
    assert monotonic() - before < 10
    assert not [
        process
        for process in psutil.process_iter(["environ", "status"])
        if (process.info["environ"] or {}).get("VERSION_MARK") == mark
        and process.pid != os.getpid()
        and process.info["status"] != psutil.STATUS_ZOMBIE
    ]
