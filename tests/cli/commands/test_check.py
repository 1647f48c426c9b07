"""``nonocsp check``: the table, the summary, JSON, exit codes, what is saved, Ctrl-C."""

import json
from pathlib import Path

import pytest

from nonocsp.backends.base import Answer, Outcome, Termination
from nonocsp.backends.registry import complete_names
from nonocsp.formats import load, save
from nonocsp.model import Puzzle
from nonocsp.testing import permutations


def test_there_is_a_row_a_puzzle_and_a_summary_within_80_columns(cli, files):
    result = cli("check", files("set"), "--backends", "settle,sat,sat:solver=cadical195", "-b", "mdd")
    lines = result.stdout.splitlines()
    assert (result.exit_code, max(map(len, lines)) <= 80) == (0, True)
    assert lines[0].split() == ["puzzle", "size", "settle", "sat", "sat:solver=ca", "mdd"]
    rows = sorted((line.split() for line in lines if line.startswith("…")), key=lambda row: row[0][-1])
    assert [row[1:3] + row[4:5] + row[-1:] for row in rows] == [
        ["3x3", "unique", "unique", "agreed"],
        ["2x2", "partial", "multiple", "agreed"],
        ["3x3", "unsat", "unsat", "agreed"],
    ]
    assert "3 puzzles: 3 agreed, 0 disagreed" in lines
    (summary,) = (line for line in lines if line.startswith("mdd"))
    assert set(summary.replace(",", "").split()[1::2]) == {"1"}


def test_too_many_backends_for_a_row_get_a_paragraph_per_puzzle(cli, files):
    specs = ["settle", "settle:order=sweeps", "sat", "sat:solver=cadical195", "twosat", "twosat:level=1"]
    lines = cli("check", files("multiple"), "--backends", ",".join(specs)).stdout.splitlines()
    assert max(map(len, lines[1:])) <= 80
    assert lines[0] == f"{files('multiple')} 2x2 agreed"
    said = " ".join(line.strip() for line in lines[1 : lines.index("")]).split(", ")
    assert [part.split()[0] for part in said] == specs
    assert [part.split()[1] for part in said] == ["partial"] * 2 + ["multiple"] * 4


def test_json_is_one_object_a_puzzle_and_the_summary_goes_elsewhere(cli, records, files):
    (record,) = records("check", files("unique"))
    independent = ["sat:root=no" if name == "sat" else name for name in complete_names()]
    assert list(record["backends"]) == independent
    assert "settle" not in independent
    result = cli("check", files("set"), "--json", "--backends", "sat,mdd", "--task", "count")
    found = {record["index"]: record for record in map(json.loads, result.stdout.splitlines())}
    assert (set(found), found[2]["finding"]) == ({1, 2, 3}, "agreed")
    assert {len(said["solutions"]) for said in found[2]["backends"].values()} == {2}
    assert "3 puzzles: 3 agreed" in result.stderr


@pytest.mark.usefixtures("unruly")
@pytest.mark.parametrize(
    ("liar", "more", "message"),
    [
        ("deny", [], "DISAGREEMENT {}: deny answered unsat, sat has a solution"),
        ("unruly:how=lie", [], "BROKEN {}: unruly:how=lie: wrong answer: row 1 does not have the clue 1 1"),
        ("unruly:how=segfault", ["--json"], "BROKEN {}: unruly:how=segfault: "),
    ],
)
def test_a_disagreement_or_a_broken_backend_exits_with_1_and_saves_the_puzzle(
    cli, files, tmp_path, *, liar, more, message
):
    result = cli("check", files("unique"), "-b", f"sat,{liar}", "--save", tmp_path / "wrong", *more)
    told = result.stderr if more else result.stdout
    assert (result.exit_code, message.format(files("unique")) in told) == (1, True)
    assert len(result.stdout.splitlines()) == 1 or not more
    (claims,) = (tmp_path / "wrong").glob("*.claims.json")
    puzzle = claims.with_name(claims.name.replace(".claims", ""))
    assert f"saved as {puzzle}" in told
    assert load(puzzle) == load(files("unique"))
    assert set(json.loads(claims.read_text())["backends"]) == {"sat", liar}


def test_undecided_puzzles_exit_with_3_and_bad_input_with_2_after_the_results(cli, files, hard, tmp_path):
    result = cli("check", files("unique"), hard, "--backends", "sat,gac", "--limit", "0.3s")
    assert result.exit_code == 3
    assert "2 puzzles: 1 agreed, 1 undecided, 0 disagreed" in result.stdout
    assert result.stdout.count("wall 0.") == 2
    (tmp_path / "bad.json").write_text("{}")
    result = cli("check", files("unique"), tmp_path / "bad.json", "--backends", "sat")
    assert (result.exit_code, "bad.json" in result.stderr) == (2, True)
    assert "1 puzzle: 0 agreed, 1 alone, 0 disagreed" in result.stdout


def test_long_names_are_cut_at_their_start_and_counts_are_compared(cli, tmp_path):
    path = tmp_path / f"{'x' * 100}.json"
    save([Puzzle.from_clues([[1]], [[1]])] * 2, path)
    rows = cli("check", path, "--backends", "sat").stdout.splitlines()
    assert max(map(len, rows)) <= 80
    assert any("x.json#2 " in row for row in rows)
    save(permutations(9), tmp_path / "many.json", format="json")
    result = cli("check", tmp_path / "many.json", "--task", "count", "--backends", "hybrid,mdd")
    assert (result.exit_code, result.stdout.count("362880 ")) == (0, 2)
    assert "1 agreed" in result.stdout


def test_certificates_stand_beside_the_answers_and_verify(cli, records, files, tmp_path):
    proofs = ("--certificate", tmp_path / "proofs")
    result = cli("check", files("set"), "--backends", "sat", *proofs)
    lines = result.stdout.splitlines()
    assert (result.exit_code, max(map(len, lines)) <= 80) == (0, True)
    assert lines[0].split() == ["puzzle", "size", "sat", "certificate"]
    assert "3 puzzles: 3 agreed" in result.stdout
    found = records("certificate", "verify", *sorted((tmp_path / "proofs").glob("*.json")))
    assert [record["valid"] for record in found] == [True] * 3
    assert {record["claim"] for record in found} == {"unique", "multiple", "unsat"}
    [record] = records("check", files("unique"), "--backends", "sat", *proofs)
    said = record["backends"]["certificate"]
    assert (said["answer"], said["solutions"]) == ("unique", [["#.#", "###", ".#."]])
    assert Path(said["stats"]["file"]).is_file()


def test_a_claim_without_its_proof_exits_with_3_and_leaves_no_file(cli, files, hard, tmp_path, monkeypatch):
    proofs = ("--certificate", tmp_path / "proofs")
    result = cli("check", hard, "--backends", "settle", "--limit", "300ms", *proofs)
    assert (result.exit_code, (tmp_path / "proofs").exists()) == (3, False)
    assert "no certificate: the wall limit of 0.3 s was reached" in result.stderr

    cut_off = Outcome(Answer.UNKNOWN, Termination.WALL), None
    monkeypatch.setattr("nonocsp.certificates.maker.prove", lambda *_: cut_off)
    result = cli("check", files("unique"), "--backends", "sat,gac", *proofs)
    assert (result.exit_code, "1 puzzle: 1 agreed" in result.stdout) == (3, True)
    assert "no certificate: the wall limit of 60.0 s was reached" in result.stderr
