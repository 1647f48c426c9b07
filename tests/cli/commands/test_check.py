"""``nonocsp check``: the table, the summary, JSON, exit codes, what is saved, Ctrl-C."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from nonocsp.backends.base import Interrupted
from nonocsp.backends.registry import complete_names
from nonocsp.formats import load, save
from nonocsp.model import Puzzle
from nonocsp.testing import permutations
from tests.waiting import AMPLE_S

Cli = Callable[..., Result]
Files = Callable[[str], Path]
Start = Callable[..., "subprocess.Popen[str]"]


def test_there_is_a_row_a_puzzle_and_a_summary_within_80_columns(cli: Cli, files: Files) -> None:
    result = cli("check", files("set"), "--backends", "settle,sat,sat:solver=cadical195", "-b", "cpsat")
    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert max(map(len, lines)) <= 80
    assert lines[0].split() == ["puzzle", "size", "settle", "sat", "sat:solver=ca", "cpsat"]
    rows = sorted((line.split() for line in lines if line.startswith("…")), key=lambda row: row[0][-1])
    assert [row[1:3] + row[4:5] for row in rows] == [
        ["3x3", "unique", "unique"],
        ["2x2", "partial", "multiple"],
        ["3x3", "unsat", "unsat"],
    ]
    assert {row[-1] for row in rows} == {"agreed"}
    assert "3 puzzles: 3 agreed, 0 disagreed" in lines
    (summary,) = (line for line in lines if line.startswith("cpsat"))
    assert set(summary.replace(",", "").split()[1::2]) == {"1"}


def test_too_many_backends_for_a_row_get_a_paragraph_per_puzzle(cli: Cli, files: Files) -> None:
    specs = ["settle", "settle:order=sweeps", "sat", "sat:solver=cadical195", "twosat", "twosat:level=1"]
    lines = cli("check", files("multiple"), "--backends", ",".join(specs)).stdout.splitlines()
    assert max(map(len, lines[1:])) <= 80
    assert lines[0] == f"{files('multiple')} 2x2 agreed"
    said = " ".join(line.strip() for line in lines[1 : lines.index("")]).split(", ")
    assert [part.split()[0] for part in said] == specs
    assert [part.split()[1] for part in said] == ["partial"] * 2 + ["multiple"] * 4


def test_the_default_is_every_complete_backend(cli: Cli, files: Files) -> None:
    (record,) = map(json.loads, cli("check", files("unique"), "--json").stdout.splitlines())
    assert list(record["backends"]) == complete_names()
    assert "sat" in record["backends"]
    assert "settle" not in record["backends"]


def test_json_is_one_object_a_puzzle_and_the_summary_goes_elsewhere(cli: Cli, files: Files) -> None:
    result = cli("check", files("set"), "--json", "--backends", "sat,cpsat", "--task", "count")
    records = {record["index"]: record for record in map(json.loads, result.stdout.splitlines())}
    assert set(records) == {1, 2, 3}
    assert records[2]["finding"] == "agreed"
    assert {len(said["solutions"]) for said in records[2]["backends"].values()} == {2}
    assert "3 puzzles: 3 agreed" in result.stderr


@pytest.mark.usefixtures("unruly")
@pytest.mark.parametrize(
    ("liar", "message"),
    [
        ("deny", "DISAGREEMENT {}: deny answered unsat, sat has a solution"),
        ("unruly:how=lie", "BROKEN {}: unruly:how=lie: wrong answer: row 1 does not have the clue 1 1"),
        ("unruly:how=segfault", "BROKEN {}: unruly:how=segfault: "),
    ],
)
def test_a_disagreement_or_a_broken_backend_exits_with_1_and_saves_the_puzzle(
    cli: Cli, files: Files, tmp_path: Path, liar: str, message: str
) -> None:
    message = message.format(files("unique"))
    arguments = ("check", files("unique"), "-b", f"sat,{liar}", "--save", tmp_path / "wrong")
    result = cli(*arguments)
    assert result.exit_code == 1
    assert message in result.stdout
    (claims,) = (tmp_path / "wrong").glob("*.claims.json")
    puzzle = claims.with_name(claims.name.replace(".claims", ""))
    assert f"saved as {puzzle}" in result.stdout
    assert load(puzzle) == load(files("unique"))
    assert set(json.loads(claims.read_text())["backends"]) == {"sat", liar}
    as_json = cli(*arguments, "--json")
    assert len(as_json.stdout.splitlines()) == 1
    assert message in as_json.stderr


def test_without_any_verdict_the_exit_code_is_3(cli: Cli, files: Files, hard: Path) -> None:
    result = cli("check", files("unique"), hard, "--backends", "sat,cpsat", "--limit", "0.3s")
    assert result.exit_code == 3
    assert "2 puzzles: 1 agreed, 1 undecided, 0 disagreed" in result.stdout
    assert result.stdout.count("wall 0.") == 2


def test_bad_input_is_reported_after_the_results_before_it(cli: Cli, files: Files, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{}")
    result = cli("check", files("unique"), tmp_path / "bad.json", "--backends", "sat")
    assert result.exit_code == 2
    assert "1 puzzle: 0 agreed, 1 alone, 0 disagreed" in result.stdout
    assert "bad.json" in result.stderr


def test_ctrl_c_exits_with_130_and_keeps_the_findings(start: Start, files: Files, hard: Path) -> None:
    with start("check", files("unique"), hard, "--backends", "sat") as process:
        assert process.stdout is not None
        head, row = process.stdout.readline(), process.stdout.readline()
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        rest, messages = process.communicate(timeout=AMPLE_S)
    assert process.returncode == 130
    assert head.startswith("puzzle")
    assert "unique" in row
    assert "1 puzzle: 0 agreed, 1 alone" in rest
    assert "interrupted" in messages


def test_a_long_name_is_cut_at_its_start(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / f"{'x' * 100}.json"
    save([Puzzle.from_clues([[1]], [[1]])] * 2, path)
    rows = cli("check", path, "--backends", "sat").stdout.splitlines()
    assert max(map(len, rows)) <= 80
    assert any("x.json#2 " in row for row in rows)


def test_certificates_stand_beside_the_answers_and_verify(cli: Cli, files: Files, tmp_path: Path) -> None:
    folder = tmp_path / "proofs"
    result = cli("check", files("set"), "--backends", "sat", "--certificate", folder)
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert result.stdout.splitlines()[0].split() == ["puzzle", "size", "sat", "certificate"]
    assert "3 puzzles: 3 agreed" in result.stdout
    made = sorted(folder.glob("*.json"))
    found = list(map(json.loads, cli("certificate", "verify", "--json", *made).stdout.splitlines()))
    assert [record["valid"] for record in found] == [True] * 3
    assert {record["claim"] for record in found} == {"unique", "multiple", "unsat"}


def test_the_json_of_a_puzzle_names_its_certificate(cli: Cli, files: Files, tmp_path: Path) -> None:
    result = cli(
        "check", files("unique"), "--backends", "sat", "--certificate", tmp_path / "proofs", "--json"
    )
    said = json.loads(result.stdout)["backends"]["certificate"]
    assert (said["answer"], said["solutions"]) == ("unique", [["#.#", "###", ".#."]])
    assert Path(said["stats"]["file"]).is_file()


def test_a_proof_cut_off_by_a_limit_is_no_claim_and_no_file(cli: Cli, hard: Path, tmp_path: Path) -> None:
    folder = tmp_path / "proofs"
    result = cli("check", hard, "--backends", "settle", "--limit", "300ms", "--certificate", folder)
    assert result.exit_code == 3
    assert "no certificate: the wall limit of 0.3 s was reached" in result.stderr
    assert not folder.exists()


def test_a_claim_without_its_proof_exits_with_3_even_if_all_backends_agree(
    cli: Cli, files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gives_up(*_: object, **__: object) -> None:
        raise Interrupted

    monkeypatch.setattr("nonocsp.certificates.maker.certify", gives_up)
    proofs = ("--certificate", tmp_path / "proofs")
    result = cli("check", files("unique"), "--backends", "sat,gac", *proofs)
    assert "1 puzzle: 1 agreed" in result.stdout
    assert result.exit_code == 3
    assert "no certificate: the wall limit of 60.0 s was reached" in result.stderr


@pytest.mark.usefixtures("unruly")
def test_a_certificate_shows_that_a_backend_is_wrong(cli: Cli, files: Files, tmp_path: Path) -> None:
    places = ("--certificate", tmp_path / "proofs", "--save", tmp_path / "failures")
    result = cli("check", files("unique"), "--backends", "deny", *places)
    assert result.exit_code == 1
    assert "deny answered unsat, certificate has a solution" in result.stdout


def test_counts_are_printed_and_compared(cli: Cli, files: Files, tmp_path: Path) -> None:
    save(permutations(9), tmp_path / "many.json", format="json")
    result = cli("check", tmp_path / "many.json", "--task", "count", "--backends", "hybrid,mdd")
    assert result.exit_code == 0
    assert result.stdout.count("362880 ") == 2
    assert "1 agreed" in result.stdout
