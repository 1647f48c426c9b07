"""What a report concludes: ten campaigns whose result is plain to see, and the sentences about them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from nonocsp.bench.report import Digest
from nonocsp.bench.report.html import render
from nonocsp.bench.rows import RunRow
from nonocsp.bench.store import Campaign
from tests.bench.conftest import Held
from tests.bench.scoring.tables import rows_of

PUZZLES = "a b c d e f g h i j k l"
TENTHS = "0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1.0 1.1 1.2"
SECONDS = "1 2 3 4 5 6 7 8 9 9.1 9.2 9.3"
EVENLY = "0.2 0.1 0.4 0.3 0.6 0.5 0.8 0.7 1.0 0.9 1.2 1.1"
LATE = "0.3 0.5 0.7 0.9 1.1 1.3 1.5 1.7 1.9 2.1 2.3 T"

CAMPAIGNS = {
    "a clear winner": (
        f"{PUZZLES}\nslow {SECONDS}\nfast {TENTHS}",
        "fast wins: it decides all 12. The runner-up, slow, decides all 12 and takes 9.51 times as long "
        "(95 % interval: 9.06 to 9.92).",
    ),
    "time-outs make a factor a bound": (
        f"{PUZZLES}\nfast {TENTHS}\nslow {LATE}",
        "fast wins: it decides all 12. The runner-up, slow, decides 11 of 12 and takes at least 2.51 times "
        "as long (95 % interval: 2.17 to 3.18).",
    ),
    "a tie": (
        f"{PUZZLES}\nleft {TENTHS}\nright {EVENLY}",
        "No clear winner: left and right are not told apart. right decides all 12 and takes 1.00 times as "
        "long (95 % interval: 0.835 to 1.19).",
    ),
    "much slower on a few, as fast on most": (
        f"{PUZZLES}\nleft {TENTHS}\nright 0.09 0.19 0.29 0.39 0.49 0.59 0.69 8 9 10 11 12",
        "No clear winner: puzzle by puzzle, left and right are not told apart, with 5 wins to 7 (p 0.424). "
        "On average, where long runs weigh more, right takes 2.52 times as long (95 % interval: 1.40 to "
        "4.48); it decides all 12.",
    ),
    "a tie of three": (
        f"{PUZZLES}\nleft {TENTHS}\nright {EVENLY}\nthird {EVENLY}",
        "No clear winner: left decides all 12; that it comes before right and third may be chance.",
    ),
    "too few puzzles": (
        "a b c\nfast 0.1 0.1 0.1\nslow 5 5 5",
        "Too few puzzles to name a winner: fast is better than slow on 3 of 3; a test needs 6 puzzles whose "
        "times differ.",
    ),
    "fast on most, stuck on a few": (
        f"{PUZZLES}\nquick 0.01 0.01 0.01 0.01 0.01 0.01 0.01 0.01 0.01 T T T\nsteady {SECONDS}",
        "No clear winner: quick has the least PAR-2, but decides 9 of 12; steady decides all 12.",
    ),
    "steady, but slow on most": (
        f"{PUZZLES}\nquick 0.01 0.01 0.01 0.01 0.01 0.01 0.01 0.01 0.01 0.01 0.01 T\nsteady {TENTHS}",
        "No clear winner: steady decides all 12 and has the least PAR-2, but quick is better on 11 of 12 (p "
        "0.001).",
    ),
    "an incomplete method": (
        f"{PUZZLES}\nfixpoint P P P P P P P P P P P 0.1\nfast {TENTHS}",
        "fast decides all 12; no other complete method has run all puzzles. fixpoint is an incomplete "
        "method, and is listed last.",
    ),
    "one backend": (
        f"{PUZZLES}\nfast {TENTHS}",
        "fast decides all 12; there is no other backend to compare with.",
    ),
    "a backend that fails": (
        f"{PUZZLES}\nfast {TENTHS}\nbroken 5 5 5 5 5 5 M M M M M M",
        "fast wins: it decides all 12. The runner-up, broken, decides 6 of 12; no time factor is given, "
        "because it failed in 6 runs. Runs that failed: broken in 6.",
    ),
    "nothing decided": ("a b\nfast T T\nslow T T", "No conclusion: no backend decided any of the 2 puzzles."),
    "different puzzles": (
        "a b c\nfast 1 1 .\nslow . 1 1",
        "No conclusion yet: no backend has run all puzzles, and only those that have can win.",
    ),
}


def reported(sound: Campaign, rows: list[RunRow], **changes: Any) -> Digest:
    plain: Any = next(iter(sound.rows)) | {"reliable": True} | changes
    plain = {key: value for key, value in plain.items() if key not in ("solutions", "partial", "stats")}
    held = Held([{"solutions": [], "stats": {}} | plain | row for row in rows])
    return Digest.of([replace(sound, rows=held, is_done=True)])


def told(sound: Campaign, rows: list[RunRow], **changes: Any) -> str:
    return " ".join(reported(sound, rows, **changes).headline)


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_a_report_says_who_wins(sound, name):
    table, conclusion = CAMPAIGNS[name]
    digest = reported(sound, rows_of(table))
    assert " ".join(digest.headline) == conclusion
    leader = None if conclusion.startswith(("No ", "Too few")) else conclusion.split()[0]
    assert (digest.leader and digest.leader.backend) == leader


@pytest.mark.parametrize(
    ("table", "median"),
    [
        (CAMPAIGNS["a clear winner"][0], "<b>650 ms</b> its median time"),
        (f"{PUZZLES}\nlimited 0.1 0.1 0.1 0.1 0.1 0.1 T T T T T T", "<b>over 5.05 s</b> its median time"),
        (CAMPAIGNS["a tie"][0], ""),
    ],
)
def test_the_page_shows_the_figures_of_a_winner_alone(sound, tmp_path, table, median):
    page = render(reported(sound, rows_of(table)), tmp_path)
    assert ("its median time" in page) == bool(median)
    assert median in page
    assert "its median time" not in render(reported(sound, rows_of(table), wrong=True), tmp_path)


def test_a_report_says_where_the_winner_does_not_lead(sound):
    easy = rows_of(f"{PUZZLES}\nfast {TENTHS}\nslow {EVENLY}")
    rows: list[Any] = [
        *(row | {"answer": "unsat"} for row in easy),
        *rows_of(f"{PUZZLES.upper()}\nfast {TENTHS}\nslow {SECONDS}"),
    ]
    where = "On the class “no solution” (12 puzzles), it"
    assert f"{where} and slow are not told apart." in told(sound, rows)
    for row in rows:
        if row["answer"] == "unsat" and row["backend"] == "slow":
            row["wall_s"] *= 0.8
    assert f"{where} is slower: 1.2" in told(sound, rows)


def test_a_headline_says_what_makes_it_provisional(sound, alternated):
    rows = rows_of(CAMPAIGNS["a clear winner"][0])
    assert "First settle which backend is wrong: 24 wrong answers" in told(sound, rows, wrong=True)
    (sentence,) = Digest.of(alternated, baseline=0).headline
    assert "slower or weaker: hybrid:budget=1" in sentence
