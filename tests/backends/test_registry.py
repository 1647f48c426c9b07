"""Specs, options and entry points; careless plug-ins say why they fail, and take nothing else along."""

import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from threading import Barrier, BrokenBarrierError
from typing import Annotated, Literal

import pytest
from annotated_doc import Doc

from nonocsp.backends import registry
from nonocsp.backends.base import Backend
from nonocsp.backends.installed import summary
from nonocsp.bench.report.measurement import options_of
from nonocsp.model import BackendError, UsageError
from nonocsp.run.provenance import forget, offer, versions


@dataclass(frozen=True)
class Options:
    """Options of every type that a backend may have."""

    order: Annotated[Literal["queue", "sweeps"], Doc("which line next")] = "queue"
    depth: Annotated[int, Doc("levels")] = 3
    search: Annotated[bool, Doc("whether to go on")] = True
    share: float = 0.5


KEYS = "has no option 'oder' (did you mean 'order'?); its options: order, depth, search, share"


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, Options()),
        ({"order": "sweeps"}, Options(order="sweeps")),
        ({"depth": "7", "search": "no"}, Options(depth=7, search=False)),
        ({"search": "yes", "share": "0.25"}, Options(share=0.25)),
        ({"oder": "queue"}, KEYS),
        ({"order": "random"}, "order=random does not fit; expected queue|sweeps"),
        ({"depth": "deep"}, "depth=deep does not fit; expected int"),
        ({"search": "maybe"}, "search=maybe does not fit; expected yes|no"),
    ],
)
def test_values_are_parsed_by_the_types_of_the_options(values, expected):
    if isinstance(expected, Options):
        assert registry.parse_options("b", Options, values) == expected
    else:
        with pytest.raises(UsageError) as error:
            registry.parse_options("b", Options, values)
        assert expected in str(error.value)


def test_the_built_in_backends_are_registered_and_described():
    assert {"cpsat", "sat", "settle"} <= set(registry.names())
    for name in registry.names():
        found = registry.info(name)
        assert found.backend is not None
        assert all(option.help for option in found.options()), f"{name}: an option without help"
        assert found.backend.summary == summary(name)
        assert found.backend.paper
        if found.unavailable:
            assert found.extra
        else:
            assert isinstance(registry.create(name), Backend)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("stella", f"unknown backend 'stella'; there are {', '.join(registry.names())}"),
        ("settle:order", "'order' is not of the form key=value"),
        ("settle:=", "has no option ''"),
        ("settle:order=queue,sweeps", "'sweeps' is not of the form key=value"),
    ],
)
def test_a_spec_that_makes_no_sense_is_a_usage_error(spec, message):
    with pytest.raises(UsageError) as error:
        registry.create(spec)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("spec", "canonical"),
    [
        ("settle", "settle"),
        (" sat : solver=glucose4 ", "sat"),
        ("cpsat:workers=2", "cpsat:workers=2"),
        ("probing:gp=yes,min-group=3", "probing:gp=yes,min_group=3"),
        ("sat:solver=cadical195,encoding=direct", "sat:encoding=direct,solver=cadical195"),
    ],
)
def test_a_canonical_spec_is_sorted_and_leaves_out_defaults(spec, canonical):
    assert registry.canonical_spec(spec) == canonical == registry.canonical_spec(canonical)


@pytest.mark.parametrize(
    ("text", "specs"),
    [
        ("", []),
        ("settle", ["settle"]),
        (" settle , sat ,", ["settle", "sat"]),
        ("sat:solver=x,encoding=y,probing", ["sat:solver=x,encoding=y", "probing"]),
        ("sat:solver=x,cpsat:workers=2,log=yes,gac", ["sat:solver=x", "cpsat:workers=2,log=yes", "gac"]),
        ("./mine.yaml,sat:solver=a,encoding=b", ["./mine.yaml", "sat:solver=a,encoding=b"]),
        ('{"name": "a", "command": ["b,c"]}', ['{"name": "a", "command": ["b,c"]}']),
    ],
)
def test_a_list_of_specs_is_split_between_specs_but_not_between_options(text, specs):
    assert registry.split_specs(text) == specs


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
def install(tmp_path, monkeypatch) -> Iterator[Install]:
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


def test_a_plug_in_is_a_backend_like_any_other(install, capsys):
    name = install(f"print('noise')\n{GUEST}")
    assert registry.canonical_spec(f" {name}:depth=7") == f"{name}:depth=7"
    assert registry.canonical_spec(f"{name}:depth=3") == name
    assert options_of(name) == {"depth": "3"}
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
        (f"{GUEST}    requires = ('no_such_module',)", "is not available: needs no_such_module"),
        (
            f"{GUEST}    def __init__(self, options): raise OSError('no licence')",
            "cannot be made: no licence",
        ),
        (f"{GUEST}    def __init__(self, options): raise SystemExit", "cannot be made: SystemExit"),
    ],
)
def test_a_plug_in_that_fails_says_why_and_takes_nothing_along(install, source, reason):
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


def test_choices_that_cannot_be_told_do_not_end_a_list_of_backends(install):
    name = install(f"{GUEST}    def missing_choices(): raise RuntimeError('no licence')")
    assert registry.info(name).missing_choices == {"its choices": "missing_choices() failed: no licence"}


def test_plug_ins_loaded_in_several_threads_leave_the_standard_output_alone(monkeypatch):
    entered = Barrier(2)

    class Slow(EntryPoint):
        def load(self) -> object:
            with suppress(BrokenBarrierError):  # both threads are here at once only without a lock
                entered.wait(0.2)
            time.sleep(0.1 * (self.name == "later"))
            return super().load()

    where = "nonocsp.backends.settle:Settle"
    found = {name: Slow(name, where, "nonocsp.backends") for name in ("sooner", "later")}
    monkeypatch.setattr("nonocsp.backends.registry.registered", lambda: found)
    before = sys.stdout
    with ThreadPoolExecutor(2) as pool:
        assert [one.unavailable for one in pool.map(registry.info, found)] == ["", ""]
    assert sys.stdout is before
