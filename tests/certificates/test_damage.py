"""Verification rejects every false claim and every damaged file, even under a valid seal."""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nonocsp.certificates.document import Claim, Document, seal
from nonocsp.certificates.formula import formula_of
from nonocsp.certificates.maker import certify, save
from nonocsp.certificates.verifier import verify
from nonocsp.model import FormatError, Grid, NonocspError, Puzzle, UsageError, bounds
from nonocsp.testing import SMALL, SMALL_IN_COLOUR, n_dom, solutions
from tests.certificates.cases import binary, puzzles, steps, truth

COLOURED = Puzzle.from_clues(
    [[1, (1, 2)], [(2, 3)], [(1, 2), 1]], [[1, (1, 3), (1, 2)], [(1, 2), (1, 3), 1]], title="Flag", author="A"
)
CLAIMED = {"unique": n_dom(3), "multiple": SMALL[6], "unsat": SMALL_IN_COLOUR[-1], "coloured": COLOURED}
"""One puzzle of each kind; that of three colours is unique."""

Change = Callable[[dict[str, Any]], None]


@pytest.fixture(scope="session")
def originals(tmp_path_factory) -> Path:
    """A folder with a certificate of each puzzle of `CLAIMED`."""
    folder = tmp_path_factory.mktemp("certificates")
    for name, puzzle in CLAIMED.items():
        save(certify(puzzle), folder, name).rename(folder / f"{name}.json")
    return folder


@pytest.fixture
def folder(originals, tmp_path) -> Path:
    return shutil.copytree(originals, tmp_path / "copy")


def rejected(path: Path) -> str:
    """Return why a certificate is not accepted; empty if it is."""
    try:
        return verify(path).fault
    except (FormatError, UsageError) as error:
        return str(error)


def edit(path: Path, change: Change, *, reseal: bool) -> None:
    """Change a JSON file, with a new valid seal or with the old one."""
    content = json.loads(path.read_text())
    change(content)
    if reseal:
        content["sha256"] = seal({key: value for key, value in content.items() if key != "sha256"})
    path.write_text(json.dumps(content))


def replace(folder: Path, name: str, kind: str, content: bytes) -> Path:
    """Replace the content of an attached file, and update its hash and the seal."""
    path = folder / f"{name}.json"

    def change(document: dict[str, Any]) -> None:
        (folder / document[kind]["file"]).write_bytes(content)
        document[kind]["sha256"] = hashlib.sha256(content).hexdigest()

    edit(path, change, reseal=True)
    return path


def attached(folder: Path, name: str, kind: str) -> bytes:
    document = json.loads((folder / f"{name}.json").read_text())
    return (folder / document[kind]["file"]).read_bytes()


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of everything in a JSON document."""
    if path:
        yield path
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*path, key))


def at(document: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        document = document[key]
    return document


def put(path: tuple[Any, ...], value: Any) -> Change:
    def change(document: dict[str, Any]) -> None:
        at(document, path[:-1])[path[-1]] = value

    return change


def drop(path: tuple[Any, ...]) -> Change:
    def change(document: dict[str, Any]) -> None:
        del at(document, path[:-1])[path[-1]]

    return change


def others(value: Any) -> list[Any]:
    """Return values of other types, and a different value of the same type."""
    same = {str: f"{value}x", int: value + 1 if isinstance(value, int) else None}.get(type(value), [[1]])
    return [v for v in (None, True, -1, 1.5, "", [], {}, same) if type(v) is not type(value) or v != value]


@given(puzzle=puzzles(), data=st.data())
@settings(max_examples=40)
def test_false_claims_never_verify_with_any_proof(puzzle, data, tmp_path_factory):
    expected = solutions(puzzle)
    claim = data.draw(st.sampled_from([claim for claim in Claim if claim is not truth(expected)]))
    shown = (expected * 2 or [Grid.from_cells(np.zeros(puzzle.shape))] * 2)[: claim.shown]
    formula = formula_of(puzzle, shown)
    literals = st.integers(-formula.variables, formula.variables).filter(bool)
    lemmas = data.draw(st.lists(st.lists(literals, max_size=3, unique_by=abs), max_size=6))
    folder = tmp_path_factory.getbasetemp() / "false"
    path = forge(folder, claim, puzzle, shown, [*filter(None, lemmas), []])
    assert rejected(path)


def forge(folder: Path, claim: Claim, puzzle: Puzzle, shown: list[Grid], lemmas: list[list[int]]) -> Path:
    """Write a certificate that is sealed and complete, whatever it claims."""
    path = save(certify(n_dom(2)), folder, "forged")
    source = json.loads(path.read_text())
    document = json.loads(Document(claim, puzzle, tuple(shown)).text())
    if claim.has_proof:
        document |= {key: source[key] for key in ("formula", "proof")}
    path.write_text(json.dumps(document))
    edit(path, lambda _: None, reseal=True)
    if claim.has_proof:
        formula = formula_of(puzzle, shown)
        replace(folder, path.stem, "formula", b"".join(formula.dimacs()))
        replace(folder, path.stem, "proof", binary(lemmas))
    return path


@pytest.mark.parametrize("name", CLAIMED)
def test_the_seal_detects_damage_anywhere_in_a_document(folder, name):
    path = folder / f"{name}.json"
    text = path.read_text()
    document = json.loads(text)
    for i, place in enumerate(places(document)):
        values = others(at(document, place))
        for change in (drop(place), put(place, values[i % len(values)])):
            path.write_text(text)
            edit(path, change, reseal=False)
            assert rejected(path), place
    path.write_text(text)
    assert not rejected(path)


@pytest.mark.parametrize("name", CLAIMED)
def test_damage_that_changes_the_meaning_is_detected_under_a_new_seal_too(folder, name):
    path = folder / f"{name}.json"
    text = path.read_text()
    document = json.loads(text)
    for place in places(document):
        if place == ("sha256",) or "title" in place or "author" in place or "palette" in place:
            continue  # says nothing about the solutions
        for value in others(at(document, place)):
            path.write_text(text)
            edit(path, put(place, value), reseal=True)
            assert rejected(path), (place, value)
        path.write_text(text)
        edit(path, drop(place), reseal=True)
        assert rejected(path), place


@pytest.mark.parametrize("name", CLAIMED)
def test_every_cell_of_a_solution_is_checked(folder, name):
    path = folder / f"{name}.json"
    text = path.read_text()
    for grid, row, column in np.ndindex(
        *np.shape([[list(r) for r in g] for g in json.loads(text)["solutions"]])
    ):
        for char in ".#ab?":
            place = ("solutions", grid, row)
            line = at(json.loads(text), place)
            if line[column] != char:
                path.write_text(text)
                edit(path, put(place, line[:column] + char + line[column + 1 :]), reseal=True)
                assert rejected(path)


@pytest.mark.parametrize("name", ["unique", "unsat", "coloured"])
def test_a_changed_formula_is_rejected(folder, name):
    lines = attached(folder, name, "formula").splitlines(keepends=True)
    for i, line in enumerate(lines):
        negated = line.replace(b"-", b"") if b"-" in line else b"-" + line
        changes = ([], [line, line], [negated], [line[:-1]], [line.replace(b"\n", b"\r\n")])
        changed = changes[i % len(changes)]
        path = replace(folder, name, "formula", b"".join([*lines[:i], *changed, *lines[i + 1 :]]))
        assert "is not the formula of the puzzle" in (fault := rejected(path)), (i, changed)
        assert f".cnf:{i + 1}:" in fault or changed == [line, line], (i, fault)
        said = line.decode().strip() if i else line.decode()[: line.rindex(b" ")]
        assert f"expected '{said}" in fault or changed == [line, line]
    longer = replace(folder, name, "formula", b"".join([*lines, b"1 0\n"]))
    assert f".cnf:{len(lines) + 1}:" in rejected(longer)
    assert "expected the end of the file" in rejected(longer)
    assert not rejected(replace(folder, name, "formula", b"".join(lines)))


@pytest.mark.parametrize("name", ["unique", "unsat"])
def test_a_proof_with_a_line_that_does_not_follow_is_rejected(folder, name):
    lines = steps(attached(folder, name, "proof"))
    needed = next(
        n for n in range(len(lines) + 1) if not rejected(replace(folder, name, "proof", b"".join(lines[:n])))
    )
    assert needed > 2
    variables = int(attached(folder, name, "formula").split()[2])
    for i in range(0, needed, max(1, needed // 20)):
        before = b"".join(lines[:i])
        for wrong in (
            b"",
            b"x",
            b"a",
            b"a\x80",
            b"a\x01\0",
            binary([[2 * variables + 2]]),
            binary([[]]),
            lines[i][:-1],
        ):
            fault = rejected(replace(folder, name, "proof", before + wrong))
            assert f".drat: byte {len(before)}: " in fault, (i, wrong)


@pytest.mark.parametrize(
    "file", ["../unique.cnf", "/etc/passwd", "", ".", "a/b.cnf", "a\0b", "a\n", "missing.cnf"]
)
def test_attached_files_lie_beside_the_certificate(folder, file):
    path = folder / "unique.json"
    edit(path, put(("formula", "file"), file), reseal=True)
    assert rejected(path)


def test_a_file_whose_bytes_changed_is_named(folder):
    for kind in ("formula", "proof"):
        name = json.loads((folder / "unique.json").read_text())[kind]["file"]
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content + b"\n")
        assert f"{name}: its SHA-256" in rejected(folder / "unique.json")
        (folder / name).unlink()
        assert f"{name}: there is no such file" in rejected(folder / "unique.json")
        (folder / name).write_bytes(content)


@pytest.mark.parametrize("name", CLAIMED)
def test_more_than_the_clues_and_a_solution_shown_twice_are_rejected(folder, name):
    path = folder / f"{name}.json"
    text = path.read_text()
    rows, columns = (len(json.loads(text)["puzzle"][axis]) for axis in ("rows", "columns"))
    for key in ("goal", "more"):
        edit(path, put(("puzzle", key), ["." * columns] * rows), reseal=True)
        assert '"puzzle"' in rejected(path)
        path.write_text(text)
    if name == "multiple":
        edit(path, put(("solutions", 1), json.loads(text)["solutions"][0]), reseal=True)
        assert "the solutions are the same" in rejected(path)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "null",
        '{"format": 1}',
        '{"a": 1, "a": 1}',
        "[" * 100_000,
        '{"a": ' + "9" * 5000 + "}",
        "\xff",
    ],
    ids=range(9),
)
def test_a_file_that_is_not_a_certificate_is_refused(tmp_path, text):
    path = tmp_path / "odd.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(FormatError, match=r"odd\.json"):
        verify(path)


def test_a_later_version_and_a_repeated_key_are_refused(folder):
    path = folder / "unique.json"
    text = path.read_text()
    edit(path, put(("version",), 3), reseal=True)
    with pytest.raises(FormatError, match="expected version 1 to 2"):
        verify(path)
    path.write_text(text.replace('"claim"', '"claim": "unsat",\n  "claim"', 1))
    with pytest.raises(FormatError, match="a key is repeated"):
        verify(path)


def test_a_file_beyond_the_limits_is_not_read(folder, monkeypatch):
    path = folder / "unique.json"
    size = max(len(attached(folder, "unique", file)) for file in ("formula", "proof"))
    monkeypatch.setattr(bounds, "PROOF_BYTES", size)
    assert not rejected(path)
    monkeypatch.setattr(bounds, "PROOF_BYTES", size - 1)
    with pytest.raises(UsageError, match=f"a file of a certificate has up to {size - 1} bytes"):
        verify(path)
    monkeypatch.setattr(bounds, "CERTIFICATE_BYTES", 20)
    with pytest.raises(FormatError, match="20 bytes"):
        verify(path)


def test_a_puzzle_too_large_is_refused_by_maker_and_verifier(folder):
    huge = Puzzle.from_clues([[]] * 1200, [[]] * 1200)
    with pytest.raises(NonocspError, match="too large"):
        certify(huge)
    path = folder / "unsat.json"
    edit(path, put(("puzzle",), {"rows": [[]] * 1200, "columns": [[]] * 1200}), reseal=True)
    with pytest.raises(UsageError, match="too large"):
        verify(path)


def test_progress_is_reported_up_to_the_end_of_the_proof(folder):
    heard: list[tuple[int, int]] = []
    assert verify(folder / "unique.json", lambda done, total: heard.append((done, total)))
    assert heard == sorted(heard)
    assert heard[-1][0] == heard[-1][1] == len(attached(folder, "unique", "proof"))
