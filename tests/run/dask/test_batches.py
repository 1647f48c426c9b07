"""Batches of runs: nothing is lost on the way, and a reply that is none is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from nonocsp.backends.base import Answer, Limits, Outcome, Request, Task, Termination
from nonocsp.datasets.random_images import random_set
from nonocsp.model import Puzzle
from nonocsp.run import create
from nonocsp.run.conditions import conditions
from nonocsp.run.dask import worker
from nonocsp.run.dask.batches import (
    Pace,
    decode_batch,
    decode_results,
    encode_batch,
    encode_results,
)
from nonocsp.run.jobs import Job, Measurement
from nonocsp.run.provenance import Provenance

WHERE = Provenance({"nonocsp": "1"}, "a machine", "0123456789abcdef")


def jobs() -> list[Job]:
    puzzles = [
        *random_set(1, count=3, rows=4, columns=5),
        *random_set(1, count=1, rows=3, columns=3, colours=2),
    ]
    requests = [Request(), Request(Task.COUNT, Limits(1.5, 2.5, 1 << 20), seed=3, bound=7)]
    return [
        Job(puzzle, backend, request)
        for puzzle in puzzles
        for backend in ("settle", "sat:solver=glucose4")
        for request in requests
    ]


def results(count: int) -> list[tuple[Job, Measurement, float]]:
    found = conditions(None)
    return [
        (
            job,
            Measurement(
                Outcome(
                    Answer.UNIQUE,
                    Termination.OK,
                    solutions=(job.puzzle.goal,) if job.puzzle.goal else (),
                    wall_s=0.25,
                    cpu_s=0.5,
                ),
                *(1234, "dask", True, found),
                provenance=WHERE,
            ),
            0.125,
        )
        for job in jobs()[:count]
    ]


def test_a_batch_is_the_same_on_the_other_side_without_goals() -> None:
    for before, after in zip(jobs(), decode_batch(encode_batch(jobs())), strict=True):
        assert (after.backend, after.request) == (before.backend, before.request)
        assert after.puzzle.canonical_hash == before.puzzle.canonical_hash
        assert after.puzzle.palette == before.puzzle.palette
        assert after.puzzle.goal is None


def test_a_puzzle_that_runs_share_travels_once() -> None:
    one = jobs()[0]
    many = [Job(one.puzzle, "settle", Request(seed=seed)) for seed in range(100)]
    assert len(encode_batch(many)) < 100 * len(encode_batch([one])) / 5


@pytest.mark.parametrize("count", [1, 5, 16])
def test_results_are_the_same_on_the_other_side_and_share_their_provenance(count: int) -> None:
    sent = results(count)
    measured, seconds = decode_results(encode_results(sent), jobs(), "dask")
    assert seconds == [0.125] * count
    assert [(m.outcome, m.provenance) for _, m in measured] == [(m.outcome, WHERE) for _, m, _ in sent]
    assert len({id(m.provenance) for _, m in measured}) == 1


def changed(change: Callable[[dict[str, Any], list[Any]], None]) -> bytes:
    """Return a reply of three results after a change of its head or its measurements."""
    head, *lines = map(json.loads, encode_results(results(3)).split(b"\n"))
    change(head, lines)
    return b"\n".join(json.dumps(line).encode() for line in (head, *lines))


@pytest.mark.parametrize(
    "reply",
    [
        b"",
        b"{}",
        b"[]\n[]",
        b"\xff",
        b"[" * 100_000,
        changed(lambda head, lines: lines.clear()),
        changed(lambda head, lines: lines.pop()),
        changed(lambda head, lines: (lines.extend(lines * 9), head.update(seconds=[1.0] * 30))),
        changed(lambda head, lines: head.update(seconds=[1, -1, 1])),
        changed(lambda head, lines: head.update(seconds=[1, float("nan"), 1])),
        changed(lambda head, lines: head.update(seconds=None)),
        changed(lambda head, lines: head.update(provenances={})),
        changed(lambda head, lines: head["provenances"]["settle"].update(code=7)),
        changed(lambda head, lines: head["provenances"]["settle"]["versions"].update(sat=7)),
        changed(lambda head, lines: lines[1].clear()),
        changed(lambda head, lines: lines[1]["outcome"].update(wall_s=float("nan"))),
        changed(lambda head, lines: lines[1]["outcome"].update(wall_s=-1.0)),
        changed(lambda head, lines: lines[1]["outcome"].update(cpu_s=float("inf"))),
        changed(lambda head, lines: lines[1]["outcome"].update(wall_s=-0.1, cpu_s=0.2)),
        changed(lambda head, lines: lines[1]["outcome"].update(wall_s="soon")),
        changed(lambda head, lines: lines[1]["outcome"].update(stats=[1])),
        changed(lambda head, lines: lines[1]["outcome"].update(partial=[[float("inf")]])),
        changed(lambda head, lines: lines[1]["outcome"].update(answer="perhaps")),
        changed(lambda head, lines: lines[1]["outcome"].update(solutions=[["zz"]])),
    ],
)
def test_a_reply_that_holds_no_measurements_is_refused(reply: bytes) -> None:
    with pytest.raises(ValueError):
        decode_results(reply, jobs(), "dask")


@pytest.mark.parametrize(
    "reply",
    [b"", b"{}", b"[{}]", b'[{"provenance": null, "source": "", "platform": "", "problem": ""}]', b"[7]"],
)
def test_an_offer_that_is_none_is_refused(reply: bytes) -> None:
    with pytest.raises(ValueError):
        worker.decode_offers(reply)


def test_the_expected_time_follows_the_measured_ones() -> None:
    pace = Pace()
    assert pace.expected_s("a") == 1.0  # unknown: a batch for each run
    for _ in range(1000):
        pace.learn("a", 0.001)
    assert pace.expected_s("a") == pytest.approx(0.001)
    for _ in range(1000):
        pace.learn("a", 3.0)
    assert pace.expected_s("a") == pytest.approx(3.0, rel=0.05)


def test_a_worker_returns_early_from_a_batch_that_takes_too_long() -> None:
    batch = [Job(Puzzle.from_clues([[1]], [[1]]), "settle", Request()) for _ in range(5)]
    with create("fork", 1) as executor:
        reply = worker.run_batch(encode_batch(batch), executor, 0.0)
    measured, seconds = decode_results(reply, batch, "dask")
    assert 1 <= len(measured) == len(seconds) < 5
