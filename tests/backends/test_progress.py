"""Whoever waits for a hard puzzle hears of its progress: from Python by a call, on a terminal in a line."""

import os
import pty
import re
import subprocess
import sys
from contextlib import suppress

import pytest

import nonocsp
from nonocsp import Progress, Termination
from nonocsp.testing import n_dom
from tests.waiting import AMPLE_S

HARD = n_dom(14)
FIELDS = dict.fromkeys(Progress.__slots__)
SAID = {
    "searching: 0:00:07": {"stage": "searching", "seconds": 7.9, "conflicts": 0},
    "encoding: 3 of 9 cells open, 0:00:00": {"open_cells": 3, "cells": 9, "stage": "encoding"},
    "learning: 12 345 conflicts, 0 of 9 cells open, 1:01:05": {
        **{"conflicts": 12345, "open_cells": 0, "cells": 9, "stage": "learning", "seconds": 3665.0}
    },
    "searching: 12.5% of the tree, 0:01:00 of at most 0:02:00": {"share": 0.125, "seconds": 60, "limit": 120},
    "backtracking: 0:00:01": {"share": 0.5, "seconds": 1.0, "stage": "backtracking"},
}


WALLS_S = (1.0, 6.0, 45.0)
"""Limits to try one after the other: on a busy machine it takes long until there is something to tell."""


@pytest.mark.parametrize("said", list(SAID))
def test_progress_prints_what_is_known(said):
    defaults = {"stage": "searching", "seconds": 0.0, "conflicts": 0, "cells": 1}
    assert str(Progress(**{**FIELDS, **defaults, **SAID[said]})) == said  # type: ignore[arg-type]


def test_a_function_hears_of_a_search_and_the_outcome_is_the_same():
    heard: list[Progress] = []
    for wall in WALLS_S:
        heard.clear()
        outcome = nonocsp.solve(HARD, wall=wall, progress=heard.append)
        assert outcome.termination is Termination.WALL
        if heard and heard[-1].conflicts > heard[0].conflicts:
            break
    assert 2 <= len(heard) <= 10 * wall + 1
    assert [one.seconds for one in heard] == sorted(one.seconds for one in heard)
    assert (heard[-1].stage, heard[-1].limit, heard[-1].cells) == ("learning", wall, 29 * 29)
    assert heard[-1].conflicts > heard[0].conflicts
    assert nonocsp.solve(nonocsp.Puzzle.from_clues([[1]], [[1]]), progress=heard.append).answer == "unique"


@pytest.mark.parametrize("backend", ["sat", "cpsat"])
def test_solvers_of_others_tell_the_open_cells_and_an_exception_of_the_function_ends_them(backend):
    def end_the_search(progress: Progress) -> None:
        if progress.stage == "searching" and progress.open_cells == 29 * 29:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        nonocsp.solve(HARD, backend, wall=AMPLE_S, progress=end_the_search)


def test_nothing_is_shown_where_there_is_no_terminal(capfd):
    nonocsp.solve(HARD, wall=0.5, progress=True)
    assert capfd.readouterr() == ("", "")


def test_a_terminal_shows_a_line_and_clears_it():
    for wall in WALLS_S:
        out, shown = on_a_terminal(
            "import nonocsp; from nonocsp.testing import n_dom\n"
            f"nonocsp.solve(n_dom(14), wall={wall}, progress=True)\n"
            "print('END', flush=True)"
        )
        assert out == b"END\n"
        if "learning" in shown:
            break
    assert re.search(
        r"learning: [\d ]+ conflicts, \d+ of 841 cells open, 0:00:\d\d of at most 0:00:\d\d", shown
    )
    assert shown.rstrip().endswith(("\x1b[2K", "\x1b[?25h"))


def on_a_terminal(program: str) -> tuple[bytes, str]:
    terminal, end = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=end, env=environment
    )
    os.close(end)
    shown = b""
    with suppress(OSError):  # which tells the end
        while True:
            shown += os.read(terminal, 100_000)
    os.close(terminal)
    return process.communicate(timeout=AMPLE_S)[0], shown.decode()
