"""``nonocsp mend``, and what other commands say of the clue that is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from nonocsp import load, solve

Cli = Callable[..., Result]
Records = Callable[..., list[dict[str, Any]]]

SUMS = "width 4\nheight 3\nrows\n2,1\n2\n3\ncolumns\n2\n1,1\n1\n1,1\n"
UNSAT = "width 4\nheight 3\nrows\n2,1\n1\n3\ncolumns\n1,1\n2\n1\n1,1\n"
ADVICE = "row 2: 2 should be 1; no other single change of a number gives exactly one solution"
EXCHANGE = "2 changes give exactly one solution each: columns 1 and 2 should change places"


@pytest.fixture
def typed(tmp_path: Path) -> Callable[[str], Path]:
    """Write clues to a file."""

    def write(text: str) -> Path:
        file = tmp_path / f"{len([*tmp_path.iterdir()])}.non"
        file.write_text(text)
        return file

    return write


def test_a_mistyped_file_is_mended_and_saved(
    cli: Cli, records: Records, typed: Callable[[str], Path]
) -> None:
    wrong = typed(SUMS)
    mended = wrong.with_name("mended.non")
    result = cli("mend", "--output", mended, wrong)
    assert result.exit_code == 0
    assert ADVICE in result.stdout
    assert "row 2, columns 2 and 4 contradict each other" in result.stdout
    assert "2 1 # # . #" in result.stdout
    assert solve(load(mended)).answer == "unique"
    first, second, third = records("mend", wrong, mended, typed(UNSAT), code=0)
    assert [mend["to"] for mend in first["mends"]] == [[[1]]]
    assert (second["answer"], second["mends"], second["complete"]) == ("unique", [], True)
    assert third["mends"][0]["lines"] == ["column 1", "column 2"]
    folder = records("mend", wrong.parent)
    assert [bool(one["mends"]) for one in folder] == [True, False, True]


@pytest.mark.parametrize("command", [("solve",), ("check", "--backends", "sat"), ("explain",)])
def test_other_commands_name_the_wrong_clue_of_a_single_puzzle(
    cli: Cli, typed: Callable[[str], Path], command: tuple[str, ...]
) -> None:
    result = cli(*command, typed(SUMS))
    assert result.exit_code == 2
    assert result.stderr.endswith(
        f"the rows have 8 black cells and the columns 7; both must be the same\n{ADVICE}\n"
    )
    assert EXCHANGE in cli(*command, typed(UNSAT)).stdout
    assert EXCHANGE not in cli(*command, typed(UNSAT), typed(UNSAT)).stdout
    assert ADVICE not in cli(*command, typed(UNSAT), typed(SUMS)).stderr


def test_check_expects_one_solution_if_asked(cli: Cli, typed: Callable[[str], Path]) -> None:
    several = typed("width 2\nheight 2\nrows\n1\n1\ncolumns\n1\n1\n")
    assert cli("check", "--backends", "sat", several).exit_code == 0
    result = cli("check", "--backends", "sat", "--expect", "unique", several)
    assert result.exit_code == 1
    assert "no single change that was tried gives exactly one solution" in result.stdout
