"""What travels between driver and workers: nothing is lost on the way, and nonsense is refused."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from typing import Any

import pytest

from nonocsp.backends.base import Answer, Limits, Outcome, Request, Task, Termination
from nonocsp.datasets.random_images import random_set
from nonocsp.model import Grid, UsageError
from nonocsp.run import cluster_worker
from nonocsp.run.cluster_worker import Campaign, decode_offers, decode_reply, encode_batch, encode_reply
from nonocsp.run.conditions import conditions
from nonocsp.run.jobs import NO_ACCESS, Job, Measurement
from nonocsp.run.provenance import Provenance
from tests.waiting import wait_until

HERE = conditions((1, 2))
WHERE = Provenance({"nonocsp": "1"}, "a machine", "0123456789abcdef")
REQUEST = Request(Task.COUNT, Limits(1.5, 2.5, 1 << 20), seed=3, bound=7)
JOBS = [
    Job(puzzle, backend, REQUEST)
    for puzzle in [
        *random_set(1, count=2, rows=4, columns=5),
        *random_set(1, count=1, rows=3, columns=3, colours=2),
    ]
    for backend in ("settle", "sat:solver=glucose4")
]


def measured() -> list[tuple[Job, Measurement, float]]:
    """Return a measurement for each job, with a solution and a partial grid."""
    plain = Outcome(
        Answer.PARTIAL, Termination.OK, stats={"nodes": 3, "rate": 0.5, "rule": "<&>"}, wall_s=0.1 + 0.2
    )
    found = []
    for job in JOBS:
        assert job.puzzle.goal
        unknown = Grid(job.puzzle.goal.candidates | job.puzzle.goal.candidates[:1])
        outcome = dataclasses.replace(plain, solutions=(job.puzzle.goal,), partial=unknown, message="a\nb")
        found.append(
            (
                job,
                Measurement(outcome, 7, "dask", True, HERE, 0.5, None, ("file \N{PILE OF POO}",), WHERE),
                2.0,
            )
        )
    return found


def test_measurements_are_the_same_on_the_other_side_and_share_their_provenance() -> None:
    replies = decode_reply(encode_reply(measured()), JOBS, "dask")
    assert replies == [(measurement, 2.0) for _, measurement, _ in measured()]
    assert len({id(measurement.provenance) for measurement, _ in replies}) == 2  # one for each backend


def test_names_of_files_that_are_no_text_can_be_told() -> None:
    job, measurement, _ = measured()[0]
    reply = encode_reply([(job, dataclasses.replace(measurement, left=("file \udcff",)), 1.0)])
    assert decode_reply(reply, JOBS, "dask")[0][0].left == ("file ?",)


def test_a_batch_holds_a_shared_puzzle_once() -> None:
    many = [Job(JOBS[0].puzzle, "settle", Request(seed=seed)) for seed in range(100)]
    assert len(encode_batch(many)) < 100 * len(encode_batch(many[:1])) / 5


def changed(change: Callable[[dict[str, Any], list[Any]], object]) -> bytes:
    """Return a reply after a change of the document or its runs."""
    document = json.loads(encode_reply(measured()))
    change(document, document["runs"])
    return json.dumps(document).encode()


@pytest.mark.parametrize(
    "reply",
    [
        b"",
        b"{}",
        b"[]",
        b"\xff",
        b"[" * 100_000,
        changed(lambda document, runs: runs.clear()),
        changed(lambda document, runs: runs.extend(runs * 9)),
        changed(lambda document, runs: runs[1].update(spent_s=-1)),
        changed(lambda document, runs: runs[1].update(spent_s=float("nan"))),
        changed(lambda document, runs: document.update(provenances={})),
        changed(lambda document, runs: document["provenances"]["settle"].update(code=7)),
        changed(lambda document, runs: document["provenances"]["settle"]["versions"].update(sat=7)),
        changed(lambda document, runs: runs[1].clear()),
        changed(lambda document, runs: runs[1].update(wall_s=-1.0)),
        changed(lambda document, runs: runs[1].update(cpu_s=float("inf"))),
        changed(lambda document, runs: runs[1].update(wall_s="soon")),
        changed(lambda document, runs: runs[1].update(stats=[1])),
        changed(lambda document, runs: runs[1].update(partial=[[float("inf")]])),
        changed(lambda document, runs: runs[1].update(partial=[[1 << 70]])),
        changed(lambda document, runs: runs[1].update(partial=[[1], [1, 2]])),
        changed(lambda document, runs: runs[1].update(answer="perhaps")),
        changed(lambda document, runs: runs[1].update(solutions=[["zz"]])),
        changed(lambda document, runs: runs[1].update(solutions=[["....."] * 4])),
    ],
)
def test_a_reply_that_holds_no_measurements_is_refused(reply: bytes) -> None:
    with pytest.raises(ValueError):
        decode_reply(reply, JOBS, "dask")


@pytest.mark.parametrize("answer", [b"", b"[]", b'{"settle": {}}', b'{"settle": 7}', b'{"settle": null}'])
def test_an_offer_that_is_none_is_refused(answer: bytes) -> None:
    with pytest.raises(ValueError):
        decode_offers(answer)


def campaign(driver: str) -> Campaign:
    return Campaign(driver, "fork", False, 1, NO_ACCESS)


def test_executors_are_kept_for_a_campaign_until_they_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = cluster_worker._Executors()
    with kept.lend(campaign("one")) as first:
        pass
    with kept.lend(campaign("one")) as second:
        assert second is first
    with kept.lend(campaign("two")) as third:
        assert third is not first
    monkeypatch.setattr(cluster_worker, "IDLE_S", 0.0)
    with kept.lend(campaign("two")) as fourth:
        assert fourth is third
    wait_until(lambda: not kept._idle)


def test_an_executor_that_fails_is_not_lent_again() -> None:
    kept = cluster_worker._Executors()
    with pytest.raises(ZeroDivisionError), kept.lend(campaign("one")) as first:
        raise ZeroDivisionError
    with kept.lend(campaign("one")) as second:
        assert second is not first
    kept.end()


def test_a_worker_whose_nonocsp_was_replaced_asks_for_a_restart(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = cluster_worker._Executors()
    with kept.lend(campaign("one")):
        pass
    monkeypatch.setattr("nonocsp.run.provenance.forget", lambda: None)
    monkeypatch.setattr("nonocsp.run.provenance.code", lambda name: "0123456789abcdef")
    with (
        pytest.raises(UsageError, match="nonocsp has changed since this worker started; restart the worker"),
        kept.lend(campaign("two")),
    ):
        pass
