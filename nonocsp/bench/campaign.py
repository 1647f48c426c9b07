"""Runs a campaign: what is planned and not stored yet goes to the executor, and from there to the store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from nonocsp.backends.base import Termination
from nonocsp.bench.caveats import caveats
from nonocsp.bench.config import CampaignConfig
from nonocsp.bench.crosscheck import Disagreement, disagreements, wrong_answers
from nonocsp.bench.executors import create
from nonocsp.bench.executors.base import Executor, Measurement
from nonocsp.bench.planning import PlannedRun, plan
from nonocsp.bench.provenance import git_state, machine, versions
from nonocsp.bench.scoring import Score, score_all
from nonocsp.bench.sessions import Info, Session, add_session, now, read_info
from nonocsp.bench.store import Row, Store
from nonocsp.formats import save
from nonocsp.model import UsageError


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
        The campaign's folder: ``campaign.json``, ``runs.jsonl``, and ``failures/`` with the puzzles of runs
        that crashed.
    jobs
        Runs at a time; default: what the config says.
    on_event
        Called with `Planned` once and `Finished` after each run.

    Raises
    ------
    UsageError
        If the folder holds another campaign, or another driver writes to it.
    """
    runs = {run.id: run for run in plan(config)}
    with Store(output) as store:
        _refuse_another(read_info(output), config.name, output)
        rows = {row["run"]: row for row in store.rows() if row["run"] in runs}
        skipped = len(rows)
        missing = [run for id, run in runs.items() if id not in rows]
        if missing:
            add_session(output, config.name, _session(config, jobs or config.jobs, len(runs), len(missing)))
        on_event(Planned(len(runs), skipped))
        if missing:
            with create("warm", jobs or config.jobs) as executor:
                for row in _measure(config.name, missing, executor, store):
                    rows[row["run"]] = row
                    on_event(Finished(row))
    return _result(read_info(output), config.name, [rows[id] for id in runs], skipped)


def _refuse_another(info: Info, name: str, folder: Path) -> None:
    if info and info["name"] != name:
        raise UsageError(
            f"{folder} holds the campaign {info['name']!r}, not {name!r}: choose another --output"
        )


def _session(config: CampaignConfig, jobs: int, planned: int, missing: int) -> Session:
    git = git_state()
    return Session(
        start=now(),
        config=config.model_dump(mode="json"),
        config_text=config.text,
        jobs=jobs,
        executor="warm",
        pin=False,
        planned=planned,
        missing=missing,
        shard="",
        filters=(),
        versions={name: number for spec in config.backends for name, number in versions(spec).items()},
        machine=asdict(machine()),
        git=asdict(git) if git else None,
    )


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
        "conditions": asdict(measurement.conditions),
        "versions": versions(run.backend),
        "machine": str(machine()),
    }


def _save_puzzle(run: PlannedRun, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    save(run.source.puzzle, folder / f"{run.id}.json", format="json")


def _result(info: Info, name: str, rows: list[Row], skipped: int) -> CampaignResult:
    return CampaignResult(
        name=name,
        rows=rows,
        scores=score_all(rows),
        disagreements=disagreements(rows),
        wrong=wrong_answers(rows),
        planned=len(rows),
        ran=len(rows) - skipped,
        skipped=skipped,
        warnings=caveats(rows, info.get("sessions", [])),
    )
