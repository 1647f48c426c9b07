"""Specs, options and entry points."""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path
from threading import Barrier, BrokenBarrierError
from typing import Annotated, Literal

import pytest
from annotated_doc import Doc

from nonocsp.backends import installed, registry
from nonocsp.backends.base import Backend
from nonocsp.model import BackendError, UsageError


@dataclass(frozen=True)
class Options:
    """Options of every type that a backend may have."""

    order: Annotated[Literal["queue", "sweeps"], Doc("which line next")] = "queue"
    depth: Annotated[int, Doc("levels")] = 3
    search: Annotated[bool, Doc("whether to go on")] = True
    share: float = 0.5


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, Options()),
        ({"order": "sweeps"}, Options(order="sweeps")),
        ({"depth": "7", "search": "no"}, Options(depth=7, search=False)),
        ({"search": "yes", "share": "0.25"}, Options(share=0.25)),
    ],
)
def test_values_are_parsed_by_the_types_of_the_options(values: dict[str, str], expected: Options) -> None:
    assert registry.parse_options("b", Options, values) == expected


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"oder": "queue"},
            "has no option 'oder' (did you mean 'order'?); its options: order, depth, search, share",
        ),
        ({"order": "random"}, "order=random does not fit; expected queue|sweeps"),
        ({"depth": "deep"}, "depth=deep does not fit; expected int"),
        ({"search": "maybe"}, "search=maybe does not fit; expected yes|no"),
    ],
)
def test_a_wrong_option_is_a_usage_error_that_lists_the_options(values: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError) as error:
        registry.parse_options("b", Options, values)
    assert message in str(error.value)


def test_help_comes_from_the_options_object() -> None:
    order, depth, search, share = registry.describe_options(Options)
    assert (order.name, order.type, order.default, order.help) == (
        "order",
        "queue|sweeps",
        "queue",
        "which line next",
    )
    assert (depth.type, search.type, search.default, share.help) == ("int", "yes|no", "yes", "")


def test_the_built_in_backends_are_registered_as_entry_points() -> None:
    assert {"cpsat", "sat", "settle"} <= set(registry.names())
    for name in registry.names():
        found = registry.info(name)
        assert found.unavailable == "" or found.extra
        assert found.backend is not None
        assert all(option.help for option in found.options()), f"{name}: an option without help"
        assert found.backend.summary
        assert found.backend.paper


def test_an_unknown_backend_is_a_usage_error_that_lists_the_names() -> None:
    with pytest.raises(UsageError, match="unknown backend 'stella'; there are ") as error:
        registry.create("stella")
    assert str(error.value).endswith(", ".join(registry.names()))


@pytest.mark.parametrize("spec", ["settle:order", "settle:=", "settle:order=queue,sweeps"])
def test_a_spec_option_without_key_and_value_is_a_usage_error(spec: str) -> None:
    with pytest.raises(UsageError):
        registry.create(spec)


def test_a_canonical_spec_is_sorted_and_leaves_out_defaults() -> None:
    assert registry.canonical_spec("settle") == "settle"
    assert registry.canonical_spec(" sat : solver=glucose4 ").startswith("sat")
    changed = registry.canonical_spec("cpsat:workers=2")
    assert changed == "cpsat:workers=2" == registry.canonical_spec(changed)


def test_an_option_may_be_written_as_the_commands_write_it() -> None:
    assert registry.canonical_spec("probing:gp=yes,min-group=3") == "probing:gp=yes,min_group=3"


@pytest.mark.parametrize(
    ("text", "specs"),
    [
        ("", []),
        ("settle", ["settle"]),
        (" settle , sat ,", ["settle", "sat"]),
        ("sat:solver=x,encoding=y,probing", ["sat:solver=x,encoding=y", "probing"]),
        ("sat:solver=x,cpsat:workers=2,log=yes,gac", ["sat:solver=x", "cpsat:workers=2,log=yes", "gac"]),
    ],
)
def test_a_list_of_specs_is_split_between_specs_but_not_between_options(text: str, specs: list[str]) -> None:
    assert registry.split_specs(text) == specs


def test_built_in_backends_satisfy_the_protocol() -> None:
    assert all(isinstance(registry.create(name), Backend) for name in ("cpsat", "sat", "settle"))


@pytest.fixture
def plug_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed distribution with the backends `broken` (does not import) and `needy` (lacks a module)."""
    (tmp_path / "plugin_pkg.py").write_text(
        "from nonocsp.backends.settle import Settle\n"
        "class Needy(Settle):\n    requires = ('no_such_module',)\n"
    )
    (tmp_path / "broken_pkg.py").write_text("raise RuntimeError('out of order')\n")
    meta = tmp_path / "plugin-1.5.dist-info"
    meta.mkdir()
    (meta / "METADATA").write_text("Metadata-Version: 2.1\nName: plugin\nVersion: 1.5\n")
    (meta / "entry_points.txt").write_text(
        "[nonocsp.backends]\nbroken = broken_pkg:Broken\nneedy = plugin_pkg:Needy\n"
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    installed.registered.cache_clear()
    yield tmp_path
    installed.registered.cache_clear()


@pytest.mark.usefixtures("plug_in")
def test_third_party_backends_are_found_and_a_broken_one_gives_the_reason() -> None:
    assert {"broken", "needy", "sat"} <= set(registry.names())
    broken, needy = registry.info("broken"), registry.info("needy")
    assert "out of order" in broken.unavailable
    assert (needy.version, needy.backend is not None) == ("1.5", True)
    assert "no_such_module" in needy.unavailable
    with pytest.raises(BackendError, match="backend 'needy' is not available: needs no_such_module"):
        registry.create("needy")


def test_plug_ins_loaded_in_several_threads_leave_the_standard_output_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
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
