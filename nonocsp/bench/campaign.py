"""Runs a campaign: what is planned and not stored yet goes to the executor, and from there to the store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from nonocsp.backends.base import Termination
from nonocsp.bench.config import CampaignConfig
from nonocsp.bench.crosscheck import Disagreement, disagreements, wrong_answers
from nonocsp.bench.executors import create
from nonocsp.bench.executors.base import Executor, Measurement
from nonocsp.bench.planning import PlannedRun, plan
from nonocsp.bench.provenance import machine, versions, versions_seen
from nonocsp.bench.scoring import Score, score_all
from nonocsp.bench.store import Row, Store
from nonocsp.formats import save


@dataclass(frozen=True, slots=True)
class Planned:
    """The campaign is about to start: `total` runs, of which `done` are stored already."""

    total: int
    done: int


@dataclass(frozen=True, slots=True)
class Finished:
    """A run ended and its row is stored."""

    row: Row


Event = Planned | Finished


@dataclass(frozen=True, slots=True)
class CampaignResult:
    """A campaign, all planned runs done.

    Parameters
    ----------
    rows
        One row a planned run, in the order of the plan.
    scores
        One a backend.
    disagreements, wrong
        Contradictions between backends, and rows whose answer failed verification. Show them first.
    planned, ran, skipped
        How many runs are planned, were done now, and were stored before.
    warnings
        What makes rows hard to compare, such as versions that changed.
    """

    name: str
    rows: list[Row]
    scores: list[Score]
    disagreements: list[Disagreement]
    wrong: list[Row]
    planned: int
    ran: int
    skipped: int
    warnings: list[str]

    @property
    def is_sound(self) -> bool:
        """Whether no two backends contradict each other and every answer passed verification."""
        return not self.disagreements and not self.wrong


def _ignore(event: Event) -> None:
    """Hear of an event and do nothing."""


def run_campaign(
    config: CampaignConfig,
    output: Path,
    *,
    jobs: int | None = None,
    on_event: Callable[[Event], None] = _ignore,
) -> CampaignResult:
    """Run what is missing of a campaign.

    Whatever ends it early (Ctrl-C, ``kill -9``), rows that were written stay, and the next call
    goes on from there.

    Parameters
    ----------
    output
        The campaign's folder: ``runs.jsonl``, and ``failures/`` with the puzzles of runs that crashed.
    jobs
        Runs at a time; default: what the config says.
    on_event
        Called with `Planned` once and `Finished` after each run.
    """
    runs = {run.id: run for run in plan(config)}
    with Store(output) as store:
        rows = {row["run"]: row for row in store.rows() if row["run"] in runs}
        skipped = len(rows)
        on_event(Planned(len(runs), skipped))
        missing = [run for id, run in runs.items() if id not in rows]
        if missing:
            with create("warm", jobs or config.jobs) as executor:
                for row in _measure(config.name, missing, executor, store):
                    rows[row["run"]] = row
                    on_event(Finished(row))
    return _result(config.name, [rows[id] for id in runs], skipped)


def _measure(campaign: str, runs: Iterable[PlannedRun], executor: Executor, store: Store) -> Iterator[Row]:
    """Run the runs; yield their rows, stored, as they end."""
    by_id = {run.id: run for run in runs}
    for job, measurement in executor.run(run.job for run in runs):
        row = _row(campaign, by_id[job.id], measurement)
        store.append(row)
        if measurement.outcome.termination is Termination.CRASHED:
            _save_puzzle(by_id[job.id], store.folder / "failures")
        yield row


def _row(campaign: str, run: PlannedRun, measurement: Measurement) -> Row:
    """Return what is stored of a run: what was measured, how, with what, and what came out."""
    puzzle, request = run.source.puzzle, run.request
    return {
        "run": run.id,
        "campaign": campaign,
        "puzzle": run.source.name,
        "index": run.source.index,
        "puzzle_hash": puzzle.canonical_hash,
        "backend": run.backend,
        "task": str(request.task),
        "bound": request.bound,
        "seed": request.seed,
        "repeat": run.repeat,
        "limits": asdict(request.limits),
        **measurement.outcome.record(puzzle),
        "peak_rss_bytes": measurement.peak_rss_bytes,
        "executor": measurement.executor,
        "reliable": measurement.reliable,
        "versions": versions(run.backend),
        "machine": machine(),
    }


def _save_puzzle(run: PlannedRun, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    save(run.source.puzzle, folder / f"{run.id}.json", format="json")


def _result(name: str, rows: list[Row], skipped: int) -> CampaignResult:
    return CampaignResult(
        name=name,
        rows=rows,
        scores=score_all(rows),
        disagreements=disagreements(rows),
        wrong=wrong_answers(rows),
        planned=len(rows),
        ran=len(rows) - skipped,
        skipped=skipped,
        warnings=_warnings(rows),
    )


def _warnings(rows: list[Row]) -> list[str]:
    """Return what makes the rows of one campaign hard to compare."""
    versions_of: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        versions_of.setdefault(row["backend"], []).append(row["versions"])
    found = [
        f"{backend} was measured with different versions: {differences}"
        for backend, seen in versions_of.items()
        if (differences := _differences(seen))
    ]
    machines = sorted({row["machine"] for row in rows})
    if len(machines) > 1:
        found.append(f"the runs come from different machines: {'; '.join(machines)}")
    if not all(row["reliable"] for row in rows):
        found.append("some runs shared a core with others: their times are not reliable")
    return found


def _differences(versions: Iterable[dict[str, str]]) -> str:
    """Return the packages that have several versions, with these; empty if none has."""
    seen = versions_seen(versions).items()
    return ", ".join(f"{package} {' and '.join(numbers)}" for package, numbers in seen if len(numbers) > 1)
