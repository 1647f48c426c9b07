"""Declarations: what is read, resolved and refused, and how they travel."""

import json
from pathlib import Path
from typing import Any

import pytest

from nonocsp.backends import installed
from nonocsp.backends.registry import (
    canonical_spec,
    create,
    info,
    is_program,
    label,
)
from nonocsp.model import BackendError, FormatError, UsageError
from nonocsp.run.provenance import forget_code, offer, provenance

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"comand": ["a"]}, "unknown key 'comand' (did you mean 'command'?)"),
    ({"rules": {"uniqe": "x"}}, "unknown key 'uniqe' (did you mean 'unique'?)"),
    ({"command": []}, "command: expected at least one entry"),
    ({"command": ["a", "{puzle}"]}, "unknown placeholder 'puzle' (did you mean 'puzzle'?)"),
    ({"command": ["a"], "given": "file"}, "the command lacks {puzzle}"),
    ({"input": "pdf"}, "unknown input format 'pdf'"),
    ({"input": "text"}, "unknown input format 'text'"),
    ({"output": "dimacs"}, "output: dimacs needs input: dimacs"),
    ({"exclude": ["a"]}, "expected a command with {found}"),
    ({"exclude": ["a", "{found}"], "input": "dimacs"}, "excludes solutions by itself"),
    ({"command": ["a", "{found}"]}, "{found} is for the command of exclude"),
    ({"rules": {"unique": "("}}, "is not a regular expression"),
    ({"rules": {"statistics": {"nodes": "x"}}}, "expected one group"),
    ({"rules": {"cells": "##"}}, "expected different characters"),
    ({"rules": {"cells": ".?"}}, "expected different characters"),
    ({"rules": {"exit_codes": {300: "unsat"}}}, "expected a number of at most 255"),
    ({"rules": {"exit_codes": {3: "sat"}}}, "expected"),
    ({"name": "a/b"}, "letters, digits"),
    ({"output_file": "../x"}, "output_file"),
]


def write(folder: Path, **values: Any) -> Path:
    path = folder / "mine.yaml"
    path.write_text(json.dumps({"name": "mine", "command": ["/bin/sh", "{puzzle}"], **values}, indent=1))
    return path


@pytest.mark.parametrize(("values", "message"), REFUSED, ids=lambda value: str(value)[:30])
def test_a_declaration_that_makes_no_sense_is_refused_in_plain_words(values, message, tmp_path):
    path = write(tmp_path, **values)
    with pytest.raises(FormatError) as in_file:
        canonical_spec(str(path))
    with pytest.raises(UsageError) as in_spec:
        canonical_spec(path.read_text())
    for error in (in_file, in_spec):
        assert message in str(error.value)
    assert str(in_file.value).startswith(f"{path}:")


def test_a_file_and_its_canonical_form_are_the_same_backend_in_any_folder(tmp_path, monkeypatch):
    (tmp_path / "mine").write_text("#!/bin/sh\n")
    (tmp_path / "mine").chmod(0o755)
    path = write(tmp_path, command=["./mine", "./model.txt", "{puzzle}", "--data={here}/x", 7, "../y"])
    monkeypatch.chdir("/")
    spec = canonical_spec(str(path))
    assert canonical_spec(spec) == spec
    assert label(spec) == json.loads(spec)["name"] == "mine"
    assert is_program(spec)
    assert not is_program("hybrid")
    here = str(tmp_path)
    expected = [f"{here}/mine", f"{here}/model.txt", "{puzzle}", f"--data={here}/x", "7", f"{here}/../y"]
    assert json.loads(spec)["command"] == expected


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        (
            "nowhere-to-be-found",
            "is not in PATH; install it, or name its place, such as ./nowhere-to-be-found",
        ),
        ("./absent", "there is no file"),
        ("./readme", "cannot be executed; make it executable: chmod +x"),
        ("/bin/sh", "lost/table; correct its path in files"),
    ],
)
def test_a_program_that_is_not_there_is_not_available_and_says_why(program, reason, tmp_path):
    (tmp_path / "readme").write_text("text")
    files = ["lost/table"] if "lost" in reason else []
    path = str(write(tmp_path, command=[program], files=files))
    for ask in (create, canonical_spec):
        with pytest.raises(BackendError, match="not available") as error:
            ask(path)
        assert reason in str(error.value)
    assert reason in info(path).unavailable
    full = [program.replace(".", str(tmp_path), 1)]
    declared = {"name": "mine", "command": full, "files": [f"{tmp_path}/{file}" for file in files]}
    assert reason in offer(json.dumps(declared)).problem


def test_specs_that_are_no_declarations_are_usage_errors(tmp_path):
    for spec in (
        "{",
        '{"name": 1',
        "{" * 10_000,
        '{"name": "a", "command": ["x"], "summary": "' + "x" * 9000,
    ):
        with pytest.raises(UsageError):
            create(spec)
    with pytest.raises(UsageError, match=r"no such file; nonocsp comes with cadical\.yaml"):
        create(str(tmp_path / "absent.yaml"))


def test_the_code_and_the_version_of_a_program_are_recorded(tmp_path):
    program = tmp_path / "mine"
    program.write_text("#!/bin/sh\necho mine 1.5; echo more")
    program.chmod(0o755)
    spec = canonical_spec(str(write(tmp_path, command=["./mine"], version=["./mine", "--version"])))
    before = provenance(spec)
    assert before.versions["mine"] == "mine 1.5"
    assert offer(spec).difference(offer(spec)) == ""
    program.write_text("#!/bin/sh\necho mine 1.6")
    forget_code()
    after = provenance(spec)
    assert after.versions["mine"] == "mine 1.6"
    assert after.code != before.code


@pytest.mark.parametrize("version", [["/nowhere"], ["/bin/sh", "-c", "exit 1"], []])
def test_a_version_that_nobody_knows_is_unknown(version, tmp_path):
    spec = canonical_spec(str(write(tmp_path, version=version)))
    assert provenance(spec).versions["mine"] == "unknown"


def test_a_package_can_bring_a_declaration(tmp_path, monkeypatch):
    information, package = tmp_path / "guest-1.5.dist-info", tmp_path / "guest_package"
    for folder in (information, package):
        folder.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: guest\nVersion: 1.5\n")
    (information / "entry_points.txt").write_text("[nonocsp.backends]\nguest = guest_package:guest.yaml\n")
    (package / "__init__.py").write_text("raise RuntimeError('its code runs')\n")
    (package / "guest.yaml").write_text("summary: tries all\nname: guest\ncommand: [./run, '{puzzle}']\n")
    monkeypatch.syspath_prepend(tmp_path)
    installed.registered.cache_clear()
    try:
        with pytest.raises(BackendError, match="is not available: there is no file"):
            create("guest")
        (package / "run").write_text("#!/bin/sh\n")
        (package / "run").chmod(0o755)
        assert canonical_spec("guest") == "guest"
        assert installed.summary("guest") == "tries all"
        assert info("guest").version == "1.5"
        assert provenance("guest").versions["guest"] == "unknown"
        assert is_program("guest")
    finally:
        monkeypatch.undo()
        installed.registered.cache_clear()
