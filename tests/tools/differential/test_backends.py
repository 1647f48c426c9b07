"""``python -m tools.differential backends``: the table, and what happens with a backend that lies or dies."""

import re

import pytest
from typer.testing import CliRunner, Result

from tools.differential.__main__ import app

COUNT = 12


def compare(*arguments: object) -> Result:
    always = ["--seed", 5, "--jobs", 1]
    return CliRunner().invoke(app, ["backends", *map(str, [*arguments, *always])])


def test_the_table_shows_how_every_run_ended():
    result = compare("--puzzles", COUNT, "--backends", "settle,sat,twosat")
    assert result.exit_code == 0
    first, _, head, _, *rows = result.stdout.splitlines()
    assert first == f"{COUNT} puzzles: {COUNT} agreed, 0 disagreed"
    assert head.startswith("| backend | ")
    rows = [row for row in rows if row.startswith("| `")]
    assert [row.split("`")[1] for row in rows] == ["settle", "sat", "twosat", "enumeration"]
    assert all(sum(map(int, row.split("|")[2:-2])) == COUNT for row in rows)
    assert "Seed 5, from round 0." in result.stdout


@pytest.mark.usefixtures("unruly")
@pytest.mark.parametrize(
    ("liar", "said"),
    [
        ("deny", r"DISAGREEMENT random: deny answered unsat, (sat|enumeration) has a solution"),
        ("unruly:how=lie", r"BROKEN random: unruly:how=lie: wrong answer: row 1 does not have the clue 1"),
        ("unruly:how=raise", r"BROKEN random: unruly:how=raise: the backend raised RuntimeError: no idea"),
    ],
)
def test_a_fault_is_shrunk_to_a_test_that_fails_until_the_fault_is_fixed(liar, said, tmp_path):
    result = compare("--puzzles", 3, "--backends", f"sat,{liar}", "--save", tmp_path)
    assert result.exit_code == 1
    assert re.search(said, result.stdout), result.stdout
    assert re.search("Puzzle [123] of --seed 5 --first-round 0\n", result.stdout)
    source = re.search(r"^from tools.differential.*?record\(\)$", result.stdout, re.DOTALL | re.MULTILINE)
    assert source is not None
    assert re.search(r"from_clues\(\[\[1?\]\], \[\[1?\]\]\)", source[0]), "the smallest puzzle has one cell"
    assert len(list(tmp_path.glob("*.claims.json"))) == 1
    with pytest.raises(AssertionError):
        run_test(source[0])
    run_test(source[0].replace(liar, "hybrid"))


def run_test(source: str) -> None:
    names: dict[str, object] = {}
    exec(compile(source, "printed", "exec", dont_inherit=True), names)
    (test,) = (value for name, value in names.items() if name.startswith("test_"))
    assert callable(test)
    test()
