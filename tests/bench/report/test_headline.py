"""What a report concludes: ten campaigns whose result is plain to see, and the sentences about them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from nonocsp.bench.report import Digest, headline
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
        ["fast wins: it decides all 12; the next, slow, decides all 12 and takes 9.51 times as long"],
    ),
    "time-outs make a factor a bound": (
        f"{PUZZLES}\nfast {TENTHS}\nslow {LATE}",
        ["fast wins: it decides all 12; the next, slow, decides 11 of 12 and takes at least 2.51 times"],
    ),
    "a tie": (
        f"{PUZZLES}\nleft {TENTHS}\nright {EVENLY}",
        ["No clear winner: left decides all 12 and comes first, but its lead over right may be chance."],
    ),
    "too few puzzles": (
        "a b c\nfast 0.1 0.1 0.1\nslow 5 5 5",
        [
            "Too few puzzles to name a winner: fast decides all 3 and comes first, but is not told apart "
            "from slow. A test needs at least 6 puzzles whose times differ."
        ],
    ),
    "fast on most, stuck on a few": (
        f"{PUZZLES}\nquick 0.01 0.01 0.01 0.01 0.01 0.01 0.01 0.01 0.01 T T T\nsteady {SECONDS}",
        [
            "No clear winner: quick decides 9 of 12 and has the least PAR-2, but steady decides all 12.",
        ],
    ),
    "steady, but slow on most": (
        f"{PUZZLES}\nquick 0.01 0.01 0.01 0.01 0.01 0.01 0.01 0.01 0.01 0.01 0.01 T\nsteady {TENTHS}",
        [
            "No clear winner: steady decides all 12 and has the least PAR-2, but takes 22.6 times as long",
            "as quick, whose time-outs cost more.",
        ],
    ),
    "an incomplete method": (
        f"{PUZZLES}\nfixpoint P P P P P P P P P P P 0.1\nfast {TENTHS}",
        ["fast decides all 12; no other can win.", "fixpoint is incomplete, and listed last."],
    ),
    "one backend": (
        f"{PUZZLES}\nfast {TENTHS}",
        ["fast decides all 12; there is no other backend to compare"],
    ),
    "a backend that fails": (
        f"{PUZZLES}\nfast {TENTHS}\nbroken 5 5 5 5 5 5 M M M M M M",
        ["fast wins:", "broken failed in 6 of 12 runs."],
    ),
    "nothing decided": ("a b\nfast T T\nslow T T", ["No backend decided a run."]),
    "different puzzles": (
        "a b c\nfast 1 1 .\nslow . 1 1",
        ["No winner: every backend is incomplete or has not run all puzzles."],
    ),
}


def told(sound: Campaign, rows: list[RunRow], **changes: Any) -> str:
    plain: Any = next(iter(sound.rows)) | {"reliable": True} | changes
    plain = {key: value for key, value in plain.items() if key not in ("solutions", "partial", "stats")}
    held = Held([{"solutions": [], "stats": {}} | plain | row for row in rows])
    return " ".join(headline(Digest.of([replace(sound, rows=held)])))


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_a_report_says_who_wins(sound: Campaign, name: str) -> None:
    table, sentences = CAMPAIGNS[name]
    text = told(sound, rows_of(table))
    for sentence in sentences:
        assert sentence in text, text
    assert ("failed" in text) == ("broken" in table)


def test_a_report_says_where_the_winner_does_not_lead(sound: Campaign) -> None:
    easy, hard = (
        rows_of(f"{PUZZLES}\nfast {TENTHS}\nslow {EVENLY}"),
        rows_of(f"{PUZZLES.upper()}\nfast {TENTHS}\nslow {SECONDS}"),
    )
    rows: list[Any] = [*(row | {"answer": "unsat"} for row in easy), *hard]
    assert "On puzzles of the class “no solution” (12), its lead over slow may be chance." in told(
        sound, rows
    )
    for row in rows:
        if row["answer"] == "unsat" and row["backend"] == "slow":
            row["wall_s"] *= 0.8
    assert "On puzzles of the class “no solution” (12), it takes 1.2" in told(sound, rows)


def test_a_headline_says_what_makes_it_provisional(sound: Campaign, alternated: list[Campaign]) -> None:
    rows = rows_of(CAMPAIGNS["a clear winner"][0])
    assert "Times are provisional: 24 of 24 runs shared a core." in told(sound, rows, reliable=False)
    assert "First settle which backend is wrong: 24 wrong answers" in told(sound, rows, wrong=True)
    (sentence,) = headline(Digest.of(alternated, baseline=0))
    assert "slower or weaker: hybrid:budget=1" in sentence
