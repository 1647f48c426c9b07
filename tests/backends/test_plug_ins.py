"""Careless plug-ins: one that cannot be loaded or made says why, and takes nothing else along."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nonocsp.backends import registry
from nonocsp.backends.installed import summary
from nonocsp.bench.report.provenance import options_of
from nonocsp.model import BackendError, UsageError
from nonocsp.run.provenance import forget, offer, versions

Install = Callable[[str], str]
GUEST = """
from dataclasses import dataclass
from typing import Annotated
from annotated_doc import Doc
from nonocsp.backends.base import Capabilities
from nonocsp.backends.settle import Settle

@dataclass(frozen=True, slots=True)
class Options:
    depth: Annotated[int, Doc("how deep")] = 3

class Guest(Settle):
    Options = Options
    requires = ("yaml",)
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Install a backend from a module; its name is returned."""

    def register(source: str) -> str:
        name = f"guest{abs(hash(source))}"  # a module of its own: those of other tests stay imported
        info = tmp_path / f"{name}-1.5.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.5\n")
        (info / "entry_points.txt").write_text(f"[nonocsp.backends]\n{name} = {name}:Guest\n")
        (tmp_path / f"{name}.py").write_text(source)
        monkeypatch.syspath_prepend(tmp_path)
        forget()
        return name

    yield register
    monkeypatch.undo()
    forget()


def test_a_plug_in_is_a_backend_like_any_other(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    name = install(f"print('noise')\n{GUEST}    capabilities = Capabilities()\n")
    assert registry.canonical_spec(f" {name}:depth=7") == f"{name}:depth=7"
    assert registry.canonical_spec(f"{name}:depth=3") == name
    assert options_of(name) == {"depth": "3"}
    assert name in registry.complete_names()
    assert versions(name).items() >= {name: "1.5"}.items()
    assert "PyYAML" in versions(name)
    with pytest.raises(UsageError, match="has no option 'deep'"):
        registry.canonical_spec(f"{name}:deep=1")
    assert capsys.readouterr().out == ""  # --json prints nothing but JSON


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (
            "raise RuntimeError('out\\nof\\x1b[2J order' + '!' * 10**5)",
            r"cannot be loaded: out of \[2J order!+$",
        ),
        ("raise SystemExit(3)", "cannot be loaded: SystemExit 3"),
        ("raise MemoryError", "cannot be loaded: MemoryError"),
        ("import no_such_module", "cannot be loaded: No module named 'no_such_module'"),
        ("", "cannot be loaded: module 'guest.*' has no attribute 'Guest'"),
        ("class Guest: summary = 'x'", "it is no backend, because it lacks Options, paper"),
        (f"{GUEST}    capabilities = {{}}", "its capabilities are a dict, not Capabilities"),
        (f"{GUEST}    Options = dict", "cannot be loaded: "),
        (f"{GUEST}    requires = ('no_such_module',)", "needs no_such_module"),
        (
            f"{GUEST}    def __init__(self, options): raise OSError('no licence')",
            "cannot be made: no licence",
        ),
        (f"{GUEST}    def __init__(self, options): raise SystemExit", "cannot be made: SystemExit"),
    ],
)
def test_a_plug_in_that_fails_says_why_and_takes_nothing_along(
    install: Install, source: str, reason: str
) -> None:
    name = install(source)
    with pytest.raises(BackendError, match=reason) as error:
        registry.canonical_spec(name)
    assert len(str(error.value)) < 700
    assert str(error.value).isprintable()
    assert offer(name).problem == str(error.value)
    assert options_of(f"{name}:depth=5") == {"depth": "5"}
    assert summary(name)
    assert {"sat", "hybrid"} <= set(registry.complete_names())
    assert versions(name)[name] == "1.5"


def test_choices_that_cannot_be_told_do_not_end_a_list_of_backends(install: Install) -> None:
    name = install(f"{GUEST}    def missing_choices(): raise RuntimeError('no licence')")
    assert registry.info(name).missing_choices == {"its choices": "missing_choices() failed: no licence"}
