"""``nonocsp backends --try``: what the author of a program is told."""

import json
import re
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from nonocsp.backends.base import Answer
from nonocsp.cli.app import app
from nonocsp.model import FormatError, UsageError
from nonocsp.testing.trial import Verdict, summary, ten_puzzles, trials
from tests.backends.command.conftest import Script


def declared(script: Script, text: str, **rest: Any) -> str:
    return json.dumps({"name": "program", "command": [script(text), "{puzzle}"], **rest})


@pytest.mark.parametrize("spec", ["hybrid", "settle"])
def test_an_installed_backend_can_be_tried_on_puzzles_of_every_kind(spec):
    tried = [*trials(spec)]
    assert [one.puzzle for one in tried[:10]] == ten_puzzles()
    assert {one.puzzle.shape for one in tried} >= {(1, 1), (1, 5), (5, 1), (3, 4)}
    assert [one.puzzle.palette.is_one_colour for one in tried] == [*[True] * 9, False, True]
    assert all(one.verdict is not Verdict.WRONG for one in tried)
    assert (len({one.verdict for one in tried}) == 1) == (spec == "hybrid")
    assert any(line.startswith("missing: gives up") for line in summary(spec, tried)) == (spec == "settle")


def test_a_program_that_always_claims_the_same_is_wrong_where_that_is_false(script):
    spec = declared(script, "exit 7", rules={"exit_codes": {7: "unsat"}})
    verdicts = {one.puzzle.title: one for one in trials(spec)}
    for one in verdicts.values():
        if one.outcome.answer is Answer.UNSAT:
            assert (one.verdict is Verdict.RIGHT) == (one.found == 0)
    assert verdicts["two solutions"].reason == "it claims no solution; there are 2"
    assert verdicts["one row"].reason == "it claims no solution; there is 1"


TURNED = """\
case "$(cat $1)" in
*"rows
2,1
"*) printf '#\\n#\\n.\\n#\\n.\\n' ;;
*"width 4
height 4"*) printf '#.#.\\n.#.#\\n.#.#\\n..#.\\n' ;;
*) printf '###\\n###\\n###\\n###\\n' ;;
esac"""
"""A program that prints columns as lines, of some of the ten puzzles."""


def test_exchanged_rows_and_columns_are_recognised_and_shown_beside_what_was_expected(script):
    tried = {one.puzzle.title: one for one in trials(declared(script, TURNED))}
    assert tried["one row"].reason.endswith("and found 5 lines of 1 cell: rows and columns are exchanged")
    assert tried["full grid"].reason.endswith("and found 4 lines of 3 cells: rows and columns are exchanged")
    square = tried["unique, not simple"]
    assert square.reason == "wrong answer: row 1 does not have the clue 1; rows and columns are exchanged"
    assert square.comparison() == [
        "printed  expected",
        "#.#.     #...",
        ".#.#     .##.",
        ".#.#     #..#",
        "..#.     .##.",
    ]
    assert tried["one row"].comparison() == []


def test_a_format_that_was_not_declared_is_guessed_if_nothing_is_right(script):
    wanted = "missing: perhaps input: in the declaration; the program got puzzles as non, the default"
    for rest, is_guessed in (({}, True), ({"input": "nin"}, False)):
        spec = declared(script, "echo syntax error >&2; exit 1", **rest)
        told = summary(spec, [*trials(spec)])
        assert any(line.startswith(wanted) for line in told) == is_guessed
        assert [line for line in told if "syntax error" in line] == [told[-1]]


def test_the_path_of_a_program_is_answered_with_a_declaration_of_it(script, tmp_path):
    with pytest.raises(UsageError, match=r'command: \[./program, "{puzzle}"\]'):
        next(trials(script("exit 1")))
    source = tmp_path / "solver.py"
    source.write_text("print(1)")
    with pytest.raises(UsageError, match=r'command: \[python3, ./solver.py, "{puzzle}"\]'):
        next(trials(str(source)))


def test_a_placeholder_without_quotes_is_named(tmp_path):
    (tmp_path / "mine.yaml").write_text("name: mine\ncommand: [./solver, {puzzle}]\n")
    said = 'mine.yaml:2:10: command: {puzzle} without quotes is a mapping in YAML; write "{puzzle}"'
    with pytest.raises(FormatError, match=re.escape(said)):
        next(trials(str(tmp_path / "mine.yaml")))


def tried_by_command(spec: str) -> Result:
    return CliRunner().invoke(app, ["backends", "--try", spec])


def test_the_exit_code_says_whether_something_is_wrong(script):
    rules = {"unknown": "gave up"}
    fine = tried_by_command(declared(script, "echo gave up", rules=rules))
    assert fine.exit_code == 0, fine.stderr
    assert "missing: gives up on some puzzles" in fine.stdout
    assert "wrong" not in fine.stdout
    wrong = tried_by_command(declared(script, "exit 1", rules=rules))
    assert wrong.exit_code == 1
    assert "the program ended with exit code 1" in wrong.stdout
