"""``nonocsp backends`` and ``nonocsp doctor``: what there is, what is missing, and how to get it."""

import os
import shutil
from collections.abc import Callable
from typing import Any

import pytest

from nonocsp import doctor, extras
from nonocsp.backends import registry
from nonocsp.run.cores import Core
from nonocsp.run.locks import reserve

ByName = Callable[..., dict[str, dict[str, Any]]]


@pytest.fixture
def by_name(records) -> ByName:
    """Run a command with ``--json``; return its records by their names."""
    return lambda *args, **rest: {record["name"]: record for record in records(*args, **rest)}


def test_the_list_has_every_backend_with_its_method_within_80_columns(cli):
    text = cli("backends").stdout
    assert max(map(len, text.splitlines())) <= 80
    assert [line.split()[0] for line in text.splitlines()[:-2] if line[0] != " "] == registry.names()
    words = " ".join(text.split())
    for name in registry.names():
        backend = registry.info(name).backend
        assert backend
        limit = "" if backend.capabilities.complete else "; incomplete"
        assert f"{name} {backend.summary}{limit}" in words


def test_a_backend_that_cannot_be_loaded_is_listed_with_the_reason(cli, by_name, monkeypatch):
    broken = registry.BackendInfo("sat", None, "needs pysat: pip install it")
    monkeypatch.setattr(registry, "info", lambda name: broken)
    assert "available: no: needs pysat: pip install it" in " ".join(cli("backends").stdout.split())
    record = by_name("backends", "sat")["sat"]
    assert (record["available"], record["reason"]) == (False, "needs pysat: pip install it")


def test_doctor_exits_with_0_if_everything_needed_is_installed(by_name):
    found = by_name("doctor", code=0)
    about = {"nonocsp", "python", "platform", "C++ core", "cores", "memory", "cgroup v2", "terminal"}
    assert about | {f"backend {name}" for name in registry.names()} <= set(found)
    assert all(record["state"] == "ok" or record["fix"] for record in found.values())


def test_doctor_says_once_how_to_get_what_is_optional_and_still_exits_with_0(cli, monkeypatch):
    monkeypatch.setattr(shutil, "which", {}.get)
    absent = {"highspy", "clingo", "cpmpy"}
    find = extras.find_spec
    for module in (extras, doctor):
        monkeypatch.setattr(module, "find_spec", lambda name: name not in absent and find(name))
    result = cli("doctor")
    assert result.exit_code == 0
    assert "apt install g++" in result.stdout
    assert result.stdout.count("pip install 'nonocsp[solvers]'") == 1


def test_doctor_exits_with_1_if_something_needed_is_missing(cli, monkeypatch):
    def fails(name: str) -> None:
        raise ImportError("no such library")

    monkeypatch.setattr(doctor.importlib, "import_module", fails)
    result = cli("doctor")
    assert result.exit_code == 1
    assert "cannot be loaded: no such library" in result.stdout
    assert "C++ core:\n  build it: pip install . in a checkout" in result.stdout


def test_the_doctor_shows_the_cores_and_who_holds_them(by_name, monkeypatch, tmp_path):
    assert by_name("doctor")["cores held"]["value"] == "none by pinned campaigns"
    reservation = reserve(1)
    held = by_name("doctor")["cores held"]
    assert (held["state"], f"by process {os.getpid()} of " in held["value"]) == ("ok", True)
    reservation.release()
    (tmp_path / "locks" / "0").mkdir(parents=True)
    monkeypatch.setenv("NONOCSP_LOCKS", str(tmp_path / "locks"))
    assert "cores cannot be locked" in by_name("doctor")["cores held"]["fix"]
    cores = [Core((0, 4), (0, 4), 0, 100), Core((1, 5), (1, 5), 1, 50, is_isolated=True)]
    monkeypatch.setattr(doctor, "topology", lambda: cores)
    told = by_name("doctor")["cores"]["value"]
    assert "2 cores, 2 memory nodes, of different speeds, 1 isolated" in told
