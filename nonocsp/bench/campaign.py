"""Runs a campaign: what is planned and not stored yet goes to the executor, and from there to the store."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from nonocsp.backends.base import Termination
from nonocsp.bench.caveats import caveats
from nonocsp.bench.config import CampaignConfig
from nonocsp.bench.contradictions import CrossCheck, Disagreement, disagreements, wrong_answers
from nonocsp.bench.planning import PlannedRun, plan
from nonocsp.bench.provenance import machine, versions
from nonocsp.bench.scoring import Score, score_all
from nonocsp.bench.sessions import Info, Session, add_session, read_info
from nonocsp.bench.shards import WHOLE, Part
from nonocsp.bench.store import Row, Store
from nonocsp.formats import save
from nonocsp.model import Puzzle, UsageError
from nonocsp.runner import create
from nonocsp.runner.jobs import Executor, Job, Measurement
from nonocsp.runner.machine import busy_warning


@dataclass(frozen=True, slots=True)
class Planned:
    """The campaign is about to start.

    Parameters
    ----------
    missing
        The runs that will be measured, in this order.
    rows
        Those of the other planned runs, which are stored already.
    warnings
        What will make rows hard to compare.
    """

    missing: Sequence[PlannedRun]
    rows: Sequence[Row]
    warnings: list[str]


@dataclass(frozen=True, slots=True)
class Started:
    """An executor has taken a run; it may hold it for a moment before it starts it."""

    run: PlannedRun


@dataclass(frozen=True, slots=True)
class Finished:
    """A run ended and its row is stored."""

    row: Row


@dataclass(frozen=True, slots=True)
class Contradicted:
    """The run that finished last contradicts an earlier one."""

    disagreement: Disagreement


Event = Planned | Started | Finished | Contradicted
Listener = Callable[[Event], None]


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
    part: Part = WHOLE,
    retry: Collection[Termination] = (),
    on_event: Listener = _ignore,
) -> CampaignResult:
    """Run what is missing of a campaign.

    Whatever ends it early (Ctrl-C, ``kill -9``), rows that were written stay, and the next call
    goes on from there.

    Parameters
    ----------
    output
        The campaign's folder: ``campaign.json``, ``runs.jsonl``, and ``failures/`` with the puzzles of runs
        that crashed.
    part
        Which of the planned runs are wanted; the others are neither run nor in the result.
    retry
        Runs that are stored with one of these terminations are done again; their last row counts.
    on_event
        Called with `Planned` once, then with `Started` and `Finished` for each run.

    Raises
    ------
    UsageError
        If the folder holds another campaign, another driver writes to it, or there is nothing to run.
    """
    runs = {run.id: run for run in part.select(plan(config))}
    with Store(output) as store:
        _refuse_another(read_info(output), config.name, output)
        rows = {row["run"]: row for row in store.rows() if row["run"] in runs}
        missing = [run for id, run in runs.items() if id not in rows or rows[id]["termination"] in retry]
        if missing:
            with _executor(config) as executor:
                add_session(output, config.name, Session.of(config, part, len(runs), len(missing)))
                on_event(_planned(config, missing, [*rows.values()], read_info(output)))
                check = CrossCheck(rows.values())
                for row in _measure(config.name, missing, executor, store, on_event):
                    rows[row["run"]] = row
                    on_event(Finished(row))
                    for disagreement in check.add(row):
                        on_event(Contradicted(disagreement))
    warnings = [*config.absences, *caveats([*rows.values()], read_info(output).get("sessions", []))]
    return _result(config.name, [rows[id] for id in runs], len(missing), warnings)


def _refuse_another(info: Info, name: str, folder: Path) -> None:
    if info and info["name"] != name:
        raise UsageError(
            f"{folder} holds the campaign {info['name']!r}, not {name!r}: choose another --output"
        )


def _executor(config: CampaignConfig) -> Executor:
    address = config.cluster.address if config.cluster else None
    return create(config.executor, config.jobs, pin=config.pin, address=address)


def _planned(
    config: CampaignConfig, missing: Sequence[PlannedRun], rows: Sequence[Row], info: Info
) -> Planned:
    """Return the event that opens a session; it warns of what will make the rows hard to compare."""
    expected = {  # of the rows to come, what is known of them already
        run.backend: {
            "backend": run.backend,
            "versions": versions(run.backend),
            "machine": str(machine()),
            "executor": config.executor,
            "limits": asdict(run.request.limits),
            "reliable": True,
        }
        for run in missing
    }
    busy = busy_warning(config.jobs) if config.executor != "dask" else ""  # it runs elsewhere
    found = [*config.absences, busy, *caveats([*rows, *expected.values()], info["sessions"])]
    retried = {run.id for run in missing}
    return Planned(missing, [row for row in rows if row["run"] not in retried], [*filter(None, found)])


def _measure(
    campaign: str, runs: Sequence[PlannedRun], executor: Executor, store: Store, on_event: Listener
) -> Iterator[Row]:
    """Run the runs; yield their rows, stored, as they end."""
    by_id = {run.id: run for run in runs}

    def jobs() -> Iterator[Job]:
        for run in runs:
            on_event(Started(run))
            yield run.job

    for job, measurement in executor.run(jobs()):
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
        **_palette(puzzle),
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


def _palette(puzzle: Puzzle) -> dict[str, list[list[str]]]:
    """Return what the characters of grids stand for, where black and white does not say it."""
    if puzzle.palette.is_one_colour:
        return {}
    return {"palette": [[colour.char, colour.rgb] for colour in puzzle.palette.colours]}


def _save_puzzle(run: PlannedRun, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    save(run.source.puzzle, folder / f"{run.id}.json", format="json")


def _result(name: str, rows: list[Row], ran: int, warnings: list[str]) -> CampaignResult:
    return CampaignResult(
        name=name,
        rows=rows,
        scores=score_all(rows),
        disagreements=disagreements(rows),
        wrong=wrong_answers(rows),
        planned=len(rows),
        ran=ran,
        skipped=len(rows) - ran,
        warnings=warnings,
    )
