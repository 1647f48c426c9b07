"""``nonocsp backends`` and ``nonocsp doctor``: what there is, what is missing, and how to get it."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from nonocsp import doctor
from nonocsp.backends import registry
from nonocsp.run import benchexec
from nonocsp.run.cores import Core
from nonocsp.run.locks import reserve

Cli = Callable[..., Result]


def by_name(result: Result) -> dict[str, dict]:
    return {record["name"]: record for record in map(json.loads, result.stdout.splitlines())}


def test_the_table_has_every_backend_within_80_columns(cli: Cli) -> None:
    lines = cli("backends").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    first_words = {line.split()[0] for line in lines if line.split()}
    assert set(registry.names()) <= first_words


def test_json_describes_each_backend_with_its_options(cli: Cli) -> None:
    found = by_name(cli("backends", "--json"))
    assert sorted(found) == registry.names()
    assert found["settle"]["complete"] is False
    assert found["sat"]["complete"] is True
    assert all(record["colours"] and record["method"] for record in found.values())
    assert all(found[name]["available"] for name in registry.names_without_extra())
    assert {"name", "type", "default", "help"} == set(found["settle"]["options"][0])


@pytest.mark.parametrize("name", registry.names())
def test_one_backend_is_shown_with_paper_and_options(cli: Cli, name: str) -> None:
    text = cli("backends", name).stdout
    backend = registry.info(name).backend
    assert f"backend    {name}" in text
    assert f"paper {backend.paper}" in " ".join(text.split())
    assert all(option.name in text for option in registry.info(name).options())


def test_a_backend_that_cannot_be_loaded_is_listed_with_the_reason(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = registry.BackendInfo("sat", None, "needs pysat: pip install it")
    monkeypatch.setattr(registry, "info", lambda name: broken)
    assert "needs pysat" in " ".join(cli("backends").stdout.split())
    record = json.loads(cli("backends", "sat", "--json").stdout)
    assert (record["available"], record["reason"]) == (False, "needs pysat: pip install it")


def test_doctor_exits_with_0_if_everything_needed_is_installed(cli: Cli) -> None:
    result = cli("doctor", "--json")
    found = by_name(result)
    assert result.exit_code == 0
    assert {"nonocsp", "python", "platform", "C++ core", "cores", "memory", "cgroup v2", "terminal"} <= set(
        found
    )
    assert {f"backend {name}" for name in registry.names()} <= set(found)
    assert all(record["state"] == "ok" or record["fix"] for record in found.values())


def test_doctor_says_how_to_get_an_optional_tool_and_still_exits_with_0(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    result = cli("doctor")
    assert "apt install g++" in result.stdout
    assert result.exit_code == 0


def test_doctor_finds_chromium_under_any_of_its_commands(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    there = {"google-chrome": "/opt/google-chrome"}
    monkeypatch.setattr(shutil, "which", there.get)
    assert by_name(cli("doctor", "--json"))["chromium"]["value"] == "/opt/google-chrome"


def test_doctor_exits_with_1_if_something_needed_is_missing(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(name: str) -> None:
        raise ImportError("no such library")

    monkeypatch.setattr(doctor.importlib, "import_module", fails)
    result = cli("doctor")
    assert "cannot be loaded: no such library" in result.stdout
    assert "pip install ." in result.stdout
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ([], "not mounted"),
        (["cgroup.controllers"], "there, no limits visible"),
        (["cgroup.controllers", "memory.max"], "memory.max 4096"),
        (["cgroup.controllers", "memory.max", "cpu.max"], "memory.max 4096, cpu.max 4096"),
    ],
)
def test_the_doctor_sees_the_limits_of_a_container(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, files: list[str], said: str
) -> None:
    for name in files:
        (tmp_path / name).write_text("4096\n")
    monkeypatch.setattr(doctor, "_CGROUPS", tmp_path)
    [found] = [finding for finding in doctor.diagnoses() if finding.name == "cgroup v2"]
    assert found.value == said
    assert bool(found.fix) == (not files)


@pytest.mark.parametrize(("problem", "state"), [("", "ok"), ("no namespaces; allow them", "missing")])
def test_the_doctor_says_whether_runs_can_be_in_containers(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, problem: str, state: str
) -> None:
    pytest.importorskip("benchexec")
    monkeypatch.setattr(benchexec, "benchexec_problem", lambda: problem)
    assert by_name(cli("doctor", "--json"))["executor benchexec"]["state"] == state


def test_the_doctor_shows_who_holds_cores(cli: Cli) -> None:
    assert by_name(cli("doctor", "--json"))["cores held"]["value"] == "none by pinned campaigns"
    reservation = reserve(1)
    held = by_name(cli("doctor", "--json"))["cores held"]
    assert held["state"] == "ok"
    assert f"by process {os.getpid()} of " in held["value"]
    reservation.release()


def test_the_doctor_says_if_the_locks_cannot_be_read(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "locks" / "0").mkdir(parents=True)
    monkeypatch.setenv("NONOCSP_LOCKS", str(tmp_path / "locks"))
    assert "cores cannot be locked" in by_name(cli("doctor", "--json"))["cores held"]["fix"]


def test_the_doctor_describes_the_cores(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cores = [Core((0, 4), (0, 4), 0, 100), Core((1, 5), (1, 5), 1, 50, is_isolated=True)]
    monkeypatch.setattr(doctor, "topology", lambda: cores)
    told = by_name(cli("doctor", "--json"))["cores"]["value"]
    assert "2 cores, 2 memory nodes, of different speeds, 1 isolated" in told
