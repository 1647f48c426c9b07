"""`tools.differential.engine` finds nothing in the engine, and finds every fault that is put into it."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from nonocsp.backends.base import Answer, Outcome, Termination
from nonocsp.engine import searches
from tools.differential import engine_grids, engine_large, engine_lines
from tools.differential.__main__ import app
from tools.differential.engine import CHECKS

Lie = Callable[..., Any]
"""Makes another function of one of the engine's."""


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["engine", *map(str, arguments)])


def test_the_engine_and_the_oracle_agree():
    result = run("--cases", 6 * len(CHECKS), "--seed", 3)
    assert result.exit_code == 0, result.stdout
    counts = dict(re.findall(r"^\| (.+) \| (\d+) \|$", result.stdout, re.MULTILINE))
    assert set(counts) == {check.__name__.replace("_", " ") for check in CHECKS}
    assert sum(map(int, counts.values())) == 6 * len(CHECKS)


def everything_fits(original: Lie) -> Lie:
    return lambda *arguments: np.ones_like(original(*arguments))


def one_more(original: Lie) -> Lie:
    return lambda *arguments: original(*arguments) + 1


def forgets_a_cell(original: Lie) -> Lie:
    """The first cell of the first line has no candidate but one."""

    def settle(*arguments: Any) -> Any:
        settled, fits = original(*arguments)
        settled[0, 0] &= -settled[0, 0]
        return settled, fits

    return settle


def only_background(original: Lie) -> Lie:
    return lambda *arguments: np.minimum(original(*arguments), 1)


def says_unsat(original: Lie) -> Lie:
    return lambda *_: Outcome(Answer.UNSAT, Termination.OK)


@pytest.mark.parametrize(
    ("check", "place", "name", "lie"),
    [
        (engine_lines.settle_and_feasible, engine_lines, "settle_lines", forgets_a_cell),
        (engine_lines.settle_and_feasible, engine_lines, "feasible_lines", everything_fits),
        (engine_lines.long_lines, engine_lines, "settle_lines", forgets_a_cell),
        (engine_lines.streamed_placements, engine_lines, "placement_count", one_more),
        (engine_lines.messages_of_segments, searches, "eliminate_lines", only_background),
        (engine_grids.backends, engine_grids, "run_backend", says_unsat),
        (engine_grids.stopped, engine_grids, "run_backend", says_unsat),
        (engine_large.large_backends, engine_large, "run_backend", says_unsat),
    ],
)
def test_a_wrong_result_of_the_engine_is_detected(monkeypatch, check, place, name, lie):
    monkeypatch.setattr(place, name, lie(getattr(place, name)))
    monkeypatch.setattr("tools.differential.engine.CHECKS", (check,))
    result = run("--cases", 40, "--seed", 1)
    assert result.exit_code == 1
    fault = re.search(r"--seed 1 --first (\d+) --cases 1$", result.stdout, re.MULTILINE)
    assert fault
    assert run("--seed", 1, "--first", fault[1], "--cases", 1).exit_code == 1
