"""A comparison with an older checkout says whether the answers are equal, and how the times relate."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer

from tools.benchmarks.core import before
from tools.benchmarks.puzzles import ROOT


@pytest.mark.parametrize(("nodes", "said"), [(1, "equal"), (2, "DIFFERENT")])
def test_different_answers_make_the_exit_code_1(
    nodes: int, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    older = Path("/older")
    found = {older: [{"settle": 4.0}, [["unique", 1]]], ROOT: [{"settle": 2.0}, [["unique", nodes]]]}
    monkeypatch.setattr(before, "measured", found.__getitem__)
    with pytest.raises(typer.Exit) as ended:
        before.main(older, rounds=1)
    assert ended.value.exit_code == (said == "DIFFERENT")
    printed = capsys.readouterr().out
    assert said in printed
    assert "0.50" in printed
