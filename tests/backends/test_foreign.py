"""Plug-ins describe themselves in a process of their own: their code does not run in the one that asks."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nonocsp.backends import foreign, installed
from nonocsp.backends.registry import canonical_spec
from nonocsp.model import BackendError, UsageError
from nonocsp.runner.provenance import versions

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
    monkeypatch.setattr(sys, "executable", "no Python any more")
    assert [canonical_spec(spec) for spec in specs] == [*specs[:3], "guest", *specs[4:]]
    with pytest.raises(FileNotFoundError):
        canonical_spec("guest:depth=x")  # an error is told by a process of its own


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("raise RuntimeError('out of order')", "cannot be loaded: out of order"),
        ("import os; os._exit(0)", "its import breaks its process"),
        ("import os; os.kill(os.getpid(), 9)", "its import breaks its process"),
        ("raise SystemExit", "its import breaks its process"),
        (f"{GUEST}    requires = ('no_such_module',)", "needs no_such_module"),
        (
            "import os\nfor end in range(3, 9):\n    try: os.write(end, b'{}')\n    except OSError: pass\n"
            f"{GUEST}",
            "its import breaks its process",
        ),
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
